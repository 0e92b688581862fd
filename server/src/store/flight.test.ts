// Statements that travel together: what goes in one write, and what happens when one of them fails.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { emptyDatabase, type TestDatabase } from '../../test/database.ts'
import { eventually } from '../../test/world.ts'
import { systemClock } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refuse.ts'
import { gathered } from './gather.ts'
import { readShared } from './shared.ts'
import { openSql, type Sql, type Tx } from './sql.ts'

let database: TestDatabase
let sql: Sql
/** How often something was sent on any connection, without the commit of a snapshot that no other one followed. */
let flights = 0
before(async () => {
  database = await emptyDatabase()
  sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 4 })
  sql.pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...query: unknown[]) => unknown
    const counted = (...query: unknown[]): unknown => {
      if (query[0] !== 'commit') flights += 1
      return send(...query)
    }
    client.query = counted as typeof client.query
  })
  await sql`create table things (id integer primary key, note text not null default '', at timestamptz)`
})
after(async () => {
  await sql.end()
  await database.drop()
})

async function flightsOf(work: () => Promise<unknown>): Promise<number> {
  const before = flights
  await work()
  return flights - before
}

const ids = async (): Promise<number[]> =>
  (await sql<{ id: number }>`select id from things order by id`).map(({ id }) => id)

const failsWith = (code: string) => (error: unknown) => (error as { code?: string }).code === code

test('a transaction takes one flight per awaited response, and one for the rest', async () => {
  const alone = await flightsOf(() =>
    sql.transaction(async (tx) => {
      tx.write`insert into things (id) values (1)`
      tx.write`insert into things (id) values (2)`
    }),
  )
  assert.equal(alone, 1, 'begin, both writes and the commit')
  const asked = await flightsOf(() =>
    sql.transaction(async (tx) => {
      const [one, two] = await Promise.all([tx`select 1 as n`, tx`select 2 as n`])
      assert.deepEqual([one, two], [[{ n: 1 }], [{ n: 2 }]])
      tx.write`insert into things (id) values (3)`
    }),
  )
  assert.equal(asked, 2, 'begin and what was asked for together, then the rest')
  assert.equal(await flightsOf(() => sql.transaction(async () => {})), 0, 'nothing to do')
  assert.deepEqual(await ids(), [1, 2, 3])
})

test('a failed write fails the transaction, which leaves nothing and notifies nobody', async () => {
  const told: string[] = []
  const attempt = sql.transaction(async (tx) => {
    tx.afterCommit(() => told.push('committed'))
    tx.write`insert into things (id) values (10)`
    tx.write`insert into things (id) values (1)`
    tx.write`insert into things (id) values (11)`
  })
  await assert.rejects(attempt, failsWith('23505'))
  const later = sql.transaction(async (tx) => {
    const asked = tx`select 1`
    tx.write`insert into things (id) values (1)`
    await asked
    await tx`select 2`
  })
  await assert.rejects(later, failsWith('23505'), 'the first fault is told, and not what follows from it')
  const swallowed = sql.transaction(async (tx) => {
    tx.write`insert into things (id) values (12)`
    await tx`select 1 / 0`.catch(() => {})
  })
  await assert.rejects(swallowed, failsWith('22012'), 'nothing is committed by halves')
  assert.deepEqual([told, await ids()], [[], [1, 2, 3]])
})

test('a write that cannot be sent fails the transaction too, even alone', async () => {
  const round: Record<string, unknown> = {}
  round.self = round
  const attempt = sql.transaction(async (tx) => tx.write`insert into things (note) values (${round})`)
  await assert.rejects(attempt, /circular/)
  assert.deepEqual(await ids(), [1, 2, 3])
})

test('statements before an error in a flight are answered, and later ones never start', async () => {
  const attempt = sql.transaction(async (tx) => {
    const [first, second, third] = await Promise.allSettled([
      tx`insert into things (id) values (20) returning id`,
      tx`select 1 / 0`,
      tx`insert into things (id) values (21) returning id`,
    ])
    assert.deepEqual(first, { status: 'fulfilled', value: [{ id: 20 }] })
    assert.equal(second?.status, 'rejected')
    assert.equal(third?.status, 'rejected')
    throw new Error('given up')
  })
  await assert.rejects(attempt, /given up/)
  assert.deepEqual(await ids(), [1, 2, 3])
})

test('outside a transaction no statement succeeds before its whole flight does', async () => {
  await sql`create table parts (id integer primary key, thing integer references things deferrable initially deferred)`
  // Found at the end alone, after the statement itself went well.
  await assert.rejects(async () => sql`insert into parts values (1, 99)`, failsWith('23503'))
  const both = await sql.together((one) =>
    Promise.allSettled([one`insert into parts values (2, 1) returning id`, one`select 1 / 0`]),
  )
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await assert.rejects(
    sql.transaction(async (tx) => void (await tx`insert into parts values (3, 99)`)),
    failsWith('23503'),
  )
  assert.deepEqual(await sql`select id from parts`, [])
})

test('a failed statement and those behind it can run again on the same connection', async () => {
  const divide = (by: number) =>
    sql.transaction(async (tx) => {
      const [, quotient] = await Promise.all([tx`select 6 / ${by}::int as n`, tx`select 7 as n, ${by}::int as by`])
      return quotient
    })
  for (const by of [0, 2, 0, 0, 3]) {
    if (by === 0) await assert.rejects(divide(by), failsWith('22012'))
    else assert.deepEqual(await divide(by), [{ n: 7, by }])
  }
})

test('restarted work leaves nothing from its first run, and knows that it is the second', async () => {
  const runs: boolean[] = []
  await sql.transaction(async (tx) => {
    runs.push(tx.isRestarted)
    await tx`insert into things (id) values (30)`
    if (!tx.isRestarted) tx.restart()
  })
  assert.deepEqual(
    [runs, await ids()],
    [
      [false, true],
      [1, 2, 3, 30],
    ],
  )
})

test('a query after the end of its transaction is refused, in any state of the connection', async () => {
  const kept = await sql.transaction(async (tx) => {
    await tx`select 1`
    return { tx }
  })
  await assert.rejects(kept.tx`insert into things (id) values (40)`, /is over/)
  kept.tx.write`insert into things (id) values (41)`
  await sql.transaction(async (tx) => void (await tx`select 1`))
  assert.deepEqual(await ids(), [1, 2, 3, 30])
})

test('two transactions that wait for each other both finish', async () => {
  const both = [
    [1, 2],
    [2, 1],
  ].map((order) =>
    sql.transaction(async (tx) => {
      for (const id of order) await tx`update things set note = note || 'x' where id = ${id}`
    }),
  )
  await Promise.all(both)
  assert.deepEqual(await sql`select note from things where id in (1, 2)`, [{ note: 'xx' }, { note: 'xx' }])
})

test('times are exact, from the first years to infinity', async () => {
  const texts = ['2026-11-22T03:14:53.123Z', '2026-11-22T03:14:53.000Z', '0099-01-01T00:00:00.000Z']
  for (const text of texts) {
    const [row] = await sql<{ at: Date }>`select ${text}::timestamptz as at`
    assert.equal(row?.at.toISOString(), text)
  }
  const [ends] = await sql<{ never: number; far: Date; fine: Date }>`
    select 'infinity'::timestamptz as never, '12026-01-01 00:00:00+00'::timestamptz as far,
      '2026-01-01 00:00:00.123456+00'::timestamptz as fine`
  assert.equal(ends?.never, Number.POSITIVE_INFINITY)
  assert.equal(ends?.far.toISOString(), '+012026-01-01T00:00:00.000Z')
  assert.equal(ends?.fine.toISOString(), '2026-01-01T00:00:00.123Z')
})

test('an inexact number fails its statement, and later results are right', async () => {
  await assert.rejects(async () => sql`select 9007199254740993::bigint as n`, /beyond 2\^53/)
  assert.deepEqual(await sql`select 9007199254740991::bigint as n`, [{ n: 9007199254740991 }])
})

/** The notes of things; `asked` has the keys of each statement. */
const asked: (readonly number[])[] = []
const notes = gathered(async (sql, keys: readonly number[]) => {
  asked.push([...keys])
  const rows = await sql<{ id: number; note: string }>`
    select id, note from things where id = any((select ${keys}::int[])::int[])`
  return keys.map((id) => rows.find((row) => row.id === id)?.note)
})
const twice = (id: number) => async (tx: Tx) => [...(await notes(tx, [id, 99])), ...(await notes(tx, [id]))]

test('reads requested together share a snapshot, and one statement for what they look up', async () => {
  await sql`update things set note = 'note ' || id`
  asked.length = 0
  const flown = await flightsOf(async () => {
    const found = await Promise.all([1, 2, 3, 1].map((id) => readShared(sql, twice(id))))
    assert.deepEqual(
      found,
      [1, 2, 3, 1].map((id) => [`note ${id}`, undefined, `note ${id}`]),
      'each its own',
    )
  })
  assert.equal(flown, 2, 'begin and the first lookup, then the second')
  assert.deepEqual(asked, [
    [1, 99, 2, 99, 3, 99, 1, 99],
    [1, 2, 3, 1],
  ])
  asked.length = 0
  assert.deepEqual(await sql.snapshot((tx) => Promise.all([notes(tx, [1]), notes(tx, [2])])), [['note 1'], ['note 2']])
  assert.deepEqual(asked, [[1], [2]], 'nobody else in it')
})

test('a snapshot begins in the flight that commits the last one, and sees what was committed before it', async () => {
  const noteOf = () => sql.snapshot(async (tx) => (await notes(tx, [1]))[0])
  const flown = await flightsOf(async () => {
    for (let count = 0; count < 20; count++) await noteOf()
  })
  assert.equal(flown, 20)
  for (const note of ['one', 'two', 'three']) {
    await sql`update things set note = ${note} where id = 1`
    assert.equal(await noteOf(), note)
  }
  const forgiving = sql.snapshot(async (tx) => {
    await tx`select 1 / 0`.catch(() => {})
    return 'nothing'
  })
  assert.equal(await forgiving, 'nothing')
  assert.equal(await noteOf(), 'three', 'after one whose statement failed')
  await assert.rejects(async () => sql.snapshot((tx) => tx`delete from things`), failsWith('25006'))
  const many = await Promise.all(Array.from({ length: 20 }, () => noteOf()))
  assert.deepEqual([...new Set(many)], ['three'], 'more at once than the pool has connections')
  await eventually(async () => {
    const [open] = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`
    return open?.count === 0
  }, 'the end of every snapshot')
  assert.deepEqual(
    await sql`update things set note = 'note 1' where id = 1 returning id`,
    [{ id: 1 }],
    'it may write again',
  )
})

test('a read that fails takes no other with it', async () => {
  const wrong = [
    [(tx: Tx) => tx`select 1 / 0`, failsWith('22012')],
    [(tx: Tx) => tx`select 9007199254740993::bigint as n`, /beyond 2\^53/],
    [(tx: Tx) => tx`select ${{ toPostgres: () => assert.fail('no value') }}`, /no value/],
    [(tx: Tx) => notes(tx, ['many' as unknown as number]), failsWith('22P02')],
  ] as const
  for (const [fail, error] of wrong) {
    const failing = async (tx: Tx) => {
      await tx`select 1`
      return fail(tx)
    }
    const reads = [twice(1), fail, twice(2), failing, twice(3)]
    const [one, bad, two, worse, three] = await Promise.allSettled(reads.map((read) => readShared<unknown>(sql, read)))
    for (const [id, found] of [one, two, three].entries()) {
      assert.deepEqual(found, { status: 'fulfilled', value: [`note ${id + 1}`, undefined, `note ${id + 1}`] })
    }
    for (const each of [bad, worse]) {
      await assert.rejects(async () => {
        if (each?.status === 'rejected') throw each.reason
      }, error)
    }
  }
  const picky = gathered(async (_sql, keys: readonly number[]) => {
    if (keys.includes(13)) throw new Error('unlucky')
    return keys
  })
  const [lucky, unlucky] = await Promise.allSettled([1, 13].map((id) => readShared(sql, (tx) => picky(tx, [id]))))
  assert.deepEqual([lucky, unlucky?.status], [{ status: 'fulfilled', value: [1] }, 'rejected'])
  let runs = 0
  const refusing = readShared(sql, async (tx) => {
    runs += 1
    await notes(tx, [1])
    throw new Refusal('forbidden', { message: 'not for you' })
  })
  assert.deepEqual(await readShared(sql, twice(2)), ['note 2', undefined, 'note 2'])
  await assert.rejects(refusing, /not for you/)
  assert.equal(runs, 1)
})

test('a read sees what was committed before it was requested, and all of it at one moment', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const early = [1, 2].map((id) =>
    readShared(sql, async (tx) => {
      const [before] = await notes(tx, [id])
      begun.resolve()
      await gate.promise
      return [before, (await notes(tx, [id]))[0]]
    }),
  )
  await begun.promise
  await sql`update things set note = 'changed'`
  assert.deepEqual(await Promise.all([1, 2].map((id) => readShared(sql, twice(id)))), [
    ['changed', undefined, 'changed'],
    ['changed', undefined, 'changed'],
  ])
  gate.resolve()
  assert.deepEqual(await Promise.all(early), [
    ['note 1', 'note 1'],
    ['note 2', 'note 2'],
  ])
})

test('reads on a connection that breaks fail, and the next ones have another', async () => {
  const ending = (tx: Tx) => tx`select pg_terminate_backend(pg_backend_pid())`
  const broken = await Promise.allSettled([readShared<unknown>(sql, ending), readShared<unknown>(sql, twice(1))])
  assert.deepEqual(
    broken.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await Promise.all([1, 2, 3].map((id) => readShared(sql, twice(id))))).length, 3)
})
