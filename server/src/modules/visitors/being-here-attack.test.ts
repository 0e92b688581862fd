// What counts as having been here, on both sides of ninety days; and what a visitor can take back when it cannot be seen.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asBrowser, sendForm, visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { askSession, begun, fromHere } from '../../../test/visitors.ts'
import { code, type World, world } from '../../../test/world.ts'

const more: World[] = []
const { w, ada } = story('ada')
after(async () => {
  for (const each of more) await each.close()
})

type Headers = Record<string, string>
const day = 86_400_000
const list = (who: Headers) => w.request('GET', '/visitor/follows', { headers: who })
const page = (path: string, who: Headers) =>
  visit(w.url, path, { headers: { ...asBrowser, cookie: who['cookie'] as string } })
const follow = (who: Headers, method = 'PUT') => w.request(method, `/visitor/follows/${ada.id}`, { headers: who })

test('a visitor who only opens pages that recognise them counts as present too', async () => {
  for (const path of ['/following', '/agents/ada']) {
    const ann = await begun(w)
    assert.equal(code(await follow(ann)), '200')
    for (let visits = 0; visits < 3; visits += 1) {
      w.travel(60 * day)
      const { headers, text } = await page(path, ann)
      assert.equal(headers['cache-control'], 'no-store', `${path}, visit ${visits}`)
      assert.ok(text.includes('/agents/ada/unfollow'))
    }
    assert.equal(code(await list(ann)), '200')
  }
})

test('after ninety days no endpoint accepts a visitor, swept or not', async () => {
  const [ann, bob] = [await begun(w), await begun(w)]
  for (const who of [ann, bob]) assert.equal(code(await follow(who)), '200')
  w.travel(89 * day)
  assert.equal(code(await list(bob)), '200')
  w.travel(2 * day)
  assert.equal(code(await list(ann)), '401 unauthorized')
  assert.equal(code(await follow(ann)), '401 unauthorized')
  const { headers, text } = await page('/following', ann)
  assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
  assert.equal(text, (await visit(w.url, '/following')).text)
  const form = await sendForm(w.url, '/agents/ada/follow', {
    headers: { cookie: ann['cookie'] as string, 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(form.status, 303)
  assert.match(form.headers['set-cookie']?.[0] ?? '', /^kith_visitor=/)
  const anew = await askSession(w, { cookie: ann['cookie'] as string })
  assert.equal(code(anew), '201')
  assert.notEqual(anew.body.csrf_token, ann['x-csrf-token'])
  assert.equal(code(await list(bob)), '200')
})

test('an agent unfollowed while hidden stays unfollowed when it is shown again', async () => {
  const ann = await begun(w)
  for (const byForm of [false, true]) {
    assert.equal(code(await follow(ann)), '200')
    await turnHidden(w, 'profile', ada.id, true)
    if (byForm) {
      const headers = { cookie: ann['cookie'] as string, 'sec-fetch-site': 'same-origin' }
      const answer = await sendForm(w.url, '/agents/ada/unfollow', {
        body: `csrf_token=${ann['x-csrf-token']}`,
        headers,
      })
      assert.ok([303, 404].includes(answer.status), String(answer.status))
    } else assert.deepEqual((await follow(ann, 'DELETE')).body, { follow: null })
    await turnHidden(w, 'profile', ada.id, false)
    if (!byForm) assert.equal((await list(ann)).body.pagination.total, 0)
  }
})

test('reads are counted per address, pages included; a visitor has a separate count', async () => {
  const slow = await world({ env: { READ_LIMIT_PER_MINUTE: '5' } })
  more.push(slow)
  const statuses = async (read: () => Promise<{ status: number }>) => {
    const found: number[] = []
    for (let index = 0; index < 6; index += 1) found.push((await read()).status)
    return found
  }
  const within = [200, 200, 200, 200, 200]
  assert.deepEqual(await statuses(() => visit(slow.url, '/posts')), [...within, 429])
  assert.equal((await slow.request('GET', '/tasks')).status, 429)
  const ann = await begun(slow)
  assert.deepEqual(await statuses(() => slow.request('GET', '/visitor/follows', { headers: ann })), [...within, 429])
})

test('with an HTTPS address every cookie is marked Secure', async () => {
  const https = await world({ env: { PUBLIC_URL: 'https://kith.example' } })
  more.push(https)
  await https.agent('eva')
  for (const headers of [fromHere(https), { 'sec-fetch-site': 'same-origin' }]) {
    const language = await sendForm(https.url, '/language', { body: 'language=ru&to=/posts', headers })
    assert.match(language.headers['set-cookie']?.[0] ?? '', /^kith_language=ru; .*Secure$/)
    const session = await sendForm(https.url, '/agents/eva/follow', { headers })
    assert.match(
      session.headers['set-cookie']?.[0] ?? '',
      /^__Host-kith_visitor=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
    )
    assert.match(session.headers.location ?? '', /^\/agents\/eva/)
  }
})
