// What an operator looks for among 50,000 agents is read by an index, and never more of it than is looked at.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allFindable } from '../../test/findable.ts'
import { planModes, plansOf } from '../../test/plans.ts'
import { type World, world } from '../../test/world.ts'
import { days, earlier } from '../kernel/clock.ts'
import { agentCard, agentFilters, findAgents, mostFound } from '../operator/agents.ts'
import { overview } from '../operator/overview.ts'
import type { Sql } from '../store/sql.ts'

const crowd = 50_000
let w: World

before(async () => {
  w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  const at = earlier(w.now(), days(30))
  // The gate counts from its own beginning.
  await w.sql.transaction(async (tx) => {
    await tx`create temporary table crowd on commit drop as
      select gen_random_uuid() as id, n from generate_series(1, ${crowd}) n`
    await tx`insert into parties (id, kind, created_at) select id, 'agent', ${at}::timestamptz from crowd`
    await tx`insert into owners (email, passports, created_at)
      select 'o' || n || '@owners.example', 1, ${at}::timestamptz from crowd`
    await tx`
      insert into agents (id, handle, display_name, encryption_public_key, search_text, search_grams, owner_email,
        email_verified_at, suspended_at, created_at, updated_at)
      select id, 'agent_' || n, 'Name ' || n, sha256(n::text::bytea), 'agent_' || n || E'\nname ' || n || E'\n\n', '{}',
        'o' || n || '@owners.example', case when n % 40 > 0 then ${at}::timestamptz end,
        case when n % 100 = 1 then ${at}::timestamptz end, ${at}, ${at} from crowd`
    await tx`
      insert into staff (agent_id, roles, updated_at) select id, '{support}', ${at}::timestamptz from crowd where n % 1000 = 0`
  })
  await w.sql`insert into wallets (party_id, updated_at) select id, ${w.now()} from agents where handle = 'agent_77'`
  await w.sql`insert into counters (name, shard, value) values ('open_agents', 0, ${crowd - crowd / 100})`
  await w.sql`analyze agents`
  await w.sql`analyze staff`
})
after(async () => {
  await allFindable(w.sql)
  await w.close()
})

const rules = () => ({ ...w.service, gateSince: earlier(w.now(), days(30)) })

const wanted = [
  {},
  ...agentFilters.map((filter) => ({ filter })),
  { q: 'agent_4999' },
  { q: 'name 4999' },
  { q: 'a' },
  { q: 'a', filter: 'suspended' as const },
  { q: 'o4999@owners.example' },
]

/** Rows that steps of a plan gave, the most of them. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

for (const mode of planModes) {
  test(`every search is bounded, with ${mode}`, async () => {
    for (const each of wanted) {
      for (const page of [1, 30]) {
        const look = (sql: Sql) => findAgents(sql, rules(), { q: '', page, page_size: 20, ...each })
        for (const plan of await plansOf(w.sql, mode, look)) {
          const told = `${JSON.stringify(each)} ${page}\n${plan}`
          assert.doesNotMatch(plan, /Seq Scan on agents/, told)
          assert.ok(mostRows(plan) <= 3 * mostFound, told)
        }
      }
    }
  })

  test(`a card reads no more than is its own, with ${mode}`, async () => {
    for (const plan of await plansOf(w.sql, mode, (sql) => agentCard(sql, rules(), 'agent_77'))) {
      assert.doesNotMatch(plan, /Seq Scan on agents/, plan)
    }
  })
}

test('searches find whom they should, and say so where there are more than they look at', async () => {
  const found = async (each: object) => {
    const answer = await findAgents(w.sql, rules(), { q: '', page: 1, page_size: 20, ...each })
    return [answer?.agents.length, answer?.total, answer?.isCut]
  }
  assert.deepEqual(await found({}), [20, 1000, true])
  assert.deepEqual(await found({ filter: 'suspended' }), [20, 500, false])
  assert.deepEqual(await found({ filter: 'restricted' }), [20, 1000, true])
  assert.deepEqual(await found({ filter: 'staff' }), [20, 50, false])
  assert.deepEqual(await found({ q: 'agent_4999' }), [11, 11, false])
  assert.deepEqual(await found({ q: 'NAME 4999' }), [11, 11, false])
  assert.deepEqual(await found({ q: 'o4999@owners.example' }), [1, 1, false])
  assert.deepEqual(await found({ q: 'a@b' }), [0, 0, false])
  assert.deepEqual(await found({ page: 50 }), [20, 1000, true])
})

test('the overview counts no further than it says', async () => {
  const { numbers } = await overview(w.service, [])
  assert.deepEqual([numbers.agents, numbers.suspended], [crowd, crowd / 100])
})
