// With 20,000 agents and 5,000 works every search goes by the indexes that were made for it, whether PostgreSQL plans for
// its values or not.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { seedPosts } from '../../../test/posts.ts'
import { type World, world } from '../../../test/world.ts'
import { newId } from '../../kernel/clock.ts'
import { searchGrams, searchText } from '../identity/search.ts'
import { type Filter, search } from './search.ts'

let w: World
before(async () => {
  w = await world()
  await settle(20_000)
  await publish(5_000)
})
after(() => w.close())

const trades = ['Translation', 'Carpentry', 'Перевод', '机器学习', 'Music', 'Research', 'Drawing', 'Accounting']

/** Agents as registrations would leave them, without their tokens and wallets. */
async function settle(count: number): Promise<void> {
  const chunk = 2000
  // Filled row by row the index of grams takes most of the time; it is the same when it is made afterwards.
  const [index] = await w.sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = 'agents_by_gram'`
  await w.sql`drop index agents_by_gram`
  for (let from = 0; from < count; from += chunk) {
    const rows = Array.from({ length: chunk }, (_, at) => {
      const n = from + at
      const fields = {
        handle: `agent_${n.toString(36)}`,
        display_name: `Agent number ${(n * 7919) % count}`,
        specialty: `${trades[n % trades.length]} of kind ${n % 100}`,
        bio: n % 5000 === 0 ? 'One who knows zymurgy 酿酒' : `A helper for many things, ${trades[n % 3]} and more`,
      }
      return {
        id: newId(new Date()),
        key: randomBytes(32).toString('hex'),
        ...fields,
        text: searchText(fields),
        grams: searchGrams(fields),
      }
    })
    await w.sql`
      with row as (
        select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, key text, handle text,
          display_name text, specialty text, bio text, text text, grams jsonb)
      ), party as (insert into parties (id, kind, created_at) select id, 'agent', ${w.now()} from row)
      insert into agents (id, handle, display_name, specialty, bio, encryption_public_key, search_text, search_grams,
        created_at, updated_at)
      select id, handle, display_name, specialty, bio, decode(key, 'hex'), text,
        (select array_agg(gram) from jsonb_array_elements_text(grams) gram), ${w.now()}, ${w.now()}
      from row`
  }
  await w.sql.pool.query(index?.definition as string)
  await w.sql`insert into counters (name, shard, value) values ('open_agents', 0, ${count})`
  await w.sql`vacuum (analyze) agents`
}

/** Works of the first 3,000 of them, one in ten private. */
async function publish(count: number): Promise<void> {
  const authors = await w.sql<{ id: string }>`select id from agents order by handle limit 3000`
  await seedPosts(
    w.sql,
    Array.from({ length: count }, (_, n) => ({
      author_id: (authors[n % authors.length] as { id: string }).id,
      kind: 'portfolio',
      visibility: n % 10 === 9 ? 'private' : 'public',
      title: `Work ${n.toString(36)}`,
      text: n % 1000 === 0 ? 'A study of campanology 鐘学' : `Some lines about ${trades[n % trades.length]} and more`,
      created_at: w.now(),
    })),
  )
}

/** The plans of the statements over agents that a search runs. */
async function searching(filter: Partial<Filter>, mode: (typeof planModes)[number]): Promise<string[]> {
  const plans = await plansOf(w.sql, mode, (explained) =>
    search(explained, { page: 1, page_size: 20, q: '', specialty: '', ...filter }),
  )
  return plans.filter((text) => /on agents/.test(text))
}

test('an unfiltered page reads the index of names and only the rows that it shows', async () => {
  for (const mode of planModes) {
    assert.deepEqual(await searching({ page: 1000, page_size: 50 }, mode), [], 'beyond the end nothing is read')
    for (const filter of [{}, { page: 1000 }, { page: 400, page_size: 50 }]) {
      const [text = '', ...more] = await searching(filter, mode)
      assert.deepEqual(more, [], 'the total is no count')
      assert.match(text, /Index Only Scan using agents_by_name/)
      assert.doesNotMatch(text, /Seq Scan on agents/)
    }
  }
})

test('a word that few have is found by its grams', async () => {
  for (const mode of planModes) {
    for (const filter of [{ q: 'zymurgy' }, { q: '酿酒' }, { q: 'zymurgy helper one' }, { q: 'agent_7ps' }]) {
      for (const text of await searching(filter, mode)) {
        assert.match(text, /Bitmap Index Scan on agents_by_gram/, JSON.stringify(filter))
        assert.doesNotMatch(text, /Seq Scan on agents/)
      }
    }
  }
})

test('a specialty is found by grams of its own', async () => {
  for (const mode of planModes) {
    for (const filter of [
      { specialty: 'kind 42' },
      { specialty: '机器学习 of kind 3' },
      { q: 'helper', specialty: 'kind 42' },
    ]) {
      for (const text of await searching(filter, mode)) {
        assert.match(text, /Bitmap Index Scan on agents_by_gram/, JSON.stringify(filter))
        assert.doesNotMatch(text, /Seq Scan on agents/)
      }
    }
  }
})

test('what a work says is found by its grams, and its author by key', async () => {
  for (const mode of planModes) {
    for (const filter of [
      { q: 'campanology' },
      { q: '鐘学' },
      { q: 'work 3e' },
      { q: 'campanology', specialty: 'translation' },
      { q: 'nothing of the kind' },
    ]) {
      const [text = '', ...more] = await searching(filter, mode)
      assert.deepEqual(more, [], 'page and total are one statement')
      assert.match(text, /Bitmap Index Scan on posts_by_gram/, JSON.stringify(filter))
      assert.match(text, /Index (Only )?Scan using listed_posts_pkey/)
      assert.match(text, /Index Scan using agents_pkey/)
      assert.doesNotMatch(text, /Seq Scan on|Index (Only )?Scan using (agents_by_name|posts_pkey)/)
    }
  }
})

test('without a word to find no work is read', async () => {
  for (const mode of planModes) {
    for (const text of await searching({ specialty: 'kind 42' }, mode)) assert.doesNotMatch(text, /posts/)
  }
})
