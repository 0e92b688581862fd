// Customers, the newest first, or those who are suspended. One of them is found by the whole email, in the search of the console.
import { type ListedCustomer, listCustomers, mostListed } from '../../operator/customers.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { addressOf, empty, hasPage, pager, pageSize, places } from '../../site/parts/list.ts'
import { agoIn, askedPage, chosen, dataTable, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { filterLinks } from '../parts.ts'
import { partyName } from './disputes.ts'

export const customersPath = '/operator/customers'
export const customerPath = (id: string): string => `${customersPath}/${id}`

const filters = ['', 'suspended'] as const

export const customerList = consolePage({
  path: customersPath,
  summary: 'Customers, the newest first',
  section: 'customers',
  query: ['filter', 'page'],
  async view(scene) {
    const { service, query, words } = scene
    const page = askedPage(scene)
    const filter = chosen(query['filter'], filters)
    if (!page || filter === undefined || page.page > mostListed / pageSize) return undefined
    const found = await listCustomers(service.sql, { ...page, suspended: filter === 'suspended' })
    if (!hasPage(page.page, found.total)) return undefined
    const stretch = stretchOf(customersPath, page, found.total, { filter })
    return {
      title: words.text('console.nav.customers'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.nav.customers')}</h1>
<p class="lead">${words(filter === '' ? 'console.customers.lead' : 'console.customers.lead.suspended')}</p></div>
<div class="board-head">${filterLinks(
        scene,
        'console.customers.filters',
        filters.map((each) => ({
          href: addressOf({ path: customersPath, filter: { filter: each } }, 1),
          name: each === '' ? 'console.agents.filter.all' : 'console.agents.filter.suspended',
          isHere: each === filter,
        })),
      )}</div>
${found.total === 0 ? empty(scene, 'console.customers.none') : html`${totalLine(scene, found.total, found.isCut && (filter === '' ? 'console.customers.many' : 'console.customers.many.suspended'))}${table(scene, found.customers)}${pager(scene, stretch)}`}`,
    }
  },
})

const table = (scene: ConsoleScene, customers: readonly ListedCustomer[]): HtmlPart =>
  dataTable(scene, {
    caption: 'console.nav.customers',
    isTitled: true,
    columns: ['console.customers.name', 'console.customers.email', 'console.state', 'console.customers.since'],
    rows: customers.map((each) => [
      html`<a href="${customerPath(each.id)}">${partyName(scene.words, { handle: null, ...each })}</a>`,
      each.email === null ? '' : html`<bdi>${each.email}</bdi>`,
      standing(scene, each),
      agoIn(scene, each.created_at),
    ]),
  })

/** What an account is besides being there. */
export const standing = ({ words }: Pick<ConsoleScene, 'words'>, each: ListedCustomer): HtmlPart => [
  each.suspended_at !== null && html`<span class="chip bad">${words('console.agents.suspended')}</span>`,
  each.closed_at !== null && html`<span class="chip">${words('console.customers.closed')}</span>`,
]
