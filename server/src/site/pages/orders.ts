// A customer's own orders, newest first: where each stands, and which wait for them. docs/contract/site.md#orders.
import { waitingFor } from '../../modules/orders/decisions.ts'
import { type State, states } from '../../modules/orders/machine.ts'
import { list, statesOf } from '../../modules/orders/orders.ts'
import { show } from '../../modules/orders/show.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { customerBar } from '../parts/customer.ts'
import { addressOf, empty, hasPage, pageAsked, pager, pageSize, places } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import {
  contractorOf,
  credits,
  isYourTurn,
  type Order,
  orderPath,
  ordersPath,
  standingChip,
  turnChip,
  worker,
} from '../parts/order.ts'
import { teaser } from '../text.ts'
import { type CustomerScene, customerPage, type Scene } from '../view.ts'

/** As far as the API's own list goes. */
const lastPage = 1000

export const orderList = customerPage({
  path: ordersPath,
  summary: 'The orders of a customer',
  query: ['state', 'page'],
  async view(scene) {
    const { service, query, customer } = scene
    const page = pageAsked(query['page'])
    const state = states.find((each) => each === query['state'])
    if (page === undefined || page > lastPage || (state === undefined && query['state'] !== undefined)) return undefined
    const { human } = customer
    const found = await service.sql.snapshot(async (tx) => {
      // Those that wait for a decision come before all others, and not among them.
      const waiting = state === undefined ? await waitingFor(tx, human.id, 'human-orders') : []
      const without = waiting.map(({ id }) => id)
      const asked = { role: 'customer', state, page, page_size: pageSize, without } as const
      const { rows, total } = await list(tx, human.id, asked, 'human-orders')
      const first = page === 1 ? waiting : []
      const orders = await show(tx, { me: human, service }, tx.now, [...first, ...rows])
      const known = await statesOf(tx, human.id, 'human-orders')
      return {
        waiting: orders.slice(0, first.length),
        orders: orders.slice(first.length),
        total,
        all: total + waiting.length,
        known,
      }
    })
    return hasPage(page, found.total) ? listView(scene, { ...found, state, page }) : undefined
  },
})

interface Listed {
  /** For a decision of their customer, on the first page. */
  waiting: readonly Order[]
  orders: readonly Order[]
  /** Of all pages, without what waits. */
  total: number
  all: number
  /** The states that there are orders in. */
  known: ReadonlySet<State>
  state: State | undefined
  page: number
}

function listView(scene: CustomerScene, { waiting, orders, total, all, known, state, page }: Listed): View {
  const { words } = scene
  const stretch = { path: ordersPath, filter: { state }, page, total: Math.min(total, lastPage * pageSize) }
  const name = words.text('nav.mine')
  const part = state && words.text(`orders.state.${state}`)
  return {
    title: listTitle(scene, part ? words.text('list.of', { name, part }) : name, { page }),
    section: 'mine',
    width: 'listing',
    ...places(stretch),
    isUnlisted: true,
    body: html`${customerBar(scene, 'orders')}<div class="page-head"><h1>${words('nav.mine')}</h1>
<p class="lead">${words('orders.lead')}</p></div>
${(known.size > 1 || state !== undefined) && filters(scene, state, known)}
${all === 0 ? nothing(scene, state) : html`<p class="fine list-count">${words('orders.total', { total: all })}</p>`}
${waiting.length > 0 ? parted(scene, waiting, orders) : orders.length > 0 && rowsOf(scene, orders, 2)}
${pager(scene, stretch)}`,
  }
}

/** What waits for a decision, and what does not. */
const parted = (scene: Scene, waiting: readonly Order[], others: readonly Order[]): HtmlPart =>
  html`<section aria-labelledby="waiting"><h2 class="list-head" id="waiting">${scene.words('orders.yours.all', { count: waiting.length })}</h2>
${rowsOf(scene, waiting, 3)}</section>
${
  others.length > 0 &&
  html`<section aria-labelledby="others"><h2 class="list-head" id="others">${scene.words('orders.others')}</h2>
${rowsOf(scene, others, 3)}</section>`
}`

const filters = ({ words }: Scene, chosen: State | undefined, known: ReadonlySet<State>): HtmlPart =>
  html`<nav class="filters" aria-label="${words.text('orders.states')}">${[
    undefined,
    ...states.filter((state) => known.has(state) || state === chosen),
  ].map(
    (state) =>
      html`<a href="${addressOf({ path: ordersPath, filter: { state } }, 1)}"${state === chosen && html` aria-current="true"`}>${words(state ? `orders.state.${state}` : 'orders.state.all')}</a>`,
  )}</nav>`

const nothing = (scene: Scene, state: State | undefined): HtmlPart =>
  state === undefined
    ? html`${empty(scene, 'orders.none', 'orders.none.text')}<p class="actions"><a class="button" href="/agents">${scene.words('orders.none.find')}</a></p>`
    : html`<div class="empty-part">${empty(scene, 'orders.none.state')}</div>`

const rowsOf = (scene: Scene, orders: readonly Order[], heading: 2 | 3): HtmlPart =>
  html`<ul class="rows">${orders.map((order) => row(scene, order, heading))}</ul>`

function row(scene: Scene, order: Order, heading: 2 | 3): HtmlPart {
  const link = html`<a href="${orderPath(order.id)}">${order.title}</a>`
  return html`<li class="row${isYourTurn(order) && ' turn'}">${heading === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
<p dir="auto">${teaser(order.description, 160)}</p>
<p class="row-foot">${turnChip(scene, order)}${standingChip(scene, order)} ${credits(scene, order.total_minor)} <span>${scene.words('orders.until', { deadline: scene.words.day(order.deadline) })}</span> ${worker(contractorOf(order), false)}</p></li>
`
}
