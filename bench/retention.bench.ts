// Messages whose 90 days are over: what stays of them, what moving, deleting and vacuuming costs, and what a send and a page
// of history cost before, meanwhile and afterwards. docs/decisions/0015-past-messages.md.
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbedded } from '../server/src/embedded/embedded.ts'
import { cleanEnv, startProgram } from '../server/test/launch.ts'
import { databaseOf, uuid7 } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import type { Pair } from './load.ts'
import { processorTime } from './processor-time.ts'
import { median } from './statistics.ts'
import { type Kith, kithTarget, startKith } from './targets.ts'

const forgetting = fileURLToPath(new URL('../server/src/modules/messages/forgetting.fixture.ts', import.meta.url))

/** While the tables are filled, which no power cut may interrupt. */
const filling = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '4GB',
  autovacuum: 'off',
}

/** `KITH_BENCH_MESSAGES`: another number of messages that go to the past. */
const count = Number(process.env['KITH_BENCH_MESSAGES'] ?? 1_000_000)
const named = count.toLocaleString('en')
const pairCount = 16
/** Younger messages of each conversation but the first, which has only older ones. */
const living = 1000
const young = living * (pairCount - 1)
const bytes = 512
/** The service's sweep works for 10 of these seconds. */
const cycleSeconds = 50
const rounds = 400
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const atOnce = 250_000

interface Alone {
  db: pg.Client
  connection: EmbeddedPostgres['connection']
  pid: number
}

/** The database fills, moves and deletes without the service, on whose folder it runs. */
export async function retention(): Promise<Line[]> {
  let kith = await startKith()
  try {
    const { pairs } = await kithTarget(kith, pairCount)
    await kith.stop()
    const full = await alone(kith, filling, ({ db }) => fill(db, peerOf(pairs[0] as Pair)))

    kith = await startKith(kith.dataDir)
    const { before, during, moved } = await besideTraffic(kith, pairs)
    await kith.stop()
    const swept = await alone(kith, { autovacuum: 'off' }, sweep)

    kith = await startKith(kith.dataDir)
    const after = await use(kith, pairs)
    const younger = await kithTarget(kith, pairCount)
    const [older, fresh] = await inTurns(kith.url, pairs, younger.pairs)
    await kith.stop()
    const share = moved / swept.perSecond / cycleSeconds
    return [
      {
        measure: `what remains of each of ${named} messages`,
        kith: `${sizeOf(swept.past, count)}`,
        against: `a message of ${bytes} bytes ${sizeOf(full, count + young)}`,
        ratio: `${(perRow(swept.past, count) / perRow(full, count + young)).toFixed(2)}x`,
        goal: atMost(60, perRow(swept.past, count), ' B'),
      },
      {
        measure: 'moving a message to the past, CPU of the database',
        kith: `${swept.moving.toFixed(1)} µs, ${swept.perSecond.toFixed(0)}/s`,
        against: '',
        ratio: '',
      },
      {
        measure: 'the same beside one client that sends and reads: its share of the time',
        kith: `${(moved / cycleSeconds).toFixed(0)}/s`,
        against: 'without a pause',
        ratio: `${share.toFixed(2)}x`,
        goal: atMost(0.25, share),
      },
      {
        measure: 'deleting a row, and vacuum for each row, CPU of the database',
        kith: `${swept.deleting.toFixed(1)} µs, ${swept.vacuuming.toFixed(1)} µs`,
        against: '',
        ratio: '',
      },
      {
        measure: "vacuum at autovacuum's pace, after all were deleted",
        kith: `${swept.vacuumSeconds.toFixed(1)} s`,
        against: `the sweep within its budget ${(count / swept.perSecond / 0.2).toFixed(0)} s`,
        ratio: `${(swept.vacuumSeconds / (count / swept.perSecond / 0.2)).toFixed(2)}x`,
        goal: atMost(1, swept.vacuumSeconds / (count / swept.perSecond / 0.2)),
      },
      {
        measure: `growth of the tables by ${swept.renewed.toLocaleString('en')} new messages in the space of deleted ones`,
        kith: `${(swept.growth / swept.renewed).toFixed(0)} B each`,
        against: `in new space ${perRow(full, count + young).toFixed(0)} B`,
        ratio: `${(swept.growth / swept.renewed / perRow(full, count + young)).toFixed(2)}x`,
        goal: atMost(0.3, swept.growth / swept.renewed / perRow(full, count + young)),
      },
      ...compare('while they are moved', during, before),
      ...compare('once they are deleted', after, before),
      besideYounger(named, older, fresh),
    ]
  } finally {
    await kith.stop().catch(() => {})
    await kith.remove()
  }
}

const peerOf = (pair: Pair): string => JSON.parse(pair.body(randomUUID(), '')).recipient_id

async function alone<T>(kith: Kith, settings: Record<string, string>, work: (on: Alone) => Promise<T>): Promise<T> {
  const { connection, pid, stop } = await startEmbedded({
    folder: join(kith.dataDir, 'postgres'),
    log: () => {},
    settings,
  })
  const db = new pg.Client(connection)
  try {
    await db.connect()
    return await work({ db, connection, pid })
  } finally {
    await db.end()
    await stop()
  }
}

interface Size {
  heap: number
  indexes: number
}

async function size(db: pg.Client, ...tables: string[]): Promise<Size> {
  const { rows } = await db.query(
    `select sum(pg_table_size(t::regclass))::float8 as heap, sum(pg_indexes_size(t::regclass))::float8 as indexes
     from unnest($1::text[]) t`,
    [tables],
  )
  return rows[0]
}

const perRow = ({ heap, indexes }: Size, rows: number): number => (heap + indexes) / rows
const sizeOf = (of: Size, rows: number): string =>
  `${perRow(of, rows).toFixed(0)} B (${(of.indexes / rows).toFixed(0)} of them indexes)`

const every = `n % ${pairCount}`
const butTheFirst = `1 + n % ${pairCount - 1}`

interface Span {
  from: number
  to: number
  /** Of the first and the last message, how long ago. */
  days: [number, number]
  conversations: string
}

/** Messages and their receipts, one conversation after the other. */
async function insert(db: pg.Client, { from, to, days, conversations }: Span): Promise<void> {
  for (let first = from; first < to; first += atOnce) {
    await db.query(
      `with made as (
         insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
         select ${uuid7(`extract(epoch from at) * 1000`)}, c.id, c.requester_id, c.recipient_id, gen_random_uuid(),
           sha256(n::text::bytea), substr(sha256(('nonce' || n)::bytea), 1, 24),
           decode(repeat(md5(n::text), ${bytes / 16}), 'hex'), at
         from generate_series($1::int, $2::int - 1) n
         join conversations c on c.place = ${conversations},
         lateral (select now() - interval '1 day' * ($3::float8 + ($4::float8 - $3) * (n - $5::int) / ($6::int - $5)) as at) t
         returning id, created_at
       )
       insert into message_receipts (message_id, delivered_at, version) select id, created_at, 2 from made`,
      [first, Math.min(first + atOnce, to), ...days, from, to],
    )
  }
}

/** Agents of 200 days ago, whose messages all come from the days before the last 90 but for the newest ones. */
async function fill(db: pg.Client, firstPeer: string): Promise<Size> {
  await db.query(`set maintenance_work_mem = '1GB'`)
  await db.query(`update agents set created_at = now() - interval '200 days'`)
  await db.query(`update contacts set created_at = now() - interval '200 days'`)
  await db.query(
    `create table conversations as
     select row_number() over (order by recipient_id = '${firstPeer}' desc, id) - 1 as place, * from contacts`,
  )
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'messages' and indexname <> 'messages_pkey'`,
  )
  for (const { name } of rows) await db.query(`drop index ${name}`)
  await insert(db, { from: 0, to: count, days: [180, 90.1], conversations: every })
  await insert(db, { from: count, to: count + young, days: [80, 0.01], conversations: butTheFirst })
  for (const { definition } of rows) await db.query(definition)
  await db.query('vacuum analyze messages, message_receipts')
  // As if all had been moved a moment ago.
  await db.query(
    `insert into past_messages (last, parties, moved_at) values ('${lastId}', '{}', now() + interval '1 hour')`,
  )
  // Deleting waits for a day after this one.
  await db.query(
    `update migrations set applied_at = applied_at - interval '2 days' where name = '0080_past_messages.sql'`,
  )
  return size(db, 'messages', 'message_receipts')
}

type What = 'send' | 'page' | 'none' | 'own'
type Used = Record<What, number>

/**
 * One connection: in each round a send, a page of a conversation, the page of the first one, and the sender's own passport,
 * which has nothing to do with messages: it shows how busy the machine is.
 */
async function use(kith: Kith, pairs: readonly Pair[], until?: () => boolean): Promise<Used> {
  const http = await openHttp(kith.url, 1)
  const times: Record<What, number[]> = { send: [], page: [], none: [], own: [] }
  const timed = async (what: What, act: () => Promise<unknown>): Promise<void> => {
    const began = performance.now()
    await act()
    times[what].push(performance.now() - began)
  }
  const read = async (pair: Pair, most: number): Promise<void> => {
    const { status, body } = await http.request('GET', `/api/v1/messages?peer=${peerOf(pair)}`, pair.token)
    const { messages } = JSON.parse(body)
    if (status !== 200 || messages.length !== most) throw new Error(`a page of ${messages?.length} of ${most}`)
  }
  const others = pairs.slice(1)
  for (let round = 0; until ? !until() : round < rounds; round++) {
    const pair = others[round % others.length] as Pair
    await timed('send', () => send(http, pair))
    await timed('page', () => read(pair, 100))
    await timed('none', () => read(pairs[0] as Pair, 0))
    await timed('own', () => http.request('GET', '/api/v1/bots/me', pair.token))
  }
  http.close()
  const middle = (of: What): number => median(times[of].slice(times[of].length / 6))
  return { send: middle('send'), page: middle('page'), none: middle('none'), own: middle('own') }
}

async function send(http: Awaited<ReturnType<typeof openHttp>>, pair: Pair): Promise<void> {
  const response = await http.request(
    'POST',
    pair.path,
    pair.token,
    pair.body(randomUUID(), randomBytes(bytes).toString('base64')),
  )
  if (response.status !== 201) throw new Error(response.body)
}

/** Before: nothing is left to be moved, as far as the sweep can see. Meanwhile: it sweeps at its own pace. */
async function besideTraffic(
  kith: Kith,
  pairs: readonly Pair[],
): Promise<{ before: Used; during: Used; moved: number }> {
  const db = await databaseOf(kith)
  const movedSoFar = async (): Promise<number> =>
    Number((await db.query('select count(*) * 1000 as moved from past_messages')).rows[0].moved)
  try {
    const before = await use(kith, pairs)
    await db.query('delete from past_messages')
    while ((await movedSoFar()) === 0) await sleep(100)
    const [from, began] = [await movedSoFar(), performance.now()]
    const during = await use(kith, pairs, () => performance.now() - began > cycleSeconds * 1000)
    return { before, during, moved: (await movedSoFar()) - from }
  } finally {
    await db.end()
  }
}

async function sweep({ db, connection, pid }: Alone) {
  const rest = await db.query(
    `select count(*)::int as messages from messages where created_at < now() - interval '90 days'
       and id > coalesce((select last from past_messages order by last desc limit 1), '00000000-0000-0000-0000-000000000000')`,
  )
  const left: number = rest.rows[0].messages
  if (left === 0) throw new Error('all were moved beside the traffic: KITH_BENCH_MESSAGES is too small')
  const timed = async (work: () => Promise<unknown>): Promise<{ used: number; took: number }> => {
    const [began, before] = [performance.now(), processorTime([pid])]
    await work()
    return { used: processorTime([pid]) - before, took: performance.now() - began }
  }
  const all = async (): Promise<void> => {
    const command = [process.execPath, '--conditions=source', '--no-warnings', forgetting, JSON.stringify(connection)]
    const program = startProgram(command, { env: cleanEnv({}) })
    if ((await program.ended) !== 0) throw new Error(program.err())
  }
  const moving = await timed(all)
  const past = await size(db, 'past_keys', 'past_messages')
  await db.query(`update past_messages set moved_at = moved_at - interval '1 hour'`)
  const deleting = await timed(all)
  // As autovacuum does it.
  await db.query(`set vacuum_cost_delay = '2ms'`)
  const vacuuming = await timed(() => db.query('vacuum messages, message_receipts'))
  const before = await size(db, 'messages', 'message_receipts')
  const renewed = count / 10
  await insert(db, { from: 2 * count, to: 2 * count + renewed, days: [0.009, 0.001], conversations: butTheFirst })
  const grown = await size(db, 'messages', 'message_receipts')
  return {
    moving: (moving.used * 1000) / left,
    perSecond: (left * 1000) / moving.took,
    deleting: (deleting.used * 1000) / count,
    vacuuming: (vacuuming.used * 1000) / count,
    vacuumSeconds: vacuuming.took / 1000,
    past,
    renewed,
    growth: grown.heap + grown.indexes - before.heap - before.indexes,
  }
}

/** What an older agent's message takes among so many of the past, and a younger one's, in milliseconds. */
export const besideYounger = (count: string, older: number, younger: number): Line => ({
  measure: `a message of an agent older than 89 days, among ${count} of the past, p50`,
  kith: `${older.toFixed(2)} ms`,
  against: `a younger agent ${younger.toFixed(2)} ms`,
  ratio: `${(older / younger).toFixed(2)}x`,
  goal: atMost(1.3, older / younger),
})

/** Medians of single sends by either, in milliseconds. */
export async function inTurns(url: string, some: readonly Pair[], others: readonly Pair[]): Promise<[number, number]> {
  const http = await openHttp(url, 1)
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    for (const [side, pairs] of [some, others].entries()) {
      const began = performance.now()
      await send(http, pairs[round % pairs.length] as Pair)
      times[side]?.push(performance.now() - began)
    }
  }
  http.close()
  const [one, other] = times.map((of) => median(of.slice(rounds / 6)))
  return [one as number, other as number]
}

const measures: Record<Exclude<What, 'own'>, string> = {
  send: 'a message of an older agent',
  page: 'page of history of 100',
  none: 'page of a conversation that is older than 90 days',
}

/**
 * Once they are deleted, the ratio is to a passport at that time: the machine may have become busier or quieter. While they are
 * moved it is not, because the sweep slows that read too.
 */
const compare = (when: string, now: Used, before: Used): Line[] =>
  (Object.keys(measures) as (keyof typeof measures)[]).map((of) => {
    const isOver = when.startsWith('once')
    const ratio = (now[of] / before[of]) * (isOver ? before.own / now.own : 1)
    return {
      measure: `${measures[of]} ${when}, p50, and a passport at that time`,
      kith: `${now[of].toFixed(2)}, ${now.own.toFixed(2)} ms`,
      against: `before ${before[of].toFixed(2)}, ${before.own.toFixed(2)} ms`,
      ratio: `${ratio.toFixed(2)}x`,
      goal: atMost(isOver ? 1.3 : 2, ratio),
    }
  })
