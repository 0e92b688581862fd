// Over the rows of a restore: indexes, statistics, keys and references, on as many connections as there are.
import type pg from 'pg'
import { all, quote, type SetAside, type Step } from './catalog.ts'
import type { Lanes } from './lanes.ts'

interface Rebuild {
  /** Builds what belongs to a table alone; its rows are there. */
  table(name: string, bytes: number): void
  /** Waits for that, then makes and checks what joins tables. */
  finish(client: pg.Client): Promise<void>
}

/** A search index takes so many times longer than another one over the same table. */
const slowness = 32

/** `told` gets how many of the steps are done. */
export function createRebuild(aside: SetAside, lanes: Lanes, told: (done: number, total: number) => void): Rebuild {
  const indexes = byTable(aside.indexes)
  const keys = byTable(aside.keys)
  const checks = byTable(aside.checks)
  const sizes = new Map<string, number>()
  const total = aside.indexes.length + aside.checks.length
  let done = 0

  const step = async (work: Promise<unknown>): Promise<void> => {
    await work
    done += 1
    told(done, total)
  }

  return {
    table(name, bytes) {
      sizes.set(name, bytes)
      const own = indexes.get(name) ?? []
      let missing = own.length
      const last = async (client: pg.Client): Promise<void> => {
        await all(
          client,
          (keys.get(name) ?? []).map(({ sql }) => sql),
        )
        // Without statistics the first plans would be guesses.
        await client.query(`analyze ${quote(name)}`)
      }
      if (missing === 0) lanes.add(bytes, last)
      for (const { sql, slow } of own) {
        lanes.add(slow ? bytes * slowness : bytes, async (client) => {
          await step(client.query(sql))
          missing -= 1
          if (missing === 0) lanes.add(bytes, last)
        })
      }
    },
    async finish(client) {
      await lanes.settle()
      await all(
        client,
        aside.references.map(({ sql }) => sql),
      )
      for (const [table, steps] of checks) {
        // Two checks of a table would wait for each other.
        lanes.add(sizes.get(table) ?? 0, async (free) => {
          for (const { sql } of steps) await step(free.query(sql))
        })
      }
      await lanes.settle()
      await all(
        client,
        aside.triggers.map(({ sql }) => sql),
      )
    },
  }
}

const byTable = <T extends Step>(steps: readonly T[]): Map<string, T[]> => Map.groupBy(steps, ({ table }) => table)
