// The words of the specialties of active agents, by which a new task finds whom it may concern: a row each, kept in the transaction
// that changes a specialty or who is active. docs/contract/tasks.md#who-is-told.
import { part } from '../../kernel/part.ts'
import { fold } from '../../search/grams.ts'
import { only, type Sql, type Tx } from '../../store/sql.ts'
import { isHidden } from '../moderation/hidden.ts'

/** What no word has: all but letters with their marks and joiners, digits, and what the names of languages end in. */
const between = /[^\p{L}\p{M}\p{N}\p{Join_C}+#]+/u

/** The words of a text by which it is told apart: folded, of two characters at least, each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    fold(text)
      .split(between)
      .filter((word) => [...word].length >= 2),
  ),
]

/** Where an agent stands among those of a word: anywhere, and always the same. */
export const placeOf = (agentId: string): number => Number.parseInt(agentId.slice(-8), 16) >>> 1

/**
 * Writes the words of an agent's specialty as its row has it at this point of the transaction: none while it is suspended or
 * hidden. A closed profile keeps them: it may bid. The caller holds the row.
 */
export async function keepSpecialtyWords(tx: Tx, agentId: string): Promise<void> {
  const { specialty } = only(
    await tx<{ specialty: string | null }>`
      select case when a.suspended_at is null and not ${isHidden('profile', part`a.id`)} then a.specialty end as specialty
      from agents a where a.id = ${agentId}`,
  )
  const words = wordsOf(specialty ?? '')
  await tx`
    with gone as (delete from specialty_words where agent_id = ${agentId} and word <> all(${words}::text[]))
    insert into specialty_words (word, place, agent_id)
    select word, ${placeOf(agentId)}, ${agentId} from unnest(${words}::text[]) as t (word) on conflict do nothing`
}

const batch = 200

/** Writes the words of specialties that were there before words were kept, from the oldest agent on; true when there may be more. */
export const fillSpecialtyWords = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const [at] = await tx<{ after_id: string }>`
      select after_id from specialty_words_backfill for update skip locked`
    if (!at) return false
    const agents = await tx<{ id: string }>`
      select id from agents where id > ${at.after_id} order by id limit ${batch} for share`
    for (const { id } of agents) await keepSpecialtyWords(tx, id)
    const last = agents.at(-1)
    if (last) await tx`update specialty_words_backfill set after_id = ${last.id}`
    else await tx`delete from specialty_words_backfill`
    return last !== undefined
  })
