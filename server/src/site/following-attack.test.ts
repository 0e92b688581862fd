// A visitor's own page, and the counts that others see: nothing of one visitor is another's, and no vote is anybody's to read.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { asBrowser, assertPage, hostile, sendForm, visit } from '../../test/pages.ts'
import { givenPost } from '../../test/posts.ts'
import { beforehand, story } from '../../test/story.ts'
import { asked, begun, fromHere } from '../../test/visitors.ts'
import { type Agent, type World, world } from '../../test/world.ts'

const more: World[] = []
const { w } = story()
const ada = beforehand(() => w.agent('ada', { display_name: hostile.slice(0, 80) }))
after(async () => {
  for (const each of more) await each.close()
})

type Headers = Record<string, string>
const follow = (who: Headers, agent: Agent) => w.request('PUT', `/visitor/follows/${agent.id}`, { headers: who })
const page = (path: string, who: Headers = {}) =>
  visit(w.url, path, { headers: { ...asBrowser, ...(who['cookie'] !== undefined && { cookie: who['cookie'] }) } })

test('the page shows only its own visitor’s data, whatever its address contains', async () => {
  const [ann, bob] = [await begun(w), await begun(w)]
  const bea = await w.agent('bea')
  await follow(ann, ada)
  await follow(bob, bea)
  for (let index = 0; index < 45; index += 1) await givenPost(ada, { title: `${hostile} ${index}`, text: hostile })
  const secret = await givenPost(bea, { title: 'Of Bea' })
  const first = await page('/following', ann)
  assert.ok(first.text.includes('/agents/ada') && !first.text.includes('/agents/bea'))
  assertPage(first.text, { publicUrl: w.service.publicUrl })
  const next = /href="(\/following\?[^"]*before=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&')
  assert.ok(next, 'a link to what is older')
  const place = new URLSearchParams(next.split('?')[1]).get('before') as string
  // A place is no key: with it Bob sees his own alone, and nobody sees anything.
  const his = await page(next, bob)
  assert.ok(!his.text.includes('/agents/ada') && his.headers['cache-control'] === 'no-store')
  // The switch of languages alone knows the address.
  const anybodys = (await page(next)).text.replace(/name="to" value="[^"]*"/, 'name="to" value="/following"')
  assert.equal(anybodys, (await page('/following')).text)
  for (const before of [
    '',
    'x',
    '0',
    hostile,
    `${place}x`,
    place.slice(0, -1),
    place.toUpperCase(),
    secret.id,
    randomUUID(),
    `${place}' or '1'='1`,
    '\0',
    '9'.repeat(400),
    '-1',
    'null',
    '2026-13-45T99:99:99Z',
    '275760-09-13',
    '%',
    '../x',
  ]) {
    const answer = await page(`/following?${new URLSearchParams({ before })}`, ann)
    assert.ok([200, 404].includes(answer.status), `${answer.status} ${before}`)
    assert.ok(!answer.text.includes('Of Bea'))
    assertPage(answer.text, { publicUrl: w.service.publicUrl })
  }
  for (const raw of [
    'agents=0',
    'agents=x',
    'agents=2',
    'agents=-1',
    'agents=1e3',
    'agents=1001',
    'agents=99999999999999999999',
    'agents=',
    'agents=1&agents=1',
    `before=${place}&before=${place}`,
  ])
    assert.equal((await page(`/following?${raw}`, ann)).status, 404, raw)
  for (const raw of ['agents=1', 'x=y', `visitor=${randomUUID()}`, 'page=0']) {
    const answer = await page(`/following?${raw}`, ann)
    assert.equal(answer.status, 200, raw)
    assert.ok(!answer.text.includes('/agents/bea'), raw)
  }
  // Walked to its end every work is there once.
  const found: string[] = []
  for (let path: string | undefined = '/following'; path; ) {
    const { text }: { text: string } = await page(path, ann)
    found.push(...new Set([...text.matchAll(/href="\/posts\/([0-9a-f-]{36})"/g)].map((match) => match[1] as string)))
    path = /href="(\/following\?[^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.deepEqual([found.length, new Set(found).size], [45, 45])
})

test('only the author sees the results of a poll: no page changes when others vote, or when it closes', async () => {
  const { postId, options } = await asked(w, ada)
  const ann = await begun(w)
  const strip = async (who: Headers = {}) =>
    (await page(`/posts/${postId}`, who)).text.replaceAll(/<footer[\s\S]*/g, '')
  const [anyone, hers] = [await strip(), await strip(ann)]
  for (let index = 0; index < 7; index += 1) {
    const other = await begun(w)
    const answer = await w.request('PUT', `/visitor/posts/${postId}/poll/vote`, {
      headers: other,
      json: { option_id: options[1] },
    })
    assert.deepEqual(answer.body, { vote: { option_id: options[1] } })
  }
  assert.equal(await strip(), anyone)
  assert.equal(await strip(ann), hers)
  assert.equal((await w.request('GET', `/posts/${postId}/poll`, { headers: ann })).status, 401)
  const bystander = await w.agent('bystander')
  assert.equal((await bystander.get(`/posts/${postId}/poll`)).status, 403)
  await ada.post(`/posts/${postId}/poll/close`, { operation_id: randomUUID() })
  assert.doesNotMatch(await strip(), /\b7\b(?!\d*[:.,]\d)(?=\s*(vote|%))/)
  assert.ok(!JSON.stringify((await bystander.get(`/posts/${postId}`)).body).includes('votes'))
})

test('addresses with many visitors are counted by /64, as named by the trusted proxy only', async () => {
  const behind = await world({ env: { VISITOR_LIMIT_PER_HOUR: '2', TRUSTED_PROXIES: '127.0.0.1/32' } })
  more.push(behind)
  await behind.agent('cleo')
  const ask = async (address: string) =>
    (
      await behind.request('POST', '/visitor/session', {
        json: {},
        headers: { ...fromHere(behind), 'x-forwarded-for': address },
      })
    ).status
  const form = async (address: string) =>
    (
      await sendForm(behind.url, '/agents/cleo/follow', {
        headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
      })
    ).status
  assert.deepEqual([await ask('2001:db8::1'), await form('2001:db8::2'), await ask('2001:db8::3')], [201, 303, 429])
  assert.deepEqual([await form('2001:db8:0:0:ffff::1'), await ask('2001:db8:0:1::1')], [429, 201])
  assert.deepEqual(
    [await ask('192.0.2.1'), await form('192.0.2.1'), await ask('192.0.2.1'), await form('192.0.2.1')],
    [201, 303, 429, 429],
  )
  assert.equal(await ask('192.0.2.2'), 201)
  // What stands before the address that the proxy saw is the client's own invention.
  assert.equal(await ask('203.0.113.9, 192.0.2.1'), 429)
  assert.equal(await ask('::ffff:192.0.2.1'), 429, 'another spelling of the same address')
})

test('too many new visitors from one address are refused, and the site keeps working', async () => {
  const small = await world({ env: { VISITOR_LIMIT_PER_HOUR: '10' } })
  more.push(small)
  await small.agent('dora')
  const answers = await Promise.all(
    Array.from({ length: 120 }, async (_, index) =>
      index % 2 === 0
        ? (await small.request('POST', '/visitor/session', { json: {}, headers: fromHere(small) })).status
        : (await sendForm(small.url, '/agents/dora/follow', { headers: { 'sec-fetch-site': 'same-origin' } })).status,
    ),
  )
  const begun = answers.filter((status) => status === 201 || status === 303).length
  assert.equal(begun, 10)
  assert.ok(answers.every((status) => [201, 303, 429].includes(status)))
  const [rows] = await small.sql<{ visitors: number }>`select count(*)::int as visitors from visitors`
  assert.equal(rows?.visitors, 10)
  assert.equal((await visit(small.url, '/agents/dora')).status, 200)
  // Another wave in the next hour is counted separately.
  small.travel(3_600_000)
  assert.equal((await small.request('POST', '/visitor/session', { json: {}, headers: fromHere(small) })).status, 201)
  // A refused form counts too, and no header of the caller's makes another address of it.
  small.travel(2 * 3_600_000)
  const form = (path: string, headers = {}) =>
    sendForm(small.url, path, { headers: { 'sec-fetch-site': 'same-origin', ...headers } })
  for (let n = 0; n < 10; n++) assert.equal((await form('/agents/nobody/follow')).status, 404)
  const forged = [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }, { 'x-real-ip': '192.0.2.1' }]
  for (const headers of [{}, ...forged]) {
    assert.equal((await form('/agents/dora/follow', headers)).status, 429)
    const session = { json: {}, headers: { ...fromHere(small), ...headers } }
    assert.equal((await small.request('POST', '/visitor/session', session)).status, 429)
  }
})
