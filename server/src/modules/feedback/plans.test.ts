// With 40,000 records each way to them goes by the index that was made for it, whether PostgreSQL plans for
// its values or not, and reads no more than it shows.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedFeedback } from '../../../test/feedback.ts'
import { allFindable } from '../../../test/findable.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { days, after as later, seconds } from '../../kernel/clock.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { list as listAll } from '../staff/feedback.ts'
import * as answers from './answers.ts'
import { findVisible, oldestWaiting, own } from './feedback.ts'
import { ideas } from './ideas.ts'
import { mayHearOfFeedback } from './listing.ts'
import { categories, statuses } from './machine.ts'
import * as subscriptions from './subscriptions.ts'
import { vote } from './votes.ts'

const many = 40_000

let w: World
const authors: Agent[] = []
before(async () => {
  w = await world()
  for (let n = 0; n < 4; n++) authors.push(await w.agent(`author_${n}`))
  // More authors than could register in the time of a test.
  const crowd = await w.sql<{ id: string }>`
    with born as (
      insert into parties (id, kind, created_at) select gen_random_uuid(), 'agent', ${w.now()} from generate_series(1, 100)
      returning id
    )
    select id from born`
  await cloneAgents(crowd.map(({ id }) => id))
  const ids = [...authors, ...crowd].map(({ id }) => id)
  const start = new Date(w.now().getTime() - days(30))
  await seedFeedback(
    w.sql,
    Array.from({ length: many }, (_, n) => ({
      author_id: ids[n % ids.length] as string,
      category: categories[n % 5 < 3 ? 0 : (n % 5) - 2] as (typeof categories)[number],
      status: statuses[n % 7 === 0 ? 0 : (n % 4) + 1] as (typeof statuses)[number],
      title: n % 1000 === 0 ? `Zymurgy number ${n}` : `A common title ${n % 100}`,
      body: `Some words that every body has, and number${n % 10_000} that few have`,
      created_at: later(start, seconds(n * 60)),
    })),
  )
  const [mine] = authors as [Agent]
  await w.sql`
    insert into feedback_votes (feedback_id, agent_id, is_active, updated_at)
    select f.id, a.id, true, ${w.now()} from (select id from feedback where category = 'idea' order by id desc limit 500) f,
      (select id from agents limit 50) a`
  await w.sql`
    insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
    select a.id, f.id, true, 1, ${w.now()}
    from (select id from feedback where category = 'idea' order by id desc limit 900) f,
      (select id from agents order by id = ${mine.id} desc limit 40) a
    on conflict do nothing`
  await vacuum(w.sql, 'feedback_votes', 'feedback_subscriptions', 'feedback_updates', 'agents')
})
after(async () => {
  // What was seeded beside the counts is taken away again before all is looked at.
  await w.sql`truncate feedback_votes`
  await w.sql`
    delete from feedback_subscriptions s using feedback f where f.id = s.feedback_id and f.author_id <> s.agent_id`
  await allFindable(w.sql)
  await w.close()
})

/** Agents as the first one is, under other names. */
async function cloneAgents(ids: readonly string[]): Promise<void> {
  const [one] = authors as [Agent]
  const columns = await w.sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = 'agents'::regclass and attnum > 0 and not attisdropped
      and attgenerated = '' and attname not in ('id', 'handle', 'encryption_public_key')`
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await w.sql.pool.query(
    `insert into agents (id, handle, encryption_public_key, ${names})
      select given, 'x' || substr(replace(given::text, '-', ''), 1, 20), sha256(given::text::bytea), ${names}
      from agents, unnest($1::uuid[]) as given where id = $2`,
    [ids, one.id],
  )
  await w.sql`
    insert into counters (name, shard, value) values ('open_agents', 63, ${ids.length})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
}

const readsAll = /Seq Scan on (?!pg_|counters)\w/

async function eachPlan(work: (sql: Sql) => Promise<unknown>, check: (plans: string[]) => void): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, work)
    for (const plan of plans) assert.doesNotMatch(plan, readsAll, plan)
    check(plans)
  }
}

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

const atMost =
  (rows: number, ...indexes: RegExp[]) =>
  (plans: string[]): void => {
    for (const plan of plans) assert.ok(mostRows(plan) <= rows, `${mostRows(plan)} rows, not ${rows}:\n${plan}`)
    for (const index of indexes)
      assert.ok(
        plans.some((plan) => index.test(plan)),
        `${index}\n${plans.join('\n')}`,
      )
  }

const me = (): string => (authors[0] as Agent).id

test('a page of ideas reads the listed ones from the newest on, the last page by the index alone', async () => {
  for (const page of [1, 20, 400]) {
    const filter = { q: '', page, page_size: 50 }
    await eachPlan((sql) => ideas(sql, me(), filter), atMost(page * 50 + 200, /listed_ideas_pkey/))
  }
})

test('words that few have are found by their grams; of words that all have the newest are read', async () => {
  for (const q of ['zymurgy', 'number1230', 'zymurgy common words']) {
    await eachPlan(
      (sql) => ideas(sql, null, { q, page: 1, page_size: 20 }),
      atMost(400, /Bitmap Index Scan on feedback_ideas_by_gram/),
    )
  }
  const found = await ideas(w.service.sql, null, { q: 'zymurgy', page: 1, page_size: 20 })
  assert.equal(found.total, 40)
  assert.deepEqual(await ideas(w.service.sql, null, { q: 'zymurgy', page: 4, page_size: 20 }), {
    rows: [],
    total: 40,
  })
  for (const q of ['common', 'every body', 'e']) {
    const all = await ideas(w.service.sql, me(), { q, page: 2, page_size: 20 })
    assert.deepEqual([all.rows.length, all.total > 10_000], [20, true], q)
  }
})

test('your own records, subscriptions and answers go by their keys', async () => {
  const page = { page: 2, page_size: 20 }
  const none = { category: undefined, visibility: undefined, status: undefined }
  await eachPlan((sql) => own(sql, me(), { ...page, ...none }), atMost(1000, /feedback_of_author/))
  await eachPlan(
    (sql) => own(sql, me(), { ...page, ...none, visibility: 'private', status: 'planned' }),
    atMost(1000, /feedback_of_author/),
  )
  await eachPlan((sql) => subscriptions.list(sql, me(), page), atMost(2000, /feedback_subscriptions_pkey/))
  const [record] = await w.sql<{ id: string }>`select id from feedback where author_id = ${me()} limit 1`
  await eachPlan((sql) => findVisible(sql, me(), record?.id ?? ''), atMost(1, /feedback_pkey/))
  await eachPlan((sql) => answers.list(sql, record?.id ?? '', page), atMost(1, /feedback_updates_pkey/))
  await eachPlan((sql) => oldestWaiting(sql), atMost(1, /feedback_waiting/))
})

test('staff reads its page, however deep, of any category and status, merged and not sorted', async () => {
  for (const filter of [
    {},
    { status: 'received' as const },
    { category: 'idea' as const },
    { visibility: 'private' as const, status: 'planned' as const },
    { category: 'problem' as const, status: 'resolved' as const },
  ]) {
    for (const page of [1, 20]) {
      await eachPlan(
        (sql) => listAll(sql, { ...filter, page, page_size: 50 }),
        (plans) => {
          atMost(page * 50 + 200, /feedback_by_kind/)(plans)
          for (const plan of plans.slice(0, 2)) assert.doesNotMatch(plan, /(->|^) *Sort {2}/m, plan)
        },
      )
    }
  }
})

test('a vote, an answer’s listeners and what may be heard are by key', async () => {
  const [hot] = await w.sql<{ id: string }>`select max(idea_id::text) as id from listed_ideas`
  const id = hot?.id ?? ''
  const tx = (sql: Sql): Tx =>
    Object.assign(sql, { now: w.now(), write: (...given: Parameters<Sql>) => void sql(...given) }) as unknown as Tx
  const [, voter] = authors as [Agent, Agent]
  await eachPlan(
    async (sql) => {
      const [standing] = await w.sql<{ is_active: boolean }>`
        select is_active from feedback_votes where feedback_id = ${id} and agent_id = ${voter.id}`
      assert.equal(standing?.is_active, true)
      await vote(tx(sql), voter as never, id, true)
    },
    atMost(2, /listed_ideas_pkey/),
  )
  await eachPlan(
    (sql) => sql`select agent_id from feedback_subscriptions
      where feedback_id = ${id} and is_active and from_version < ${2}`,
    atMost(1001, /feedback_subscriptions_of_record/),
  )
  await eachPlan(
    (sql) =>
      sql`select 1 from (values (${me()}::uuid, ${id}::uuid)) as e (recipient_id, subject_id) where ${mayHearOfFeedback}`,
    atMost(1, /feedback_pkey/),
  )
})
