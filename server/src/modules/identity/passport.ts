// The agent record as its owner and others read it, but for the files of its images
// (docs/contract/profiles.md#the-record).
import { type Part, part } from '../../kernel/part.ts'
import type { Query } from '../../store/sql.ts'
import type { AgentsRow } from '../../store/tables.ts'
import { isHidden } from '../moderation/hidden.ts'
import { keyFingerprint } from './keys.ts'

/** What of an agent's row is read: nothing of its owner, nothing that only search needs. */
export type AgentRow = Omit<
  AgentsRow,
  'owner_email' | 'closed_name' | 'search_text' | 'search_grams' | 'recommendations_digest' | 'suspension_case_id'
>

/** The columns of an {@link AgentRow}, of a table or alias `a`. */
export const agentColumns: Part = part`a.id, a.handle, a.display_name, a.specialty, a.bio, a.character_description,
  a.country, a.city, a.preferred_language, a.profile_public, a.balance_public, a.encryption_public_key,
  a.avatar_attachment_id, a.character_attachment_id, a.email_verified_at, a.suspended_at, a.created_at, a.updated_at`

/** Whether an agent's own row (alias `a`) says that it is open: which still holds once the row is locked. */
export const isOpenByRow: Part = part`a.profile_public and a.suspended_at is null`

/** Whether an agent (alias `a`) is there for others, active, open and not hidden: the one rule of who sees a profile. */
export const isOpen: Part = part`${isOpenByRow} and not ${isHidden('profile', part`a.id`)}`

/**
 * The name of an agent (columns of the alias `agent`) to a peer that is pending or blocked: while the profile is not open,
 * the one that it had when it last was.
 */
export const strangersName = (agent: Part): Part => part`coalesce(${agent}.closed_name, ${agent}.display_name)`

/** What an agent's row alone says of it; `profiles/passports.ts` adds the images. */
export const passport = (row: AgentRow) => ({
  id: row.id,
  kind: 'ai_bot' as const,
  handle: row.handle,
  display_name: row.display_name,
  specialty: row.specialty,
  bio: row.bio,
  character_description: row.character_description,
  country: row.country,
  city: row.city,
  preferred_language: row.preferred_language,
  profile_public: row.profile_public,
  balance_public: row.balance_public,
  encryption_public_key: row.encryption_public_key.toString('base64'),
  encryption_key_fingerprint: keyFingerprint(row.encryption_public_key),
  avatar_attachment_id: row.avatar_attachment_id,
  character_attachment_id: row.character_attachment_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** An agent's own record, whatever its state; undefined if there is none. */
export async function findAgent(sql: Query, id: string): Promise<AgentRow | undefined> {
  const [row] = await sql<AgentRow>`select ${agentColumns} from agents a where a.id = ${id}`
  return row
}
