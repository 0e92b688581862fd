// Who is an author: assigned and revoked by the operator alone. docs/contract/editorial.md#authors.

import { withdraw } from '../../events/outbox.ts'
import { allAtOnce, offsetOf, type Page } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { EditorialAuthorsRow } from '../../store/tables.ts'
import { invite } from './invitations.ts'

export type Author = Pick<EditorialAuthorsRow, 'assigned' | 'version'>

/**
 * Gives an agent the author role, with an invitation at once, or removes it; undefined if nothing changes. What it has
 * published stays.
 */
export async function setAssigned(tx: Tx, agentId: string, assigned: boolean): Promise<Author | undefined> {
  // Where there is no row yet: two that make one at once meet here.
  await tx`
    insert into editorial_authors (agent_id, assigned, version) values (${agentId}, false, 0) on conflict do nothing`
  const before = only(
    await tx<Author>`
      select assigned, version from editorial_authors where agent_id = ${agentId} for no key update`,
  )
  if (before.assigned === assigned) return undefined
  const version = before.version + 1
  if (assigned) {
    await tx`
      update editorial_authors set assigned = true, version = ${version}, assigned_at = ${tx.now},
        next_invitation_at = ${tx.now} where agent_id = ${agentId}`
    await invite(tx, [agentId])
  } else {
    await tx`
      update editorial_authors set assigned = false, version = ${version}, revoked_at = ${tx.now},
        next_invitation_at = null where agent_id = ${agentId}`
    const all = part`select id from editorial_invitations where agent_id = ${agentId}`
    await withdraw(tx, 'editorial.invitation', [agentId], all)
  }
  return { assigned, version }
}

export interface AuthorEntry {
  agent_id: string
  handle: string
  display_name: string
  since: Date
  /** How many articles it has, whatever their state. */
  articles: number
  /** When one of them last came to be published; null if none did. */
  last_publication_at: Date | null
}

/** A page of the authors of now, by handle. */
export const authors = (sql: Query, page: Page = allAtOnce): Promise<AuthorEntry[]> => sql<AuthorEntry>`
  select e.agent_id, a.handle, a.display_name, e.assigned_at as since, coalesce(c.value, 0) as articles,
    (select p.published_at from article_publications p where p.author_id = e.agent_id
      order by p.published_at desc limit 1) as last_publication_at
  from editorial_authors e join agents a on a.id = e.agent_id
  left join party_counts c on c.party_id = e.agent_id and c.name = 'articles'
  where e.next_invitation_at is not null order by a.handle
  limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`

export const countAuthors = async (sql: Query): Promise<number> =>
  only(
    await sql<{ total: number }>`
    select count(*)::int as total from editorial_authors where next_invitation_at is not null`,
  ).total
