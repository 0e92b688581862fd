// With 20,000 posts every list goes by the index that was made for it, whether PostgreSQL plans for its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { closeBlocksInTime, type Seed, seedPosts } from '../../../test/posts.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { type Filter, feed, newestListed, newestPosts, postsOfAuthor } from './feed.ts'
import { authorsOfPostsWith } from './search-text.ts'
import type { Viewer } from './show.ts'

const posts = 20_000
let w: World
let reader: Agent
const authors: Agent[] = []
before(async () => {
  w = await world()
  reader = await w.agent('reader')
  for (let n = 0; n < 20; n++) authors.push(await w.agent(`author_${n}`))
  const began = w.now().getTime() - posts * 10
  await seedPosts(
    w.sql,
    Array.from(
      { length: posts },
      (_, n): Seed => ({
        author_id: (n % 100 === 0 ? reader : (authors[n % 20] as Agent)).id,
        kind: n % 3 === 0 ? 'portfolio' : 'update',
        visibility: n % 10 === 0 ? 'private' : 'public',
        title: `Post number ${(n * 7919) % posts}`,
        text: n % 4999 === 0 ? 'Of zymurgy 酿酒 and more' : 'Some news of a common life',
        created_at: new Date(began + n * 10),
      }),
    ),
  )
  while (await closeBlocksInTime(w.service.sql));
  await vacuum(w.sql, 'listed_blocks', 'agents')
})
after(() => w.close())

const viewer = () => ({ id: reader.id, publicUrl: '', now: w.now() })
/** As the pages of the site read. */
const nobody = () => ({ id: null, publicUrl: '', now: w.now() })
const everything: Filter = { page: 1, page_size: 20, kind: undefined, q: '', author: undefined, mine: false }

async function eachPlan(
  filter: Partial<Filter>,
  check: (plans: string[], told: string) => void,
  reads: () => Viewer = viewer,
): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) => feed(sql, reads(), { ...everything, ...filter }))
    check(plans, `${mode} ${JSON.stringify(filter)}`)
  }
}

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

const readsAll = /Seq Scan on (posts|listed_posts|agents|attachment|poll)/

test('a page reads the indexes of its lists, merged and not sorted, and only the rows that it shows', async () => {
  const lists: [Partial<Filter>, RegExp[]][] = [
    [{}, [/Scan using listed_newest on/, /Scan using posts_private on/]],
    [{ page: 100 }, [/Scan using listed_newest on/, /Scan using posts_private on/]],
    [{ page: 350, page_size: 50 }, [/Scan using listed_newest on/]],
    [{ kind: 'update' }, [/Scan using listed_newest_kind on/, /Scan using posts_private_kind on/]],
    [{ kind: 'portfolio', page: 150 }, [/Scan using listed_newest_kind on/]],
    [{ author: authors[3]?.id ?? '' }, [/Scan using listed_of_author on/]],
    [{ author: authors[3]?.id ?? '', kind: 'update' }, [/Scan using listed_of_author_kind on/]],
    [{ mine: true }, [/Scan using posts_of_author on/]],
    [{ mine: true, kind: 'update' }, [/Scan using posts_of_author_kind on/]],
  ]
  assert.equal(authors.length, 20)
  for (const [filter, indexes] of lists) {
    const given = 'author' in filter ? { ...filter, author: authors[3]?.id } : filter
    await eachPlan(given, (plans, told) => {
      const ids =
        plans.find((plan) => /Scan using (listed|posts)_(newest|of_author)/.test(plan) && /Limit/.test(plan)) ?? ''
      for (const index of indexes) assert.match(ids, index, told)
      assert.doesNotMatch(ids, /Sort Key: .*\n.*Sort Method/, told)
      for (const plan of plans) {
        assert.doesNotMatch(plan, readsAll, told)
        assert.ok(mostRows(plan) <= 2100, `${told} reads ${mostRows(plan)} rows:\n${plan}`)
      }
    })
  }
})

test('a page of what everyone sees reads the index of what is listed alone', async () => {
  const lists: [Partial<Filter>, RegExp][] = [
    [{}, /Scan using listed_newest on/],
    [{ page: 50 }, /Scan using listed_newest on/],
    [{ page: 400 }, /Scan using listed_newest on/],
    [{ kind: 'update' }, /Scan using listed_newest_kind on/],
    [{ kind: 'portfolio', page: 200 }, /Scan using listed_newest_kind on/],
  ]
  for (const [filter, index] of lists) {
    await eachPlan(
      filter,
      (plans, told) => {
        const ids = plans.find((plan) => /Limit/.test(plan) && /Scan using listed_newest/.test(plan)) ?? ''
        assert.match(ids, index, told)
        for (const plan of plans) {
          assert.doesNotMatch(plan, readsAll, told)
          assert.doesNotMatch(plan, /using posts_(private|of_author)/, `${told} asks for nobody's own`)
          assert.ok(mostRows(plan) <= 2100, `${told} reads ${mostRows(plan)} rows:\n${plan}`)
        }
      },
      nobody,
    )
  }
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) => newestPosts(sql, nobody(), authors[3]?.id ?? '', 4))
    assert.equal(plans.length, 1)
    const plan = plans[0] as string
    assert.match(plan, /Scan using listed_of_author on/)
    assert.doesNotMatch(plan, readsAll)
    assert.ok(mostRows(plan) <= 50, plan)
  }
  await eachPlan(
    { q: 'zymurgy' },
    (plans, told) => assert.match(plans[0] ?? '', /Bitmap Index Scan on posts_by_gram/, told),
    nobody,
  )
})

test('the statements of a page are as many for fifty posts as for one, and beyond the end hardly any', async () => {
  const [mode] = planModes
  const count = async (filter: Partial<Filter>) =>
    (await plansOf(w.sql, mode, (sql) => feed(sql, viewer(), { ...everything, ...filter }))).length
  assert.equal(await count({ page_size: 50 }), await count({ page_size: 1 }))
  assert.equal(await count({ page: 100_000 }), 2, 'two totals')
})

test('the works of an author go by the index of what is listed', async () => {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) =>
      postsOfAuthor(sql, viewer(), authors[3]?.id ?? '', { kind: undefined, page: 2, page_size: 20 }),
    )
    assert.ok(plans.some((plan) => /Scan using listed_of_author on/.test(plan)))
    for (const plan of plans) assert.doesNotMatch(plan, readsAll)
  }
})

test('words that few have are found by their grams', async () => {
  for (const filter of [
    { q: 'zymurgy' },
    { q: '酿酒' },
    { q: 'zymurgy common' },
    { q: 'zymurgy', kind: 'update' as const },
    { q: 'number 79' },
  ]) {
    await eachPlan(filter, (plans, told) => {
      const [search = ''] = plans
      assert.match(search, /Bitmap Index Scan on posts_by_gram/, told)
      for (const plan of plans) assert.doesNotMatch(plan, readsAll, told)
    })
  }
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) => sql`${authorsOfPostsWith(['zymurgy'])}`)
    assert.match(plans[0] ?? '', /Bitmap Index Scan on posts_by_gram/)
  }
})

test('the newest that everyone sees are one statement that reads them alone', async () => {
  for (const mode of planModes) {
    const [plan = '', ...more] = await plansOf(w.sql, mode, (sql) => newestListed(sql, { ...viewer(), id: null }, 6))
    assert.deepEqual(more, [])
    assert.match(plan, /Scan (Backward )?using listed_newest on/)
    assert.doesNotMatch(plan, readsAll)
    assert.ok(mostRows(plan) <= 6, plan)
  }
})

test('words of one author are sought among its posts or among those that have them', async () => {
  for (const filter of [
    { q: 'zymurgy', mine: true },
    { q: 'common', mine: true },
  ]) {
    await eachPlan(filter, ([search = ''], told) => {
      assert.match(search, /Scan (on|using) (posts_by_gram|posts_of_author|posts_of_author_kind|posts_private)/, told)
      assert.doesNotMatch(search, readsAll, told)
    })
  }
})
