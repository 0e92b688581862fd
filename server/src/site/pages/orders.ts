// A customer's own orders, newest first: where each stands, and which wait for them. docs/contract/site.md#orders.
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
import type { Key } from '../words.ts'

/** As far as the API's own list goes. */
const lastPage = 1000

/** Before all others come the orders that stand still until their customer decides: the newest in each of these states. */
const deciding = ['delivered', 'disputed'] as const

export const orderList = customerPage({
  path: ordersPath,
  summary: 'The orders of a customer',
  query: ['state', 'page'],
  async view(scene) {
    const { service, query, customer } = scene
    const page = pageAsked(query['page'])
    const state = states.find((each) => each === query['state'])
    if (page === undefined || page > lastPage || (state === undefined && query['state'] !== undefined)) return undefined
    const found = await service.sql.snapshot(async (tx) => {
      const asked = { role: 'customer', state, page, page_size: pageSize } as const
      const isWhole = page === 1 && state === undefined
      const [known, { rows, total }, ...more] = await Promise.all([
        statesOf(tx, customer.human.id, 'human-orders'),
        list(tx, customer.human.id, asked, 'human-orders'),
        ...(isWhole ? deciding : []).map((each) =>
          list(tx, customer.human.id, { ...asked, state: each }, 'human-orders'),
        ),
      ])
      const here = new Set(rows.map(({ id }) => id))
      const further = more.flatMap((each) => each.rows.filter(({ id }) => !here.has(id)))
      const shown = await show(tx, { me: customer.human, service }, tx.now, [...rows, ...further])
      const yours = isWhole ? shown.filter(isYourTurn) : []
      return { yours, orders: shown.filter((each) => here.has(each.id) && !yours.includes(each)), known, total }
    })
    return hasPage(page, found.total) ? listView(scene, { ...found, state, page }) : undefined
  },
})

interface Listed {
  /** Those that need a decision. */
  yours: readonly Order[]
  orders: readonly Order[]
  /** The states that there are orders in. */
  known: ReadonlySet<State>
  total: number
  state: State | undefined
  page: number
}

function listView(scene: CustomerScene, { yours, orders, known, total, state, page }: Listed): View {
  const { words } = scene
  const stretch = { path: ordersPath, filter: { state }, page, total: Math.min(total, lastPage * pageSize) }
  const name = words.text('orders.title')
  const part = state && words.text(`orders.state.${state}`)
  return {
    title: listTitle(scene, part ? words.text('list.of', { name, part }) : name, { page }),
    section: 'mine',
    width: 'listing',
    ...places(stretch),
    isUnlisted: true,
    body: html`${customerBar(scene, 'orders')}<div class="page-head"><h1>${words('orders.title')}</h1>
<p class="lead">${words('orders.lead')}</p></div>
${(known.size > 1 || state !== undefined) && filters(scene, state, known)}
${total === 0 ? nothing(scene, state) : html`<p class="fine list-count">${words('orders.total', { total })}</p>${rowsOf(scene, 'orders.yours', yours)}${rowsOf(scene, yours.length > 0 ? 'orders.others' : undefined, orders)}`}
${pager(scene, stretch)}`,
  }
}

const heading = (level: 2 | 3, link: HtmlPart): HtmlPart =>
  level === 2 ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`

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

const rowsOf = (scene: Scene, heading: Key | undefined, orders: readonly Order[]): HtmlPart =>
  orders.length > 0 &&
  html`${heading && html`<h2 class="list-head">${scene.words(heading)}</h2>`}<ul class="rows">${orders.map((order) => row(scene, order, heading ? 3 : 2))}</ul>`

const row = (
  scene: Scene,
  order: Order,
  level: 2 | 3,
): HtmlPart => html`<li class="row${isYourTurn(order) && ' turn'}">${heading(level, html`<a href="${orderPath(order.id)}">${order.title}</a>`)}
<p dir="auto">${teaser(order.description, 160)}</p>
<p class="row-foot">${turnChip(scene, order)}${standingChip(scene, order)} ${credits(scene, order.total_minor)} <span>${scene.words('orders.until', { deadline: scene.words.day(order.deadline) })}</span> ${worker(contractorOf(order), false)}</p></li>
`
