// A visitor who follows a thousand agents of a hundred works each, among 100,000 visitors: what is read for it goes by the indexes
// that were made for it, and what is forgotten is found among all of them, whether PostgreSQL plans for its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allFindable } from '../../../test/findable.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type World, world } from '../../../test/world.ts'
import { visitorMemory } from '../../kernel/callers.ts'
import { days, earlier } from '../../kernel/clock.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import { follows } from './follows.ts'
import { forget } from './forget.ts'
import { nextPosts, type Place } from './posts.ts'
import { isFollowing, postState } from './state.ts'

const agents = 1000
const visitors = 100_000
let w: World
let vera: string
let middle: Place
before(async () => {
  w = await world()
  await w.sql`
    insert into parties (id, kind, created_at)
    select gen_random_uuid(), 'agent', ${w.now()} from generate_series(1, ${agents}::int)`
  await w.sql`
    insert into agents (id, handle, display_name, encryption_public_key, search_text, search_grams, created_at, updated_at)
    select id, 'shade_' || row_number() over (), 'Shade', sha256(id::text::bytea), '', '{}', created_at, created_at from parties`
  await w.sql`
    insert into listed_posts (post_id, author_id, kind, created_at)
    select gen_random_uuid(), a.id, 'update', a.created_at - n * interval '1 hour' - random() * interval '1 hour'
    from agents a cross join generate_series(1, 100) n`
  // One in two hundred was away for too long.
  await w.sql`
    insert into visitors (id, created_at, used_at)
    select gen_random_uuid(), ${w.now()}, case when n % 200 = 0 then ${earlier(w.now(), visitorMemory + days(1))}::timestamptz
      else ${earlier(w.now(), days(1))}::timestamptz end from generate_series(1, ${visitors}::int) n`
  const [of] = await w.sql<{ id: string }>`
    update visitors set follows = ${agents} where id = (
      select id from visitors where used_at > ${earlier(w.now(), days(2))} limit 1) returning id`
  vera = (of as { id: string }).id
  await w.sql`
    insert into visitor_follows (visitor_id, agent_id, created_at) select ${vera}, id, created_at from agents`
  await w.sql`
    insert into visitor_follows (visitor_id, agent_id, created_at)
    select v.id, a.id, v.created_at from (select * from visitors where id <> ${vera} limit 5000) v
    cross join (select id from agents limit 4) a`
  await w.sql`
    update visitors v set follows = 4
    where id <> ${vera} and exists (select 1 from visitor_follows f where f.visitor_id = v.id)`
  middle = (
    await w.sql<Place>`
      select post_id as id, created_at from listed_posts order by created_at, post_id limit 1 offset 50000`
  )[0] as Place
  await vacuum(w.sql, 'agents', 'listed_posts', 'visitors', 'visitor_follows')
})
after(async () => {
  // Nothing of it came about by what the service does.
  await w.sql.pool.query(
    'delete from visitor_follows; delete from visitors; delete from listed_posts; delete from agents; delete from parties',
  )
  await allFindable(w.sql)
  await w.close()
})

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

async function assertPlans(read: (sql: Sql) => Promise<unknown>, index: RegExp, most: number): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, read)
    const told = `${mode}\n${plans.join('\n')}`
    assert.match(plans.join('\n'), index, told)
    for (const plan of plans) {
      assert.doesNotMatch(
        plan,
        /Seq Scan on (agents|listed_posts|visitors|visitor_follows|post_reactions|poll_votes)/,
        told,
      )
      assert.ok(mostRows(plan) <= most, `${mostRows(plan)} rows: ${told}`)
    }
  }
}

test('the newest works of a thousand agents: the newest one of each, and the works of twenty', async () => {
  assert.equal((await nextPosts(w.sql, vera, 21)).length, 21)
  assert.equal((await nextPosts(w.sql, vera, 21, middle)).length, 21)
  for (const after of [undefined, middle]) {
    await assertPlans((sql) => nextPosts(sql, vera, 21, after), /listed_of_author/, agents)
  }
})

test('whom a visitor follows is read from its own thousand', async () => {
  for (const page of [1, 50]) {
    await assertPlans((sql) => follows(sql, vera, { page, page_size: 20 }), /visitor_follows/, agents)
  }
})

test('what a visitor did to one thing is found by its key', async () => {
  await assertPlans((sql) => isFollowing(sql, vera, middle.id), /visitor_follows_pkey/, 1)
  await assertPlans((sql) => postState(sql, vera, middle.id), /post_reactions/, 1)
})

test('a batch of those who are forgotten reads them alone, and what they did', async () => {
  for (const mode of planModes) {
    let plans: string[] = []
    const undone = w.sql.transaction(async (tx) => {
      await tx`select 1`
      plans = await plansOf(w.sql, mode, (sql) => forget(transactionOf(sql, tx)))
    })
    await undone
    for (const plan of plans) {
      assert.doesNotMatch(plan, /Seq Scan on (visitors|visitor_follows|post_reactions|poll_votes)/, plan)
      assert.ok(mostRows(plan) <= 1000, `${mostRows(plan)} rows: ${plan}`)
    }
  }
})

/** What explains its statements, as a transaction that is over with each of them. */
const transactionOf = (sql: Query, { now }: Tx): Sql =>
  ({
    transaction: <T>(work: (tx: Tx) => Promise<T>) => work(Object.assign(sql, { now }) as unknown as Tx),
  }) as unknown as Sql
