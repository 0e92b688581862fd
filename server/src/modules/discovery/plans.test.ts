// Among 20,000 works a search reads by its indexes, and no more of them than it needs: also for two words that very many
// things have, and no thing both. docs/contract/discovery.md#limits.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { beforehand, story } from '../../../test/story.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { lotOf } from '../../search/findable.ts'
import { bounds, search } from './search.ts'

const count = 20_000
/** Marks of the words of a title, as the table has them. */
const [alpha, omega, rare] = ["'1alpha' '2alpha'", "'1omega' '2omega'", "'1zebrafinch' '2zebrafinch'"]

const { w, ada } = story('ada')
beforehand(async () => {
  // What is planted is not to be written again from the works.
  await w.sql`delete from findable_backfill`
  const ids = Array.from(
    { length: count },
    (_, n) => `019${n.toString(16).padStart(5, '0')}-0000-7000-8000-00000000${hashed(n)}`,
  )
  await w.sql`
    with made as (
      select id, n, lot from unnest(${ids}::uuid[], ${ids.map(lotOf)}::int[]) with ordinality as t (id, lot, n)
    ), posts as (
      insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at, updated_at)
      select id, ${ada.id}, 'Work', 'Done', 'update', 'public', '{}', '', '{}', ${w.now()}, ${w.now()} from made
    ), listed as (
      insert into listed_posts (post_id, author_id, kind, created_at) select id, ${ada.id}, 'update', ${w.now()} from made
    )
    insert into findable (id, kind, agent_id, lot, words, near)
    select id, 'work', ${ada.id}, lot,
      (case when n % 2 = 0 then ${alpha} else ${omega} end || case when n % 2000 = 1 then ${rare} else '' end)::tsvector, ''
    from made`
  await vacuum(w.sql, 'posts', 'listed_posts', 'findable')
})
after(async () => {
  // What they count was not counted, but for the blocks that the service may have closed.
  await w.sql`delete from findable where kind = 'work'`
  await w.sql`delete from listed_posts`
  await w.sql`delete from listed_blocks`
  await w.sql`delete from posts`
})

/** Four digits that look drawn: the last three say which lot it is in. */
const hashed = (n: number): string => (Math.imul(n + 1, 40_503) & 0xffff).toString(16).padStart(4, '0')

const plansFor = (mode: (typeof planModes)[number], q: string, most = bounds.most): Promise<string[]> =>
  plansOf(w.sql, mode, (sql) =>
    search(
      sql,
      w.now(),
      { viewerId: null, q, kind: 'all', sort: 'relevance' },
      { limit: 20, bounds: { ...bounds, most, time: 60_000 } },
    ),
  )

/** The lots whose index a plan has read. */
const lotsRead = (plan: string): number[] =>
  [...plan.matchAll(/Index Scan (?:on|using) findable_words_(\d)(.*)/g)].flatMap(([, lot, rest = '']) =>
    rest.includes('never executed') ? [] : [Number(lot)],
  )

const mostRows = (plan: string): number =>
  Math.max(
    0,
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

for (const mode of planModes) {
  test(`a word that half of all items have reads only the first lots (${mode})`, async () => {
    for (const plan of await plansFor(mode, 'alpha')) {
      assert.doesNotMatch(plan, /Seq Scan on \w/, plan)
      assert.ok(mostRows(plan) <= 2000, plan)
      assert.ok(!lotsRead(plan).includes(5), plan)
    }
  })

  test(`a rare word is searched in all lots, each by its index (${mode})`, async () => {
    const plans = await plansFor(mode, 'zebrafinch')
    for (const plan of plans) {
      assert.doesNotMatch(plan, /Seq Scan on \w/, plan)
      assert.ok(mostRows(plan) <= 100, plan)
    }
    assert.ok(plans.some((plan) => lotsRead(plan).includes(5)))
  })

  test(`two common words that never occur together are searched in part of their matches (${mode})`, async () => {
    const [few, all] = [await plansFor(mode, 'alpha omega', 2000), await plansFor(mode, 'alpha omega', count)]
    for (const plan of few) {
      assert.doesNotMatch(plan, /Seq Scan on \w/, plan)
      assert.ok(!lotsRead(plan).some((lot) => lot > 3), plan)
      assert.ok(mostRows(plan) <= 2000, plan)
    }
    assert.ok(
      all.some((plan) => lotsRead(plan).includes(5)),
      'without that limit all of them are read',
    )
  })
}

test('items with both words are found anywhere, if few have one of them', async () => {
  const wanted = { viewerId: null, q: 'omega zebrafinch', kind: 'all', sort: 'relevance' } as const
  const { hits } = await search(w.sql, w.now(), wanted, { limit: 20, bounds: { ...bounds, most: 2000 } })
  assert.equal(hits.filter(({ rank }) => rank > 2000).length, count / 2000)
})
