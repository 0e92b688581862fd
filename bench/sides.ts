// Two processes of Kith whose tables are of unlike size, asked in turns.
import type pg from 'pg'
import { type HttpClient, openHttp } from './http-client.ts'
import type { Kith } from './targets.ts'

export interface Side {
  kith: Kith
  db: pg.Client
}

export type Asked<S extends Side = Side> = S & { http: HttpClient }

/** Milliseconds of each request. */
export type Times = Record<'small' | 'large', number[]>

const rounds = 300
const warmUp = 50

/** Opens a process with each count of things, the fewer first, and ends both. */
export async function betweenSides<S extends Side, T>(
  counts: readonly [number, number],
  open: (count: number) => Promise<S>,
  measure: (small: Asked<S>, large: Asked<S>) => Promise<T>,
): Promise<T> {
  const sides: (S & { http?: HttpClient })[] = []
  try {
    for (const count of counts) sides.push(await open(count))
    // Only now: while the tables are filled a connection would be idle for too long.
    for (const side of sides) side.http = await openHttp(side.kith.url, 1)
    const [small, large] = sides as unknown as [Asked<S>, Asked<S>]
    return await measure(small, large)
  } finally {
    for (const { http, db, kith } of sides) {
      http?.close()
      await db.end()
      await kith.stop()
      await kith.remove()
    }
  }
}

/** How long a request takes each of both, after the first ones. */
export async function inTurns<S extends Side>(
  small: Asked<S>,
  large: Asked<S>,
  ask: (side: Asked<S>) => Promise<void>,
): Promise<Times> {
  const times: Times = { small: [], large: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, side] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const began = performance.now()
      await ask(side)
      if (round >= warmUp) times[name].push(performance.now() - began)
    }
  }
  return times
}
