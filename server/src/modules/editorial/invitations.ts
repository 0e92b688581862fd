// Invitations to write: one on assignment, and then at most one in 24 hours to each author who may write.
// docs/contract/editorial.md#invitations.

import { emitEach } from '../../events/outbox.ts'
import { after, clocksApart, days, earlier, hours } from '../../kernel/clock.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import type { EditorialInvitationsRow } from '../../store/tables.ts'
import { isEligible } from './publisher.ts'

export const invitationLifetime: number = hours(24)
/** From one invitation of an author to the next, at least. */
export const invitationPeriod: number = hours(24)
export const invitationRetention: number = days(90)

export type Invitation = Omit<EditorialInvitationsRow, 'agent_id'>

/** Invites assigned authors, whose rows the caller has locked, and notes when each may be invited again. */
export async function invite(tx: Tx, authorIds: readonly string[]): Promise<void> {
  if (authorIds.length === 0) return
  const invitations = authorIds.map((authorId) => ({ id: tx.newId(), authorId }))
  tx.write`
    update editorial_authors set next_invitation_at = ${after(tx.now, invitationPeriod)}
    where agent_id = any(${authorIds}::uuid[])`
  tx.write`
    insert into editorial_invitations (id, agent_id, created_at, expires_at)
    select id, agent_id, ${tx.now}, ${after(tx.now, invitationLifetime)}
    from unnest(${invitations.map(({ id }) => id)}::uuid[], ${authorIds}::uuid[]) as t (id, agent_id)`
  await emitEach(
    tx,
    invitations.map(({ id, authorId }) => ({
      kind: 'editorial.invitation' as const,
      to: authorId,
      subject: id,
      payload: { invitation_id: id, version: 1 },
    })),
  )
}

const batch = 100

/** The sweep: invites those who may write and whose time has come, the longest waiting first; true when there may be more. */
export async function inviteDue({ sql, config }: Pick<Service, 'sql' | 'config'>): Promise<boolean> {
  if (!config.editorial) return false
  return sql.transaction(async (tx) => {
    const due = await tx<{ agent_id: string }>`
      select e.agent_id from editorial_authors e join agents a on a.id = e.agent_id
      -- Later than the next one can be: the clock was set back since.
      where (e.next_invitation_at <= ${tx.now} or e.next_invitation_at > ${after(tx.now, invitationPeriod + clocksApart)})
        and ${isEligible(config)}
      order by e.next_invitation_at limit ${batch} for no key update of e skip locked`
    await invite(
      tx,
      due.map(({ agent_id: authorId }) => authorId),
    )
    return due.length === batch
  })
}

const forgotten = 1000

/** The sweep of what is older than 90 days; true when there may be more. */
export async function forgetInvitations(sql: Sql, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from editorial_invitations where id in (
      select id from editorial_invitations where created_at <= ${earlier(now, invitationRetention)}
      order by created_at limit ${forgotten} for update skip locked
    ) returning 1`
  return rows.length === forgotten
}

const columns = part`id, version, created_at, expires_at`

/** A page of an author's invitations, newest first. */
export const list = (sql: Query, authorId: string, page: Page): Promise<Rows<Invitation>> =>
  pageOf(sql, page, { those: [part`from editorial_invitations where agent_id = ${authorId}`], columns })

/** An author's own invitation; `not_found` otherwise. */
export async function find(sql: Query, authorId: string, id: string): Promise<Invitation> {
  const [invitation] = await sql<Invitation>`
    select ${columns} from editorial_invitations where id = ${id} and agent_id = ${authorId}`
  return invitation ?? refuse('not_found')
}
