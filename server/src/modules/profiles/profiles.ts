// Profiles as others see them and as their owner changes them. The rule of who sees a profile stands here once:
// active and open. SPEC.md, Profiles; OPEN-POINTS.md, section 3.
import type { Agent } from '../../http/authenticate.ts'
import { offsetOf, type Page } from '../../http/lists.ts'
import { refuse } from '../../http/refuse.ts'
import { count, total } from '../../store/counters.ts'
import { only, type Part, part, type Query, type Tx } from '../../store/sql.ts'
import { type AgentRow, agentColumns, findAgent } from '../identity/passport.ts'
import { tellRecommendations } from '../identity/recommendations.ts'
import { searchGrams, searchText, searchWords, specialtyGrams, wordGrams } from '../identity/search.ts'

/** Whether an agent (alias `a`) is there for others: the one visibility rule of profiles. */
export const isOpen: Part = part`a.profile_public and a.suspended_at is null`

export interface Filter extends Page {
  q: string
  specialty: string
}

/** A page of open profiles by display name and handle; exact totals. */
export async function search(sql: Query, filter: Filter): Promise<{ agents: AgentRow[]; total: number }> {
  const words = searchWords(filter.q)
  const specialtyWords = searchWords(filter.specialty)
  if (words.length === 0 && specialtyWords.length === 0) return everyone(sql, filter)
  // The grams find candidates by index, the text itself decides. Page and total are of one evaluation.
  const rows = await sql<AgentRow & { total: number }>`
    with hit as materialized (
      select a.id, a.display_name, a.handle from agents a
      where ${isOpen}
        and a.search_grams @> ${[...wordGrams(words), ...specialtyGrams(specialtyWords)]}::text[]
        and a.search_text like all (${words.map(containing)}::text[])
        and split_part(a.search_text, E'\\n', 3) like all (${specialtyWords.map(containing)}::text[])
    )
    select all_hits.total, ${agentColumns} from (select count(*)::int as total from hit) all_hits
    left join (
      select id from hit order by display_name, handle limit ${filter.page_size} offset ${offsetOf(filter)}
    ) shown on true
    left join agents a on a.id = shown.id order by a.display_name, a.handle`
  return { agents: rows.filter(({ id }) => id !== null), total: only(rows).total }
}

/** Ids first, by the index alone, so that a deep page reads no row that it does not show; none beyond the end. */
async function everyone(sql: Query, filter: Page): Promise<{ agents: AgentRow[]; total: number }> {
  const all = await total(sql, 'open_agents')
  if (offsetOf(filter) >= all) return { agents: [], total: all }
  const agents = await sql<AgentRow>`
    select ${agentColumns} from (
      select a.id from agents a where ${isOpen}
      order by a.display_name, a.handle limit ${filter.page_size} offset ${offsetOf(filter)}
    ) shown join agents a on a.id = shown.id order by a.display_name, a.handle`
  return { agents, total: all }
}

/** A pattern of LIKE in which the wildcards of the word are plain characters. */
const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`

/** An open profile, or `not_found`: also to its owner. */
export async function findOpen(sql: Query, id: string): Promise<AgentRow> {
  const [row] = await sql<AgentRow>`select ${agentColumns} from agents a where a.id = ${id} and ${isOpen}`
  return row ?? refuse('not_found')
}

/** The available credits of an open profile that publishes them; null otherwise. */
export async function publicBalance(sql: Query, agent: AgentRow): Promise<number | null> {
  if (!agent.balance_public || !agent.profile_public || agent.suspended_at) return null
  const [wallet] = await sql<{ available_minor: number }>`
    select available_minor from wallets where party_id = ${agent.id}`
  return wallet?.available_minor ?? null
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

/** Changes the caller's own profile; an omitted field stays, null or an empty text clears an optional one. */
export async function change(tx: Tx, me: Agent, ask: Change): Promise<AgentRow> {
  if (ask.avatar_attachment_id || ask.character_attachment_id) refuse('invalid_attachment')
  const before = only(await tx<AgentRow>`select ${agentColumns} from agents a where a.id = ${me.id} for no key update`)
  const text = (given: string | null | undefined, standing: string | null) =>
    given === undefined ? standing : given || null
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
  }
  await tx`
    update agents set display_name = ${next.display_name}, specialty = ${next.specialty}, bio = ${next.bio},
      character_description = ${next.character_description}, country = ${next.country}, city = ${next.city},
      preferred_language = ${next.preferred_language}, profile_public = ${next.profile_public},
      balance_public = ${next.balance_public}, search_text = ${searchText(next)}, search_grams = ${searchGrams(next)},
      updated_at = ${tx.now}
    where id = ${me.id}`
  const wasOpen = before.profile_public && !before.suspended_at
  const isNowOpen = next.profile_public && !next.suspended_at
  if (wasOpen !== isNowOpen) await count(tx, 'open_agents', isNowOpen ? 1 : -1)
  await tellRecommendations(tx, next)
  return (await findAgent(tx, me.id)) as AgentRow
}

/** Suspends or restores an agent, as the operator decides; counters and totals follow. False where it was so already. */
export async function setSuspended(tx: Tx, agentId: string, suspended: boolean): Promise<boolean> {
  const [before] = await tx<{ profile_public: boolean; suspended_at: Date | null }>`
    select profile_public, suspended_at from agents where id = ${agentId} for no key update`
  if (!before || (before.suspended_at !== null) === suspended) return false
  await tx`
    update agents set suspended_at = ${suspended ? tx.now : null}, updated_at = ${tx.now} where id = ${agentId}`
  if (before.profile_public) await count(tx, 'open_agents', suspended ? -1 : 1)
  return true
}
