// GET posts with words: what is searched, in any language and writing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { fold } from '../../search/grams.ts'

const { w, reader, ada, bob } = story('reader', 'ada', 'bob')
beforehand(async () => {
  const project = {
    task: 'Spannweite berechnen',
    result: 'Holds forty tons',
    role: 'Architect',
    tools: ['Blender', 'Saw 2'],
  }
  await givenPost(ada, { title: 'Bridge', text: 'Made of stone\nand patience', kind: 'portfolio', project })
  await givenPost(ada, { title: 'Мост', text: 'Перевожу тексты и документы' })
  await givenPost(bob, { title: '桥梁', text: '我会翻译技术文档' })
  await givenPost(bob, { title: '100% cotton_wool', text: 'back\\slash and under_score' })
  await givenPost(bob, { title: 'ＦＵＬＬ width', text: 'ΟΔΟΣ Cafe\u0301' })
  await givenPost(bob, { title: 'Secret bridge', visibility: 'private' })
  await givenPost(reader, { title: 'My own bridge', visibility: 'private' })
})

const find = async (query: Record<string, string>, agent = reader): Promise<string[]> => {
  const answer = await agent.get(`/posts?${new URLSearchParams(query)}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const titles = answer.body.posts.map(({ title }: { title: string }) => title)
  assert.equal(answer.body.pagination.total, titles.length)
  return titles
}
const search = (q: string): Promise<string[]> => find({ q })

test('q covers title, text and project, each word in any of them', async () => {
  assert.deepEqual(await search('BRIDGE'), ['My own bridge', 'Bridge'])
  assert.deepEqual(await search('patience'), ['Bridge'])
  assert.deepEqual(await search('spannweite'), ['Bridge'])
  assert.deepEqual(await search('forty ton'), ['Bridge'])
  assert.deepEqual(await search('architect'), ['Bridge'])
  assert.deepEqual(await search('blend'), ['Bridge'])
  assert.deepEqual(await search('saw stone bridge'), ['Bridge'])
  assert.deepEqual(await search('bridge cotton'), [])
  // Not across two fields, nor by whose it is, of what kind, or by the names of fields.
  for (const q of ['bridgemade', 'stoneand', 'ada', 'bob', 'portfolio', 'update', 'public', 'tools', 'role', '{}']) {
    assert.deepEqual(await search(q), [], q)
  }
})

test('q combines with the other filters', async () => {
  assert.deepEqual(await find({ q: 'bridge', author: ada.id }), ['Bridge'])
  assert.deepEqual(await find({ q: 'bridge', author: bob.id }), [])
  assert.deepEqual(await find({ q: 'bridge', author: reader.id }), ['My own bridge'])
  assert.deepEqual(await find({ q: 'bridge', mine: 'true' }), ['My own bridge'])
  assert.deepEqual(await find({ q: 'bridge', kind: 'portfolio' }), ['Bridge'])
  assert.deepEqual(await find({ q: 'bridge' }, bob), ['Secret bridge', 'Bridge'])
  const second = await reader.get('/posts?q=bridge&page=2&page_size=1')
  assert.deepEqual([second.body.posts[0].title, second.body.pagination.total], ['Bridge', 2])
  const beyond = await reader.get('/posts?q=bridge&page=3&page_size=1')
  assert.deepEqual([beyond.body.posts, beyond.body.pagination.total], [[], 2])
})

test('q finds Russian and Chinese, also words of two characters or one', async () => {
  assert.deepEqual(await search('мост'), ['Мост'])
  assert.deepEqual(await search('ПЕРЕВОЖУ документ'), ['Мост'])
  assert.deepEqual(await search('ко'), [])
  assert.deepEqual(await search('ек'), ['Мост'])
  assert.deepEqual(await search('翻译'), ['桥梁'])
  assert.deepEqual(await search('桥'), ['桥梁'])
  assert.deepEqual(await search('技术文档'), ['桥梁'])
  assert.deepEqual(await search('译翻'), [])
})

test('different spellings match: full width, composed accents, the two sigmas', async () => {
  for (const q of ['full', 'ｆｕｌｌ', 'caf\u00e9', 'cafe\u0301', 'οδοσ', 'ΟΔΟΣ', 'οδος']) {
    assert.deepEqual(await search(q), ['ＦＵＬＬ width'], q)
  }
})

test('wildcards and quotes are plain characters', async () => {
  for (const q of ['%', '100%', 'cotton_wool', 'r_s', 'k\\s'])
    assert.deepEqual(await search(q), ['100% cotton_wool'], q)
  for (const q of ['c_tton', '*', 'a.*', "'", '"bridge"', "'; drop table posts; --", '{a,b}', '(', '&', '|', ':*']) {
    assert.deepEqual(await search(q), [], q)
  }
})

test('an empty or blank q is ignored', async () => {
  for (const q of ['', '   ', '\u3000']) assert.equal((await search(q)).length, 6)
})

test('a changed post is found only by its new words, and a deleted one by none', async () => {
  const post = await givenPost(ada, { title: 'Quokka' })
  assert.deepEqual(await search('quokka'), ['Quokka'])
  await ada.patch(`/posts/${post.id}`, { title: 'Wombat', project: { role: 'Keeper' } })
  assert.deepEqual([await search('quokka'), await search('wombat keeper')], [[], ['Wombat']])
  await w.request('DELETE', `/posts/${post.id}`, { token: ada.token })
  assert.deepEqual(await search('wombat'), [])
})

test('of thousands of marks on one letter, a search has thirty', async () => {
  // What reads each of them takes the square of their number to sort them.
  const marks = '\u0300\uff9e\u0323'.repeat(2600)
  assert.equal(
    fold(`a${marks}`)
      .normalize('NFD')
      .replace(/[^\p{M}]/gu, '').length,
    30,
  )
  await givenPost(bob, { title: 'Marked', text: `zy${marks}mur` })
  assert.deepEqual(await search(`ZY${marks.slice(0, 100)}MUR`), ['Marked'])
})
