// Bytes that are kept by their addresses within a bound: what nobody asked for the longest goes first.
// docs/contract/site.md#share-pictures.

interface KeptBytes {
  /** What is kept at an address, which from now on is the last to go. */
  get(address: string): Buffer | undefined
  /** Keeps bytes at an address that has none. */
  add(address: string, bytes: Buffer): void
}

export function keepBytes(most: number): KeptBytes {
  const kept = new Map<string, Buffer>()
  let total = 0
  return {
    get(address) {
      const known = kept.get(address)
      if (known === undefined) return undefined
      kept.delete(address)
      kept.set(address, known)
      return known
    },
    add(address, bytes) {
      kept.set(address, bytes)
      total += bytes.length
      for (const [oldest, { length }] of kept) {
        if (total <= most) return
        kept.delete(oldest)
        total -= length
      }
    },
  }
}
