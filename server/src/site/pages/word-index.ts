// Finds things by words: stems and synonyms, titles before text, rare words before frequent ones.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** What is found. */
export interface Worded {
  /** What it is called: each name for itself. */
  titles: readonly string[]
  /** What it is part of; undefined if it is a whole. */
  within?: string | undefined
  text: string
  /** How much it counts among others of the same words; 1 where nothing speaks for or against it. */
  weight: number
}

interface Posting {
  entry: number
  /** How much of the entry the word is. */
  worth: number
}

export interface WordIndex<T extends Worded> {
  /** Best first; those with all of the words, or where nothing has all of them, with most. */
  find(q: string): T[]
}

/** More words than anybody types are not looked for. */
const mostWords = 12
const inTitle = 8
const inWhole = 3
/** Stems that are remembered: what is looked for may be any word. */
const mostKnown = 20_000
/** What another word, the beginning of one, or a part of one counts beside the word itself. */
const asSynonym = 0.45
const asBeginning = 0.6
const asPart = 0.3
const shortestPart = 3
/** For an entry that is called as the query, and nothing else. */
const wholeTitle = 40
/** How many times as much counts what is called exactly as was typed. */
const asTyped = 2

/** Entries that are taken in before others have their turn. */
const step = 50

/** Of `stopWords` nothing is looked for, except where a query has no others. */
export async function wordIndex<T extends Worded>(
  given: Iterable<T>,
  { synonyms, stopWords }: { synonyms: readonly string[]; stopWords: string },
): Promise<WordIndex<T>> {
  const stops = new Set(stopWords.split(' ').map(stem))
  const others = synonymsOf(synonyms)
  const postings = new Map<string, Posting[]>()
  const stemsOf = stemming()
  const entries: T[] = []
  /** Of each entry each name, without words that say nothing. */
  const names: Set<string>[][] = []
  for (const entry of given) {
    const at = entries.push(entry) - 1
    if (at % step === step - 1) await nextTurn()
    const { titles, within = '', text } = entry
    const own = titles.map((title) => new Set(stemsOf(title).filter((word) => !stops.has(word))))
    names.push(own)
    const worths = new Map<string, number>()
    const add = (words: Iterable<string>, worth: number) => {
      for (const word of words) worths.set(word, Math.max(worth, worths.get(word) ?? 0))
    }
    add(stemsOf(text), 1)
    add(stemsOf(within), inWhole)
    for (const name of own) add(name, inTitle)
    for (const [word, worth] of worths) {
      const known = postings.get(word)
      if (known) known.push({ entry: at, worth })
      else postings.set(word, [{ entry: at, worth }])
    }
  }
  const vocabulary = [...postings.keys()]

  /** The words of the index that stand for a word of a query, with what each counts. */
  function meantBy(word: string): Map<string, number> {
    const meant = new Map<string, number>()
    for (const other of others.get(word) ?? []) if (postings.has(other)) meant.set(other, asSynonym)
    if (postings.has(word)) meant.set(word, 1)
    if (meant.size > 0 || [...word].length < shortestPart) return meant
    for (const known of vocabulary) {
      if (known.startsWith(word)) meant.set(known, asBeginning)
      else if (known.includes(word)) meant.set(known, asPart)
    }
    return meant
  }

  function find(q: string): T[] {
    const typed = q.trim().toLowerCase()
    const all = [...new Set(stemsOf(q, false))]
    const own = all.filter((word) => !stops.has(word))
    const wanted = (own.length > 0 ? own : all).slice(0, mostWords)
    const scores = new Map<number, { score: number; meant: Map<string, number>[] }>()
    for (const word of wanted) {
      const meant = meantBy(word)
      const best = new Map<number, number>()
      for (const [known, counts] of meant) {
        const found = postings.get(known) as Posting[]
        const rarity = counts * Math.log(1 + entries.length / found.length)
        for (const { entry, worth } of found) best.set(entry, Math.max(best.get(entry) ?? 0, worth * rarity))
      }
      for (const [entry, score] of best) {
        const sum = scores.get(entry) ?? { score: 0, meant: [] }
        sum.score += score
        sum.meant.push(meant)
        scores.set(entry, sum)
      }
    }
    let most = 0
    for (const { meant } of scores.values()) most = Math.max(most, meant.length)
    if (most * 2 < wanted.length) return []
    return [...scores]
      .filter(([, { meant }]) => meant.length === most)
      .map(([entry, { score, meant }]) => {
        const own = entries[entry] as T
        const share = Math.max(0, ...(names[entry] as Set<string>[]).map((name) => shareOf(name, meant, wanted.length)))
        const isNamed = own.titles.some((title) => title.toLowerCase() === typed)
        return { own, entry, rank: (score + wholeTitle * share) * own.weight * (isNamed ? asTyped : 1) }
      })
      .sort((a, b) => b.rank - a.rank || a.entry - b.entry)
      .map(({ own }) => own)
  }
  return { find }
}

/** How much a name and a query are the same: 1 where each has all words of the other. */
function shareOf(name: ReadonlySet<string>, meant: readonly Map<string, number>[], wanted: number): number {
  let same = 0
  for (const words of meant) {
    let best = 0
    for (const word of name) best = Math.max(best, words.get(word) ?? 0)
    same += best
  }
  return same / Math.max(wanted, name.size)
}

function synonymsOf(groups: readonly string[]): Map<string, Set<string>> {
  const others = new Map<string, Set<string>>()
  for (const group of groups) {
    const words = group.split(' ').map(stem)
    for (const word of words) {
      const known = others.get(word) ?? new Set()
      for (const each of words) if (each !== word) known.add(each)
      others.set(word, known)
    }
  }
  return others
}

/** The stems of a text. Of a name of several words, as programs write it, those too, unless it is looked for. */
function stemming() {
  const known = new Map<string, string>()
  const stemOf = (word: string): string => {
    const before = known.get(word)
    if (before !== undefined) return before
    const found = stem(word.toLowerCase())
    if (known.size < mostKnown) known.set(word, found)
    return found
  }
  return (text: string, withPieces = true): string[] =>
    (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
      const whole = stemOf(word)
      if (!withPieces || !/_|[a-z][A-Z]/.test(word)) return whole
      const pieces = word.split(/_+|(?<=[a-z])(?=[A-Z])/).filter(Boolean)
      return [whole, ...pieces.map(stemOf)]
    })
}

const russianEnding =
  /(иями|ениями|ения|ение|ений|ании|ание|ания|ями|ами|ого|его|ому|ему|ыми|ими|ать|ять|ить|уют|ует|ают|ает|ов|ев|ей|ой|ий|ый|ая|яя|ое|ее|ые|ие|ам|ям|ах|ях|ом|ем|ую|юю|ть|[аяоеыиуюьй])$/

/** A word without its ending: roughly, and the same for what is looked for as for what is found. */
export function stem(word: string): string {
  if (/[а-яё]/.test(word)) {
    const cut = word.replaceAll('ё', 'е').replace(russianEnding, '')
    return cut.length >= 3 ? cut : word
  }
  if (word.length < 4 || word === 'cors' || /\d/.test(word)) return word.replace(/^(\p{L}{2,})s$/u, '$1')
  const short = word
    .replace(/ie[sd]$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/(?<=[aeiouy].*[^aeiou])(?:ing|ed)$/, '')
    .replace(/(?<=.{3})(?:ation|ition)$/, '')
  return short.replace(/([^aeiouls])\1$/, '$1').replace(/(?<=.{4})e$/, '')
}
