// Search in any language: folded text and the 1-3-grams of its words, under an index of their own. It also finds words
// of two characters, which PostgreSQL's own trigrams do not.

/**
 * One spelling for what reads the same: full-width and composed letters, case, the two forms of a Greek sigma. Of the
 * marks on one letter the first 30 count: Unicode's stream-safe text has no more of them (UAX #15), and to sort them
 * takes the square of their number.
 */
export const fold = (text: string): string =>
  text.replace(marksBeyond, '$1').normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('ς', 'σ')

/** The half-width voicing marks are letters by themselves, and marks once composed. */
const marksBeyond = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** The grams of every word of a folded text. */
export function gramsOf(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of new Set(text.split(/\s+/))) {
    let last = ''
    let two = ''
    for (const character of word) {
      found
        .add(character)
        .add(last + character)
        .add(two + character)
      two = last + character
      last = character
    }
  }
  return found
}

/** The words of a search text, each of which must occur. */
export const searchWords = (q: string): string[] => [...new Set(fold(q).split(/\s+/).filter(Boolean))]

/** The grams that any text with these words must have: the longest, most selective ones. */
export const wordGrams = (words: readonly string[]): string[] => [...new Set(words.flatMap(longestGrams))]

/** A LIKE pattern for texts with a word; wildcards in it are plain characters. */
export const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`

function longestGrams(word: string): string[] {
  const characters = [...word]
  if (characters.length <= 3) return [word]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}
