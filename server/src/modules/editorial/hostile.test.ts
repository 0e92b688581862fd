// Articles by those who would break them: fifty thousand characters however they are spelled, and a crowd that does anything at any
// time. docs/contract/editorial.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { throws } from '../../../test/dice.ts'
import { actionBody, articleBody, author, read, write } from '../../../test/editorial.ts'
import { heard } from '../../../test/heard.ts'
import type { Shown } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, assertInvariants, code, race } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { hide, unhide } from '../staff/hiding.ts'
import { setAssigned } from './authors.ts'
import { inviteDue } from './invitations.ts'

const { w } = story()
const there = beforehand(() => w.node())

test('fifty thousand characters are accepted in any spelling, up to one mebibyte', async () => {
  const ada = await author(w, 'ada')
  const send = (raw: string) => w.request('POST', '/editorial/articles', { token: ada.token, raw })
  const spelled = (each: string, times = 50_000): string =>
    JSON.stringify(articleBody({ body: '' })).replace('"body":""', `"body":"${each.repeat(times)}"`)
  for (const each of ['🜁', '\\ud83d\\ude00', '\\u0430', '\\"']) {
    const answer = await send(spelled(each))
    assert.deepEqual([code(answer), [...(answer.body.article?.body ?? '')].length], ['201', 50_000], each)
    const { status, text } = await visit(w.url, '/feed.xml')
    assert.deepEqual([status, text.isWellFormed()], [200, true])
  }
  assert.equal(code(await send(spelled('\\ud83d\\ude00', 50_001))), '400 invalid_input')
  const padded = (bytes: number): string => JSON.stringify(articleBody()).padEnd(bytes)
  assert.equal(code(await send(padded(1024 ** 2))), '201')
  assert.equal(code(await send(padded(1024 ** 2 + 1))), '413 payload_too_large')
})

test('under random concurrent requests nothing fails, and the feed and the pages match the articles', async () => {
  const crowd = await Promise.all(Array.from({ length: 4 }, (_, n) => author(w, `crowd_${n}`)))
  const articles: Shown[] = []
  const { dice, pick } = throws()
  const failed: string[] = []
  const say = async (who: Agent, method: string, path: string, json?: unknown): Promise<Shown> => {
    const answer = await (dice(2) ? w : there).request(method, path, { token: who.token, json })
    if (answer.status >= 500) failed.push(`${method} ${path} ${code(answer)}`)
    return answer.status < 300 ? answer.body : {}
  }
  const writes = async () => {
    const body = articleBody({ publish: dice(2) > 0, publication_confirmed: true })
    const { article } = await say(pick(crowd), 'POST', '/editorial/articles', body)
    if (article) articles.push(article)
  }
  const { sql } = w.service
  const turn = (kind: 'article' | 'profile', id: string) =>
    sql.transaction((tx) => (dice(6) > 0 ? unhide : hide)(tx, kind, id))
  const acts: (() => Promise<unknown>)[] = [
    writes,
    async () => {
      // The newest, for which all contend.
      const seen = pick(articles.slice(-3))
      const action = pick(['', '/publish', '/publish', '/withdraw'])
      const who = crowd.find(({ id }) => id === seen.author.id) as Agent
      const body = actionBody(seen as { version: number } & Shown, {
        ...(action !== '/withdraw' && { publication_confirmed: true }),
        ...(action === '' && { title: `No. ${dice(99)}` }),
      })
      const path = `/editorial/articles/${seen.id}`
      const { article } = await say(who, action ? 'POST' : 'PATCH', path + action, body)
      Object.assign(seen, article ?? (await say(who, 'GET', path)).article)
    },
    () =>
      say(
        pick(crowd),
        'PATCH',
        '/bots/me',
        dice(2) ? { profile_public: dice(6) > 0 } : { display_name: `N${dice(9)}` },
      ),
    () => turnSuspended(w, pick(crowd).id, dice(10) === 0),
    () => sql.transaction((tx) => setAssigned(tx, pick(crowd).id, dice(6) > 0)),
    () => turn('profile', pick(crowd).id),
    () => turn('article', pick(articles.slice(-3)).id),
    async () => {
      const { status } = await visit(w.url, pick(['/feed.xml', '/articles']))
      if (status !== 200) failed.push(`a page ${status}`)
    },
    async () => {
      if (dice(4) > 0) return
      w.travel(hours(5))
      await inviteDue((dice(2) ? w : there).service)
    },
  ]
  articles.push(await write(crowd[0] as Agent))
  await race(12, async () => {
    for (let n = 0; n < 30; n++) await pick(acts)()
    return w.request('GET', '/feedback/ideas')
  })
  assert.deepEqual(failed, [])
  await assertInvariants(w.sql, 'moderation.hidden_by')
  for (const { id } of crowd) {
    await sql.transaction((tx) => setAssigned(tx, id, false))
    await turnSuspended(w, id, false)
    await sql.transaction((tx) => unhide(tx, 'profile', id))
    await sql.transaction((tx) => setAssigned(tx, id, true))
  }
  for (const { id } of articles) await sql.transaction((tx) => unhide(tx, 'article', id))
  const out: string[] = []
  for (const who of crowd) {
    await who.patch('/bots/me', { profile_public: true })
    assert.equal((await heard(w, who, 'editorial.invitation')).length, 1, 'one is left, of the last assignment')
    for (const article of articles.filter(({ author: { id } }) => id === who.id)) {
      const { state, public_url: url } = await read(who, article as { id: string } & Shown)
      if (state === 'published') out.push(url)
      assert.equal((await visit(w.url, `/articles/${article.id}`)).status, state === 'published' ? 200 : 404)
    }
  }
  const { text } = await visit(w.url, '/feed.xml')
  const links = [...text.matchAll(/<link>([^<]*\/articles\/[^<]+)<\/link>/g)].map(([, link]) => link)
  assert.ok(links.every((link) => out.includes(link as string)))
  assert.equal(links.length, Math.min(50, out.length))
})
