// The stems of words in five languages, by the dictionaries that every PostgreSQL has; what was asked lately is remembered.
import type { Query } from '../store/sql.ts'

export interface Stemmed {
  /** Each once, the shortest first; the word itself where no language changes it. */
  stems: readonly string[]
  /** The languages that have it in every sentence, as English has `the`. */
  fillerIn: readonly string[]
}

/** Words that are asked for, with all that is known of them: some ten megabytes at most. */
const remembered = 50_000
const known = new Map<string, Stemmed>()

/** The stems of each of these folded words. */
export async function stemsOf(sql: Query, words: readonly string[]): Promise<ReadonlyMap<string, Stemmed>> {
  const found = new Map<string, Stemmed>()
  const unknown: string[] = []
  for (const word of new Set(words)) {
    const stemmed = known.get(word)
    if (stemmed) found.set(word, stemmed)
    // No language changes a number, and there are very many.
    else if (/^\d+$/.test(word)) found.set(word, { stems: [word], fillerIn: [] })
    else unknown.push(word)
  }
  if (unknown.length === 0) return found
  const rows = await sql<{ word: string; stems: string[]; filler_in: string[] }>`
    select w as word, array(
        select s from unnest(ts_lexize('english_stem', w) || ts_lexize('german_stem', w)
          || ts_lexize('french_stem', w) || ts_lexize('spanish_stem', w) || ts_lexize('russian_stem', w)) as s
        group by s order by length(s), s
      ) as stems,
      array(
        select language from (values ('english', ts_lexize('english_stem', w)), ('german', ts_lexize('german_stem', w)),
          ('french', ts_lexize('french_stem', w)), ('spanish', ts_lexize('spanish_stem', w)),
          ('russian', ts_lexize('russian_stem', w))) as each (language, stems) where stems = '{}'
      ) as filler_in
    from unnest(${unknown}::text[]) as t (w)`
  for (const { word, stems, filler_in } of rows) {
    const stemmed = { stems: stems.length > 0 ? stems : [word], fillerIn: filler_in }
    found.set(word, stemmed)
    if (known.size >= remembered) known.delete(known.keys().next().value as string)
    known.set(word, stemmed)
  }
  return found
}
