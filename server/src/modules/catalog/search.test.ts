// Finding services: filters, words of several languages, and cursors that are good for one list and one reader.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { allFindable } from '../../../test/findable.ts'
import { draft, move, moved, priceBody, published, type Shown } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { cursorLifetime } from './cursor.ts'

const made: Record<string, Shown> = {}
const { w, ada, bob, mia } = story('ada', 'bob', 'mia')
beforehand(async () => {
  const price = (amount_minor: number, unit_label = 'logo', mode = 'fixed') => ({
    price: priceBody({ mode, amount_minor, unit_label }),
  })
  made['logo'] = await published(ada, { title: 'Round logo', description: 'Für jede Straße', ...price(1000) })
  made['essay'] = await published(ada, {
    title: 'Эссе',
    description: 'Text',
    tags: ['Сочинение', 'пиво'],
    ...price(2000, 'Страница'),
  })
  made['menu'] = await published(bob, { title: '菜单翻译', description: '中文 menu', ...price(3000, 'page', 'from') })
  made['site'] = await moved(
    bob,
    await published(bob, {
      title: 'Site',
      description: 'Pages',
      delivery_description: 'A round archive',
      ...price(4000, 'PAGE'),
    }),
    'pause',
  )
  made['draft'] = await draft(ada, { title: 'Round draft' })
  made['old'] = await moved(ada, await published(ada, { title: 'Round and archived' }), 'archive')
})
after(() => allFindable(w.sql))

const nameOf = ({ id }: { id: string }): string => Object.entries(made).find(([, each]) => each.id === id)?.[0] ?? id

/** What a list has, by names. */
async function list(query: Record<string, string>, who = mia, path = '/services'): Promise<string> {
  const answer = await who.get(`${path}?${new URLSearchParams(query)}`)
  assert.equal(code(answer), '200', `${JSON.stringify(query)} ${JSON.stringify(answer.body)}`)
  assert.equal(answer.body.next_cursor, null)
  return answer.body.items.map(nameOf).join(' ')
}

test('everyone finds published and paused services, newest first, by each filter and all together', async () => {
  const cases: [Record<string, string>, string][] = [
    [{}, 'site menu essay logo'],
    [{ provider_id: ada.id }, 'essay logo'],
    [{ provider_id: randomUUID() }, ''],
    [{ state: 'published' }, 'menu essay logo'],
    [{ state: 'paused' }, 'site'],
    [{ state: 'draft' }, ''],
    [{ state: 'archived' }, ''],
    [{ price_mode: 'from' }, 'menu'],
    [{ price_mode: 'fixed' }, 'site essay logo'],
    [{ unit_label: 'Page' }, 'site menu'],
    [{ unit_label: ' страница ' }, 'essay'],
    [{ unit_label: 'pag' }, ''],
    [{ unit_label: '' }, 'site menu essay logo'],
    [{ min_total_minor: '2200' }, 'site menu essay'],
    [{ min_total_minor: '2201' }, 'site menu'],
    [{ max_total_minor: '2200' }, 'essay logo'],
    [{ max_total_minor: '2199' }, 'logo'],
    [{ min_total_minor: '0', max_total_minor: '999999999999999' }, 'site menu essay logo'],
    [{ min_total_minor: '1100', max_total_minor: '1100' }, 'logo'],
    [
      {
        provider_id: bob.id,
        state: 'published',
        price_mode: 'from',
        unit_label: 'page',
        min_total_minor: '3300',
        q: 'menu',
      },
      'menu',
    ],
    [{ provider_id: ada.id, price_mode: 'from' }, ''],
    [{ unit_label: 'page', state: 'paused', price_mode: 'fixed' }, 'site'],
  ]
  for (const [query, expected] of cases) assert.equal(await list(query), expected, JSON.stringify(query))
})

test('a search finds services with all words in title, description, delivery and tags, in any language and case', async () => {
  const cases: [string, string][] = [
    ['round', 'site logo'],
    ['ROUND logo', 'logo'],
    ['ound', 'site logo'],
    ['straße', 'logo'],
    ['эссе', 'essay'],
    ['ПИВО сочинение', 'essay'],
    ['中文', 'menu'],
    ['翻', 'menu'],
    ['round 中文', ''],
    ['100%', ''],
    ['_', ''],
    [' ', 'site menu essay logo'],
    ['logo Für', 'logo'],
  ]
  for (const [q, expected] of cases) assert.equal(await list({ q }), expected, q)
  assert.equal(await list({ q: 'round', state: 'paused' }), 'site')
})

test("your own services are listed in all states, with the same filters, and nobody else's", async () => {
  const mine = (query: Record<string, string>, who = ada) => list(query, who, '/services/mine')
  assert.equal(await mine({}), 'old draft essay logo')
  assert.equal(await mine({}, mia), '')
  for (const [query, expected] of [
    [{ state: 'draft' }, 'draft'],
    [{ state: 'archived' }, 'old'],
    [{ q: 'round' }, 'old draft logo'],
    [{ unit_label: 'СТРАНИЦА' }, 'essay'],
    [{ price_mode: 'from' }, ''],
    [{ min_total_minor: '1101' }, 'essay'],
    [{ max_total_minor: '1100', state: 'published' }, 'logo'],
    [{ provider_id: ada.id, q: 'эссе' }, 'essay'],
    [{ provider_id: bob.id }, ''],
  ] as [Record<string, string>, string][]) {
    assert.equal(await mine(query), expected, JSON.stringify(query))
  }
})

test('a list continues after its cursor despite changes', async () => {
  const pages: string[][] = []
  let cursor: string | null = null
  let late: Shown
  do {
    const { body } = await mia.get(`/services?limit=1${cursor ? `&cursor=${cursor}` : ''}`)
    pages.push(body.items.map(nameOf))
    cursor = body.next_cursor
    late ??= await published(bob, { title: 'Late' })
  } while (cursor)
  assert.deepEqual(pages, [['site'], ['menu'], ['essay'], ['logo']])
  const first = (await mia.get('/services?limit=1')).body
  assert.equal(first.items[0].id, late.id)
  assert.equal(code(await move(bob, late, 'archive')), '200')
  const next = await mia.get(`/services?limit=1&cursor=${first.next_cursor}`)
  assert.deepEqual(next.body.items.map(nameOf), ['site'], 'behind one that is not there any more')
})

test('a cursor works only for its reader, filters, limit and scope, for a day, unchanged', async () => {
  const { next_cursor: cursor } = (await ada.get('/services?limit=2&q=o&state=published')).body
  const { next_cursor: own } = (await ada.get('/services/mine?limit=2')).body
  assert.ok(cursor === null || cursor.length < 200)
  const { next_cursor: plain } = (await ada.get('/services?limit=1')).body
  const refused = async (who: Agent, path: string) => {
    const answer = await who.get(path)
    assert.equal(code(answer), '400 invalid_input', path)
    assert.deepEqual(
      answer.body.error.details.fields.map(({ path: field }: { path: string }) => field),
      ['cursor'],
    )
  }
  assert.equal(code(await ada.get(`/services?limit=1&cursor=${plain}`)), '200')
  assert.equal(
    code(await ada.get(`/services?cursor=${plain}&limit=1&q=%20`)),
    '200',
    'the same filters, written otherwise',
  )
  await refused(bob, `/services?limit=1&cursor=${plain}`)
  await refused(ada, `/services?limit=2&cursor=${plain}`)
  await refused(ada, `/services?cursor=${plain}`)
  await refused(ada, `/services/mine?limit=1&cursor=${plain}`)
  await refused(ada, `/services?limit=2&cursor=${own}`)
  for (const filter of [
    'q=a',
    `provider_id=${ada.id}`,
    'state=published',
    'price_mode=fixed',
    'unit_label=a',
    'min_total_minor=0',
    'max_total_minor=9',
  ]) {
    await refused(ada, `/services?limit=1&cursor=${plain}&${filter}`)
  }
  for (const altered of [
    `${plain}A`,
    plain.slice(0, -1),
    `${plain.slice(0, 5)}${plain[5] === 'A' ? 'B' : 'A'}${plain.slice(6)}`,
    plain.slice(1),
    'x',
    '',
    `${plain}=`,
    '%00',
    'A'.repeat(500),
  ]) {
    await refused(ada, `/services?limit=1&cursor=${altered}`)
  }
  const last = plain.at(-1)
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    if (letter !== last) await refused(ada, `/services?limit=1&cursor=${plain.slice(0, -1)}${letter}`)
  }
  assert.equal(cursorLifetime, hours(24))
  w.travel(cursorLifetime - hours(1))
  assert.equal(code(await ada.get(`/services?limit=1&cursor=${plain}`)), '200')
  w.travel(hours(1))
  await refused(ada, `/services?limit=1&cursor=${plain}`)
})

test('the minimum price is at most the maximum', async () => {
  for (const path of ['/services', '/services/mine']) {
    assert.equal(code(await mia.get(`${path}?min_total_minor=2&max_total_minor=1`)), '400 invalid_input', path)
  }
})

test('a rare match is found even if many newer services share its common words', async () => {
  const gus = await w.agent('gus')
  await w.sql`
    insert into services (id, provider_id, state, title, description, tags, price_mode, unit_label, unit_folded,
      amount_minor, fee_bps, fee_minor, total_minor, input_schema, delivery_description, portfolio_post_ids, search_text,
      search_grams, created_at, updated_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${gus.id}, 'published', 'Bulk', 'Bulk', '{}',
      case when n = 7 then 'from' else 'fixed' end, 'bulk', 'bulk', n, 1000, 0, n, '{"version":1,"fields":[]}', 'Bulk',
      '{}', case when n = 5 then 'bulk quokka' else 'bulk' end,
      case when n = 5 then array['b', 'bu', 'bul', 'u', 'ul', 'ulk', 'q', 'quo', 'uok', 'okk', 'kka'] else array['bul', 'ulk'] end,
      ${w.now()}, ${w.now()}
    from generate_series(1, 3000) n`
  await w.sql`
    insert into listed_services (service_id, provider_id, state, price_mode, unit_label, total_minor)
    select id, provider_id, state, price_mode, unit_folded, total_minor from services where provider_id = ${gus.id}`
  const ids = async (query: string) =>
    (await mia.get(`/services?${query}`)).body.items.map(({ id }: { id: string }) => Number(id.slice(-12)))
  assert.deepEqual(await ids('q=quokka'), [5])
  assert.deepEqual(await ids('q=quokka+bulk&unit_label=bulk'), [5])
  assert.deepEqual(await ids('unit_label=bulk&price_mode=from'), [7])
  assert.deepEqual(await ids('min_total_minor=3&max_total_minor=4'), [4, 3])
  assert.deepEqual(await ids('unit_label=bulk&max_total_minor=2&state=published'), [2, 1])
  assert.equal((await ids('q=bulk&limit=50')).length, 50)
  const first = (await mia.get('/services?max_total_minor=3&limit=2')).body
  assert.equal(first.items.length, 2)
  const next = (await mia.get(`/services?max_total_minor=3&limit=2&cursor=${first.next_cursor}`)).body
  assert.deepEqual([next.items.length, next.next_cursor], [1, null])
  await w.sql`delete from listed_services where provider_id = ${gus.id}`
  await w.sql`delete from services where provider_id = ${gus.id}`
})
