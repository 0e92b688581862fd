// Feedback for stories: filed, voted for, subscribed to, added to and answered.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../src/kernel/clock.ts'
import type { Category, Status } from '../src/modules/feedback/machine.ts'
import { searchGrams, searchText } from '../src/modules/feedback/search-text.ts'
import type { Sql } from '../src/store/sql.ts'
import type { Shown } from './orders.ts'
import { withoutGrams } from './unindexed.ts'
import { vacuum } from './vacuum.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

type Fields = Record<string, unknown>

export const recordBody = (category: Category, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  category,
  title: 'A dark page',
  body: 'At night the pages are too bright',
  ...(category === 'idea' && { publication_confirmed: true }),
  ...fields,
})

export async function filed(who: Agent, category: Category, fields?: Fields): Promise<Shown> {
  const answer = await who.post('/feedback', recordBody(category, fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.feedback
}

type Named = { id: string }

export const vote = (w: World, who: Agent, idea: Named, method: 'PUT' | 'DELETE' = 'PUT'): Promise<Answer> =>
  w.request(method, `/feedback/ideas/${idea.id}/vote`, { token: who.token })

export const subscription = (
  w: World,
  who: Agent,
  record: Named,
  method: 'GET' | 'PUT' | 'DELETE' = 'GET',
): Promise<Answer> => w.request(method, `/feedback/${record.id}/subscription`, { token: who.token })

/** The body of a follow-up to a record as it was last seen. */
export const followupBody = (seen: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: seen.version,
  body: 'On a phone too',
  ...fields,
})

export const follow = (who: Agent, seen: Shown, fields?: Fields): Promise<Answer> =>
  who.post(`/feedback/${seen.id}/followups`, followupBody(seen, fields))

export const answerBody = (seen: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: seen.version,
  status: 'planned',
  response: 'It is to be done',
  ...fields,
})

export const answer = (staff: Agent, seen: Shown, fields?: Fields): Promise<Answer> =>
  staff.post(`/staff/feedback/${seen.id}/answer`, answerBody(seen, fields))

/** Answers, and gives the record as it is then. */
export async function answered(staff: Agent, seen: Shown, fields?: Fields): Promise<Shown> {
  const given = await answer(staff, seen, fields)
  assert.equal(code(given), '200', JSON.stringify(given.body))
  return given.body.feedback
}

/** An idea as somebody reads it, or nobody. */
export const readIdea = (w: World, idea: Named, who?: Agent): Promise<Answer> =>
  w.request('GET', `/feedback/ideas/${idea.id}`, { token: who?.token })

/** The ids of the ideas that somebody finds, or nobody, with their number. */
export async function found(w: World, query: Record<string, string> = {}, who?: Agent): Promise<[string[], number]> {
  const answer = await w.request('GET', `/feedback/ideas?${new URLSearchParams(query)}`, { token: who?.token })
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return [answer.body.ideas.map(({ id }: Named) => id), answer.body.pagination.total]
}

export interface Seed {
  author_id: string
  category: Category
  status?: Status
  title: string
  body: string
  created_at: Date
}

/** Many records at once, as their filing would leave them, of open authors; gives their ids in the order of the seeds. */
export async function seedFeedback(sql: Sql, seeds: readonly Seed[]): Promise<string[]> {
  const rows = seeds.map((seed) => ({
    status: 'received',
    ...seed,
    id: newId(seed.created_at),
    ...(seed.category === 'idea' && { search_text: searchText(seed), search_grams: searchGrams(seed) }),
  }))
  await withoutGrams(sql, 'feedback', async () => {
    for (let from = 0; from < rows.length; from += 5000) {
      await sql`
        insert into feedback (id, author_id, category, title, body, status, version, search_text, search_grams, created_at,
          updated_at)
        select id, author_id, category, title, body, status, case status when 'received' then 1 else 2 end, search_text,
          case when search_grams is not null then array(select jsonb_array_elements_text(search_grams)) end, created_at,
          created_at
        from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 5000))}::jsonb) as r (id uuid, author_id uuid,
          category text, title text, body text, status text, search_text text, search_grams jsonb, created_at timestamptz)`
    }
  })
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into feedback_updates (id, feedback_id, version, status, response, created_at)
    select gen_random_uuid(), id, 2, status, '', created_at from feedback
    where id = any(${ids}::uuid[]) and status <> 'received'`
  await sql`
    insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
    select author_id, id, true, 1, created_at from feedback where id = any(${ids}::uuid[])`
  await sql`
    insert into listed_ideas (idea_id, author_id)
    select id, author_id from feedback where id = any(${ids}::uuid[]) and category = 'idea'`
  await sql`
    insert into counters (name, shard, value)
    select name, 63, sum(things) from (
      select 'feedback_' || category || '_' || status as name, count(*) as things from feedback
        where id = any(${ids}::uuid[]) group by category, status
      union all select 'listed_ideas', count(*) from listed_ideas where idea_id = any(${ids}::uuid[])
      union all select 'feedback', ${ids.length}::integer
    ) counted group by name
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await sql`
    insert into party_counts (party_id, name, value)
    select author_id, 'feedback', count(*) from feedback where id = any(${ids}::uuid[]) group by author_id
    on conflict (party_id, name) do update set value = party_counts.value + excluded.value`
  await vacuum(sql, 'feedback', 'listed_ideas', 'feedback_subscriptions', 'counters')
  return ids
}
