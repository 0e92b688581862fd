// The suggestion for an unknown word: the nearest by letters left out, added, exchanged or swapped.

/** Longer words are no slip of the fingers, and would cost their length squared. */
const longest = 40

/** The fewest of these slips that make one word of the other (optimal string alignment). */
export function distance(a: string, b: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        last[j]! + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, row]
  }
  return last[b.length]!
}

/** The words that are nearest, at most three: one slip away of a short word, two of a longer one; none is far from all. */
export function nearest(word: string, among: Iterable<string>): string[] {
  if (word.length > longest) return []
  const most = word.length < 5 ? 1 : 2
  const found = [...new Set(among)].map((each) => [each, distance(word.toLowerCase(), each)] as const)
  const least = Math.min(most, ...found.map(([, far]) => far))
  return found.flatMap(([each, far]) => (far === least ? [each] : [])).slice(0, 3)
}

/** A question for a person; undefined if nothing is near. */
export function didYouMean(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const last = words.at(-1)!
  return `did you mean ${words.length === 1 ? last : `${words.slice(0, -1).join(', ')} or ${last}`}?`
}
