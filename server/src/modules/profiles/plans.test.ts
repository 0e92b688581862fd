// With 20,000 agents and 5,000 works every search goes by the indexes that were made for it, whether PostgreSQL plans for
// its values or not.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { allFindable } from '../../../test/findable.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { seedPosts } from '../../../test/posts.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { race, type World, world } from '../../../test/world.ts'
import { newId } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import type { Sql } from '../../store/sql.ts'
import { searchGrams, searchText } from '../identity/search.ts'
import { publicPostsOf } from '../posts/listing.ts'
import { findOpenByHandle, newestOpen } from './profiles.ts'
import { type Filter, search } from './search.ts'
import { countsFor } from './search-counts.ts'

let w: World
before(async () => {
  w = await world()
  await settle(20_000)
  await publish(5_000)
})
after(async () => {
  await allFindable(w.sql)
  await w.close()
})

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
  await vacuum(w.sql, 'agents')
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

test('the newest profiles are read in their order, past those that nobody sees, and one by its handle', async () => {
  const newest = await w.sql<{ id: string; handle: string }>`select id, handle from agents order by id desc limit 300`
  const closed = newest.slice(0, 200).map(({ id }) => id)
  await w.sql`update agents set profile_public = false where id = any(${closed}::uuid[])`
  try {
    for (const mode of planModes) {
      const [plan = '', ...more] = await plansOf(w.sql, mode, async (sql) => {
        const found = await newestOpen(sql, 6)
        assert.deepEqual(
          found.map(({ handle }) => handle),
          newest.slice(200, 206).map(({ handle }) => handle),
        )
      })
      assert.deepEqual(more, [])
      const [, looked] = /Scan Backward using agents_pkey on agents .*actual rows=([\d.]+)/.exec(plan) ?? []
      assert.ok(Number(looked) <= 210, plan)
      assert.doesNotMatch(plan, /Seq Scan|Sort/)
      const [one = ''] = await plansOf(w.sql, mode, (sql) => findOpenByHandle(sql, 'agent_7ps'))
      assert.match(one, /Index Scan using agents_handle/)
    }
  } finally {
    await w.sql`update agents set profile_public = true where id = any(${closed}::uuid[])`
  }
})

test('how many works each author of a page has is read from their counts', async () => {
  const ids = (await w.sql<{ id: string }>`select id from agents order by handle limit 20`).map(({ id }) => id)
  for (const mode of planModes) {
    const [plan = '', ...more] = await plansOf(w.sql, mode, (sql) => publicPostsOf(sql, ids))
    assert.deepEqual(more, [])
    assert.match(plan, /Scan (using|on) post_counts_pkey/)
    assert.doesNotMatch(plan, /Seq Scan/)
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

/** What a search must find, by the plainest of statements. */
async function everyHit(word: string): Promise<string[]> {
  const rows = await w.sql<{ handle: string }>`
    select a.handle from agents a
    where a.search_text like ${`%${word}%`} or exists (
      select from listed_posts l join posts p on p.id = l.post_id
      where l.author_id = a.id and split_part(p.search_text, ${'\u0001'}, 1) like ${`%${word}%`})
    order by a.display_name, a.handle`
  return rows.map(({ handle }) => handle)
}

test('of what many have the page alone is read, and it is the right one; the total is exact', async () => {
  // Of all profiles; of an eighth of them; of works alone.
  for (const q of ['helper', 'carpentry', 'lines']) {
    const all = await everyHit(q)
    assert.ok(all.length > 1000, q)
    for (const at of [1, 3, Math.ceil(all.length / 50), Math.ceil(all.length / 50) + 1]) {
      const filter = { page: at, page_size: 50, q, specialty: '' }
      const found = await search(w.sql, filter)
      const handles = found.rows.map(({ handle }) => handle)
      assert.deepEqual(handles, all.slice((at - 1) * 50, at * 50), `${q}, page ${at}`)
      assert.equal(found.total, all.length)
    }
  }
  for (const mode of planModes) {
    const plans = await searching({ q: 'helper' }, mode)
    const page = plans.filter((text) => /Index Scan using agents_by_name/.test(text))
    assert.equal(page.length, 1)
    assert.match(page[0] as string, /agents_by_name on agents a_1 .*actual rows=21/)
    for (const text of plans) assert.doesNotMatch(text, /Seq Scan on|hashed SubPlan/)
  }
})

test('a total that takes too long to count says how many there are at least', async () => {
  const tooLong = async () => undefined
  const at = (page: number) => search(w.sql, { page, page_size: 50, q: 'helper', specialty: '' }, tooLong)
  assert.equal((await at(1)).total, 1001)
  assert.equal((await at(100)).total, 5001, 'there is a next page')
  const beyond = await at(1000)
  assert.deepEqual([beyond.rows.length, beyond.total], [0, 1001])
  assert.equal((await at(400)).total, 19_996, 'the last page knows')
})

test('a search of many is counted once for all who ask at a time', async () => {
  const me = await w.agent('curious')
  const answers = await race(20, () => me.get('/bots?q=helper'))
  assert.deepEqual([...new Set(answers.map(({ body }) => body.pagination.total))], [19_996])
  const counts = countsFor(w.service)
  let counted = 0
  const sql = {
    snapshot: async () => {
      counted += 1
      return [{ total: 7 }]
    },
  } as unknown as Sql
  const some = await Promise.all(Array.from({ length: 20 }, (_, n) => counts(`caller ${n}`)(sql, 'a key', part``)))
  assert.deepEqual(some, Array(20).fill(7))
  assert.equal(counted, 1)
})
