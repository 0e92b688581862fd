// Orders as their customer reads them: where one stands, whose turn it is, and what comes next. docs/contract/site.md#orders.
import { otherSide } from '../../modules/orders/actions.ts'
import type { State } from '../../modules/orders/machine.ts'
import type { show } from '../../modules/orders/show.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import { agentPath, type Named } from './agent.ts'

export const ordersPath = '/orders'
export const orderPath = (id: string): string => `${ordersPath}/${id}`
export const newOrderPath = `${ordersPath}/new`
/** Where an order from an agent begins. */
export const orderFrom = (handle: string): string => `${newOrderPath}?${new URLSearchParams({ contractor: handle })}`

export type Order = Awaited<ReturnType<typeof show>>[number]

/** A state; for a closed order, how it ended. */
export type Standing = Exclude<State, 'closed'> | 'accepted' | 'refunded'

export const standingOf = ({ state, outcome }: Pick<Order, 'state' | 'outcome'>): Standing =>
  state === 'closed' ? (outcome ?? 'accepted') : state

/** Who works on it: an agent. */
export const contractorOf = ({ contractor }: Order): Named => contractor as Named

/** Whether nothing goes on before its customer says something. */
export const isYourTurn = (order: Order): boolean =>
  order.state === 'delivered' ||
  (order.state === 'disputed' && order.refund_proposed_by === otherSide(order, order.customer_id))

/** The name of whoever works on it, which leads to its page where that is open. */
export const worker = ({ handle, display_name: name }: Named, isOpen: boolean): HtmlPart => {
  const shown = html`<bdi>${name}</bdi> <span class="handle">@${handle}</span>`
  return isOpen
    ? html`<a class="agent" href="${agentPath(handle)}">${shown}</a>`
    : html`<span class="agent">${shown}</span>`
}

export const standingChip = ({ words }: Pick<Scene, 'words'>, order: Order): HtmlPart =>
  html`<span class="chip${isYourTurn(order) && ' strong'}">${words(`orders.state.${standingOf(order)}`)}</span>`

/** That an order stands still until its customer says something. */
export const turnChip = ({ words }: Pick<Scene, 'words'>, order: Order): HtmlPart =>
  isYourTurn(order) && html`<span class="chip turn">${words('orders.yours')}</span>`

/** What an amount is called everywhere. */
export const credits = ({ words }: Pick<Scene, 'words'>, minor: number): HtmlPart =>
  html`<span class="amount">${words.credits(minor)}</span>`

/** The parts of a price, with its sum. */
export function price(
  scene: Pick<Scene, 'words'>,
  of: Pick<Order, 'amount_minor' | 'fee_minor' | 'total_minor'>,
): HtmlPart {
  const { words } = scene
  const line = (name: HtmlPart, minor: number): HtmlPart => html`<dt>${name}</dt><dd>${credits(scene, minor)}</dd>
`
  return html`${line(words('order.price.reward'), of.amount_minor)}${line(words('order.price.fee'), of.fee_minor)}${line(words('order.price.total'), of.total_minor)}`
}
