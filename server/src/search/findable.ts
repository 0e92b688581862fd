// What discovery finds: a row for each thing, written in the transaction that writes its texts. Readers see what the
// lists show. docs/contract/discovery.md.

import type { Query, Tx } from '../store/sql.ts'
import { kindMark, marks, modeMark, nearOf, partsOf, type Terms, tagMark, termsOf } from './finding.ts'
import { type Stemmed, stemsOf } from './stems.ts'

export const findableKinds = ['agent', 'service', 'task', 'work'] as const
export type FindableKind = (typeof findableKinds)[number]

export interface Findable {
  id: string
  kind: FindableKind
  agentId: string
  /** Title, handle and specialty: found before the text. */
  heading: string
  text: string
  tags?: readonly string[]
  price?: { mode: string; total_minor: number } | null
}

/** So many distinct words of each count. */
const mostInHeading = 64
const mostInText = 200
/** So many of the first longer words of a text are found by a near spelling too. */
const nearInText = 16

/** Writes how a thing is found, as its texts are from now on. */
export async function keepFindable(tx: Tx, thing: Findable): Promise<void> {
  const { id, kind, agentId, price } = thing
  const { words, near } = await vectorsOf(tx, thing)
  tx.write`
    insert into findable (id, kind, agent_id, lot, words, near, total_minor)
    values (${id}, ${kind}, ${agentId}, ${lotOf(id)}, ${words}::tsvector, ${near}::tsvector, ${price?.total_minor ?? null})
    on conflict (id) do update set words = excluded.words, near = excluded.near, total_minor = excluded.total_minor`
}

/** The terms of a new thing, as {@link vectorsOf} gives them. */
interface NewFindable {
  id: string
  agentId: string
  words: string
  near: string
}

/** Writes how new works are found: those of them that were written by an earlier statement. */
export const keepNewFindable = (sql: Query, kind: 'work', things: readonly NewFindable[]): Promise<unknown> => sql`
  insert into findable (id, kind, agent_id, lot, words, near)
  select i.id, ${kind}, i.agent_id, i.lot, i.words::tsvector, i.near::tsvector
  from unnest((select ${things.map(({ id }) => id)}::uuid[]), (select ${things.map(({ agentId }) => agentId)}::uuid[]),
    (select ${things.map(({ id }) => lotOf(id))}::smallint[]), (select ${things.map(({ words }) => words)}::text[]),
    (select ${things.map(({ near }) => near)}::text[])) as i (id, agent_id, lot, words, near)
  cross join lateral (select 1 from posts where id = i.id offset 0) written`

/** It can no longer be found. */
export const dropFindable = (tx: Tx, id: string): void => tx.write`delete from findable where id = ${id}`

export const lots = 6

/** By chance, and always the same: the first lot has one of 1024, and each has three times as many as all before it. */
export const lotOf = (id: string): number => {
  const drawn = Number.parseInt(id.slice(-3), 16) >>> 2
  return Math.ceil(Math.log2(drawn + 1) / 2)
}

/** The terms of a thing, as the type of the columns reads them. */
export async function vectorsOf(
  sql: Query,
  { kind, heading, text, tags = [], price }: Findable,
): Promise<{ words: string; near: string }> {
  const [first, rest] = [termsOf(heading, mostInHeading), termsOf(`${text}\n${tags.join('\n')}`, mostInText)]
  const stems = await stemsOf(sql, [...first.words, ...rest.words])
  const words = new Set([kindMark(kind), ...tags.map(tagMark), ...(price ? [modeMark(price.mode)] : [])])
  mark(words, { terms: first, stems, word: marks.word, stem: marks.stem })
  mark(words, { terms: rest, stems, word: marks.textWord, stem: marks.textStem })
  const near = new Set<string>()
  const longer = rest.words.filter((word) => word.length > 4).slice(0, nearInText)
  for (const word of new Set([...first.words, ...longer])) {
    const its = stems.get(word)?.stems ?? []
    for (const each of nearOf(word, its)) near.add(marks.near + each)
    for (const each of partsOf(word, its)) near.add(marks.part + each)
  }
  // No term has a space or a character that the type reads in its own way.
  return { words: [...words].join(' '), near: [...near].join(' ') }
}

interface Marking {
  terms: Terms
  stems: ReadonlyMap<string, Stemmed>
  word: string
  stem: string
}

function mark(found: Set<string>, { terms, stems, word, stem }: Marking): void {
  // Each character of a pair too: a search may have one alone.
  for (const each of terms.pairs.flatMap((pair) => [pair, ...pair])) found.add(word + each)
  for (const each of terms.words) {
    found.add(word + each)
    for (const one of stems.get(each)?.stems ?? []) found.add(stem + one)
  }
}
