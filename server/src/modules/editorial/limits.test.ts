// How often an author publishes, and how many articles there may be: both sides of each, with twenty at once on two nodes.
// docs/contract/limits.md#articles.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  actionBody,
  articleBody,
  atOnce,
  author,
  edit,
  publish,
  publishBody,
  published,
  publisher,
  read,
  revoke,
  seedArticles,
  withdraw,
  write,
} from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { type Agent, type Answer, code, race, tally, type World, world, worldFor } from '../../../test/world.ts'
import { earlier, hours, minutes } from '../../kernel/clock.ts'
import { totalOf } from '../../quotas/quotas.ts'
import { hide, unhide } from '../staff/hiding.ts'
import { articleQuota } from './publisher.ts'

const articles = '/editorial/articles'

describe('publications', () => {
  let w: World
  let there: World
  before(async () => {
    w = await world({ env: { PUBLIC_URL: 'https://kith.example' } })
    there = await w.node()
  })
  after(() => w.close())

  const via = (n: number, who: Agent, method: string, path: string, json: unknown): Promise<Answer> =>
    (n % 2 === 0 ? w : there).request(method, path, { token: who.token, json })
  const used = async (who: Agent): Promise<number> => (await publisher(who)).limits.publications_per_24h.used

  test('are limited to ten in 24 hours, republications included; withdrawn ones count', async () => {
    const ada = await author(w, 'ada')
    const first = await published(ada)
    w.travel(hours(1))
    let seen = await published(ada)
    for (let n = 0; n < 8; n++) seen = await publish(ada, await withdraw(ada, seen))
    assert.equal(await used(ada), 10)
    const draft = await write(ada)
    const refused = await ada.post(`${articles}/${draft.id}/publish`, publishBody(draft))
    assert.equal(code(refused), '429 editorial_publish_limit')
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait > hours(22.9) / 1000 && wait <= hours(23) / 1000, `${wait} seconds until the first is a day old`)
    assert.equal(code(await ada.post(articles, articleBody(atOnce))), '429 editorial_publish_limit')
    assert.deepEqual(await read(ada, draft), draft)
    assert.equal((await publisher(ada)).limits.articles.used, 3, 'what was refused is not there')
    assert.equal((await edit(ada, seen, { title: 'Edited' })).state, 'published', 'a change is no publication')

    w.travel(hours(23) - minutes(5))
    assert.equal(
      code(await ada.post(`${articles}/${draft.id}/publish`, publishBody(draft))),
      '429 editorial_publish_limit',
    )
    w.travel(minutes(10))
    assert.equal(await used(ada), 9)
    await publish(ada, draft)
    assert.equal(code(await ada.post(articles, articleBody(atOnce))), '429 editorial_publish_limit')
    assert.equal((await read(ada, first)).state, 'published')
    const next = await author(w, 'bea')
    assert.equal((await published(next)).state, 'published', 'each author has its own')
  })

  test('ten of twenty simultaneous ones succeed, through any route and node', async () => {
    const cyd = await author(w, 'cyd')
    const drafts = await Promise.all(Array.from({ length: 10 }, () => write(cyd)))
    const answers = await race(20, (n) => {
      const draft = drafts[n]
      return draft
        ? via(n, cyd, 'POST', `${articles}/${draft.id}/publish`, publishBody(draft))
        : via(n, cyd, 'POST', articles, articleBody(atOnce))
    })
    const { '200': moved = 0, '201': made = 0, ...refused } = tally(answers)
    assert.equal(moved + made, 10)
    assert.deepEqual(refused, { '429 editorial_publish_limit': 10 })
    assert.equal(await used(cyd), 10)
    assert.equal((await publisher(cyd)).limits.articles.used, 10 + made)
  })

  test('of twenty competing requests one wins', async () => {
    const dia = await author(w, 'dia')
    const draft = await write(dia)
    const path = `${articles}/${draft.id}`
    const rivals = [
      (n: number) => via(n, dia, 'PATCH', path, actionBody(draft, { title: `Title ${n}` })),
      (n: number) => via(n, dia, 'POST', `${path}/publish`, publishBody({ version: 2 })),
      (n: number) => via(n, dia, 'POST', `${path}/withdraw`, actionBody({ version: 3 })),
    ]
    for (const rival of rivals) {
      assert.deepEqual(tally(await race(20, rival)), { '200': 1, '409 version_conflict': 19 })
    }
    assert.equal((await read(dia, draft)).version, 4)
    assert.equal(await used(dia), 1)
  })

  test('are seen by nobody if the profile closes, or the profile or article is hidden, at that moment', async () => {
    const eve = await author(w, 'eve')
    const drafts = await Promise.all(Array.from({ length: 9 }, () => write(eve)))
    const { sql } = w.service
    const disturb = [
      () => eve.patch('/bots/me', { profile_public: false }),
      () => eve.patch('/bots/me', { profile_public: true, display_name: 'Eve again' }),
      () => sql.transaction((tx) => hide(tx, 'profile', eve.id)),
      () => sql.transaction((tx) => unhide(tx, 'profile', eve.id)),
      ...drafts.slice(0, 3).map(
        ({ id }) =>
          () =>
            sql.transaction((tx) => hide(tx, 'article', id)),
      ),
      () => eve.patch('/bots/me', { profile_public: false }),
    ]
    const send = drafts.map((each, n) => () => via(n, eve, 'POST', `${articles}/${each.id}/publish`, publishBody(each)))
    const answers = await Promise.all([...send, ...disturb].map((each) => each()))
    for (const answer of answers.slice(0, drafts.length) as Answer[]) {
      assert.ok(['200', '403 publisher_ineligible'].includes(code(answer)), code(answer))
    }
    await eve.patch('/bots/me', { profile_public: false })
    const listed = () => w.sql`select 1 from listed_articles where author_id = ${eve.id}`
    assert.equal((await listed()).length, 0)
    await sql.transaction((tx) => unhide(tx, 'profile', eve.id))
    await eve.patch('/bots/me', { profile_public: true })
    const shown = (await eve.get(`${articles}?state=published`)).body.articles as Shown[]
    const hidden = new Set(drafts.slice(0, 3).map(({ id }) => id))
    assert.equal((await listed()).length, shown.filter(({ id }) => !hidden.has(id)).length)
  })

  test('during a revocation either succeed or are refused as from a non-author', async () => {
    const fay = await author(w, 'fay')
    const [answers] = await Promise.all([
      race(9, (n) => via(n, fay, 'POST', articles, articleBody(atOnce))),
      revoke(w, fay),
    ])
    const { '201': made = 0, '403 publisher_required': refused = 0, ...others } = tally(answers)
    assert.deepEqual([made + refused, others], [9, {}])
    const [row] = await w.sql<{ count: number }>`
      select count(*)::int as count from listed_articles where author_id = ${fay.id}`
    assert.equal(row?.count, made)
  })
})

test('articles are limited to a thousand per author, and a hundred thousand in total', async (t) => {
  const w = await worldFor(t)
  const crowd: Agent[] = []
  for (let n = 0; n < 21; n++) crowd.push(await author(w, `author_${n}`))
  const [ada, ...others] = crowd as [Agent, ...Agent[]]
  const seed = { author: ada, at: earlier(w.now(), hours(1)), state: 'draft' } as const
  await seedArticles(
    w,
    Array.from({ length: 990 }, () => seed),
  )
  const own = await race(20, () => ada.post(articles, articleBody()))
  assert.deepEqual(tally(own), { '201': 10, '429 editorial_record_limit': 10 })
  const refused = await ada.post(articles, articleBody())
  assert.deepEqual(refused.body.error.details, { limit: 1000, retryable: false })
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  const { limits } = await publisher(ada)
  assert.deepEqual(limits.articles, { limit: 1000, used: 1000, available: 0 })
  const last = (await ada.get(`${articles}?page=20&page_size=50`)).body
  assert.deepEqual([last.articles.length, last.pagination.total], [50, 1000])

  // Counted without being there: the limit is one of the count.
  const missing = 99_990 - (await totalOf(w.sql, articleQuota.name))
  const shift = (by: number) => w.sql`
    insert into counters (name, shard, value) values (${articleQuota.name}, 99, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await shift(missing)
  const all = await race(20, (n) => (others[n] as Agent).post(articles, articleBody()))
  assert.deepEqual(tally(all), { '201': 10, '429 editorial_record_limit': 10 })
  assert.equal(code(await (others[10] as Agent).post(articles, articleBody())), '429 editorial_record_limit')
  await shift(-missing)
  const [row] = await w.sql<{ count: number }>`select count(*)::int as count from articles`
  assert.equal(row?.count, 1010)
})
