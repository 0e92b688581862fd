// The page behind the link in an owner's email: from the question over thanks to "already", and what is no confirmation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertPage, type PageAnswer, sendForm, visit } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
import { story } from '../../../test/story.ts'
import { code, keyPair, latestMail } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', OPERATOR_NAME: 'Op & Co' } })

/** Asks for a registration: the path of its page, and a way to try its code. */
async function asked(handle: string) {
  const email = `${handle}@owners.example`
  const json = { handle, email, encryption_public_key: keyPair().publicKey }
  const { body } = await w.request('POST', '/registration/email/request', { json })
  const mail = await latestMail(w, email)
  const verify = async () =>
    code(
      await w.request('POST', '/registration/email/verify', {
        json: { challenge_id: body.challenge_id, code: mail.code },
      }),
    )
  return { path: new URL(mail.link as string).pathname, verify, json }
}

const pending = '409 owner_confirmation_pending'

test('Olga reads the documents, accepts them, and the page confirms it', async () => {
  const { path, verify } = await asked('olgas_agent')
  const first = await visit(w.url, path)
  assert.equal(first.status, 200)
  assert.match(first.text, /@olgas_agent/)
  assert.match(first.text, /This server is run by <strong>Op &amp; Co/)
  const forms = ({ text }: PageAnswer) => text.match(/<form class="accept" method="post"/g)?.length ?? 0
  assert.equal(forms(first), 1)
  for (const { title, sha256, current } of w.service.documents) {
    assert.equal(first.text.includes(sha256), current, title)
  }
  assert.equal(await verify(), pending)
  const thanks = await sendForm(w.url, path, { headers: { origin: w.url, 'sec-fetch-site': 'same-origin' } })
  assert.equal(thanks.status, 200)
  assert.match(thanks.text, /Thank you[\s\S]*six-digit code/)
  assert.equal(forms(thanks), 0)
  assert.equal(thanks.headers['cache-control'], 'no-store')
  assert.equal(thanks.headers['referrer-policy'], 'no-referrer')
  for (const again of [await sendForm(w.url, path), await visit(w.url, path)]) {
    assert.equal(again.status, 200)
    assert.match(again.text, /Already confirmed[\s\S]*six-digit code/)
    assert.equal(forms(again), 0)
  }
  assert.equal(await verify(), '200')
})

test('Oleg reads the page in his language, and the documents in the original', async () => {
  const { path } = await asked('olegs_agent')
  const headers = { accept: 'text/html', 'accept-language': 'ru-RU, en;q=0.5' }
  const shown = await visit(w.url, path, { headers })
  assertPage(shown.text, { publicUrl: w.service.publicUrl, elsewhere: [] })
  assert.match(shown.text, /^<!doctype html>\n<html lang="ru" dir="ltr">/)
  assert.match(shown.text, /<h1>Агент указал вас как своего владельца<\/h1>/)
  const papers = [...shown.text.matchAll(/<div class="paper-text prose" lang="en">\s*<h3/g)]
  assert.equal(papers.length, w.service.documents.filter(({ current }) => current).length)
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(shown.text) ?? []
  const outside = main.replace(/<details class="paper">[\s\S]*?<\/details>|<bdi lang="en">.*?<\/bdi>/g, '')
  assert.doesNotMatch(outside.replace(/<[^>]*>/g, ''), /accept|document|confirm/i)
  const thanks = await sendForm(w.url, path, { headers })
  assert.match(thanks.text, /<h1>Спасибо, вы всё подтвердили<\/h1>/)
  assert.match((await visit(w.url, path, { headers })).text, /Уже подтверждено/)
  const none = await visit(w.url, '/owner/confirm/unknown', { headers })
  assert.deepEqual([none.status, /Эта ссылка больше не действует/.test(none.text)], [404, true])
})

test('nothing is accepted by loading the page, from another site, or by anything but a form', async () => {
  const { path, verify } = await asked('pauls_agent')
  await visit(w.url, path)
  await visit(w.url, path, { method: 'HEAD' })
  const refused = [
    await sendForm(w.url, path, { headers: { origin: 'https://evil.example' } }),
    await sendForm(w.url, path, { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }),
    await sendForm(w.url, path, { body: 'accept=yes', headers: { 'content-type': 'text/plain' } }),
    await sendForm(w.url, path, { body: `accept=yes&x=${'x'.repeat(2000)}` }),
  ]
  assert.deepEqual(pluck(refused, 'status'), [403, 403, 415, 413])
  assert.equal(await verify(), pending)
  // What a browser sends from a page with `no-referrer`.
  const own = await sendForm(w.url, path, { headers: { origin: 'null', 'sec-fetch-site': 'same-origin' } })
  assert.equal(own.status, 200)
  assert.equal(await verify(), '200')
})

test('a form with any or no fields, a bare POST, and two at once are one acceptance each', async () => {
  const [full, bare, twice] = [await asked('agent_full'), await asked('agent_bare'), await asked('agent_twice')]
  assert.match((await sendForm(w.url, full.path, { body: 'accept=yes&accept=no' })).text, /Thank you/)
  assert.match((await visit(w.url, bare.path, { method: 'POST' })).text, /Thank you/)
  for (const { status } of await Promise.all([sendForm(w.url, twice.path), sendForm(w.url, twice.path)])) {
    assert.equal(status, 200)
  }
  for (const { verify } of [full, bare, twice]) assert.equal(await verify(), '200')
})

test('an unknown, replaced or expired link shows a page that says what to do', async () => {
  const { path, json } = await asked('old_agent')
  w.travel(minutes(2))
  assert.equal((await w.request('POST', '/registration/email/request', { json })).status, 202)
  const late = await asked('late_agent')
  w.travel(minutes(11))
  for (const each of [path, late.path, '/owner/confirm/unknown']) {
    for (const answer of [await visit(w.url, each), await sendForm(w.url, each)]) {
      assert.equal(answer.status, 404)
      assert.match(answer.text, /no longer valid/)
      assert.equal(answer.headers['referrer-policy'], 'no-referrer')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.match(String(answer.headers['x-robots-tag']), /noindex/)
    }
  }
})

test('too many visits get a page that says when to return, forms included', async () => {
  const node = await w.node({ READ_LIMIT_PER_MINUTE: '2' })
  const path = '/owner/confirm/unknown'
  assert.equal((await visit(node.url, path)).status, 404)
  assert.equal((await sendForm(node.url, path)).status, 404)
  for (const answer of [await visit(node.url, path), await sendForm(node.url, path)]) {
    assert.equal(answer.status, 429)
    assert.match(answer.text, /Wait a minute and try again/)
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d?$/)
  }
  const headers = { origin: node.service.publicUrl, 'sec-fetch-site': 'same-origin' }
  const fields = { csrf_token: 'its own', action: 'name', display_name: 'Ann "of the" harbour' }
  const kept = await sendForm(node.url, '/account', { body: String(new URLSearchParams(fields)), headers })
  assert.equal(kept.status, 429)
  assertPage(kept.text, node.service)
  for (const said of [
    'What you typed',
    'Send again',
    'name="csrf_token" value="its own"',
    'Ann &quot;of the&quot; harbour',
  ])
    assert.ok(kept.text.includes(said), said)
  assert.doesNotMatch(kept.text, /no-referrer/, 'or its form would come from nowhere')
})
