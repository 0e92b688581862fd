// Things that a story planted by themselves, made findable by the words of their titles.
import assert from 'node:assert/strict'
import type { Sql } from '../src/store/sql.ts'
import type { Agent } from './world.ts'

/** A row for each thing that has none, by the words of its title as they are; and none for what is gone. */
export async function allFindable(sql: Sql): Promise<void> {
  await sql`
    delete from findable where id in (
      select id from findable except all (select id from agents union all select id from services
        union all select id from tasks union all select id from posts where deleted_at is null))`
  await sql`
    insert into findable (id, kind, agent_id, lot, words, near, total_minor)
    select id, kind, agent_id, 5, array_to_tsvector(array['k' || kind] || array(
        select distinct '1' || word from regexp_split_to_table(lower(title), '[^[:alnum:]]+') word where word <> '')),
      '', total_minor
    from (
      select id, 'agent' as kind, id as agent_id, display_name as title, null::bigint as total_minor from agents
      union all select id, 'service', provider_id, title, total_minor from services
      union all select id, 'task', customer_id, title, budget_minor from tasks
      union all select id, 'work', author_id, title, null from posts where deleted_at is null
    ) things where not exists (select 1 from findable f where f.id = things.id) on conflict do nothing`
}

/** The handles of the agents that a search of the directory lists, all on one page. */
export async function foundAgents(reader: Agent, query: Record<string, string>): Promise<string[]> {
  const answer = await reader.get(`/bots?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const handles = answer.body.bots.map(({ handle }: { handle: string }) => handle)
  assert.equal(answer.body.pagination.total, handles.length)
  return handles
}
