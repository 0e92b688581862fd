// Tasks and bids for stories, and what must hold of them at the end of every one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days, newId } from '../src/kernel/clock.ts'
import { searchGrams, searchText } from '../src/modules/tasks/search-text.ts'
import type { Sql } from '../src/store/sql.ts'
import { allFindable } from './findable.ts'
import { inTime, type Shown } from './orders.ts'
import { withoutGrams } from './unindexed.ts'
import { vacuum } from './vacuum.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

type Fields = Record<string, unknown>

/** The body of a task that is due in two weeks. */
export const taskBody = (w: Pick<World, 'now'>, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'A logo for a bakery',
  description: 'Round, and blue',
  deadline: inTime(w, days(14)),
  ...fields,
})

export const publish = async (w: World, customer: Agent, fields?: Fields): Promise<Shown> =>
  (await made(customer.post('/tasks', taskBody(w, fields)))).task

/** The body of a bid of ten credits, due in ten days. */
export const bidBody = (w: Pick<World, 'now'>, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  amount_minor: 1000,
  deadline: inTime(w, days(10)),
  text: 'I draw round things',
  ...fields,
})

export const bid = async (w: World, bidder: Agent, task: Shown, fields?: Fields): Promise<Shown> =>
  (await made(bidder.post(`/tasks/${task.id}/bids`, bidBody(w, fields)))).bid

async function made(sent: Promise<Answer>): Promise<Shown> {
  const answer = await sent
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body
}

export const actionBody = (seen: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: seen.version,
  ...fields,
})

export const selectBody = (task: Shown, bid: Shown, fields: Fields = {}): Fields =>
  actionBody(task, {
    bid_id: bid.id,
    expected_bid_version: bid.version,
    confirmed_total_minor: bid.total_minor,
    ...fields,
  })

export const select = async (customer: Agent, task: Shown, bid: Shown): Promise<Shown> =>
  made(customer.post(`/tasks/${task.id}/select`, selectBody(task, bid)))

export const cancel = async (customer: Agent, task: Shown): Promise<Shown> => {
  const answer = await customer.post(`/tasks/${task.id}/cancel`, actionBody(task))
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.task
}

/** The task as somebody reads it, or nobody. */
export const read = (w: World, task: { id: string }, who?: Agent): Promise<Answer> =>
  w.request('GET', `/tasks/${task.id}`, { token: who?.token })

/** The board is what the tasks say, and so are its counters. */
export async function assertTasks(sql: Sql): Promise<void> {
  const listed = await sql`
    with listable as (
      select t.id, t.customer_id, t.state, t.expires_at from tasks t join agents a on a.id = t.customer_id
      where a.profile_public and a.suspended_at is null
        and not exists (select 1 from hidden where (kind, id) in (('task', t.id), ('profile', a.id)))
    ), listed as (select task_id, customer_id, state, expires_at from listed_tasks)
    (table listable except table listed) union all (table listed except table listable)`
  assert.deepEqual(listed, [], 'listed are the tasks of open customers that nobody hides, and no others')
  const counters = await sql`
    select state, counted, listed from (values ('open'), ('selected'), ('cancelled'), ('expired')) as states (state)
    cross join lateral (
      select coalesce(sum(value), 0)::int as counted from counters where name = 'listed_task_' || state) c
    cross join lateral (select count(*)::int as listed from listed_tasks l where l.state = states.state) l
    where counted <> listed`
  assert.deepEqual(counters, [], 'the counters of listed tasks')
}

export interface Seed {
  customer_id: string
  title: string
  description: string
  tags: readonly string[]
  created_at: Date
  state?: 'open' | 'selected' | 'cancelled' | 'expired'
}

/** Many tasks at once as their publishing would leave them, of open customers; gives their ids in the order of the seeds. */
export async function seedTasks(sql: Sql, seeds: readonly Seed[]): Promise<string[]> {
  const ids = await plantTasks(sql, seeds)
  await allFindable(sql)
  await vacuum(sql, 'tasks', 'listed_tasks')
  return ids
}

/** The same, without what discovery finds them by. */
export async function plantTasks(sql: Sql, seeds: readonly Seed[]): Promise<string[]> {
  const rows = seeds.map((seed) => ({
    state: 'open',
    ...seed,
    id: newId(seed.created_at),
    order_id: newId(seed.created_at),
    search_text: searchText(seed),
    search_grams: searchGrams(seed),
  }))
  await withoutGrams(sql, 'tasks', async () => {
    for (let from = 0; from < rows.length; from += 5000) {
      await sql`
        insert into tasks (id, customer_id, title, description, tags, deadline, bids_close_at, expires_at, state, order_id,
          has_files, search_text, search_grams, created_at, updated_at)
        select id, customer_id, title, description, array(select jsonb_array_elements_text(tags)),
          created_at + interval '90 days', created_at + interval '30 days', created_at + interval '30 days', state,
          order_id, false, search_text, array(select jsonb_array_elements_text(search_grams)), created_at, created_at
        from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 5000))}::jsonb) as r (id uuid, customer_id uuid,
          title text, description text, tags jsonb, state text, order_id uuid, search_text text, search_grams jsonb,
          created_at timestamptz)`
    }
  })
  await sql`
    with listed as (
      insert into listed_tasks (task_id, customer_id, state, expires_at)
      select id, customer_id, state, expires_at from tasks on conflict do nothing returning state
    )
    insert into counters (name, shard, value) select 'listed_task_' || state, 0, count(*) from listed group by state
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await sql`
    insert into party_counts (party_id, name, value)
    select customer_id, 'open_tasks', count(*) from tasks where state = 'open' group by customer_id
    on conflict (party_id, name) do update set value = excluded.value`
  return rows.map(({ id }) => id)
}
