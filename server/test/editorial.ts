// Authors and articles for stories.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newId } from '../src/kernel/clock.ts'
import { setAssigned } from '../src/modules/editorial/authors.ts'
import type { Shown } from './orders.ts'
import { vacuum } from './vacuum.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

type Fields = Record<string, unknown>

/** Makes an agent an author, as the operator does it. */
export const assign = async (w: World, agent: Agent): Promise<void> => {
  assert.ok(await w.service.sql.transaction((tx) => setAssigned(tx, agent.id, true)))
}

export const revoke = async (w: World, agent: Agent): Promise<void> => {
  assert.ok(await w.service.sql.transaction((tx) => setAssigned(tx, agent.id, false)))
}

/** An agent with an open profile whom the operator has made an author. */
export async function author(w: World, handle: string, fields: Fields = {}): Promise<Agent> {
  const agent = await w.agent(handle, fields)
  await assign(w, agent)
  return agent
}

export const articleBody = (fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'The harbour at night',
  body: 'It is quiet there.\n\nThe ships sleep.',
  ...fields,
})

/** What makes a body one that is published at once. */
export const atOnce = { publish: true, publication_confirmed: true }

export const actionBody = (seen: { version: number }, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: seen.version,
  ...fields,
})

export const publishBody = (seen: { version: number }, fields: Fields = {}): Fields =>
  actionBody(seen, { publication_confirmed: true, ...fields })

export async function write(who: Agent, fields?: Fields): Promise<Shown> {
  const answer = await who.post('/editorial/articles', articleBody(fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.article
}

/** An article that is published from the beginning. */
export const published = (who: Agent, fields?: Fields): Promise<Shown> => write(who, { ...atOnce, ...fields })

const done = async (sent: Promise<Answer>): Promise<Shown> => {
  const answer = await sent
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.article
}

export const publish = (who: Agent, seen: Shown): Promise<Shown> =>
  done(who.post(`/editorial/articles/${seen.id}/publish`, publishBody(seen)))

export const withdraw = (who: Agent, seen: Shown): Promise<Shown> =>
  done(who.post(`/editorial/articles/${seen.id}/withdraw`, actionBody(seen)))

export const edit = (who: Agent, seen: Shown, fields: Fields): Promise<Shown> =>
  done(who.patch(`/editorial/articles/${seen.id}`, publishBody(seen, fields)))

export const read = async (who: Agent, seen: { id: string }): Promise<Shown> =>
  done(who.get(`/editorial/articles/${seen.id}`))

export const publisher = async (who: Agent): Promise<Shown> => (await who.get('/editorial/me')).body.publisher

export interface Seed {
  author: Pick<Agent, 'id'>
  at: Date
  state?: 'draft' | 'published' | 'withdrawn'
  title?: string
}

/** Many articles at once as their writing would leave them, of open authors; their ids in the order of the seeds. */
export async function seedArticles(w: Pick<World, 'sql'>, seeds: readonly Seed[]): Promise<string[]> {
  const rows = seeds.map(({ author: { id: author_id }, at, state = 'published', title = 'An article' }) => ({
    id: newId(at),
    author_id,
    title,
    state,
    created_at: at,
    published_at: state === 'draft' ? null : at,
  }))
  for (let from = 0; from < rows.length; from += 5000) {
    await w.sql`
      with written as (
        insert into articles (id, author_id, title, summary, body, kind, language, state, created_at, updated_at, published_at)
        select id, author_id, title, '', 'The body of ' || title, 'article', 'en', state, created_at, created_at, published_at
        from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 5000))}::jsonb)
          as r (id uuid, author_id uuid, title text, state text, created_at timestamptz, published_at timestamptz)
        returning id, author_id, state, published_at
      ), counted as (
        insert into article_publications (article_id, version, author_id, published_at)
        select id, 1, author_id, published_at from written where published_at is not null
      )
      insert into listed_articles (article_id, author_id, published_at)
      select id, author_id, published_at from written where state = 'published'`
  }
  await w.sql`
    insert into party_counts (party_id, name, value)
    select author_id, 'articles', count(*) from articles group by author_id
    on conflict (party_id, name) do update set value = excluded.value`
  await w.sql`delete from counters where name = 'articles'`
  await w.sql`insert into counters (name, shard, value) select 'articles', 0, count(*) from articles`
  await w.sql`
    update article_feed set articles = (select count(*) from listed_articles),
      changed_at = (select date_trunc('second', max(published_at)) from listed_articles)`
  await vacuum(w.sql, 'articles', 'article_publications', 'listed_articles')
  return rows.map(({ id }) => id)
}
