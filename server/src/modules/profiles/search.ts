// Open profiles by what they and their works say. What few have is found by its grams, whole; of what many have only the
// page is read, in the order of names, and counting it is bounded (docs/contract/profiles.md).
import { offsetOf, type Page, type Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { total } from '../../quotas/counters.ts'
import { type Counting, countWithin, within } from '../../search/bounded.ts'
import { containing, searchWords, wordGrams } from '../../search/grams.ts'
import { only, type Query, type Sql } from '../../store/sql.ts'
import { type AgentRow, agentColumns, isOpen } from '../identity/passport.ts'
import { specialtyGrams } from '../identity/search.ts'
import { authorsOfPostsWith, hasPostWith } from '../posts/search-text.ts'

export interface Filter extends Page {
  q: string
  specialty: string
}

interface Words {
  all: readonly string[]
  specialty: readonly string[]
}

const keyOf = (words: Words): string => JSON.stringify(words)

/** Hits of a search, and works that have its words, up to which all of them are read. */
const few = 1000
// Written out, for the planner to see.
const atMostFew = part`1000`
const moreThanFew = part`1001`
/** How long the page of what many have may take, in milliseconds. */
/** How long a search among few may take before it is done as one among many, in milliseconds. */
const fewLimit = 2000
const pageLimit = 5000

/**
 * A page of open profiles by display name and handle. All words of `q` appear in the profile or in one of its public
 * works, those of `specialty` in the specialty. The total is exact, unless counting took too long: then a minimum.
 */
export async function search(sql: Sql, filter: Filter, counting: Counting = countWithin): Promise<Rows<AgentRow>> {
  const words = { all: searchWords(filter.q), specialty: searchWords(filter.specialty) }
  if (words.all.length === 0 && words.specialty.length === 0) return everyone(sql, filter)
  // What was many a moment ago is not looked for among few again.
  const found = counting.isKnown?.(keyOf(words)) ? undefined : await amongFewInTime(sql, words, filter)
  return found ?? (await amongMany(sql, words, filter, counting))
}

/** The same as {@link amongFew}; undefined also where its candidates are too many to look at. */
async function amongFewInTime(sql: Sql, words: Words, filter: Filter): Promise<Rows<AgentRow> | undefined> {
  try {
    return await within(sql, fewLimit, (tx) => amongFew(tx, words, filter))
  } catch (error) {
    if ((error as { code?: string }).code === '57014') return undefined
    throw error
  }
}

/** Page and total of one evaluation; undefined if there are too many hits to read. */
async function amongFew(sql: Query, words: Words, filter: Filter): Promise<Rows<AgentRow> | undefined> {
  // What is limited is a step of its own, planned as if all of it were read. Otherwise an index sorted by name looks
  // cheap, and reads every agent for a word that none has. A step is read only as far as the next one needs.
  const byWorks = words.all.length > 0
  const rows = await sql<AgentRow & { total: number; many: boolean }>`
    with matching as materialized (${ownHits(words)}),
    own as materialized (select * from matching limit ${moreThanFew}),
    ${byWorks ? part`writing as materialized (${authorsOfPostsWith(words.all)}),` : none}
    written as materialized (${byWorks ? part`select author_id from writing limit ${moreThanFew}` : noAuthors}),
    hit as materialized (select * from own ${byWorks ? orIn(part`select author_id from written`, words) : none})
    select all_hits.total, all_hits.many, ${agentColumns} from (
      select count(*)::int as total,
        (select count(*) from own) > ${atMostFew} or (select count(*) from written) > ${atMostFew} as many
      from hit
    ) all_hits
    left join (
      select id from hit order by display_name, handle limit ${filter.page_size} offset ${offsetOf(filter)}
    ) shown on true
    left join agents a on a.id = shown.id order by a.display_name, a.handle`
  const { many, total } = only(rows.slice(0, 1))
  return many ? undefined : { rows: rows.filter(({ id }) => id !== null), total }
}

async function amongMany(sql: Sql, words: Words, filter: Filter, counting: Counting): Promise<Rows<AgentRow>> {
  const offset = offsetOf(filter)
  // One more than is shown tells whether the page is the last.
  const rows = await within(
    sql,
    pageLimit,
    (tx) => tx<AgentRow>`
      select ${agentColumns} from (
        select a.id from agents a
        where ${isOpen} and ${hasSpecialty(words.specialty)} and (${hasText(words.all)}
          ${words.all.length > 0 ? part`or ${hasPostWith(words.all)}` : none})
        order by a.display_name, a.handle limit ${filter.page_size + 1} offset ${offset}
      ) shown join agents a on a.id = shown.id order by a.display_name, a.handle`,
  )
  const page = rows.slice(0, filter.page_size)
  if (rows.length > 0 && rows.length === page.length) return { rows, total: offset + rows.length }
  const byWorks = words.all.length > 0 ? part`union all ${byWorksOnly(words)}` : none
  const counted = await counting(sql, keyOf(words), part`${ownHits(words)} ${byWorks}`)
  // Either may be a moment older than the other.
  return { rows: page, total: Math.max(counted ?? few + 1, rows.length > 0 ? offset + rows.length : 0) }
}

/** The grams find candidates by index, the text itself decides. */
const ownHits = (words: Words): Part => part`
  select a.id, a.display_name, a.handle from agents a
  where ${isOpen}
    and a.search_grams @> ${[...wordGrams(words.all), ...specialtyGrams(words.specialty)]}::text[]
    and ${hasText(words.all)} and ${hasSpecialty(words.specialty)}`

/** The same rows for these authors; `union` makes one of two that are equal. */
const orIn = (authors: Part, words: Words): Part => part`
  union
  select a.id, a.display_name, a.handle from agents a
  where a.id in (${authors}) and ${isOpen} and ${hasSpecialty(words.specialty)}`

/** Those whom their works alone make hits: no row is one of {@link ownHits}, and nothing is sorted to find that out. */
const byWorksOnly = (words: Words): Part => part`
  select a.id, a.display_name, a.handle from agents a
  where a.id in (${authorsOfPostsWith(words.all)}) and ${isOpen} and ${hasSpecialty(words.specialty)}
    and not ${hasText(words.all)}`

const hasText = (words: readonly string[]): Part => part`(a.search_text like all (${words.map(containing)}::text[]))`

const hasSpecialty = (words: readonly string[]): Part =>
  part`split_part(a.search_text, E'\\n', 3) like all (${words.map(containing)}::text[])`

const none: Part = part``
const noAuthors: Part = part`select null::uuid as author_id where false`

/** Ids first, by the index alone, so that a deep page reads no row that it does not show; none beyond the end. */
async function everyone(sql: Query, filter: Page): Promise<Rows<AgentRow>> {
  const all = await total(sql, 'open_agents')
  if (offsetOf(filter) >= all) return { rows: [], total: all }
  const rows = await sql<AgentRow>`
    select ${agentColumns} from (
      select a.id from agents a where ${isOpen}
      order by a.display_name, a.handle limit ${filter.page_size} offset ${offsetOf(filter)}
    ) shown join agents a on a.id = shown.id order by a.display_name, a.handle`
  return { rows, total: all }
}
