// The table of plans: orders, disputes, agendas and project cases.
import { days, after as later } from '../../src/kernel/clock.ts'
import { list as agenda } from '../../src/modules/agenda/agenda.ts'
import { findReadable } from '../../src/modules/attachments/visibility.ts'
import { countOffers } from '../../src/modules/orders/customers.ts'
import { mostDecisions, waitingFor } from '../../src/modules/orders/decisions.ts'
import { findLatest, findStanding } from '../../src/modules/orders/disputes.ts'
import * as orders from '../../src/modules/orders/orders.ts'
import { mostOfAgent, mostOfAll, paidTo, paidToAll } from '../../src/modules/orders/paid.ts'
import { relationsIn } from '../../src/modules/orders/relations.ts'
import { show as showOrders } from '../../src/modules/orders/show.ts'
import * as projectCases from '../../src/modules/project-cases/project-cases.ts'
import { show as showProjectCases } from '../../src/modules/project-cases/show.ts'
import { projectCaseSubject } from '../../src/modules/project-cases/subject.ts'
import * as staffDisputes from '../../src/modules/staff/disputes.ts'
import type { Sql } from '../../src/store/sql.ts'
import { offers, told } from './deals.ts'
import type { Filling } from './filling.ts'
import { asTx, type Row } from './table.ts'

const sides = ['customer', 'contractor']
/** These steps for each side, whose name replaces the asterisk. */
const ofBoth = (...steps: readonly string[]): string[] =>
  steps.flatMap((step) => sides.map((side) => step.replace('*', side)))

const anyOrder = { role: undefined, state: undefined, page: 1, page_size: 20 }
const ordersOf =
  (filter: Partial<orders.Filter>) =>
  (sql: Sql, { reader }: Filling): Promise<unknown> =>
    orders.list(sql, reader, { ...anyOrder, ...filter })
/** The reader's orders: one in ten. */
const own = offers / 10
const paged = {
  by: ofBoth(
    'Index (Only )?Scan Backward using orders_of_* on',
    '(Index Only Scan using|Bitmap Index Scan on) orders_of_*(_in)?',
  ),
  most: own,
  statements: 1,
}
// The total needs only the index.
const inState = {
  by: ofBoth('Index Only Scan Backward using orders_of_*_in on', 'Index Only Scan using orders_of_*_in on'),
  most: own / 3,
  dropped: own / 10,
  statements: 1,
}
const ofPeople =
  (filter: Partial<orders.Filter>) =>
  (sql: Sql, { people, reader }: Filling): Promise<unknown> => {
    const who = filter.role === 'customer' ? (people[0] as string) : reader
    return orders.list(sql, who, { ...anyOrder, ...filter }, 'human-orders')
  }
// Waiting offers have another index as well.
const asCustomer = {
  by: 'orders_of_customer(_in)?|orders_waiting_of_customers',
  never: 'orders_of_contractor(_in)?',
  most: own,
  statements: 1,
}
const asContractor = { ...asCustomer, by: 'orders_of_contractor(_in)?', never: 'orders_of_customer(_in)?' }

const shownAs =
  (change: Partial<orders.Order>, count = 50) =>
  async (sql: Sql, { sql: plain, reader, service, now }: Filling): Promise<unknown> => {
    const { rows: found } = await orders.list(plain, reader, { ...anyOrder, state: 'offered', page_size: count })
    const changed = found.map((order) => ({ ...order, ...change }))
    return showOrders(sql, { me: { kind: 'agent', id: reader }, service }, now, changed)
  }
const disputes =
  (queue: staffDisputes.Queue) =>
  (sql: Sql): Promise<unknown> =>
    staffDisputes.list(sql, queue, { page: 1, page_size: 20 })
const accepted = { state: 'closed', outcome: 'accepted', closed_at: new Date(0), has_files: true } as const

export const orderRows: readonly Row[] = [
  ['GET orders', ordersOf({}), { ...paged, backward: 20 }],
  ['GET orders, page 5', ordersOf({ page: 5 }), { ...paged, backward: 100 }],
  [
    'GET orders as a customer',
    ordersOf({ role: 'customer' }),
    { by: 'Index (Only )?Scan Backward using orders_of_customer on', never: 'orders_of_contractor(_in)?' },
  ],
  [
    'GET orders as a contractor',
    ordersOf({ role: 'contractor' }),
    { by: 'Index (Only )?Scan Backward using orders_of_contractor on', never: 'orders_of_customer(_in)?' },
  ],
  ['GET orders that are offered', ordersOf({ state: 'offered' }), { ...inState, backward: 20 }],
  ['GET orders that are offered, page 3', ordersOf({ state: 'offered', page: 3 }), { ...inState, backward: 60 }],
  ['GET orders that are funded', ordersOf({ state: 'funded' }), { ...inState, most: 40, backward: 20 }],
  [
    'GET orders that are funded, page 3',
    ordersOf({ state: 'funded', page: 3 }),
    { ...inState, most: 120, backward: 60 },
  ],
  ['GET human-orders as a customer', ofPeople({ role: 'customer' }), asCustomer],
  ['GET human-orders as a customer, offered', ofPeople({ role: 'customer', state: 'offered' }), asCustomer],
  [
    "what waits for a customer's decision",
    (sql, { people }) => waitingFor(sql, people[0] as string, 'human-orders'),
    { by: 'orders_of_customer(_in)?', never: 'orders_of_contractor(_in)?', most: 2 * mostDecisions, statements: 1 },
  ],
  [
    'what others paid an agent',
    (sql, { busy }) => paidTo(sql, busy),
    { by: 'orders_of_contractor(_in)?', never: 'orders_of_customer(_in)?', most: 2 * mostOfAgent, statements: 1 },
  ],
  [
    'what others paid',
    (sql) => paidToAll(sql),
    { by: 'orders_pkey', most: mostOfAll, backward: mostOfAll, statements: 1 },
  ],
  ['GET human-orders as a contractor', ofPeople({ role: 'contractor' }), asContractor],
  ['GET human-orders as a contractor, offered', ofPeople({ role: 'contractor', state: 'offered' }), asContractor],
  [
    'POST human-orders: the offers that wait, and as many as may be made in a day',
    (sql, { people }) => countOffers(sql, people[0] as string),
    {
      by: [
        'Index (Only )?Scan using orders_waiting_of_customers on',
        'Index Only Scan Backward using orders_of_customer on',
      ],
      most: 200,
    },
  ],
  ['an order', (sql, at) => orders.find(sql, at.reader, at.orderId), 'Index Scan using orders_pkey on'],
  [
    'GET orders/{id}',
    (sql, at) => orders.findShown(sql, at.reader, at.orderId, 'orders'),
    { by: 'Index Scan using orders_pkey on', most: 1, statements: 1 },
  ],
  [
    'what the sides of an offer are to each other',
    (sql, at) => relationsIn(sql, at.reader, [at.orderId]),
    { by: ['orders_pkey', 'agents_pkey', 'contacts_pair'], most: 1, statements: 1 },
  ],
  [
    'what the orders of a wallet are called',
    (sql, { people, orderId }) => orders.titlesOf(sql, people[0] as string, [orderId]),
    { by: 'orders_of_customer(_in)?|orders_pkey', most: 1, statements: 1 },
  ],
  [
    'the history of an order',
    (sql, { orderId }) => orders.history(sql, orderId),
    { by: 'Index Scan Backward using order_history_pkey on', inOrder: true },
  ],
  [
    'the latest dispute of an order',
    (sql, { disputedId }) => findLatest(sql, disputedId),
    'Index Scan (Backward )?using dispute_cases_of_order on',
  ],
  [
    'the open dispute of an order',
    (sql, { disputedId }) => findStanding(sql, disputedId),
    'Index Scan using dispute_cases_(standing|of_order) on',
  ],
  ['GET staff/disputes that are open', disputes('open'), 'using dispute_cases_due'],
  ['GET staff/disputes that are escalated', disputes('escalated'), 'using dispute_cases_escalated'],
  ['GET staff/disputes that are resolved', disputes('resolved'), 'using dispute_cases_decided'],
  [
    'GET staff/disputes/{order_id}',
    (sql, { disputedId }) => staffDisputes.find(sql, disputedId),
    'Index Scan (Backward )?using dispute_cases_of_order',
  ],
  [
    'fifty offers, shown: names, relations, and how customers answer',
    shownAs({}),
    { by: 'contacts_pair', statements: 3 },
  ],
  ['fifty accepted orders, shown', shownAs(accepted), { by: 'reviews_of_order', statements: 4 }],
  ['one accepted order, shown: as many statements', shownAs(accepted, 1), { by: 'reviews_of_order', statements: 4 }],
  [
    'fifty disputes, shown',
    shownAs({ state: 'disputed', has_files: true }),
    { by: 'dispute_cases_standing', statements: 3 },
  ],
  [
    'fifty orders of a person, shown',
    async (sql, { people, sql: plain, reader, service, now }) => {
      const wanted = { ...anyOrder, page_size: 50 }
      const found = await orders.list(plain, people[0] as string, wanted, 'human-orders')
      return showOrders(sql, { me: { kind: 'agent', id: reader }, service }, now, found.rows)
    },
    { by: 'contacts_pair', statements: 3 },
  ],
]

/** The agenda of an agent for whom a thousand orders wait. */
async function agendaOf(sql: Sql, { service, now, busy }: Filling, before?: string): Promise<unknown> {
  const passport = { suspendedAt: null, suspensionCaseId: null, emailVerifiedAt: null, createdAt: now }
  const me = { kind: 'agent', id: busy, handle: 'busy', ...passport } as const
  const session = { digest: Buffer.alloc(32), expiresAt: later(now, days(30)) }
  return agenda({ tx: asTx(sql, now), service, me, session }, { before, limit: 50 })
}
const byTurn = {
  by: ['orders_waiting_for', 'orders_to_review_by_customer', 'orders_to_review_by_contractor'],
  most: 51 * 4,
  dropped: 51,
}

export const agendaRows: readonly Row[] = [
  ['GET agenda: a page of each kind', (sql, at) => agendaOf(sql, at), byTurn],
  ['GET agenda behind one of its items', (sql, at) => agendaOf(sql, at, at.turnId), byTurn],
]

const byKey = { by: 'project_cases_pkey', most: 100, statements: 1 }
const casesOf =
  (filter: Partial<Parameters<typeof projectCases.list>[2]>) =>
  (sql: Sql, { reader }: Filling): ReturnType<typeof projectCases.list> =>
    projectCases.list(sql, reader, { page: 1, page_size: 20, role: undefined, state: undefined, ...filter })

const bothSides = { by: ofBoth('project_cases_of_*'), most: 2 * told.own, statements: 1 }
const ofContractor = { ...bothSides, by: 'project_cases_of_contractor', never: 'project_cases_of_customer' }
const ofCustomer = { ...bothSides, by: 'project_cases_of_customer', never: 'project_cases_of_contractor' }

const newestThousand = { by: 'Index Only Scan using project_cases_published', most: 2000, statements: 1 }
const sitePage =
  (page: number) =>
  (sql: Sql): Promise<unknown> =>
    projectCases.publicPage(sql, { page, page_size: 20 })

export const projectCaseRows: readonly Row[] = [
  ['GET project-cases', casesOf({}), bothSides],
  ['GET project-cases, page 10', casesOf({ page: 10 }), bothSides],
  ['GET project-cases that are published', casesOf({ state: 'published' }), bothSides],
  ['GET project-cases that are published, page 10', casesOf({ state: 'published', page: 10 }), bothSides],
  ['GET project-cases as a contractor', casesOf({ role: 'contractor' }), ofContractor],
  ['GET project-cases as a contractor, page 10', casesOf({ role: 'contractor', page: 10 }), ofContractor],
  ['GET project-cases as a customer, drafts', casesOf({ role: 'customer', state: 'draft' }), ofCustomer],
  [
    'GET project-cases as a customer, drafts, page 10',
    casesOf({ role: 'customer', state: 'draft', page: 10 }),
    ofCustomer,
  ],
  ['GET project-cases/{id}', (sql, at) => projectCases.findVisible(sql, at.reader, at.projectCase.id), byKey],
  ['one of your own', (sql, at) => projectCases.findOwn(sql, at.reader, at.projectCase.id), byKey],
  ['whether it is your own', (sql, at) => projectCases.isOwn(sql, at.reader, at.projectCase.id), byKey],
  ['whether everyone sees it', (sql, at) => projectCases.isPublic(sql, at.projectCase.id), byKey],
  [
    'POST moderation/reports of one',
    (sql, at) => projectCaseSubject.find(sql, at.projectCase.id, at.reader, at.now),
    byKey,
  ],
  [
    'a page, shown',
    async (sql, at) => {
      const { rows: ids } = await casesOf({ page_size: 50 })(at.sql, at)
      return showProjectCases(sql, { id: at.reader, publicUrl: '' }, ids)
    },
    byKey,
  ],
  [
    'GET attachments/{id} of one',
    (sql, { shut, projectCase }) => findReadable(sql, shut, projectCase.file),
    { ...byKey, most: 2 },
  ],
  ["the site's first page looks at the newest thousand", sitePage(1), newestThousand],
  ["the site's fifth page looks at no more", sitePage(5), newestThousand],
  [
    'the newest of a contractor',
    (sql, { reader }) => projectCases.newestPublicOf(sql, reader, 6),
    { by: 'project_cases_of_contractor', most: 40, inOrder: true, statements: 1 },
  ],
]
