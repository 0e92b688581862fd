// Everything that is kept of a customer, as one JSON document for themselves, read and written a piece at a time: nothing is
// held that is as large as the whole. docs/contract/people.md#export.
import type { Human } from '../../kernel/callers.ts'
import { hours, seconds } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { HumansRow } from '../../store/tables.ts'
import { type AttachmentRow, attachmentColumns, ownCard } from '../attachments/cards.ts'
import { ownFiles as toOwn } from '../attachments/files.ts'
import { type Quote, showQuote } from '../catalog/quotes.ts'
import { listOwn, show as showCase } from '../moderation/cases.ts'
import { disputeCasesOf } from '../orders/disputes.ts'
import { history as historyOf, type Order } from '../orders/orders.ts'
import { showDisputeCase as showDispute, showLine, show as showOrders } from '../orders/show.ts'
import { list as listUpdates, show as showUpdates } from '../orders/updates.ts'
import { reviewsOf } from '../reviews/reviews.ts'
import { showReview } from '../reviews/shapes.ts'
import { showEntry, showWallet } from '../wallet/shapes.ts'
import { findWallet, history } from '../wallet/wallet.ts'

/** Exports of one customer, in so many milliseconds. */
export const exportRate = { most: 10, period: hours(1) } as const

/** Counts an export; beyond the limit `request_limit`. */
export async function requireFewExports({ limiter }: Pick<Service, 'limiter'>, humanId: string): Promise<void> {
  const { most, period } = exportRate
  const state = await limiter.take(`export:${humanId}`, most, period / seconds(1))
  if (!state.allowed)
    refuse('request_limit', { retryAfter: state.resetSeconds, message: `Limit of ${most} exports in an hour reached` })
}

/** Reads what belongs together, when it is this customer's turn. */
export type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/** Whose document it is. */
interface Exported {
  service: Service
  me: Human
}

const pageSize = 50

/**
 * The document in pieces. Each page of it is of one moment; what changes while it is written may be in it or not.
 */
export async function* exportOf(read: Read, { service, me }: Exported): AsyncGenerator<string> {
  const { written_at, ...about } = await read(async (tx) => ({
    written_at: tx.now.toISOString(),
    account: await accountOf(tx, me.id),
    sessions: await sessionsOf(tx, me.id),
    wallet: showWallet(await findWallet(tx, me.id)),
  }))
  yield `{"format":"kith-customer","version":1,${member('written_at', written_at)}`
  for (const [name, value] of Object.entries(about)) yield `,\n${member(name, value)}`
  yield* list('ledger', entries(read, me))
  yield ',\n"orders":['
  let isFirst = true
  for await (const order of orders(read, { service, me })) {
    yield isFirst ? '\n' : ',\n'
    isFirst = false
    yield* order
  }
  yield ']'
  yield* list('service_quotes', unusedQuotes(read, me))
  yield* list('files', files(read, me))
  yield* list('moderation_cases', cases(read, me))
  yield '}\n'
}

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`

async function* list(name: string, pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = `,\n${JSON.stringify(name)}:[\n`
  for await (const page of pages) {
    for (const entry of page) {
      yield before + JSON.stringify(entry)
      before = ',\n'
    }
  }
  yield before === ',\n' ? ']' : `${before.trimEnd()}]`
}

async function accountOf(sql: Query, humanId: string) {
  const account = only(await sql<HumansRow>`select * from humans where id = ${humanId}`)
  return {
    id: account.id,
    display_name: account.display_name,
    email: account.email,
    created_at: account.created_at.toISOString(),
    documents_confirmed: account.confirmed_documents,
    documents_confirmed_at: account.documents_confirmed_at?.toISOString() ?? null,
    language: account.language,
    notices: account.notices_stopped_at === null,
    notices_stopped_at: account.notices_stopped_at?.toISOString() ?? null,
  }
}

async function sessionsOf(sql: Query, humanId: string) {
  const rows = await sql<{ created_at: Date; expires_at: Date; ended_at: Date | null }>`
    select created_at, expires_at, ended_at from human_sessions where human_id = ${humanId} order by created_at`
  return rows.map((session) => ({
    created_at: session.created_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
    ended_at: session.ended_at?.toISOString() ?? null,
  }))
}

async function* entries(read: Read, me: Human) {
  let before: string | undefined
  do {
    const page = await read((tx) => history(tx, me.id, { before, limit: pageSize }))
    yield page.rows.map(showEntry)
    before = page.next_before ?? undefined
  } while (before !== undefined)
}

/** Each order in pieces, the newest first. */
async function* orders(read: Read, reader: Exported): AsyncGenerator<AsyncIterable<string>> {
  for await (const page of byId((before) => read((tx) => ordersBefore(tx, reader, before)))) {
    for (const { order } of page) yield withAll(read, reader.me, order)
  }
}

async function ordersBefore(tx: Tx, reader: Exported, before: string | undefined) {
  const rows = await tx<Order>`
    select * from orders where customer_id = ${reader.me.id} ${olderThan(before)} order by id desc
    limit (select ${pageSize}::int)`
  const shown = await showOrders(tx, reader, tx.now, rows)
  return shown.map((order) => ({ id: order.id, order }))
}

async function* withAll(read: Read, me: Human, order: { id: string }): AsyncGenerator<string> {
  const { id } = order
  const more = await read(async (tx) => {
    const [lines, disputes, reviews] = await Promise.all([
      historyOf(tx, id),
      disputeCasesOf(tx, id),
      reviewsOf(tx, me.id, tx.now, id),
    ])
    return { history: lines.map(showLine), dispute_cases: disputes.map(showDispute), reviews: reviews.map(showReview) }
  })
  yield JSON.stringify({ ...order, ...more }).slice(0, -1)
  yield* list('updates', updates(read, me, id))
  yield '}'
}

async function* updates(read: Read, me: Human, orderId: string) {
  let before: string | undefined
  do {
    const page = await read(async (tx) => {
      const { rows, next_before } = await listUpdates(tx, orderId, { before, limit: pageSize })
      return { shown: await showUpdates(tx, me, rows), next_before }
    })
    yield page.shown
    before = page.next_before ?? undefined
  } while (before !== undefined)
}

async function* files(read: Read, me: Human) {
  const ownFiles = async (tx: Tx, before: string | undefined) =>
    toOwn(
      tx,
      await tx<AttachmentRow>`
        select ${attachmentColumns} from attachments f where f.owner_id = ${me.id} ${olderThan(before)}
        order by f.id desc limit (select ${pageSize}::int)`,
    )
  const pages = byId((before) =>
    read(async (tx) => (await ownFiles(tx, before)).map((own) => ({ id: own.file.id, own }))),
  )
  for await (const page of pages) yield page.map(({ own }) => ownCard(own, me.kind))
}

/** What was asked of services and gave no order yet. */
async function* unusedQuotes(read: Read, me: Human) {
  for await (const page of byId((before) => read((tx) => unusedBefore(tx, me.id, before)))) yield page.map(showQuote)
}

const unusedBefore = (tx: Tx, humanId: string, before: string | undefined): Promise<Quote[]> => tx<Quote>`
  select * from service_quotes where customer_id = ${humanId} and order_id is null ${olderThan(before)}
  order by id desc limit (select ${pageSize}::int)`

async function* cases(read: Read, me: Human) {
  for (let page = 1; ; page++) {
    const found = await read((tx) => listOwn(tx, me.id, { status: undefined, page, page_size: pageSize }))
    yield found.rows.map(showCase)
    if (found.rows.length < pageSize) return
  }
}

const olderThan = (id: string | undefined) => (id === undefined ? part`` : part`and id < ${id}::uuid`)

/** Pages, the newest first, each from where the one before it ended. */
async function* byId<T extends { id: string }>(next: (before: string | undefined) => Promise<T[]>) {
  let page: T[]
  let before: string | undefined
  do {
    page = await next(before)
    yield page
    before = page.at(-1)?.id
  } while (page.length === pageSize)
}
