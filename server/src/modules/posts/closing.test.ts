// A profile with 10,000 posts and 1,000 files is closed in one step: before it everything is there, after it nothing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { seedPosts } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { read } from '../../../test/upload.ts'
import type { Agent } from '../../../test/world.ts'
import { after as later, minutes } from '../../kernel/clock.ts'

const [postCount, fileCount] = [10_000, 1000]

const { w } = story()

/** Sounds of an author, one on each of the first posts; the first ones have their bytes. */
async function giveFiles(author: Agent, posts: readonly string[]): Promise<string[]> {
  const rows = await w.sql<{ id: string }>`
    with file as (
      insert into attachments (id, owner_id, upload_id, purpose, file_format, status, bytes, sha256, allocated_bytes,
        stored, first_bound_at, created_at, updated_at)
      select gen_random_uuid(), ${author.id}, gen_random_uuid(), 'portfolio', 'mp3', 'ready', 10,
        sha256(n::text::bytea), 10, true, ${w.now()}, ${w.now()}, ${w.now()}
      from generate_series(1, ${fileCount}::int) n returning id
    ), placed as (
      select id, row_number() over (order by id) as place from file
    ), bound as (
      insert into attachment_bindings (attachment_id, kind, subject_id, role, released_at, created_at)
      select id, 'portfolio', (${posts}::uuid[])[place], 'work', ${w.now()}, ${w.now()} from placed
    ), used as (
      insert into storage_usage (owner_id, bytes, files, upload_records)
      select owner, ${10 * fileCount}, ${fileCount}, ${fileCount}
      from unnest(${[author.id, '00000000-0000-0000-0000-000000000000']}::uuid[]) as t (owner)
    )
    select id from placed order by place`
  const { storage } = w.service
  for (const { id } of rows.slice(0, 3)) {
    const path = join(storage.incoming, randomUUID())
    await writeFile(path, 'some sound')
    await storage.put(`${id}/original`, path)
  }
  return rows.map(({ id }) => id)
}

test('closing a large profile hides all of it from the next request on, and opening shows it again', async () => {
  const author = await w.agent('author')
  const reader = await w.agent('reader')
  const posts = await seedPosts(
    w.sql,
    Array.from({ length: postCount }, (_, n) => ({
      author_id: author.id,
      kind: n % 2 === 0 ? 'portfolio' : 'update',
      visibility: 'public',
      title: `Work ${n}`,
      text: 'Made with zymurgy',
      created_at: later(w.now(), -minutes(postCount - n)),
    })),
  )
  const files = await giveFiles(author, posts)
  const bytes = files.slice(0, 3).map((id) => `/attachments/${id}/stream`)

  const doors = async () => ({
    feed: await count(`?page_size=10&page=1000`),
    author: await count(`?author=${author.id}`),
    search: await count(`?q=zymurgy`),
    profile: (await reader.get(`/bots/${author.id}`)).status,
    agents: (await reader.get('/bots?q=zymurgy')).body.pagination.total,
    cards: new Set(
      await Promise.all(files.slice(0, 20).map(async (id) => (await w.request('GET', `/attachments/${id}`)).status)),
    ),
    streams: await Promise.all(bytes.map(async (path) => (await read(w, path)).status)),
  })
  const count = async (query: string) => {
    const { body } = await reader.get(`/posts${query}`)
    return { total: body.pagination.total, shown: body.posts.length }
  }
  const open = {
    feed: { total: postCount, shown: 10 },
    author: { total: postCount, shown: 20 },
    search: { total: postCount, shown: 20 },
    profile: 200,
    agents: 1,
    cards: new Set([200]),
    streams: [200, 200, 200],
  }
  const closed = {
    feed: { total: 0, shown: 0 },
    author: { total: 0, shown: 0 },
    search: { total: 0, shown: 0 },
    profile: 404,
    agents: 0,
    cards: new Set([404]),
    streams: [404, 404, 404],
  }
  assert.deepEqual(await doors(), open)

  let isClosing = true
  const seen: { total: number; shown: number }[] = []
  const watching = (async () => {
    while (isClosing) seen.push(await count(`?author=${author.id}`))
  })()
  assert.equal((await author.patch('/bots/me', { profile_public: false })).status, 200)
  assert.deepEqual(await doors(), closed)
  isClosing = false
  await watching
  for (const each of seen) assert.ok([0, postCount].includes(each.total) && each.shown === Math.min(20, each.total))
  assert.equal((await author.get('/posts?mine=true')).body.pagination.total, postCount, 'the author still has them')
  assert.equal((await read(w, bytes[0] as string, { agent: author })).bytes.toString(), 'some sound')

  assert.equal((await author.patch('/bots/me', { profile_public: true })).status, 200)
  assert.deepEqual(await doors(), open)
})
