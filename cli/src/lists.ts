// So many of a list.

/** The first entries, and no page more than they need. */
export async function upTo<T>(limit: number, list: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of list) {
    found.push(each)
    if (found.length >= limit) break
  }
  return found
}
