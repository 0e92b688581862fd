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

export type Taken = Pick<MailsRow, 'kind' | 'attempts'>

/** Why a mail cannot be moved: somebody sends it at this moment, or it was sent, or given up. */
export type Missed = 'on its way' | 'gone'

/** Makes a mail due at once. */
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
