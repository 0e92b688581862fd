// The ledger by itself, without orders around it: bounds, races, and what the database refuses whoever asks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../test/database.ts'
import { walks } from '../../app/modules.ts'
import { newId, systemClock } from '../../kernel/clock.ts'
import { openSql, type Sql, type Tx } from '../../store/sql.ts'
import { verify } from '../../verify/verify.ts'
import { award, capture, findWallet, grant, maxBalance, openWallet, refund, reserve } from './wallet.ts'

let database: TestDatabase
let sql: Sql
before(async () => {
  database = await freshDatabase()
  sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 24 })
})
after(async () => {
  const { differences } = await verify(sql, walks)
  await sql.end()
  await database.drop()
  // There are no orders here, so only what the ledger says of itself can hold.
  const { 'transaction.order': _order, 'party.reserve': _reserve, money: _money, ...rest } = differences
  assert.deepEqual(rest, {})
})

const id = (): string => newId(systemClock.now())

/** A party with a wallet that holds the starting grant and so much more. */
async function party(more = 0): Promise<string> {
  const partyId = id()
  await sql.transaction(async (tx) => {
    await tx`insert into parties (id, kind, created_at) values (${partyId}, 'agent', ${tx.now})`
    await openWallet(tx, partyId)
    if (more > 0) await grant(tx, partyId, { kind: 'grant', amount: more, note: 'More' })
  })
  return partyId
}

const balances = async (partyId: string): Promise<[number, number]> => {
  const { available_minor, reserved_minor } = await findWallet(sql, partyId)
  return [available_minor, reserved_minor]
}

const ledger = async () => {
  const rows = await sql`
    select (select count(*) from ledger_entries) as entries, (select count(*) from ledger_transactions) as transactions,
      (select json_agg(w order by w.party_id) from wallets w) as wallets`
  return rows
}

const refused = (code: string) => (error: { code?: string }) => error.code === code

/** Refused, and not a row of it was written. */
async function refuses(code: string, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const before = await ledger()
  await assert.rejects(sql.transaction(work), refused(code))
  // A refusal writes nothing even where its transaction goes on.
  await sql.transaction(async (tx) => {
    await work(tx).catch((error) => {
      if (!refused(code)(error)) throw error
    })
    assert.deepEqual(await tx`select count(*) from ledger_entries`, [{ count: before[0]?.['entries'] }])
  })
  assert.deepEqual(await ledger(), before)
}

const outcomes = (results: PromiseSettledResult<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const key = result.status === 'fulfilled' ? 'done' : String(result.reason.code ?? result.reason)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

test('of 20 simultaneous reserves of one wallet 7 are covered, 13 refused, and the entries are in order', async () => {
  const ann = await party()
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => sql.transaction((tx) => reserve(tx, id(), ann, 70_000))),
  )
  assert.deepEqual(outcomes(results), { done: 7, insufficient_funds: 13 })
  assert.deepEqual(await balances(ann), [10_000, 490_000])
  const lines = await sql<{ sequence: number; after: number }>`
    select sequence, available_after_minor as after from ledger_entries
    where party_id = ${ann} and account = 'available' order by sequence`
  assert.deepEqual(
    lines,
    Array.from({ length: 8 }, (_, index) => ({ sequence: index + 1, after: 500_000 - 70_000 * index })),
  )
})

/** Starts `second` while `first` holds the wallet, and lets go once it waits. */
async function waiting(first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>): Promise<string> {
  let outcome: Promise<string> | undefined
  await sql.transaction(async (tx) => {
    await first(tx)
    outcome = sql.transaction(second).then(
      () => 'done',
      (error) => error.code,
    )
    for (let tries = 0; ; tries++) {
      const blocked = await sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      if (blocked.length > 0) break
      assert.ok(tries < 3000, 'the second never waited')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })
  return (await outcome) as string
}

test('a transaction that waited for a wallet uses its new balance', async () => {
  const bob = await party()
  const [one, two, three] = [id(), id(), id()]
  const spend = (order: string, total: number) => (tx: Tx) => reserve(tx, order, bob, total)
  assert.equal(await waiting(spend(one, 400_000), spend(two, 200_000)), 'insufficient_funds')
  assert.deepEqual(await balances(bob), [100_000, 400_000])
  const giveBack = (tx: Tx) => refund(tx, one, bob, 400_000)
  assert.equal(await waiting(giveBack, spend(three, 450_000)), 'done', 'what came back can be spent')
  assert.deepEqual(await balances(bob), [50_000, 450_000])
  const [{ sequences } = { sequences: null }] = await sql`
    select array_agg(distinct sequence::int order by sequence::int) as sequences from ledger_entries where party_id = ${bob}`
  assert.deepEqual(sequences, [1, 2, 3, 4])
})

test('captures that pay the same parties in any order do not deadlock', async () => {
  const [cleo, dan, eve] = [await party(), await party(), await party()]
  const roles = [
    [cleo, dan, eve],
    [cleo, eve, dan],
    [dan, cleo, eve],
    [dan, eve, cleo],
    [eve, cleo, dan],
    [eve, dan, cleo],
  ] as const
  const orders = Array.from({ length: 42 }, (_, index) => ({
    orderId: id(),
    roles: roles[index % roles.length] as (typeof roles)[number],
  }))
  await Promise.all(
    orders.map(({ orderId, roles: [customer] }) => sql.transaction((tx) => reserve(tx, orderId, customer, 110))),
  )
  let attempts = 0
  await Promise.all(
    orders.map(({ orderId, roles: [customerId, first, second] }) =>
      sql.transaction((tx) => {
        attempts += 1
        const payouts = [
          { party_id: first, kind: 'payout', amount_minor: 70 },
          { party_id: second, kind: 'ready_share', amount_minor: 30 },
        ] as const
        return capture(tx, { orderId, customerId, total: 110, fee: 10, payouts })
      }),
    ),
  )
  assert.equal(attempts, orders.length, 'none was a deadlock and had to be run again')
  for (const each of [cleo, dan, eve]) assert.deepEqual(await balances(each), [500_000 - 14 * 10, 0])
})

test('amounts of 10^12 are exact', async () => {
  const [fay, gil] = [await party(3_000_000_000_000), await party()]
  const order = id()
  await sql.transaction((tx) => reserve(tx, order, fay, 1_000_000_000_000))
  const payouts = [{ party_id: gil, kind: 'payout', amount_minor: 909_090_909_091 }] as const
  await sql.transaction((tx) =>
    capture(tx, { orderId: order, customerId: fay, total: 1_000_000_000_000, fee: 90_909_090_909, payouts }),
  )
  assert.deepEqual(await balances(fay), [2_000_000_500_000, 0])
  assert.deepEqual(await balances(gil), [909_091_409_091, 0])
})

test('a wallet holds 9·10^15 in both balances together, and no more', async () => {
  const hal = await party(maxBalance - 500_000)
  assert.deepEqual(await balances(hal), [maxBalance, 0])
  const one = { kind: 'grant', amount: 1, note: 'One' } as const
  await refuses('state_conflict', (tx) => grant(tx, hal, one))
  assert.equal(await sql.transaction((tx) => award(tx, hal, one)), false)

  const order = id()
  await sql.transaction((tx) => reserve(tx, order, hal, 1_000_000_000_000))
  assert.deepEqual(await balances(hal), [maxBalance - 1_000_000_000_000, 1_000_000_000_000])
  await refuses('state_conflict', (tx) => grant(tx, hal, one))

  const ida = await party()
  const theirs = id()
  await sql.transaction((tx) => reserve(tx, theirs, ida, 11))
  const payouts = [{ party_id: hal, kind: 'payout', amount_minor: 10 }] as const
  const toHal = { orderId: theirs, customerId: ida, total: 11, fee: 1, payouts }
  await refuses('state_conflict', (tx) => capture(tx, toHal))
  assert.deepEqual(await balances(ida), [499_989, 11])

  await sql.transaction((tx) => refund(tx, order, hal, 1_000_000_000_000))
  assert.deepEqual(await balances(hal), [maxBalance, 0], 'a refund always has room')
  const spent = id()
  await sql.transaction((tx) => reserve(tx, spent, hal, 10))
  await sql.transaction((tx) =>
    capture(tx, {
      orderId: spent,
      customerId: hal,
      total: 10,
      fee: 1,
      payouts: [{ party_id: ida, kind: 'payout', amount_minor: 9 }],
    }),
  )
  await sql.transaction((tx) => capture(tx, toHal))
  assert.deepEqual(await balances(hal), [maxBalance, 0], 'to the last minor unit')
})

test('a reserve of the whole balance succeeds, and of one unit more fails', async () => {
  const joe = await party()
  await refuses('insufficient_funds', (tx) => reserve(tx, id(), joe, 500_001))
  const order = id()
  await sql.transaction((tx) => reserve(tx, order, joe, 500_000))
  assert.deepEqual(await balances(joe), [0, 500_000])
  await refuses('insufficient_funds', (tx) => reserve(tx, id(), joe, 1))
  await refuses('insufficient_funds', (tx) => reserve(tx, id(), id(), 1))
})

test('a reward of 4 has no fee, and the platform gets no entry', async () => {
  const [kim, lea] = [await party(), await party()]
  const order = id()
  await sql.transaction((tx) => reserve(tx, order, kim, 4))
  const payouts = [{ party_id: lea, kind: 'payout', amount_minor: 4 }] as const
  await sql.transaction((tx) => capture(tx, { orderId: order, customerId: kim, total: 4, fee: 0, payouts }))
  const lines = await sql`
    select e.account, e.party_id, e.amount_minor from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.order_id = ${order} and t.kind = 'capture' order by e.amount_minor`
  assert.deepEqual(
    lines.map((line) => Object.values(line)),
    [
      ['reserved', kim, -4],
      ['available', lea, 4],
    ],
  )
})

test('an order is reserved once and settled once', async () => {
  const [meg, ned] = [await party(), await party()]
  const order = id()
  const payouts = [{ party_id: ned, kind: 'payout', amount_minor: 10 }] as const
  const settle = (tx: Tx) => capture(tx, { orderId: order, customerId: meg, total: 11, fee: 1, payouts })
  await sql.transaction((tx) => reserve(tx, order, meg, 11))
  await sql.transaction((tx) => reserve(tx, id(), meg, 11))
  const unique = { code: '23505' }
  await assert.rejects(
    sql.transaction((tx) => reserve(tx, order, meg, 11)),
    unique,
  )
  await sql.transaction((tx) => refund(tx, order, meg, 11))
  await assert.rejects(sql.transaction(settle), unique)
  await assert.rejects(
    sql.transaction((tx) => refund(tx, order, meg, 11)),
    unique,
  )
  assert.deepEqual(await balances(meg), [499_989, 11])

  const raced = id()
  await sql.transaction((tx) => reserve(tx, raced, meg, 11))
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      sql.transaction((tx) =>
        index % 2 === 0
          ? refund(tx, raced, meg, 11)
          : capture(tx, { orderId: raced, customerId: meg, total: 11, fee: 1, payouts }),
      ),
    ),
  )
  const { done, ...others } = outcomes(results)
  assert.equal(done, 1)
  assert.ok(Object.keys(others).every((code) => ['23505', 'state_conflict'].includes(code)))
})

test('the database refuses an unbalanced capture, and nobody is named twice', async () => {
  const [ora, pia] = [await party(), await party()]
  const order = id()
  await sql.transaction((tx) => reserve(tx, order, ora, 110))
  const settle = (payee: string, amount_minor: number) => (tx: Tx) =>
    capture(tx, {
      orderId: order,
      customerId: ora,
      total: 110,
      fee: 10,
      payouts: [{ party_id: payee, kind: 'payout', amount_minor }],
    })
  for (const [work, why] of [
    [settle(pia, 99), { code: '23514' }],
    [settle(pia, 101), { code: '23514' }],
    [settle(ora, 100), /named twice/],
  ] as const) {
    const before = await ledger()
    await assert.rejects(sql.transaction(work), why)
    assert.deepEqual(await ledger(), before)
  }
})

test('the ledger refuses changes, deletions, and lines that do not balance within their statement', async () => {
  const quinn = await party()
  await assert.rejects(sql`update ledger_entries set amount_minor = 1 where party_id = ${quinn}`, { code: '23001' })
  await assert.rejects(sql`delete from ledger_entries where party_id = ${quinn}`, { code: '23001' })
  await assert.rejects(sql`update ledger_transactions set note = 'x'`, { code: '23001' })
  await assert.rejects(sql`delete from ledger_transactions`, { code: '23001' })
  await assert.rejects(sql`truncate ledger_entries, ledger_transactions`, { code: '23001' })
  await assert.rejects(sql`update wallets set available_minor = -1 where party_id = ${quinn}`, { code: '23514' })
  await assert.rejects(sql`update wallets set reserved_minor = ${maxBalance + 1} where party_id = ${quinn}`, {
    code: '23514',
  })

  const lines = (...statements: [available: number, grants: number][]) =>
    sql.transaction(async (tx) => {
      const transactionId = tx.newId()
      await tx`insert into ledger_transactions (id, kind, created_at) values (${transactionId}, 'grant', ${tx.now})`
      for (const [index, [available, grants]] of statements.entries()) {
        await tx`
          insert into ledger_entries (id, transaction_id, account, party_id, kind, amount_minor, sequence,
            available_after_minor, reserved_after_minor)
          select ${tx.newId()}::uuid, ${transactionId}::uuid, 'available', ${quinn}::uuid, 'grant', ${available}::bigint,
            ${index + 2}::bigint, 500005, 0 where ${available} <> 0
          union all
          select ${tx.newId()}, ${transactionId}, 'grants', null, 'grant', ${grants}, null, null, null
          where ${grants} <> 0`
      }
      throw new Error('it was taken')
    })
  await assert.rejects(lines([5, 0]), { code: '23514' })
  await assert.rejects(lines([0, -5]), { code: '23514' })
  await assert.rejects(lines([5, -4]), { code: '23514' })
  await assert.rejects(lines([5, 0], [0, -5]), { code: '23514' })
  await assert.rejects(lines([5, -5]), /it was taken/)
})
