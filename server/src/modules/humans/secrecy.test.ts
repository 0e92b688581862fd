// What nobody learns of a customer: whether an email has an account, and what is in a cookie, a code or a mail.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { askCode, requestCode, signIn, verifyCode } from '../../../test/humans.ts'
import { wrongCode } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { workOf } from '../../../test/work.ts'
import { type Answer, code, eventually, race, type World } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { requestSession } from '../identity/challenges.ts'
import { forgetSessions } from './retention.ts'
import { signIn as signInBy } from './sessions.ts'

const lines: string[] = []
const { w } = story({ log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) })

test('a code request runs the same statements on the same rows for every email, with the same response', async () => {
  await signIn(w, 'known@example.org')
  const closed = await signIn(w, 'closed@example.org')
  assert.equal(code(await closed.request('POST', '/human/close', { json: { confirm: true } })), '200')
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  w.travel(days(1))
  const emails = ['known@example.org', 'closed@example.org', 'nobody@example.org']
  for (const round of ['first', 'second']) {
    const [known, ...others] = await Promise.all(
      emails.map((email) => workOf(w, (tx) => requestSession(tx, w.service, { email }, []))),
    )
    const replaced = round === 'second' ? [['challenges updated', 1]] : []
    assert.deepEqual(known?.written, [['challenges inserted', 1], ...replaced, ['mails inserted', 1]])
    for (const other of others) assert.deepEqual(other, known, round)
    w.travel(seconds(61))
  }
  const shape = ({ status, body, headers }: Answer) => [
    status,
    Object.keys(body),
    body.retry_after,
    body.documents,
    body.owner_confirmation_required,
    [...headers.keys()].sort(),
    headers.getSetCookie(),
  ]
  const answers = await Promise.all(emails.map((email) => requestCode(w, email)))
  for (const answer of answers) assert.deepEqual(shape(answer), shape(answers[0] as Answer))
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  const words = async (email: string) => {
    const { subject, text, code: digits } = (await w.mails(email)).at(-1) as Awaited<ReturnType<World['mails']>>[number]
    return [subject, text.replace(digits as string, '')]
  }
  for (const email of emails) assert.deepEqual(await words(email), await words('known@example.org'))
})

test('a wrong code takes the same work and gets the same response, whether or not the email is known', async () => {
  w.travel(days(2))
  const emails = ['known@example.org', 'closed@example.org', 'never@example.org']
  const asked = await Promise.all(emails.map((email) => askCode(w, email)))
  const guesses = await Promise.all(
    asked.map(({ challenge_id, mail }) =>
      workOf(w, async (tx) => {
        const ask = { challenge_id, code: wrongCode(mail), documents_confirmed: true }
        const sql = { transaction: <T>(work: (tx: Tx) => Promise<T>) => work(tx) } as Sql
        await assert.rejects(signInBy({ ...w.service, sql }, ask), { code: 'invalid_email_verification' })
      }),
    ),
  )
  assert.deepEqual(guesses[0]?.written, [['challenges updated', 1]])
  for (const guess of guesses) assert.deepEqual(guess, guesses[0])
  for (const { challenge_id, mail } of asked) {
    for (const [at, fields] of [{}, { documents_confirmed: true }, { display_name: 'X' }].entries()) {
      const answer = await verifyCode(w, { challenge_id, code: wrongCode(mail), ...fields })
      assert.equal(code(answer), '400 invalid_email_verification')
      assert.deepEqual(answer.body.error.details, { attempts_left: 3 - at })
    }
  }
})

test('no log line contains a code, a cookie, a form token or an email', async () => {
  w.travel(days(2))
  const { challenge_id, code: digits, mail } = await askCode(w, 'logged.person@example.org')
  await verifyCode(w, { challenge_id, code: wrongCode(mail) })
  await verifyCode(w, { challenge_id, code: digits })
  w.travel(minutes(2))
  const lena = await signIn(w, 'logged.person@example.org', { display_name: 'Lena Logless' })
  await w.request('GET', '/human/me', { headers: { cookie: `${lena.headers.cookie}x` } })
  await w.request('GET', `/human/me?cookie=${lena.headers.cookie}&email=logged.person@example.org`)
  // Errors of the database carry the values that they are about.
  await w.sql`alter table humans add constraint broken check (display_name <> 'Broken') not valid`
  const broken = await lena.request('PATCH', '/human/me', { json: { display_name: 'Broken' } })
  assert.equal(broken.status, 500)
  await w.sql`alter table humans drop constraint broken`
  assert.equal(code(await lena.request('POST', '/human/close', { json: { confirm: true } })), '200')
  await eventually(() => lines.some((line) => line.includes('a request failed')), 'the failure in the log')
  const log = lines.join('')
  const secret = lena.headers.cookie.slice(lena.headers.cookie.indexOf('=') + 1)
  for (const hidden of [secret, lena.headers['x-csrf-token'], 'logged.person', 'Logless'])
    assert.ok(!log.includes(hidden), hidden)
  assert.doesNotMatch(log, new RegExp(`(?<![0-9a-f])${digits}(?![0-9a-f])`), 'a code')
})

test('sign-ins are counted by outcome', async () => {
  const counted = async (): Promise<Record<string, number>> => {
    const { values } = await w.service.metrics.customers.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
  }
  const before = await counted()
  const { challenge_id, code: digits, mail } = await askCode(w, 'counted@example.org')
  await verifyCode(w, { challenge_id, code: wrongCode(mail) })
  await verifyCode(w, { challenge_id, code: digits })
  await race(3, () => verifyCode(w, { challenge_id, code: digits, documents_confirmed: true }))
  w.travel(minutes(2))
  const again = await signIn(w, 'counted@example.org')
  await again.request('POST', '/human/close', { json: { confirm: true } })
  const after = await counted()
  const more = Object.entries(after).map(([outcome, value]) => [outcome, value - (before[outcome] ?? 0)])
  assert.deepEqual(Object.fromEntries(more), { first: 1, again: 1, refused: 3, unconfirmed: 1, closed: 1 })
})

test('only sessions that ended a week ago are deleted, in batches', async () => {
  const { id } = await signIn(w, 'many@example.org')
  await w.sql`
    insert into human_sessions (digest, human_id, created_at, expires_at)
    select sha256(n::text::bytea), ${id}, ${w.now()}, ${w.now()} from generate_series(1, 1500) n`
  const left = async () => (await w.sql`select 1 from human_sessions where human_id = ${id}`).length
  const forget = (ahead: number) => forgetSessions(w.service.sql, new Date(w.now().getTime() + ahead))
  assert.equal(await forget(days(7) - minutes(10)), false)
  assert.equal(await left(), 1501)
  assert.equal(await forget(days(7)), true)
  assert.equal(await forget(days(7)), false)
  assert.equal(await left(), 1)
  await forget(days(36))
  assert.equal(await left(), 1, 'a week after its 30 days')
  await forget(days(38))
  assert.equal(await left(), 0)
})
