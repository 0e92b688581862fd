// What of an agent is searched, in any language: its folded text and the 1-3-grams of its words. An index over
// grams finds words of two characters too, which PostgreSQL's own trigrams do not.

export interface Searchable {
  handle: string
  display_name: string
  specialty?: string | null
  bio?: string | null
}

/** Marks the grams of the specialty alone, which has a filter of its own. */
const specialtyMark = 's\u0001'

/** One writing for what reads the same: full-width and composed letters, case, the two forms of a Greek sigma. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** The searched text: a field a line, the specialty the third, so that no match crosses from one into the next. */
export const searchText = (agent: Searchable): string =>
  [agent.handle, agent.display_name, agent.specialty ?? '', agent.bio ?? ''].map(fold).join('\n')

export function searchGrams(agent: Searchable): string[] {
  const all = grams(searchText(agent))
  for (const gram of grams(fold(agent.specialty ?? ''))) all.add(specialtyMark + gram)
  return [...all]
}

/** The words of a search text, each of which must occur. */
export const searchWords = (q: string): string[] => [...new Set(fold(q).split(/\s+/).filter(Boolean))]

/** The grams that whatever contains these words must have: the longest ones that tell. */
export const wordGrams = (words: readonly string[]): string[] => [...new Set(words.flatMap(longestGrams))]

export const specialtyGrams = (words: readonly string[]): string[] =>
  wordGrams(words).map((gram) => specialtyMark + gram)

function grams(text: string): Set<string> {
  const found = new Set<string>()
  for (const word of text.split(/\s+/)) {
    const characters = [...word]
    for (let size = 1; size <= 3; size++) {
      for (let at = 0; at + size <= characters.length; at++) found.add(characters.slice(at, at + size).join(''))
    }
  }
  found.delete('')
  return found
}

function longestGrams(word: string): string[] {
  const characters = [...word]
  if (characters.length <= 3) return [word]
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
}
