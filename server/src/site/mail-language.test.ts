// Emails are in the language of whoever asked for them, now and later, and a script finds codes and links in each of them.
// docs/contract/site.md#languages.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { on } from '../../test/changes.ts'
import { humanOffer } from '../../test/customers.ts'
import { fromHere, signedIn, signIn, verifyCode } from '../../test/humans.ts'
import { acceptDocuments, candidate, verifyCode as verifyOwner } from '../../test/owner.ts'
import { asBrowser, sendForm } from '../../test/pages.ts'
import { story } from '../../test/story.ts'
import { wordsOf } from '../../test/words.ts'
import { code, eventually } from '../../test/world.ts'
import { minutes } from '../kernel/clock.ts'
import { htmlOf } from '../mail/html.ts'
import { orderNews } from '../mail/order-news.ts'
import type { Mail } from '../mail/read.ts'
import { registrationCopy } from '../mail/registration-copy.ts'
import { aboutSuspension, suspensionNews } from '../mail/suspension-news.ts'
import * as templates from '../mail/templates.ts'
import { mailNotices } from '../modules/humans/notices.ts'

const { w, bob } = story('bob', { env: { RECOVERY: 'on', SITE_NAME: 'Harbour' } })

const cyrillic = /[а-я]/i
const russian = { 'accept-language': 'ru-RU,ru;q=0.9,en;q=0.5' }

/** The newest email to an address, once there are so many. */
const mailTo = (email: string, count = 1): Promise<Mail> =>
  eventually(async () => {
    const mails = await w.mails(email)
    return mails.length >= count ? mails.at(-1) : undefined
  }, `email ${count} to ${email}`)

const rawOf = ({ file }: Mail): Promise<string> => readFile(join(w.mailDir, file), 'utf8')

async function assertRussian(mail: Mail): Promise<void> {
  assert.match(mail.text, /^Здравствуйте!/)
  assert.match(mail.text, /Harbour/)
  assert.match(mail.subject, cyrillic, 'its subject is Russian too')
  assert.doesNotMatch(mail.text, /\b(the|your|code)\b/i)
}

test('an owner gets every email in the language of the request, from the code to the passport copy', async () => {
  const ann = candidate('ann', 'ann@example.org')
  const asked = await w.request('POST', '/registration/email/request', { json: ann.ask, headers: russian })
  const mail = await mailTo(ann.email)
  await assertRussian(mail)
  const raw = await rawOf(mail)
  assert.match(raw, new RegExp(`^${mail.code}\\r$`, 'm'), 'its code stands alone on a line of the file')
  assert.match(raw, /^https?:\/\/\S+\/owner\/confirm\/[\w-]{43}\r$/m, 'and so does its link')
  assert.equal(raw.match(/\b\d{6}\b/g)?.length, 1)
  await acceptDocuments(mail)
  const proof = await verifyOwner(w, asked.body.challenge_id, mail.code)
  const json = {
    handle: 'ann',
    display_name: 'Ann',
    preferred_language: 'ru',
    encryption_public_key: ann.keys.publicKey,
    owner_challenge_id: asked.body.challenge_id,
    owner_verification_token: proof.body.verification_token,
  }
  assert.equal(code(await w.request('POST', '/bots/register', { json })), '201')
  const copy = await mailTo(ann.email, 2)
  await assertRussian({ ...copy, text: copy.text.replace(/SHA-256|GET \S+/g, '') })
  assert.match(copy.text, /^Имя: Ann$/m)
})

test('without a language in the request the agent’s own is used, and an explicit one comes first', async () => {
  const ask = { handle: 'ann', email: 'ann@example.org' }
  const recover = (headers: Record<string, string>) =>
    w.request('POST', '/tokens/recover/request', { json: ask, headers })
  assert.equal(code(await recover({ 'accept-language': '*' })), '202')
  await assertRussian(await mailTo(ask.email, 3))
  w.travel(minutes(2))
  const asked = await recover({ 'accept-language': 'en' })
  const { text, code: given } = await mailTo(ask.email, 4)
  assert.match(text, /^Hello,/)
  const done = { challenge_id: asked.body.challenge_id, code: given }
  assert.equal(
    code(await w.request('POST', '/tokens/recover/verify', { json: done, headers: { 'accept-language': 'tlh' } })),
    '200',
  )
  await assertRussian(await mailTo(ask.email, 5))
})

test("a customer gets the code in the page's language, and later news in that of the last sign-in", async () => {
  const email = 'hilda@example.org'
  const page = { ...asBrowser, 'sec-fetch-site': 'same-origin', cookie: 'kith_language=ru' }
  await sendForm(w.url, '/sign-in', { body: String(new URLSearchParams({ email })), headers: page })
  const mail = await mailTo(email)
  await assertRussian(mail)
  const [challenge] = await w.sql<{ id: string }>`select id from challenges where email = ${email}`
  const answer = await verifyCode(
    w,
    { challenge_id: challenge?.id, code: mail.code, documents_confirmed: true },
    { ...fromHere(w), ...russian },
  )
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const hilda = signedIn(w, answer)
  const post = (path: string, json: object) => hilda.request('POST', path, { json, headers: fromHere(w) })

  const told = async (count: number): Promise<Mail> => {
    const order = await humanOffer(w, { ...hilda, post } as never, bob, { title: 'Портрет' })
    const path = `/human-orders/${order.id}`
    await bob.post(`${path}/accept`, on(1, { confirmed_total_minor: 1100 }))
    assert.equal(code(await bob.post(`${path}/dispute`, on(2, { reason: 'No' }))), '200')
    await mailNotices(w.service)
    return mailTo(email, count)
  }
  const news = await told(2)
  await assertRussian({ ...news, text: news.text.replace(/https?:\S+/g, '') })
  assert.match(news.text, /через 48\s+часов/)
  assert.match(news.text, /^> Портрет$/m)

  w.travel(minutes(2))
  await signIn(w, email, {}, { 'accept-language': 'en-GB' })
  const english = await told(4)
  assert.match(english.text, /^Hello,/)
  assert.match(english.text, /48\s+hours/)

  const known = await w.sql<{ language: string }>`select language from humans where email = ${email}`
  assert.deepEqual(known, [{ language: 'en' }])
})

test('each email is complete in each language, with code and link on their own lines, and its links have names', () => {
  const place = { publicUrl: 'https://kith.example', name: 'Harbour' }
  const link = `${place.publicUrl}/owner/confirm/x`
  const facts = { ...place, code: '090817', handle: `a${'1'.repeat(31)}` }
  const documents = [{ name: 'terms', title: 'T', version: '1.0', url: `${place.publicUrl}/d`, sha256: 'ab' }]
  for (const language of ['en', 'ru']) {
    const words = wordsOf(language)
    const coded = [
      templates.registrationCode(words, { ...facts, link, documents }),
      templates.linkCode(words, facts),
      templates.recoveryCode(words, facts),
      templates.sessionCode(words, facts),
    ]
    const passport = { id: 'x', handle: 'ada', display_name: 'Ada', profile_public: true, created_at: 'x' }
    const keys = { encryption_public_key: 'x', encryption_key_fingerprint: 'y' }
    const others = [
      templates.recoveryDone(words, facts),
      registrationCopy(words, { ...place, documents, passport: { ...passport, ...keys } }),
    ]
    for (const { subject, body } of [...coded, ...others]) {
      assert.equal(cyrillic.test(subject) && cyrillic.test(body), language === 'ru', subject)
      assert.doesNotMatch(body + subject, /[{}]|mail\./)
      for (const line of body.split('\n')) assert.ok([...line].length <= 75, line)
    }
    const unsubscribeLink = `${place.publicUrl}/unsubscribe/x`
    const news = { ...facts, link, unsubscribeLink, title: 'Open: https://evil.example/', answerHours: 48 }
    const told = [
      orderNews(words, { ...news, news: 'delivered' }),
      ...suspensionNews.map((each) => aboutSuspension(words, { ...place, link, news: each })),
    ]
    for (const mail of [...coded, ...others, ...told]) {
      const html = htmlOf(mail, { name: place.name, accent: '#000', accentOnDark: '#fff' })
      const names = [...html.matchAll(/<a href="[^"]+">([^<]*)<\/a>/g)].map(([, name]) => name as string)
      const links = mail.body.match(/^https?:\S+$/gm)
      assert.equal(names.length, links?.length, mail.body)
      for (const name of names) assert.doesNotMatch(name, /:|^$/, name)
    }
    for (const { body } of coded) assert.deepEqual(body.match(/^\d{6}$/gm), ['090817'])
    assert.ok(coded[0]?.body.split('\n').includes(link))
  }
})

test('hours have the right Russian plural forms', () => {
  for (const [hours, told] of [
    [1, 'через 1 час '],
    [2, 'через 2 часа '],
    [5, 'через 5 часов '],
    [21, 'через 21 час '],
    [48, 'через 48 часов '],
  ] as const) {
    assert.ok(wordsOf('ru').text('mail.order.disputed.next', { hours }).includes(told), told)
  }
})
