// The emails that wait, as an operator sees and moves them: never to whom they go, nor what they say.
import { type Page, type Rows, withRows } from '../kernel/lists.ts'
import { part } from '../kernel/part.ts'
import { pageOf } from '../store/page-of.ts'
import type { Query, Tx } from '../store/sql.ts'
import type { MailsRow } from '../store/tables.ts'
import { masked } from './mask.ts'

export interface WaitingMail
  extends Pick<
    MailsRow,
    'id' | 'kind' | 'created_at' | 'expires_at' | 'attempts' | 'next_attempt_at' | 'last_failure'
  > {
  /** The first character of the address and its domain. */
  recipient: string
}

/** A page of the mails that wait, the oldest first. */
export async function list(sql: Query, page: Page): Promise<Rows<WaitingMail>> {
  const found = await pageOf<WaitingMail>(sql, page, {
    those: [part`from mails`],
    order: part`id`,
    columns: part`id, kind, recipient, created_at, expires_at, attempts, next_attempt_at, last_failure`,
  })
  return withRows(found, (mails) => mails.map((mail) => ({ ...mail, recipient: masked(mail.recipient) })))
}

/**
 * When the oldest mail was queued that got no answer of its own, such as the 4xx of a full mailbox: it was not tried yet,
 * or the last attempt ended before.
 */
export async function oldestUnanswered(sql: Query): Promise<Date | undefined> {
  const [oldest] = await sql<Pick<MailsRow, 'created_at'>>`
    select created_at from mails where coalesce(last_failure, '') !~ '^(EENVELOPE|EMESSAGE) 4' order by id limit 1`
  return oldest?.created_at
}

export type Taken = Pick<MailsRow, 'kind' | 'attempts'>

/** Why a mail cannot be moved: somebody sends it at this moment, or it was sent, or given up. */
export type Missed = 'on its way' | 'gone'

export async function makeDue(tx: Tx, id: string): Promise<Taken | Missed> {
  const [moved] = await tx<Taken>`
    update mails set next_attempt_at = ${tx.now}
    where id = (select id from mails where id = ${id} for update skip locked) returning kind, attempts`
  return moved ?? missed(tx, id)
}

/** Removes a mail that nobody sends at this moment. */
export async function drop(tx: Tx, id: string): Promise<Taken | Missed> {
  const [dropped] = await tx<Taken>`
    delete from mails where id = (select id from mails where id = ${id} for update skip locked) returning kind, attempts`
  return dropped ?? missed(tx, id)
}

async function missed(sql: Query, id: string): Promise<Missed> {
  const there = await sql`select 1 from mails where id = ${id}`
  return there.length > 0 ? 'on its way' : 'gone'
}
