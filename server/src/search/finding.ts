// The words by which discovery finds a text, in any script: whole words, and pairs of characters where a script puts no spaces
// between words. docs/contract/discovery.md#ranking.
import { createHash } from 'node:crypto'
import { fold } from './grams.ts'

/** What no word has: all but letters with their marks, digits, and what the names of languages end in. */
const between = /[^\p{L}\p{M}\p{N}+#]+/u
const isWord = /[\p{L}\p{N}]/u
const spaceless =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+)/u
/** Longer ones are cut. */
const longestWord = 40

export interface Terms {
  words: string[]
  /** Of scripts without spaces. */
  pairs: string[]
}

/** The distinct words and pairs of a text, in their order, at most so many of each. */
export function termsOf(text: string, most: number): Terms {
  const [words, pairs] = [new Set<string>(), new Set<string>()]
  // A letter may become a sentence in folding: what is repeated is looked at once.
  for (const token of new Set(fold(text).split(between))) {
    if (words.size >= most && pairs.size >= most) break
    for (const [at, run] of token.split(spaceless).entries()) {
      // Every second piece is what the pattern has found.
      if (at % 2 === 1) for (const pair of pairsOf(run)) pairs.add(pair)
      else if (isWord.test(run)) words.add([...run].slice(0, longestWord).join(''))
    }
  }
  return { words: [...words].slice(0, most), pairs: [...pairs].slice(0, most) }
}

/** A single character is found by itself. */
function pairsOf(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

const unaccented = (word: string): string => word.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')
/** Without accents and doubled letters, in which people err most. */
const squeezed = (word: string): string => unaccented(word).replaceAll(/(.)\1+/gu, '$1')

const shortestNear = 4

/** A word and its shortest stem, squeezed: long enough to be mistaken. */
export const basesOf = (word: string, stems: readonly string[]): string[] => [
  ...new Set([word, ...stems.slice(0, 1)].map(squeezed).filter((base) => [...base].length >= shortestNear)),
]

/**
 * What a word has in common with its near spellings: itself squeezed, and with any one letter left out. Two words that differ
 * by a letter, left out, added, swapped or mistaken, share one of these.
 */
export function nearOf(word: string, stems: readonly string[]): string[] {
  const found = new Set<string>()
  for (const base of basesOf(word, stems)) {
    const letters = [...base]
    found.add(base)
    for (let at = 0; at < letters.length; at++) found.add(letters.toSpliced(at, 1).join(''))
  }
  return [...found]
}

/** How a longer word begins, and how a compound begins and ends: by these a part of it finds it. */
export function partsOf(word: string, stems: readonly string[]): string[] {
  const found = new Set<string>()
  for (const letters of basesOf(word, stems).map((base) => [...base])) {
    for (let length = shortestNear; length < letters.length; length++) found.add(letters.slice(0, length).join(''))
    for (const ending of endingsOf(letters)) found.add(ending)
  }
  return [...found]
}

/** The words that a compound may be made of. */
export function compoundOf(word: string): string[] {
  const letters = [...word]
  const beginnings = endingsOf(letters).map((ending) => letters.slice(0, letters.length - [...ending].length).join(''))
  return [...beginnings, ...endingsOf(letters)]
}

/** What is left of a long word behind four letters or more. */
function endingsOf(letters: readonly string[]): string[] {
  const found: string[] = []
  for (let at = shortestNear; letters.length - at >= shortestNear; at++) found.push(letters.slice(at).join(''))
  return letters.length >= 2 * shortestNear ? found : []
}

/** What marks a term of a text: where it stands, and whether it is the word or its stem; or what it is good for. */
export const marks = { word: '1', stem: '2', textWord: '3', textStem: '4', near: '5', part: '6' } as const
export const kindMark = (kind: string): string => `k${kind}`
export const modeMark = (mode: string): string => `m${mode}`
/** Of a whole tag, in any case; a digest, for a tag may have any character. */
export const tagMark = (tag: string): string => `t${createHash('sha256').update(fold(tag)).digest('hex').slice(0, 16)}`
