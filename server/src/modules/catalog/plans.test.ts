// With 20,000 services every list goes by the index that was made for it, whether PostgreSQL plans for its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { type Seed, seedServices } from '../../../test/services.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openSql } from '../../store/sql.ts'
import { type Filter, type FoundServices, type Looks, mine, search } from './search.ts'
import * as services from './services.ts'

const count = 20_000
let w: World
let reader: Agent
const providers: Agent[] = []
let tenThousandth: string
before(async () => {
  w = await world()
  reader = await w.agent('reader')
  for (let n = 0; n < 200; n++) providers.push(await w.agent(`provider_${n}`))
  await seedServices(
    w,
    Array.from(
      { length: count },
      (_, n): Seed => ({
        provider: providers[n % 200] as Agent,
        title:
          n % 4999 === 0
            ? 'Of zymurgy 酿酒 and more'
            : `${n < count / 2 ? 'Elder service' : 'Service'} number ${(n * 7919) % count}`,
        state: n % 10 === 3 ? 'paused' : 'published',
        mode: n % 3000 === 17 ? 'from' : 'fixed',
        unit: n % 2 ? 'page' : n % 1000 === 500 ? 'rare' : 'hour',
        amount: 100 + ((n * 31) % count),
      }),
    ),
  )
  const [row] = await w.sql<{ id: string }>`select id from services order by id offset ${count / 2} limit 1`
  tenThousandth = row?.id ?? ''
})
after(() => w.close())

const everything: Filter = {
  q: '',
  provider_id: undefined,
  state: undefined,
  price_mode: undefined,
  unit_label: '',
  min_total_minor: undefined,
  max_total_minor: undefined,
  limit: 20,
}

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

const readsAll = /Seq Scan on (services|listed_services|agents|hidden|listed_posts)/

async function eachPlan(
  read: (sql: World['sql']) => Promise<FoundServices>,
  check: (plans: string[], told: string, found: FoundServices) => void,
): Promise<void> {
  const found = await read(w.sql)
  for (const mode of planModes) check(await plansOf(w.sql, mode, read), mode, found)
}

test('a page goes by the index of its filter from the newest or its cursor on, and reads what it looks at', async () => {
  const lists: [Partial<Filter>, RegExp, number][] = [
    [{}, /Scan Backward using listed_services_pkey on/, 21],
    [{ state: 'paused' }, /Scan Backward using listed_services_in_state on/, 21],
    [{ unit_label: 'page' }, /Scan Backward using listed_services_by_unit on/, 21],
    [{ unit_label: 'rare' }, /Scan Backward using listed_services_by_unit on/, 21],
    [{ price_mode: 'fixed' }, /Scan Backward using listed_services_by_mode on/, 21],
    [{ price_mode: 'from' }, /Scan Backward using listed_services_by_mode on/, 21],
    [{ provider_id: providers[0]?.id }, /Scan Backward using listed_services_of_provider on/, 100],
    [
      { unit_label: 'page', state: 'published', price_mode: 'fixed' },
      /Scan Backward using listed_services_by_unit on/,
      1000,
    ],
    [{ min_total_minor: 5000 }, /Scan Backward using listed_services_pkey on/, 1000],
    [{ q: 'number' }, /Scan Backward using listed_services_pkey on/, 200],
  ]
  for (const [filter, index, most] of lists) {
    const of = 'provider_id' in filter ? { provider_id: providers[0]?.id } : filter
    for (const behind of [undefined, tenThousandth]) {
      await eachPlan(
        (sql) => search(sql, reader.id, { ...everything, ...of }, { behind }),
        (plans, mode) => {
          const told = `${mode} ${JSON.stringify(filter)}\n${plans.join('\n')}`
          assert.equal(plans.length, 1, told)
          assert.match(plans[0] ?? '', index, told)
          assert.doesNotMatch(plans[0] ?? '', readsAll, told)
          assert.ok(mostRows(plans[0] ?? '') <= Math.max(most, 21), `${mostRows(plans[0] ?? '')} rows: ${told}`)
        },
      )
    }
  }
})

test('what few have is found by its index in the same statement, after the newest were looked at', async () => {
  for (const [filter, index, hits] of [
    [{ q: 'zymurgy' }, /Bitmap Index Scan on services_by_gram/, 5],
    [{ q: '酿酒', state: 'published' as const }, /Bitmap Index Scan on services_by_gram/, 5],
    [{ min_total_minor: 5000, max_total_minor: 5010 }, /Scan (on|using) listed_services_by_total/, undefined],
  ] as [Partial<Filter>, RegExp, number | undefined][]) {
    await eachPlan(
      (sql) => search(sql, reader.id, { ...everything, ...filter }),
      (plans, mode, found) => {
        const told = `${mode} ${JSON.stringify(filter)}\n${plans.join('\n')}`
        if (hits !== undefined) assert.equal(found.services.length, hits, told)
        assert.ok(found.services.length > 0, told)
        assert.equal(plans.length, 1, told)
        assert.match(plans[0] ?? '', index, told)
        assert.doesNotMatch(plans[0] ?? '', readsAll, told)
        assert.ok(mostRows(plans[0] ?? '') <= 1000, told)
      },
    )
  }
})

test('what the newest have is not asked of the index, and what many older ones have is found no further than needed', async () => {
  await eachPlan(
    (sql) => search(sql, reader.id, { ...everything, q: 'number' }),
    ([plan = '']) => assert.match(plan, /Bitmap Index Scan on services_by_gram.*never executed/, plan),
  )
  await eachPlan(
    (sql) => search(sql, reader.id, { ...everything, q: 'elder' }),
    (plans, mode, found) => {
      const told = `${mode}\n${plans.join('\n')}`
      assert.equal(found.services.length, 20, told)
      assert.equal(plans.length, 2, told)
      // Elder ones begin where half of all are newer.
      assert.ok(mostRows(plans[0] ?? '') <= count / 2 + 100, told)
      assert.ok(mostRows(plans[1] ?? '') <= count / 2 + 100, told)
      for (const plan of plans) assert.doesNotMatch(plan, readsAll, told)
    },
  )
})

test('the plan of a list is kept, and not made again for other values', async () => {
  const filters: Partial<Filter>[] = [
    {},
    { price_mode: 'fixed' },
    { q: 'zymurgy' },
    { unit_label: 'page', state: 'published', max_total_minor: 5000 },
  ]
  // A pool of one connection, which keeps what it has prepared.
  const { connectionString = '' } = w.sql.pool.options
  const sql = openSql({ clock: systemClock, connection: { connectionString }, maxConnections: 1 })
  try {
    for (const filter of filters) {
      for (let n = 0; n < 7; n++) await search(sql, reader.id, { ...everything, ...filter })
    }
    const made = await sql<{ generic_plans: number; custom_plans: number }>`
      select generic_plans, custom_plans from pg_prepared_statements where statement like '%from listed_services%limit%' and statement not like '%pg_prepared%'`
    assert.deepEqual(
      made.map(({ generic_plans, custom_plans }) => [generic_plans, custom_plans]),
      filters.map(() => [2, 5]),
    )
  } finally {
    await sql.end()
  }
})

test('however far each step of a search goes, it finds the same', async () => {
  const steps = [
    { withWords: 1, without: 1, few: 1_000_000, dense: 1 },
    { withWords: 1, without: 1, few: 1, dense: 1_000_000 },
    { withWords: 1, without: 1, few: 1, dense: 1 },
  ]
  for (const filter of [
    { q: 'zymurgy' },
    { q: 'elder' },
    { q: 'number', state: 'paused' as const },
    { q: 'elder service', unit_label: 'rare', price_mode: 'fixed' as const },
    { min_total_minor: 5000, max_total_minor: 6000 },
    { price_mode: 'from' as const, min_total_minor: 5000 },
  ] as Partial<Filter>[]) {
    for (const behind of [undefined, tenThousandth]) {
      const ask = (looks?: Looks) =>
        search(w.sql, reader.id, { ...everything, ...filter }, { behind, ...(looks && { looks }) })
      const found = await ask()
      for (const looks of steps) {
        assert.deepEqual(await ask(looks), found, `${JSON.stringify(filter)} ${JSON.stringify(looks)}`)
      }
    }
  }
})

test("the caller's own, a single one and counted ones are read by key", async () => {
  const [provider] = providers as [Agent]
  for (const mode of planModes) {
    const [own = ''] = await plansOf(w.sql, mode, (sql) => mine(sql, provider.id, { ...everything, q: 'number' }))
    assert.match(own, /Scan.* services_of_provider/)
    for (const read of [
      (sql: World['sql']) => services.findVisible(sql, reader.id, tenThousandth),
      (sql: World['sql']) => services.countOwn(sql, provider.id),
      (sql: World['sql']) => services.isOwn(sql, provider.id, tenThousandth),
    ]) {
      for (const plan of await plansOf(w.sql, mode, read)) {
        assert.doesNotMatch(plan, readsAll)
        assert.ok(mostRows(plan) <= 100, plan)
      }
    }
  }
})
