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

/** What an empty list says: that nothing of it fits the `filters` that were given, or else what there is none of yet. */
export const noneYet = (input: Input, filters: readonly string[], what: string): string =>
  filters.some((name) => input.given(name)) || (filters.includes('WORDS') && input.args.length > 0)
    ? 'No results. Try fewer words or options.'
    : what
