// Who a closed account was, while cases about its words are pending: its person may not decide them as the owner of an agent.
// docs/contract/people.md#closing.
import { type Part, part } from '../../kernel/part.ts'
import { equalBytes, type Secrets } from '../../secrets.ts'
import type { Query } from '../../store/sql.ts'

/** Of an account's email: two accounts of one email have nothing in common. */
const formerDigest = ({ mac }: Secrets, humanId: string, email: string): Buffer =>
  mac('former customer', `${humanId} ${email}`)

const isPending = (kind: string, id: Part): Part => part`exists (
  select 1 from moderation_cases c where c.subject_kind = ${kind} and c.subject_id = ${id} and c.status = 'pending')`

/** Whether a case is pending about something of a customer, or of one of their orders. */
const hasPendingModerationCase = (human: Part): Part => part`(
  exists (select 1 from moderation_cases c where c.owner_id = ${human} and c.status = 'pending')
  or exists (
    select 1 from orders o join reviews r on r.order_id = o.id
    where o.customer_id = ${human} and ${isPending('review', part`r.id`)})
  or exists (
    select 1 from orders o join attachment_bindings b on b.subject_id = o.id and b.active
    where o.customer_id = ${human} and ${isPending('attachment', part`b.attachment_id`)}))`

/** What is kept of a customer's email when the account closes; null if no case is pending. */
export const keptDigest = (secrets: Secrets, humanId: string, email: string): Part =>
  part`case when ${hasPendingModerationCase(part`humans.id`)} then ${formerDigest(secrets, humanId, email)}::bytea end`

/** Those of these accounts, which are closed, that the owner of an agent had. */
export async function formerAmong(
  sql: Query,
  secrets: Secrets,
  agentId: string,
  parties: readonly string[],
): Promise<string[]> {
  const kept = await sql<{ id: string; former_digest: Buffer; owner_email: string }>`
    select h.id, h.former_digest, me.owner_email from humans h join agents me on me.id = ${agentId}
    where h.id = any(${parties}::uuid[]) and h.former_digest is not null and me.email_verified_at is not null`
  return kept.flatMap(({ id, former_digest: digest, owner_email: email }) =>
    equalBytes(digest, formerDigest(secrets, id, email)) ? [id] : [],
  )
}

const batch = 200
const nil = '00000000-0000-0000-0000-000000000000'

/** The sweep: forgets the digests of accounts whose cases are decided. */
export function formerSweep(sql: Query): () => Promise<boolean> {
  let after = nil
  return async () => {
    const looked = await sql<{ id: string }>`
      with next as materialized (
        select id from humans where former_digest is not null and id > ${after} order by id limit (select ${batch}::int)
      ), forgotten as (
        update humans set former_digest = null
        where id in (select n.id from next n where not ${hasPendingModerationCase(part`n.id`)}) returning 1
      )
      select id from next order by id`
    const isMore = looked.length === batch
    after = isMore ? (looked.at(-1) as { id: string }).id : nil
    return isMore
  }
}
