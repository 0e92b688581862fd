// So many of a list, and what is said of an empty one.
import type { Input } from './command.ts'

/** The first entries, and no page more than they need. */
export async function upTo<T>(limit: number, list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of list) {
    found.push(each)
    if (found.length >= limit) break
  }
  return found
}

/** How many to list, by `--limit`. */
export const limitOf = (input: Input, usual = 50, most = 10_000): number =>
  input.number('limit', usual, { min: 1, max: most, whole: true })

/** The words among the arguments, as a search takes them; undefined without any. */
export const wordsOf = (input: Input): string | undefined => input.args.join(' ').trim() || undefined

/** What an empty list says: that nothing of it fits the `filters` that were given, or else what there is none of yet. */
export const noneYet = (input: Input, filters: readonly string[], what: string): string =>
  filters.some((name) => input.given(name)) || (filters.includes('WORDS') && input.args.length > 0)
    ? 'No results. Try fewer words or options.'
    : what
