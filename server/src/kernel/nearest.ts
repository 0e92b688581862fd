// Suggestions for a misspelt word: at most two letters missing, added, replaced or swapped with the next.

/** Typos are never that long, and each word costs its length squared. */
const longest = 40

/** The nearest of the words, at most two typos away; empty if all are further. */
export function nearest(word: string, among: Iterable<string>): string[] {
  if (word.length > longest) return []
  const most = word.length < 5 ? 1 : 2
  const found = [...new Set(among)].map((each) => ({ each, far: slips(word.toLowerCase(), each.toLowerCase()) }))
  const least = Math.min(most, ...found.map(({ far }) => far))
  return found.filter(({ far }) => far === least).map(({ each }) => each)
}

/** The fewest typos from one word to another (optimal string alignment). */
export function slips(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row.push(
        Math.min(
          (last[j] as number) + 1,
          (row[j - 1] as number) + 1,
          (last[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1),
          i > 1 && j > 1 && swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    before = last
    last = row
  }
  return last[to.length] as number
}
