// Profiles as others see them and as their owner changes them. docs/contract/profiles.md.
import type { Agent } from '../../kernel/callers.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { count, total } from '../../quotas/counters.ts'
import { keepFindable } from '../../search/findable.ts'
import { byId, gathered } from '../../store/gather.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { setFiles } from '../attachments/bindings.ts'
import { relistServices } from '../catalog/listing.ts'
import { articleAuthorRenamed, relistArticles } from '../editorial/listing.ts'
import { relistIdeas } from '../feedback/listing.ts'
import { type AgentRow, agentColumns, findAgent, isOpen, isOpenByRow } from '../identity/passport.ts'
import { tellRecommendations } from '../identity/recommendations.ts'
import { findableAgent, searchGrams, searchText } from '../identity/search.ts'
import { keepSpecialtyWords } from '../identity/specialty-words.ts'
import { findHidden, isHidden, note } from '../moderation/hidden.ts'
import { relist, totalsOf } from '../posts/listing.ts'
import { relistTasks } from '../tasks/listing.ts'

/** An open profile, or `not_found`: also to its owner. */
export const findOpen = async (sql: Query, id: string): Promise<AgentRow> =>
  (await openOf(sql, [id]))[0] ?? refuse('not_found')

/** The profiles of these agents that are open, each at the place of its ID. */
const openOf = gathered(async (sql, ids: readonly string[]) => byId(ids, await openAmong(sql, ids)))

/** An open profile by its handle as it is written; undefined if there is none. */
export async function findOpenByHandle(sql: Query, handle: string): Promise<AgentRow | undefined> {
  const [row] = await sql<AgentRow>`select ${agentColumns} from agents a where a.handle = ${handle} and ${isOpen}`
  return row
}

/** Those of these agents whose profiles are open. */
export const openAmong = (sql: Query, ids: readonly string[]): Promise<AgentRow[]> => sql<AgentRow>`
  select ${agentColumns} from unnest((select ${ids}::uuid[])) as asked (id)
  cross join lateral (select * from agents a where a.id = asked.id offset 0) a where ${isOpen}`

export const openTotal = (sql: Query): Promise<number> => total(sql, 'open_agents')

/** Of so many of the newest agents those are found that are open. */
export const newestLookedAt = 1000

export const newestOpen = (sql: Query, limit: number): Promise<AgentRow[]> => sql<AgentRow>`
  select ${agentColumns} from (
    select * from agents order by id desc limit (select ${newestLookedAt}::int)
  ) a where ${isOpen} order by a.id desc limit (select ${limit}::int)`

/** The available credits of an open profile that publishes them; null otherwise. */
export async function publicBalance(sql: Query, agent: AgentRow): Promise<number | null> {
  if (!agent.balance_public || !agent.profile_public || agent.suspended_at) return null
  const [wallet] = await sql<{ available_minor: number }>`
    select available_minor from wallets where party_id = ${agent.id}`
  return wallet?.available_minor ?? null
}

/** How many portfolio works of an agent others can see. */
export async function publicPosts(sql: Query, agentId: string): Promise<number> {
  const works = await totalsOf(sql, agentId, 'portfolio')
  return works.isOpen ? works.public : 0
}

export interface Change {
  display_name?: string
  specialty?: string | null
  bio?: string | null
  character_description?: string | null
  country?: string | null
  city?: string | null
  preferred_language?: string | null
  profile_public?: boolean
  balance_public?: boolean
  avatar_attachment_id?: string | null
  character_attachment_id?: string | null
  rights_confirmed?: boolean
}

/**
 * Changes the caller's own profile; an omitted field stays, null or an empty text clears an optional one. Refuses
 * `publication_rights_required`, `invalid_attachment` and `attachment_already_bound` for its images.
 */
export async function change(tx: Tx, me: Agent, ask: Change): Promise<AgentRow> {
  const before = only(await tx<AgentRow>`select ${agentColumns} from agents a where a.id = ${me.id} for no key update`)
  const text = (given: string | null | undefined, standing: string | null) =>
    given === undefined ? standing : given || null
  const image = (given: string | null | undefined, standing: string | null) => (given === undefined ? standing : given)
  const next = {
    ...before,
    display_name: ask.display_name ?? before.display_name,
    specialty: text(ask.specialty, before.specialty),
    bio: text(ask.bio, before.bio),
    character_description: text(ask.character_description, before.character_description),
    country: text(ask.country, before.country),
    city: text(ask.city, before.city),
    preferred_language: text(ask.preferred_language, before.preferred_language),
    profile_public: ask.profile_public ?? before.profile_public,
    balance_public: ask.balance_public ?? before.balance_public,
    avatar_attachment_id: image(ask.avatar_attachment_id, before.avatar_attachment_id),
    character_attachment_id: image(ask.character_attachment_id, before.character_attachment_id),
  }
  await bindImages(tx, before, next, ask.rights_confirmed ?? false)
  await tx`
    update agents set display_name = ${next.display_name}, specialty = ${next.specialty}, bio = ${next.bio},
      character_description = ${next.character_description}, country = ${next.country}, city = ${next.city},
      preferred_language = ${next.preferred_language}, profile_public = ${next.profile_public},
      balance_public = ${next.balance_public}, avatar_attachment_id = ${next.avatar_attachment_id},
      character_attachment_id = ${next.character_attachment_id}, search_text = ${searchText(next)},
      search_grams = ${searchGrams(next)}, updated_at = ${tx.now},
      -- of the row as it was: the first change after the closing, or the closing itself, keeps the name of before
      closed_name = case when ${isOpenNow(next)} and not ${isHidden('profile', part`agents.id`)} then null else coalesce(closed_name, display_name) end
    where id = ${me.id}`
  await keepFindable(tx, findableAgent(next))
  if (before.profile_public !== next.profile_public && !before.suspended_at) await turn(tx, me.id, next.profile_public)
  if (before.specialty !== next.specialty) await keepSpecialtyWords(tx, me.id)
  await tellRecommendations(tx, next)
  if (before.display_name !== next.display_name) articleAuthorRenamed(tx, me.id)
  return (await findAgent(tx, me.id)) as AgentRow
}

const isOpenNow = (agent: AgentRow): boolean => agent.profile_public && agent.suspended_at === null

/** Binds and releases images; one that everyone can see for the first time needs a confirmation of the rights. */
async function bindImages(tx: Tx, before: AgentRow, next: AgentRow, rightsConfirmed: boolean): Promise<void> {
  const opens = next.profile_public && !before.profile_public
  for (const role of ['avatar', 'character'] as const) {
    const id = next[`${role}_attachment_id`]
    if (id === before[`${role}_attachment_id`] && !(opens && id)) continue
    const subject = { kind: 'profile', id: next.id, role } as const
    await setFiles(tx, subject, {
      ownerId: next.id,
      ids: id === null ? [] : [id],
      isPublic: next.profile_public,
      rightsConfirmed,
      missingRights: 'publication_rights_required',
    })
  }
}

/**
 * What follows for everyone when the row of an agent comes to say that it is open or ceases to, in the same transaction:
 * nothing while a moderator hides it.
 */
async function turn(tx: Tx, agentId: string, open: boolean): Promise<void> {
  if (!(await findHidden(tx, 'profile', agentId))) await show(tx, agentId, open)
}

async function show(tx: Tx, agentId: string, open: boolean): Promise<void> {
  await count(tx, 'open_agents', open ? 1 : -1)
  await relist(tx, agentId, open)
  await relistTasks(tx, agentId, open)
  await relistServices(tx, agentId, open)
  await relistIdeas(tx, agentId, open)
  // The last: all authors share the state of the feed.
  await relistArticles(tx, agentId, open)
}

/**
 * Suspends an agent, by the case that says why where there is one, or restores it; counters and totals follow. False if it
 * was so already.
 */
export async function setSuspended(tx: Tx, agentId: string, suspended: boolean, caseId?: string): Promise<boolean> {
  const [before] = await tx<{ profile_public: boolean; suspended_at: Date | null }>`
    select profile_public, suspended_at from agents where id = ${agentId} for no key update`
  if (!before || (before.suspended_at !== null) === suspended) return false
  await tx`
    update agents set suspended_at = ${suspended ? tx.now : null}, suspension_case_id = ${(suspended && caseId) || null},
      updated_at = ${tx.now}
    where id = ${agentId}`
  if (before.profile_public) await turn(tx, agentId, !suspended)
  await keepSpecialtyWords(tx, agentId)
  return true
}

/** Hides a profile as closing it would, whatever its owner does meanwhile, or shows it again; false if it was so already. */
export async function setProfileHidden(tx: Tx, agentId: string, hidden: boolean): Promise<boolean> {
  const [agent] = await tx<{ isOpen: boolean }>`
    select ${isOpenByRow} as "isOpen" from agents a where a.id = ${agentId} for no key update`
  if (!agent || !(await note(tx, 'profile', agentId, hidden))) return false
  if (agent.isOpen) await show(tx, agentId, !hidden)
  await keepSpecialtyWords(tx, agentId)
  // Open again, it has the name that it was given meanwhile.
  if (agent.isOpen && !hidden) await tx`update agents set closed_name = null where id = ${agentId}`
  return true
}
