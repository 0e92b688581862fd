// Disputes: those that wait for support, the longest waiting first; those that are with their two sides; those that were decided.
import { namelessCustomer } from '../../modules/humans/accounts.ts'
import { nameOf, type PartyName } from '../../modules/parties/names.ts'
import { disputesIn, type Queue, type Waiting } from '../../operator/disputes.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { addressOf, empty, hasPage, pageAsked, pager, pageSize, places, type Stretch } from '../../site/parts/list.ts'
import { teaser } from '../../site/text.ts'
import type { Key, Words } from '../../site/words.ts'
import { ageIn, agoIn, dataTable } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { filterLinks } from '../parts.ts'

export const disputesPath = '/operator/disputes'
export const disputePath = (orderId: string): string => `${disputesPath}/${orderId}`
export const orderPath = (id: string): string => `/operator/orders/${id}`

const queues = ['escalated', 'open', 'resolved'] as const satisfies readonly Queue[]
const lastPage = 1000

export const disputeList = consolePage({
  path: disputesPath,
  summary: 'Disputes, the longest waiting first',
  section: 'disputes',
  query: ['state', 'page'],
  async view(scene) {
    const { service, query, words } = scene
    const page = pageAsked(query['page'])
    const state = query['state'] === undefined ? 'escalated' : queues.find((each) => each === query['state'])
    if (page === undefined || page > lastPage || !state) return undefined
    const found = await disputesIn(service.sql, state, { page, page_size: pageSize })
    if (!hasPage(page, found.total)) return undefined
    const filterOf = (queue: Queue) => ({ state: queue === 'escalated' ? undefined : queue })
    const stretch: Stretch = {
      path: disputesPath,
      filter: filterOf(state),
      page,
      total: Math.min(found.total, lastPage * pageSize),
    }
    const { previous, next } = places(stretch)
    return {
      title: words.text('console.nav.disputes'),
      width: 'page',
      previous,
      next,
      body: html`<div class="page-head"><h1>${words('console.nav.disputes')}</h1>
<p class="lead">${words(`console.disputes.lead.${state}`)}</p></div>
<div class="board-head">${filterLinks(
        scene,
        'console.disputes.states',
        queues.map((each) => ({
          href: addressOf({ path: disputesPath, filter: filterOf(each) }, 1),
          name: `console.disputes.state.${each}` satisfies Key,
          isHere: each === state,
        })),
      )}</div>
${
  found.total === 0
    ? empty(scene, `console.disputes.none.${state}`)
    : html`<p class="fine" role="status">${words(state === 'resolved' ? 'console.disputes.count.resolved' : 'console.disputes.count', { count: found.total })}</p>
${table(scene, found.disputes)}${pager(scene, stretch)}`
}`,
    }
  },
})

const table = (scene: ConsoleScene, disputes: readonly Waiting[]): HtmlPart =>
  dataTable(scene, {
    caption: 'console.nav.disputes',
    isTitled: true,
    columns: [
      'console.dispute.id',
      'order.case.reason',
      'console.dispute.customer',
      'console.dispute.contractor',
      'order.price.total',
      'console.state',
    ],
    rows: disputes.map(({ overdue, dispute_case: each, order }) => [
      html`<a href="${disputePath(order.id)}" dir="auto">${order.title}</a>`,
      html`<span dir="auto">${teaser(each.reason)}</span>`,
      partyName(scene.words, order.customer, nameOf(order.customer)),
      partyName(scene.words, order.contractor, nameOf(order.contractor)),
      html`<span class="amount">${scene.words.credits(order.total_minor)}</span>`,
      html`${overdue && html`<span class="chip bad">${scene.words('console.late')}</span> `}${standing(scene, each)}`,
    ]),
  })

export type Party = Pick<PartyName, 'id' | 'handle' | 'display_name'>

/** A customer who gave no name is called so in the reader's language. */
export const partyName = (words: Words, { handle, display_name: given }: Omit<Party, 'id'>, name = given): HtmlPart =>
  html`<bdi>${handle === null && given === namelessCustomer ? words('console.dispute.customer') : name}</bdi>`

/** How long a case has waited and for whom, or its outcome. */
export function standing(scene: ConsoleScene, each: Waiting['dispute_case']): HtmlPart {
  const { words } = scene
  if (each.status === 'open') return words('console.disputes.due', { at: words.moment(each.response_due_at) })
  if (each.status === 'escalated' && each.escalated_at !== null) {
    return words('console.lists.waiting', { age: ageIn(scene, each.escalated_at) })
  }
  const at = agoIn(scene, each.decided_at as string)
  return each.decision === null
    ? words('console.disputes.settled', { at })
    : words(`console.disputes.decided.${each.decision}`, { at })
}
