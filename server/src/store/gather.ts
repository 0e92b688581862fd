// Lookups by key that several readers of one transaction request together: one statement for all of them.
import type { Query } from './sql.ts'

/** Finds the values of keys, in their order; what follows is the same for all who look them up together. */
type Find<K, V, A extends unknown[]> = (sql: Query, keys: readonly K[], ...also: A) => Promise<readonly V[]>

interface Batch {
  keys: unknown[]
  found: Promise<readonly unknown[]>
}

/** Of the transactions that several readers share: what is being gathered, by what will find it. */
const gathering = new WeakMap<Query, Map<unknown, Batch>>()

/** From now on {@link gathered} lookups in this transaction go together. */
export const gatherIn = (sql: Query): void => void gathering.set(sql, new Map())

/**
 * A lookup of many keys. In a transaction that several readers share, it runs once for all keys that they request
 * before the process waits for an answer. Its statement should read by the unique index of the key (`offset 0`) even
 * if it was planned while the table was small, and hide the number of keys from the planner.
 */
export const gathered =
  <K, V, A extends unknown[]>(find: Find<K, V, A>): Find<K, V, A> =>
  async (sql, keys, ...also) => {
    const batches = gathering.get(sql)
    if (!batches || keys.length === 0) return find(sql, keys, ...also)
    const batch = batches.get(find) ?? open(batches, find, async (all) => find(sql, all as K[], ...also))
    const first = batch.keys.length
    batch.keys.push(...keys)
    return (await batch.found).slice(first, first + keys.length) as V[]
  }

function open(batches: Map<unknown, Batch>, by: unknown, find: (keys: unknown[]) => Batch['found']): Batch {
  const keys: unknown[] = []
  const found = new Promise<readonly unknown[]>((resolve) => {
    // After everyone who can continue without an answer has added keys, and before the flight departs.
    process.nextTick(() => {
      batches.delete(by)
      resolve(find(keys))
    })
  })
  const batch = { keys, found }
  batches.set(by, batch)
  return batch
}

/** The row of each ID, in their order. */
export function byId<R extends { id: string }>(ids: readonly string[], rows: readonly R[]): (R | undefined)[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
}

/** Each row at the place that it names, counted from 1 as `with ordinality` does. */
export function inPlaces<R extends { place: number }>(count: number, rows: readonly R[]): (R | undefined)[] {
  const found = new Array<R | undefined>(count).fill(undefined)
  for (const row of rows) found[row.place - 1] = row
  return found
}
