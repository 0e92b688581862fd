// The outbox of the emails: rows written in the transaction of what they tell, sent once it is committed.
import { refuse } from '../kernel/refuse.ts'
import type { Query, Tx } from '../store/sql.ts'
import { isMailAddress } from './message.ts'

export interface Mail {
  /** What the mail is for: a label of the metrics and logs. */
  kind: string
  recipient: string
  subject: string
  body: string
  /** Where whoever gets it says that no more of its kind are wanted; undefined of what cannot be declined. */
  unsubscribeUrl?: string
  orderId?: string
  /** From when on it is not worth sending: a code that no longer works. */
  expiresAt?: Date
  /**
   * Where given, queueing takes the same statements either way, and `true` leaves nothing behind: for an answer whose time
   * must not tell whether somebody is written to.
   */
  discarded?: boolean
}

/** The mailer of a process, as the verbs that send mail know it (deliver.ts makes it). */
export interface Mailer {
  /** Adds a mail in the caller's transaction and has it sent after the commit. Never with MAIL_URL=none. */
  queue(tx: Tx, mail: Mail): Promise<void>
  /** Begins to deliver; before, mails are only queued, for a process that delivers to find. */
  start(): void
  /** Looks for due mails now, and not only at the next poll. */
  kick(): void
  /** Takes no more mails and lets the running ones end, for at most 10 s. What was not sent stays in the outbox. */
  stop(): Promise<void>
}

/** How many mails may wait before requests that would add one are refused. */
const queueLimit = 10_000

/**
 * Adds a mail to the outbox in the caller's transaction; refuses `owner_email_queue_full` when 10,000 wait already.
 * Parallel transactions do not see each other's rows, so the bound may be passed by as many as run at once. The caller
 * has checked the recipient ({@link isMailAddress}): another text here is a mistake in the program.
 */
export async function queueMail(tx: Tx, mail: Mail): Promise<void> {
  if (!isMailAddress(mail.recipient)) throw new Error('a mail was queued for something that is no address')
  const [some] = await tx<{ waiting: number }>`
    select count(*)::integer as waiting from (select from mails limit ${queueLimit}) as waiting`
  if ((some?.waiting ?? 0) >= queueLimit) refuse('owner_email_queue_full', { retryAfter: 60 })
  const id = tx.newId()
  await tx`
    insert into mails (id, kind, recipient, subject, body, unsubscribe_url, order_id, created_at, expires_at, next_attempt_at)
    values (${id}, ${mail.kind}, ${mail.recipient}, ${mail.subject}, ${mail.body}, ${mail.unsubscribeUrl ?? null}, ${mail.orderId ?? null},
            ${tx.now}, ${mail.expiresAt ?? null}, ${tx.now})`
  // Nobody else ever sees the row: it was never committed.
  if (mail.discarded !== undefined) await tx`delete from mails where id = ${id} and ${mail.discarded}`
}

/** Takes back what waits for a recipient, of these kinds. What is already being sent still arrives. */
export async function withdrawMails(tx: Tx, recipient: string, kinds: readonly string[]): Promise<void> {
  await tx`
    delete from mails where id in (
      select id from mails where recipient = ${recipient} and kind = any(${kinds}::text[]) for update skip locked)`
}

/** Takes back what waits about an order, with the commit: its customer has seen it, and acted. */
export function withdrawMailsAbout(tx: Tx, orderId: string): void {
  tx.write`
    delete from mails where id in (select id from mails where order_id = ${orderId} for update skip locked)`
}

/** Of the queue: what nobody waits for leaves it to codes. */
const reserved = 2000

/** Whether mails that nobody waits for may still be queued; they can come later. */
export async function hasRoom(sql: Query): Promise<boolean> {
  const [some] = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from (select from mails limit (select ${queueLimit - reserved}::int)) as waiting`
  return (some?.waiting ?? 0) < queueLimit - reserved
}
