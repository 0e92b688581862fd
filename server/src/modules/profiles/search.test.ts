import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundAgents } from '../../../test/findable.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'

const { w } = story()
const reader = beforehand(() => w.agent('reader', { profile_public: false }))
beforehand(async () => {
  const crowd: [string, Record<string, unknown>][] = [
    ['zoe', { display_name: 'Anna', specialty: 'Translation, poems', bio: 'I translate\nfrom Norwegian' }],
    ['anna', { display_name: 'Anna', specialty: 'Machine learning' }],
    ['bert', { display_name: 'Äsop', specialty: 'ПЕРЕВОДЫ с русского', bio: 'Перевожу тексты и документы' }],
    ['chen', { display_name: '陈小明', specialty: '机器学习与翻译', bio: '我会翻译技术文档' }],
    ['dita', { display_name: 'anna', specialty: '100% cotton_wool', bio: 'back\\slash and under_score' }],
    ['emil', { display_name: 'Emil', bio: 'Loves machines, not learning' }],
    ['faye', { display_name: 'ＦＵＬＬ width', bio: 'ΟΔΟΣ Cafe\u0301' }],
    ['hide', { display_name: 'Anna hidden', profile_public: false }],
  ]
  for (const [handle, fields] of crowd) await w.agent(handle, fields)
})

const find = (query: Record<string, string>): Promise<string[]> => foundAgents(reader, query)
const search = (q: string): Promise<string[]> => find({ q })
const specialty = (text: string): Promise<string[]> => find({ specialty: text })

test('open agents are sorted by display name, then handle', async () => {
  const answer = await reader.get('/bots')
  assert.deepEqual(
    answer.body.bots.map(({ display_name, handle }: Agent['bot']) => `${display_name} ${handle}`),
    ['Anna anna', 'Anna zoe', 'Emil emil', 'anna dita', 'Äsop bert', '陈小明 chen', 'ＦＵＬＬ width faye'],
  )
  assert.deepEqual(answer.body.pagination, { page: 1, page_size: 20, total: 7 })
  assert.deepEqual(Object.keys(answer.body).sort(), ['bots', 'pagination'])
})

test('q covers handle, name, specialty and bio, in any case, and returns each agent once', async () => {
  assert.deepEqual(await search('zoe'), ['zoe'])
  assert.deepEqual(await search('ANNA'), ['anna', 'zoe', 'dita'])
  assert.deepEqual(await search('poem'), ['zoe'])
  assert.deepEqual(await search('norweg'), ['zoe'])
  assert.deepEqual(await search('machine'), ['anna', 'emil'])
  assert.deepEqual(await search('nobody at all'), [])
  // Every word, in whatever field.
  assert.deepEqual(await search('anna poems'), ['zoe'])
  assert.deepEqual(await search('learning machine'), ['anna', 'emil'])
  // Not across two fields as if they were one text.
  assert.deepEqual(await search('annamachine'), [])
})

test('q finds Russian and Chinese, also words of two characters or one', async () => {
  assert.deepEqual(await search('переводы'), ['bert'])
  assert.deepEqual(await search('ПЕРЕВОЖУ ТЕКСТЫ'), ['bert'])
  assert.deepEqual(await search('документ'), ['bert'])
  assert.deepEqual(await search('翻译'), ['chen'])
  assert.deepEqual(await search('小明'), ['chen'])
  assert.deepEqual(await search('陈'), ['chen'])
  assert.deepEqual(await search('技术文档'), ['chen'])
  assert.deepEqual(await search('译翻'), [])
  assert.deepEqual(await search('äs'), ['bert'])
})

test('different spellings match: full width, composed accents, the two sigmas', async () => {
  assert.deepEqual(await search('full'), ['faye'])
  assert.deepEqual(await search('ｆｕｌｌ'), ['faye'])
  assert.deepEqual(await search('caf\u00e9'), ['faye'])
  assert.deepEqual(await search('οδοσ'), ['faye'])
  assert.deepEqual(await search('οδός'.normalize('NFD').replaceAll('\u0301', '')), ['faye'])
})

test('the specialty has its own filter', async () => {
  assert.deepEqual(await specialty('machine learning'), ['anna'])
  assert.deepEqual(await specialty('переводы'), ['bert'])
  assert.deepEqual(await specialty('С РУССКОГО'), ['bert'])
  assert.deepEqual(await specialty('翻译'), ['chen'])
  assert.deepEqual(await specialty('机器'), ['chen'])
  assert.deepEqual(await specialty('norwegian'), [], 'the bio is no specialty')
  assert.deepEqual(await specialty('bert'), [])
  assert.deepEqual(await find({ q: 'anna', specialty: 'poems' }), ['zoe'])
  assert.deepEqual(await find({ q: 'emil', specialty: 'poems' }), [])
})

test('wildcards and quotes are plain characters', async () => {
  assert.deepEqual(await search('%'), ['dita'])
  assert.deepEqual(await search('100%'), ['dita'])
  assert.deepEqual(await search('cotton_wool'), ['dita'])
  assert.deepEqual(await search('r_s'), ['dita'])
  assert.deepEqual(await search('c_tton'), [])
  assert.deepEqual(await search('k\\s'), ['dita'])
  for (const q of [
    '*',
    'a.*',
    "'",
    '"anna"',
    "'; drop table agents; --",
    '{a,b}',
    '(',
    '[a]',
    '&',
    '|',
    '!a',
    ':*',
    '<->',
  ]) {
    assert.deepEqual(await search(q), [], q)
  }
})

test('an empty or blank filter is ignored', async () => {
  for (const q of ['', '   ', '\u3000']) assert.equal((await search(q)).length, 7)
  assert.equal((await find({ q: '', specialty: ' ' })).length, 7)
})

test('hostile queries are refused, never 500', async () => {
  const get = async (query: string) => code(await reader.get(`/bots?${query}`))
  assert.equal(await get('q=a%00b'), '400 invalid_search')
  for (const query of ['q=%', 'q=%zz', 'q=%ff', 'q=%C3', 'q=%ED%A0%80', '%ff=1', 'specialty=%E0%A4']) {
    assert.equal(await get(query), '400 invalid_input', query)
  }
  for (const query of ['q=&q=', 'Q=a', 'q[]=a', '__proto__=1', 'constructor=1', '=']) {
    assert.equal(await get(query), '400 invalid_input', query)
  }
  assert.equal(await get('q=a+b'), '200')
  assert.equal(await get(''), '200')
})

test('pages continue without gaps or duplicates, and end empty', async () => {
  for (const filter of ['', '&q=a']) {
    const whole = (await reader.get(`/bots?page_size=50${filter}`)).body
    const seen: string[] = []
    for (let page = 1; ; page++) {
      const answer = await reader.get(`/bots?page=${page}&page_size=2${filter}`)
      assert.deepEqual(answer.body.pagination, { page, page_size: 2, total: whole.pagination.total })
      if (answer.body.bots.length === 0) break
      seen.push(...answer.body.bots.map(({ id }: { id: string }) => id))
    }
    assert.deepEqual(
      seen,
      whole.bots.map(({ id }: { id: string }) => id),
    )
    assert.equal(seen.length, whole.pagination.total)
  }
})

test('a changed profile is found at once by its new words, and not by its old ones', async () => {
  const gil = await w.agent('gil', { specialty: 'Carpentry', bio: 'wood' })
  assert.deepEqual(await search('carpentry'), ['gil'])
  await gil.patch('/bots/me', { specialty: 'Масло 油画', bio: null, display_name: 'Painter' })
  assert.deepEqual([await search('carpentry'), await specialty('carpentry'), await search('wood')], [[], [], []])
  assert.deepEqual(
    [await search('油画'), await specialty('масло'), await search('painter')],
    [['gil'], ['gil'], ['gil']],
  )
  await gil.patch('/bots/me', { profile_public: false })
  assert.deepEqual([await search('油画'), await specialty('масло')], [[], []])
})
