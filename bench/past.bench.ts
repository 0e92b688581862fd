// A message of an agent that is older than 89 days, among the keys of many messages of the past: what it pays for looking up
// its ID and its nonce. docs/decisions/0015-past-messages.md.
import type pg from 'pg'
import { databaseOf } from './data.ts'
import type { Line } from './goal.ts'
import { besideYounger, inTurns } from './retention.bench.ts'
import { kithTarget, startKith } from './targets.ts'

/** `KITH_BENCH_PAST`: another number of messages. */
const count = Number(process.env['KITH_BENCH_PAST'] ?? 10_000_000)
const pairCount = 16
/** As a leaf of keys is filled on average; each message has two. */
const keysInRow = 80
const rowCount = Math.ceil((2 * count) / keysInRow)

export async function past(): Promise<Line[]> {
  let kith = await startKith()
  try {
    const { pairs } = await kithTarget(kith, pairCount)
    const db = await databaseOf(kith)
    try {
      await fill(db)
    } finally {
      await db.end()
    }
    // It remembers how old callers are.
    await kith.stop()
    kith = await startKith(kith.dataDir)
    const { pairs: younger } = await kithTarget(kith, pairCount)
    const [older, fresh] = await inTurns(kith.url, pairs, younger)
    return [besideYounger(`the keys of ${count.toLocaleString('en')}`, older, fresh)]
  } finally {
    await kith.stop().catch(() => {})
    await kith.remove()
  }
}

/** Makes all agents and contacts old, and adds rows of keys, each a stretch of its own, in no order. */
async function fill(db: pg.Client): Promise<void> {
  for (const table of ['agents', 'contacts']) {
    await db.query(`update ${table} set created_at = created_at - interval '200 days'`)
  }
  await db.query(
    `insert into past_keys (first, keys)
     select first, array(select first + k from generate_series(0, ${keysInRow - 1}) k)
     from (
       select (-(2::numeric ^ 63) + n * trunc(2::numeric ^ 64 / $1::int) + 1)::bigint as first
       from generate_series(0, $1::int - 1) n order by random()
     ) stretches
     on conflict do nothing`,
    [rowCount],
  )
  await db.query('analyze past_keys')
  await db.query('checkpoint')
}
