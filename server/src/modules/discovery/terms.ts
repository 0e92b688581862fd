// What somebody searches for, as queries over the marked words of what can be found.
// docs/contract/discovery.md#ranking.
import { basesOf, compoundOf, marks, nearOf, termsOf } from '../../search/finding.ts'
import { stemsOf } from '../../search/stems.ts'
import type { Query } from '../../store/sql.ts'

/** A word of a search, or a pair of characters: the queries that find it, the best first; null where it has no such form. */
export interface Term {
  word: string
  stem: string | null
  textWord: string
  textStem: string | null
  near: string | null
}

/** More than this many words and pairs are not looked for. */
export const mostTerms = 16

/** What people write around what they look for; each language's own `the` and `my` are known by its stems. */
const asking = new Set(
  `need want please looking someone somebody anyone suche suchen brauche möchte bitte jemand jemanden cherche besoin
  busco necesito нужен нужна нужно нужны ищу хочу пожалуйста кто-нибудь`.split(/\s+/),
)

/** The terms of a search text, without what every sentence has, unless it has nothing else. */
export async function termsWanted(sql: Query, q: string): Promise<Term[]> {
  const { words, pairs } = termsOf(q, mostTerms)
  const stems = await stemsOf(sql, words)
  const telling = words.filter((word) => !asking.has(word) && !stems.get(word)?.isFiller)
  const kept = telling.length + pairs.length > 0 ? telling : words
  const terms = kept.map((word) => termOf(word, stems.get(word)?.stems ?? []))
  return [...terms, ...pairs.map(pairOf)].slice(0, mostTerms)
}

const pairOf = (pair: string): Term => ({
  word: lexeme(marks.word, pair),
  stem: null,
  textWord: lexeme(marks.textWord, pair),
  textStem: null,
  near: null,
})

function termOf(word: string, stems: readonly string[]): Term {
  const near = [
    ...nearOf(word, stems).map((each) => lexeme(marks.near, each)),
    ...basesOf(word, stems).map((base) => lexeme(marks.part, base)),
    ...compoundOf(word).flatMap((each) => [lexeme(marks.word, each), lexeme(marks.textWord, each)]),
  ]
  return {
    word: lexeme(marks.word, word),
    stem: either(stems.map((stem) => lexeme(marks.stem, stem))),
    textWord: lexeme(marks.textWord, word),
    textStem: either(stems.map((stem) => lexeme(marks.textStem, stem))),
    near: near.length > 0 ? either(near) : null,
  }
}

/** Quoted: an operator or a quote in it, were there one, would be a part of the word. */
export const lexeme = (mark: string, text = ''): string =>
  `'${`${mark}${text}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const either = (queries: readonly string[]): string => `(${queries.join(' | ')})`
const both = (queries: readonly string[]): string => queries.join(' & ')

/** A query, and whether it finds near spellings too: only then they are looked for in each candidate. */
export interface Tier {
  query: string
  isNear: boolean
}

/**
 * Queries from the strictest to the loosest: where one finds enough, nothing that a later one adds would come before it.
 */
export function tiersOf(terms: readonly Term[]): Tier[] {
  const forms = (term: Term, keys: readonly (keyof Term)[]): string => either(keys.flatMap((key) => term[key] ?? []))
  const heading = (term: Term): string => forms(term, ['word', 'stem'])
  const anywhere = (term: Term): string => forms(term, ['word', 'stem', 'textWord', 'textStem'])
  const nearly = (term: Term): string => forms(term, ['word', 'stem', 'textWord', 'textStem', 'near'])
  const of = (form: (term: Term) => string): string[] => terms.map(form)
  const tiers = [both(of(({ word }) => word)), both(of(heading)), both(of(anywhere)), both(of(nearly))]
  if (terms.length > 1) tiers.push(either(of(heading)), either(of(anywhere)), either(of(nearly)))
  return tiers.flatMap((query, at) => (tiers.indexOf(query) === at ? { query, isNear: at % 3 === 0 && at > 0 } : []))
}
