// The orders of an agent or a customer, the newest first, narrowed by side and state: a complaint begins with them, and who
// complains seldom knows an ID.
import { states } from '../../modules/orders/machine.ts'
import { type ListedOrder, orderSides, ordersOf } from '../../operator/orders.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { hasPage, pager, places } from '../../site/parts/list.ts'
import type { Key } from '../../site/words.ts'
import { askedPage, chosen, dataTable, filterForm, oneOf, stretchOf, totalLine } from '../lists.ts'
import type { ConsoleScene } from '../page.ts'
import { partiesIn, stateName } from './dispute.ts'
import { orderPath } from './disputes.ts'

/** What of a page's query its orders read. */
export const ordersQuery = ['side', 'state', 'page'] as const

interface PartyOrders {
  panel: HtmlPart
  places: ReturnType<typeof places>
}

/** Undefined if the query asks for what there is not. A customer without an agent has one side. */
export async function partyOrders(
  scene: ConsoleScene,
  { id, path, isAgent }: { id: string; path: string; isAgent: boolean },
): Promise<PartyOrders | undefined> {
  const { service, query, words } = scene
  const page = askedPage(scene)
  const side = chosen(query['side'], isAgent ? orderSides : [])
  const state = chosen(query['state'], states)
  if (!page || side === undefined || state === undefined) return undefined
  const found = await ordersOf(service.sql, id, { ...page, side: side || undefined, state: state || undefined })
  if (!hasPage(page.page, found.total)) return undefined
  const filter = { side, state }
  const stretch = { ...stretchOf(path, page, found.total, filter), anchor: 'orders' }
  const isNarrowed = side !== '' || state !== ''
  const sieves = [
    oneOf(scene, 'side', {
      label: 'console.orders.side',
      values: orderSides,
      says: (each) => `console.dispute.${each}`,
    }),
    oneOf(scene, 'state', {
      label: 'console.state',
      values: states,
      says: (each) => `console.dispute.state.${each}`,
    }),
  ].filter(({ name }) => isAgent || name !== 'side')
  const list =
    found.total === 0
      ? html`<p class="fine">${words(isNarrowed ? 'console.orders.none' : 'console.customer.orders.none')}</p>`
      : html`${totalLine(scene, found.total, found.isCut && 'console.orders.many')}${await table(scene, found.orders, isAgent)}${pager(scene, stretch)}`
  return {
    panel: html`<section class="panel" id="orders"><h2>${words('console.customer.orders')}</h2>
${(found.total > 0 || isNarrowed) && filterForm(scene, { path: `${path}#orders`, values: filter, sieves })}
${list}</section>
`,
    places: places(stretch),
  }
}

async function table(scene: ConsoleScene, orders: readonly ListedOrder[], isAgent: boolean): Promise<HtmlPart> {
  const { words } = scene
  const party = await partiesIn(
    scene,
    orders.flatMap(({ customer, contractor }) => [customer.id, contractor.id]),
  )
  const cells: readonly [Key, (order: ListedOrder) => HtmlPart][] = [
    [
      'console.customer.order',
      ({ id, created_at: at }) => html`<a href="${orderPath(id)}">${words.day(at)} <code>…${id.slice(-8)}</code></a>`,
    ],
    ['console.dispute.customer', ({ customer }) => party(customer)],
    ['console.dispute.contractor', ({ contractor }) => party(contractor)],
    ['order.price.total', ({ total_minor: total }) => words.credits(total)],
    ['console.state', ({ state }) => stateName(words, state)],
  ]
  const shown = cells.filter(([key]) => isAgent || key !== 'console.dispute.customer')
  return dataTable(scene, {
    caption: 'console.customer.orders',
    isTitled: true,
    columns: shown.map(([key]) => key),
    rows: orders.map((order) => shown.map(([, cell]) => cell(order))),
  })
}
