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
  part: string | null
}

/** More than this many words and pairs are not looked for. */
export const mostTerms = 16

/** What people write around what they look for; each language's own `the` and `my` are known by its stems. */
const asking = new Set(
  `need want please looking someone somebody anyone suche suchen brauche möchte bitte jemand jemanden cherche besoin
  busco necesito нужен нужна нужно нужны ищу хочу пожалуйста кто-нибудь`.split(/\s+/),
)

/** Words that one language has in every sentence, and that mean something in another: `hat`, `man`, `sea`. */
const homographs = new Set(
  `aller algo ante bin con den die era eras han hat hay man nun once ours par pour sea sin sobre son todo ton war
  weg`.split(/\s+/),
)

/** The terms of a search text, without what every sentence has, unless it has nothing else. */
export async function termsWanted(sql: Query, q: string): Promise<Term[]> {
  const { words, pairs } = termsOf(q, mostTerms)
  const stems = await stemsOf(sql, words)
  const fillerIn = (word: string): readonly string[] => stems.get(word)?.fillerIn ?? []
  // What one language alone says: only in it a homograph is a filler.
  const spoken = new Set(
    words.flatMap((word) => (fillerIn(word).length === 1 && !homographs.has(word) ? fillerIn(word) : [])),
  )
  const isFiller = (word: string): boolean =>
    homographs.has(word) ? fillerIn(word).some((language) => spoken.has(language)) : fillerIn(word).length > 0
  const telling = words.filter((word) => !asking.has(word) && !isFiller(word))
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
  part: null,
})

function termOf(word: string, stems: readonly string[]): Term {
  const near = nearOf(word, stems).map((each) => lexeme(marks.near, each))
  const parts = [
    ...basesOf(word, stems).map((base) => lexeme(marks.part, base)),
    ...compoundOf(word).flatMap((each) => [lexeme(marks.word, each), lexeme(marks.textWord, each)]),
  ]
  return {
    word: lexeme(marks.word, word),
    stem: either(stems.map((stem) => lexeme(marks.stem, stem))),
    textWord: lexeme(marks.textWord, word),
    textStem: either(stems.map((stem) => lexeme(marks.textStem, stem))),
    near: near.length > 0 ? either(near) : null,
    part: parts.length > 0 ? either(parts) : null,
  }
}

/** Quoted: an operator or a quote in it, were there one, would be a part of the word. */
export const lexeme = (mark: string, text = ''): string =>
  `'${`${mark}${text}`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

const either = (queries: readonly string[]): string => `(${queries.join(' | ')})`
const both = (queries: readonly string[]): string => queries.join(' & ')

type Form = keyof Term
const forms = (term: Term, keys: readonly Form[]): string => either(keys.flatMap((key) => term[key] ?? []))
const heading = (term: Term): string => forms(term, ['word', 'stem'])
const exactly = (term: Term): string => forms(term, ['word', 'stem', 'textWord', 'textStem'])
const spelled = (term: Term): string => forms(term, ['word', 'stem', 'textWord', 'textStem', 'near'])
const nearly = (term: Term): string => forms(term, ['word', 'stem', 'textWord', 'textStem', 'near', 'part'])

/** How many things have each term, and how many have it or something like it. */
export interface Frequency {
  exactly: number
  nearly: number
}

/** The queries that tell how often a term occurs: see {@link Frequency}. */
export const frequencyOf = (term: Term): Record<keyof Frequency, string> => ({
  exactly: exactly(term),
  nearly: nearly(term),
})

export interface Tier {
  query: string
  /** The terms that each of its candidates is measured by: near spellings only where it finds them. */
  terms: readonly Term[]
  /** So many things have the rarest of the words that it needs: it may read all of them. */
  things: number
}

const withoutNear = (term: Term): Term => ({ ...term, near: null, part: null })

/**
 * Queries from the strictest to the loosest: where one finds enough, nothing that a later one adds would come before it. Near
 * spellings of a word that more things than `most` have are not looked for.
 */
export function tiersOf(given: readonly Term[], frequencies: readonly Frequency[] = [], most = 0): Tier[] {
  const terms = given.map((term, at) => ((frequencies[at]?.exactly ?? 0) > most ? withoutNear(term) : term))
  const exact = terms.map(withoutNear)
  /** What has `count` of the terms has one of any but `count - 1` of them: of the rarest. */
  const thingsOf = (count: number, form: keyof Frequency): number => {
    const rarest = frequencies.map((each) => each[form]).sort((a, b) => a - b)
    return count === 1 ? 0 : rarest.slice(0, terms.length - count + 1).reduce((sum, things) => sum + things, 0)
  }
  const tiers: Tier[] = []
  const add = (count: number, form: (term: Term) => string, longest = Number.POSITIVE_INFINITY): void => {
    const query = someOf(count, terms.map(form))
    if (query.length > longest || tiers.some((tier) => tier.query === query)) return
    const isNear = form === spelled || form === nearly
    tiers.push({ query, terms: isNear ? terms : exact, things: thingsOf(count, isNear ? 'nearly' : 'exactly') })
  }
  add(terms.length, ({ word }) => word)
  for (const count of countsOf(terms.length)) {
    const isBetween = count > 1 && count < terms.length
    if (!isBetween) add(count, heading)
    add(count, exactly)
    if (count === terms.length) add(count, spelled)
    add(count, nearly, isBetween ? longestNear : undefined)
  }
  return tiers
}

/** How many of its terms a search asks for, in turn: each time a query, so in a longer search not each number. */
const countsOf = (terms: number): number[] =>
  terms > 6 ? [terms, 3, 2, 1] : Array.from({ length: terms }, (_, at) => terms - at)

/** Characters. Of several long words, each with dozens of near spellings, near ones are looked for in all and in any alone. */
const longestNear = 8000

/** At least so many of these, by halves: so a query grows little faster than they do. */
function someOf(count: number, forms: readonly string[]): string {
  if (count === forms.length) return both(forms)
  if (count === 1) return either(forms)
  const half = Math.floor(forms.length / 2)
  const [left, right] = [forms.slice(0, half), forms.slice(half)]
  const ways: string[] = []
  for (let n = Math.max(0, count - right.length); n <= Math.min(count, left.length); n++) {
    ways.push(both([...(n > 0 ? [someOf(n, left)] : []), ...(n < count ? [someOf(count - n, right)] : [])]))
  }
  return either(ways)
}
