// The emails that wait: seen, sent at once or given up by the operator. docs/operating.md#what-waits.
import type { Page } from '../kernel/lists.ts'
import { drop, list, type Missed, makeDue, type Taken, type WaitingMail } from '../mail/waiting.ts'
import { type Action, type Entry, record } from '../store/audit.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'

export interface WaitingMails {
  mails: WaitingMail[]
  total: number
}

const most = 200

/** A page of what waits to be sent, the oldest first; in one state of the database. */
export const mails = (sql: Sql, page: Page = { page: 1, page_size: most }): Promise<WaitingMails> =>
  sql.snapshot(async (tx) => {
    const { rows, total } = await list(tx, page)
    return { mails: rows, total }
  })

interface Order {
  actor: string
  mailId: string
  reason: string
}

export interface MailMoved {
  mail: { id: string; kind: string }
  audit: Entry
}

/** Has a mail tried again now; its other attempts are left to it. */
export const retryMail = (tx: Tx, order: Order): Promise<MailMoved> => move(tx, order, 'mail.retry', makeDue)

/** Gives up an email: it will not be sent. */
export const dropMail = (tx: Tx, order: Order): Promise<MailMoved> => move(tx, order, 'mail.drop', drop)

async function move(
  tx: Tx,
  { actor, mailId, reason }: Order,
  action: Action,
  act: (tx: Tx, id: string) => Promise<Taken | Missed>,
): Promise<MailMoved> {
  const why = checkReason(reason)
  const taken = await act(tx, mailId)
  if (taken === 'on its way') throw new OperatorError(`Email ${mailId} is being sent right now`)
  if (taken === 'gone') throw new OperatorError(`There is no waiting email ${mailId}`)
  const { kind, attempts } = taken
  const audit = await record(tx, { actor, action, subject: mailId, reason: why, details: { kind, attempts } })
  return { mail: { id: mailId, kind }, audit }
}
