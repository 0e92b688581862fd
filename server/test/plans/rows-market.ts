// The table of plans: services, requests, tasks, bids, ready-made works, reputations and reviews.

import { after as later } from '../../src/kernel/clock.ts'
import { part } from '../../src/kernel/part.ts'
import * as catalog from '../../src/modules/catalog/search.ts'
import * as services from '../../src/modules/catalog/services.ts'
import { search as discover } from '../../src/modules/discovery/search.ts'
import type { Wanted } from '../../src/modules/discovery/wanted.ts'
import { proposalsOf, purchasedFiles } from '../../src/modules/orders/resale.ts'
import { tellAudiences } from '../../src/modules/posts/audience.ts'
import { find as findAgreement } from '../../src/modules/ready/agreements.ts'
import { countWaiting, waiting } from '../../src/modules/ready/consent.ts'
import { stoppedReady } from '../../src/modules/ready/files.ts'
import { findOffered } from '../../src/modules/ready/purchase.ts'
import { show as showAgreement } from '../../src/modules/ready/show.ts'
import { reputationOf } from '../../src/modules/reputation/counters.ts'
import { dueOf, nextDue } from '../../src/modules/requests/expiry.ts'
import * as requests from '../../src/modules/requests/requests.ts'
import { show as showRequests } from '../../src/modules/requests/show.ts'
import { revealDue } from '../../src/modules/reviews/revealing.ts'
import * as reviews from '../../src/modules/reviews/reviews.ts'
import { findConcerned } from '../../src/modules/tasks/announce.ts'
import { own as ownBids } from '../../src/modules/tasks/bids.ts'
import { type Filter as BoardFilter, board, own as ownTasks } from '../../src/modules/tasks/board.ts'
import { tellClosing } from '../../src/modules/tasks/closing.ts'
import type { Sql } from '../../src/store/sql.ts'
import type { Filling } from './filling.ts'
import { asSql, asTx, type Row, type Way } from './table.ts'
import { services as serviceCount } from './writings.ts'

export const anyService: catalog.Filter = {
  q: '',
  provider_id: undefined,
  state: undefined,
  price_mode: undefined,
  unit_label: '',
  min_total_minor: undefined,
  max_total_minor: undefined,
  limit: 20,
}
/** Half of the services are newer than the first elder one. */
const half = serviceCount / 2 + 100
const serviceLists: [Partial<catalog.Filter>, string, number][] = [
  [{}, 'listed_services_pkey', 21],
  [{ state: 'paused' }, 'listed_services_in_state', 21],
  [{ unit_label: 'page' }, 'listed_services_by_unit', 21],
  [{ unit_label: 'rare' }, 'listed_services_by_unit', 21],
  [{ price_mode: 'fixed' }, 'listed_services_by_mode', 21],
  [{ price_mode: 'from' }, 'listed_services_by_mode', 21],
  [{ unit_label: 'page', state: 'published', price_mode: 'fixed' }, 'listed_services_by_unit', 1000],
  [{ min_total_minor: 5000 }, 'listed_services_pkey', 1000],
  [{ q: 'number' }, 'listed_services_pkey', 200],
]
const servicesIn = (
  what: string,
  filter: Partial<catalog.Filter> | ((at: Filling) => Partial<catalog.Filter>),
  way: Row[2],
): Row[] =>
  [false, true].map((isBehind) => [
    `GET services ${what}${isBehind ? ', behind one of them' : ''}`,
    (sql, at) => {
      const given = typeof filter === 'function' ? filter(at) : filter
      const behind = isBehind ? at.middleService : undefined
      return catalog.search(sql, at.reader, { ...anyService, ...given }, { behind })
    },
    way,
  ])
const fewServices: [Partial<catalog.Filter>, string][] = [
  [{ q: 'zymurgy' }, 'Bitmap Index Scan on services_by_gram'],
  [{ q: '酿酒', state: 'published' }, 'Bitmap Index Scan on services_by_gram'],
  [{ min_total_minor: 5000, max_total_minor: 5010 }, 'listed_services_by_total'],
]
export const serviceRows: readonly Row[] = [
  ...serviceLists.flatMap(([filter, index, most]) =>
    servicesIn(JSON.stringify(filter), filter, { by: `Scan Backward using ${index} on`, most, statements: 1 }),
  ),
  ...servicesIn('of a provider', ({ providers }) => ({ provider_id: providers[0] }), {
    by: 'Scan Backward using listed_services_of_provider on',
    most: 100,
    statements: 1,
  }),
  ...fewServices.map(
    ([filter, by]): Row => [
      `GET services ${JSON.stringify(filter)}: few, after the newest were looked at`,
      (sql, { reader }) => catalog.search(sql, reader, { ...anyService, ...filter }),
      { by, most: 1000, statements: 1 },
    ],
  ),
  [
    'GET services?q=number: what the newest have is not sought among all',
    (sql, { reader }) => catalog.search(sql, reader, { ...anyService, q: 'number' }),
    'Bitmap Index Scan on services_by_gram.*never executed',
  ],
  [
    'GET services?q=elder: what many older ones have is sought no further than needed',
    (sql, { reader }) => catalog.search(sql, reader, { ...anyService, q: 'elder' }),
    { by: ['listed_services_pkey', 'services_by_gram'], most: half, statements: 2 },
  ],
  [
    'GET services/mine',
    (sql, { providers }) => catalog.mine(sql, providers[0] as string, { ...anyService, q: 'number' }),
    { by: 'services_of_provider', most: 100 },
  ],
  [
    'GET services/{id}',
    (sql, at) => services.findVisible(sql, at.reader, at.middleService),
    { by: 'services_pkey', most: 100 },
  ],
  [
    'how many services an agent has',
    (sql, { providers }) => services.countOwn(sql, providers[0] as string),
    { by: ['services_of_provider', 'listed_services_of_provider'], most: 100 },
  ],
  [
    'whether a service is your own',
    (sql, at) => services.isOwn(sql, at.reader, at.middleService),
    { by: 'services_of_provider|services_pkey', most: 100 },
  ],
]

type Behind = { rank: number; agent_id: string; id: string }
const found = (what: string, wanted: Partial<Wanted>, way: Way | string, behind?: (at: Filling) => Behind): Row => [
  `GET discovery?${what}`,
  (sql, at) =>
    discover(
      sql,
      at.now,
      { viewerId: null, kind: 'all', sort: 'newest', ...wanted },
      { limit: 20, ...(behind && { behind: behind(at) }) },
    ),
  way,
]
// Of the planted agents one in five is shown, and each has four ranks: 400 rows to a page of 20, more or less.
const aPageByRating = 1000
const byRating = { by: ['ratings_by_rank', 'findable_of_agent', 'ratings_pkey'], never: 'Seq Scan' }
const middlingAgent = (rank: number) => (at: Filling) => ({ rank, agent_id: at.busy, id: at.busy })

/** Without words. Those with words: discovery/plans.test.ts. */
export const discoveryRows: readonly Row[] = [
  found('kind=services', { kind: 'services' }, { by: 'findable_of_kind', most: 100 }),
  found('sort=price', { sort: 'price' }, { by: 'findable_cheapest', most: 100 }),
  found('sort=price_desc', { sort: 'price_desc' }, { by: 'findable_dearest', most: 100 }),
  found('sort=rating', { sort: 'rating' }, { ...byRating, most: aPageByRating }),
  found('sort=rating&kind=services', { sort: 'rating', kind: 'services' }, { ...byRating, most: 3000 }),
  found(
    'sort=rating, further on',
    { sort: 'rating' },
    { ...byRating, most: aPageByRating },
    middlingAgent(200_000_001),
  ),
  found(
    'sort=rating, those without',
    { sort: 'rating' },
    { by: 'ratings_pkey', most: aPageByRating },
    middlingAgent(0),
  ),
]

const rated = (who: 'famous' | 'idle'): Row => [
  `the reputation of an agent, ${who}: as much for thousands of orders as for none`,
  (sql, at) => reputationOf(sql, at.now, at[who]),
  { by: 'reputations_pkey', most: 10 },
]
const sweep = (what: string, by: string, run: (sql: Sql) => Promise<unknown>): Row => [
  `sweep: ${what}`,
  (sql, { now }) => run(asSql(sql, later(now, 1))),
  { by, most: 10 },
]

export const reputationRows: readonly Row[] = [
  rated('famous'),
  rated('idle'),
  sweep('authors to tell of their audience', 'audiences_due', tellAudiences),
  sweep('reviews to reveal', 'reviews_to_reveal', revealDue),
  sweep('tasks whose bids close soon', 'tasks_closing', tellClosing),
]

const requestsOf =
  (page: number) =>
  (sql: Sql, { reader }: Filling): Promise<unknown> =>
    requests.list(sql, reader, { page, page_size: 20 })
const ofBothSides = {
  by: ['customer', 'provider'].flatMap((side) => [
    `Index (Only )?Scan Backward using service_requests_of_${side} on`,
    `(Index Only Scan using|Bitmap Index Scan on) service_requests_of_${side}`,
  ]),
  most: 600,
  statements: 1,
}
const requestsShown =
  (change: (request: requests.ServiceRequest) => Partial<requests.ServiceRequest>) =>
  async (sql: Sql, { sql: plain, reader, now }: Filling): Promise<unknown> => {
    const { rows: found } = await requests.list(plain, reader, { page: 1, page_size: 50 })
    const changed = found.map((request) => ({ ...request, ...change(request) }))
    return showRequests(sql, reader, now, changed)
  }

export const requestRows: readonly Row[] = [
  ['GET service-requests', requestsOf(1), { ...ofBothSides, backward: 20 }],
  ['GET service-requests, page 5', requestsOf(5), { ...ofBothSides, backward: 100 }],
  [
    'GET service-requests/{id}',
    (sql, { reader, requestId }) => requests.find(sql, reader, requestId),
    { by: 'Index Scan using service_requests_pkey on', statements: 1 },
  ],
  [
    'sweep: the request that is due',
    (sql, { soon }) => nextDue(sql, soon),
    { by: 'Index Scan using service_requests_due on', most: 1, statements: 1 },
  ],
  [
    'those of a customer that are due, among its open ones',
    (sql, { others, soon }) => dueOf(sql, others[0] as string, soon, part``),
    { by: 'service_requests_open|service_requests_due', most: 105, statements: 1 },
  ],
  ['fifty without files and orders, shown', requestsShown(() => ({})), { statements: 0 }],
  [
    'fifty with files and orders, shown',
    requestsShown(({ id }) => ({ order_id: id, input_attachment_ids: [id] })),
    { by: 'orders_pkey', statements: 2 },
  ],
]

/** One work has 2,000 purchases, each source order ten works: far fewer are read. */
const few = (by: string): Way => ({ by, most: 160 })

export const readyRows: readonly Row[] = [
  [
    'a purchase',
    (sql, { zoe, now, serviceId }) => findOffered(asTx(sql, now), zoe, serviceId),
    few('ready_services_pkey'),
  ],
  [
    'GET services/{id}/ready',
    async (sql, { pia, serviceId }) => showAgreement(sql, pia, await findAgreement(sql, pia, serviceId)),
    few('ready_services_pkey'),
  ],
  ['the proposals of an order', (sql, { copiedId }) => proposalsOf(sql, [copiedId]), few('ready_services_of_order')],
  [
    'the files of purchases',
    (sql, { zoe, purchasedIds }) => purchasedFiles(sql, zoe, purchasedIds),
    few('ready_purchases_pkey'),
  ],
  ["a moderator's queue", (sql) => waiting(sql, { page: 1, page_size: 20 }), few('ready_services_waiting')],
  ['how many wait', (sql) => countWaiting(sql), few('ready_services_waiting')],
  ['works whose files may go', (sql) => stoppedReady(sql, 50), few('ready_services_stopped')],
]

const anyTask: BoardFilter = { page: 1, page_size: 20, q: '', tag: '', state: 'open' }
const tasks = (filter: Partial<BoardFilter>, way: Row[2]): Row => [
  `GET tasks ${JSON.stringify(filter)}`,
  (sql, { now }) => board(sql, now, { ...anyTask, ...filter }),
  way,
]
const secondPage = { page: 2, page_size: 20, state: undefined }

export const taskRows: readonly Row[] = [
  // Reads only as far as the end of the page.
  tasks({}, { by: 'Scan using listed_tasks_newest on', most: 80 }),
  tasks({ page: 40 }, { by: 'Scan using listed_tasks_newest on', most: 860 }),
  tasks({ state: 'cancelled', page: 125 }, { by: 'Scan using listed_tasks_newest on', most: 2560 }),
  tasks({ state: 'expired' }, { by: 'Scan using listed_tasks_newest on', most: 80 }),
  tasks({ state: 'expired', page: 100 }, { by: 'Scan using listed_tasks_newest on', most: 2060 }),
  ...[{ q: 'zymurgy' }, { q: '酿酒' }, { q: 'zymurgy common' }, { tag: 'rare one' }].map((filter) =>
    tasks(filter, { by: 'Bitmap Index Scan on tasks_open_by_gram', most: 300 }),
  ),
  ...(['cancelled', 'expired'] as const).map((state) =>
    tasks({ q: 'number 1234', state }, { by: 'Bitmap Index Scan on tasks_ended_by_gram', most: 300 }),
  ),
  ...[undefined, 'expired' as const].map(
    (state): Row => [
      `GET tasks/mine, ${state ?? 'of any state'}`,
      (sql, { now, customers }) => ownTasks(sql, customers[3] as string, now, { ...secondPage, state }),
      'tasks_of_customer',
    ],
  ),
  ...[undefined, 'open' as const].map(
    (state): Row => [
      `GET bids/mine, ${state ?? 'of any state'}`,
      (sql, { now, others }) => ownBids(sql, { id: others[0] } as never, now, { ...secondPage, state }),
      'bids_of_bidder|bids_open',
    ],
  ),
  [
    'who is notified of a task: of a word that all have no more are read than may be notified',
    (sql, { customers }) => {
      const [id, customer] = ['00000000-0000-7000-8000-000080000000', customers[0] as string]
      return findConcerned(sql, { id, customer_id: customer, title: 'Of a kind', tags: ['rare'] })
    },
    { by: 'specialty_words_pkey', most: 4 * 1010 },
  ],
]

export const reviewRows: readonly Row[] = [
  ...[
    { role: undefined, page: 1, page_size: 20 },
    { role: 'contractor' as const, page: 20, page_size: 50 },
  ].map(
    (filter): Row => [
      `GET bots/{id}/reviews ${JSON.stringify(filter)}: counted and paged by the index alone`,
      (sql, { now, famous }) => reviews.list(sql, now, famous, filter),
      {
        by: 'Index Only Scan (Backward )?using reviews_of_subject',
        never: 'Bitmap Heap Scan on reviews',
        statements: 1,
      },
    ],
  ),
  [
    'how many reviews a profile has',
    (sql, { now, famous }) => reviews.countPublic(sql, now, famous),
    'Index Only Scan using reviews_of_subject',
  ],
]
