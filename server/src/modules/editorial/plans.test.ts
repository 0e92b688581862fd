// With 100,000 articles what everyone reads goes by the index that was made for it, and what an author reads by its own
// thousand, whether PostgreSQL plans for its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { author, seedArticles } from '../../../test/editorial.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { days, earlier, minutes } from '../../kernel/clock.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { list as articlesOf } from './articles.ts'
import { list as invitationsOf } from './invitations.ts'
import { publicationsOf } from './publisher.ts'
import { feedState, findPublic, newest, newestPage, othersOf } from './reading.ts'

const count = 100_000
const authors: Agent[] = []
let w: World
let middle: string
before(async () => {
  w = await world()
  for (let n = 0; n < 100; n++) authors.push(await author(w, `author_${n}`))
  const ids = await seedArticles(
    w,
    Array.from({ length: count }, (_, n) => ({
      author: authors[n % 100] as Agent,
      at: earlier(w.now(), days(2) + minutes(count - n)),
      state: n % 3 === 1 ? ('draft' as const) : ('published' as const),
    })),
  )
  middle = ids[count / 2 + 1] as string
  await w.sql`
    insert into editorial_invitations (id, agent_id, created_at, expires_at)
    select gen_random_uuid(), e.agent_id, e.assigned_at - n * interval '1 day', e.assigned_at - (n - 1) * interval '1 day'
    from editorial_authors e cross join generate_series(1, 89) n`
  await vacuum(w.sql, 'editorial_invitations', 'editorial_authors', 'agents')
})
after(() => w.close())

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

const readsAll =
  /Seq Scan on (articles|listed_articles|article_publications|agents|hidden|editorial_authors|editorial_invitations)/

async function assertPlans(
  read: (sql: Sql) => Promise<unknown>,
  { indexes, most }: { indexes: readonly RegExp[]; most: number },
): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, read)
    const told = `${mode}\n${plans.join('\n')}`
    for (const index of indexes) assert.match(plans.join('\n'), index, told)
    for (const plan of plans) {
      assert.doesNotMatch(plan, readsAll, told)
      assert.ok(mostRows(plan) <= most, `${mostRows(plan)} rows: ${told}`)
    }
  }
}

test('the page and the feed read no more than they show', async () => {
  for (const limit of [20, 50]) {
    await assertPlans((sql) => newest(sql, limit), {
      indexes: [/listed_articles_newest/, /articles_pkey/],
      most: limit,
    })
  }
})

test('any page of the list reads the index alone up to it, from its nearer end, and no article that it does not show', async () => {
  const { articles: total } = await feedState(w.sql)
  assert.ok(total > 50_000, String(total))
  const last = Math.ceil(total / 20)
  const seen = new Set<string>()
  for (const page of [1, 2, Math.floor(last / 2), last - 1, last]) {
    const at = { page, page_size: 20 }
    const passed = Math.min((page - 1) * 20, total - page * 20)
    await assertPlans((sql) => newestPage(sql, total, at), {
      indexes: [/Index Only Scan (Backward )?using listed_articles_newest/, /articles_pkey/],
      most: Math.max(20, passed + 20),
    })
    const shown = await newestPage(w.sql, total, at)
    assert.equal(shown.length, page === last ? total - (last - 1) * 20 : 20)
    for (const { id } of shown) seen.add(id)
    const moments = shown.map(({ published_at: moment }) => moment.getTime())
    assert.deepEqual(
      moments,
      moments.toSorted((a, b) => b - a),
    )
  }
  assert.equal(seen.size, 80 + total - (last - 1) * 20)
  assert.deepEqual(await newestPage(w.sql, total, { page: last + 1, page_size: 20 }), [])
})

test('the others of an author are found among its own', async () => {
  const article = await findPublic(w.sql, middle)
  assert.ok(article)
  const others = await othersOf(w.sql, article, 3)
  assert.ok(others.length === 3 && others.every((each) => each.author_id === article.author_id && each.id !== middle))
  await assertPlans((sql) => othersOf(sql, article, 3), {
    indexes: [/listed_articles_of_author/, /articles_pkey/],
    most: 1000,
  })
})

test('an article is found by its key', async () => {
  assert.ok(await findPublic(w.sql, middle))
  await assertPlans((sql) => findPublic(sql, middle), { indexes: [/listed_articles_pkey/, /articles_pkey/], most: 1 })
})

test('an author’s lists read no more than its own thousand, from any page', async () => {
  const { id } = authors[7] as Agent
  const everything = { state: undefined, kind: undefined, language: undefined, page_size: 20 }
  for (const filter of [
    { ...everything, page: 1 },
    { ...everything, page: 50 },
    { ...everything, state: 'draft' as const, page: 1 },
    { ...everything, state: 'withdrawn' as const, kind: 'news' as const, language: 'ru' as const, page: 1 },
  ]) {
    await assertPlans((sql) => articlesOf(sql, id, filter), { indexes: [/articles_of_author/], most: 1000 })
  }
  await assertPlans((sql) => invitationsOf(sql, id, { page: 1, page_size: 20 }), {
    indexes: [/editorial_invitations_of_agent/],
    most: 90,
  })
})

test('how often an author has published is told by the ten newest', async () => {
  const { id } = authors[3] as Agent
  const asked = (sql: Query) => sql`select newest.at from (${publicationsOf(id)} limit ${10}) as newest (at)`
  await assertPlans(asked, { indexes: [/article_publications_of_author/], most: 10 })
})
