import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  acceptDocuments,
  askForCode,
  candidate,
  openLink,
  refusedFields,
  retryAfter,
  verifyCode,
  wrongCode,
} from '../../../test/owner.ts'
import { pluck } from '../../../test/pluck.ts'
import { story } from '../../../test/story.ts'
import { code, eventually, keyPair, race, world } from '../../../test/world.ts'
import { days, hours, minutes, seconds } from '../../kernel/clock.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', OPERATOR_NAME: 'Olga', OPERATOR_CONTACT: 'olga@example.org' } })

const request = (json: unknown) => w.request('POST', '/registration/email/request', { json })
const lastRequest = async (email: string): Promise<Date> => {
  const [row] = await w.sql<{ at: Date }>`select max(created_at) as at from challenges where email = ${email}`
  return row?.at as Date
}

test('the requirements list what a registration needs', async () => {
  const answer = await w.request('GET', '/registration/requirements')
  assert.equal(answer.status, 200)
  const { documents, profile_guidance, ...rest } = answer.body
  assert.deepEqual(rest, {
    operator: { name: 'Olga', contact: 'olga@example.org' },
    owner_confirmation_required: true,
    otp_ttl_seconds: 600,
    max_code_attempts: 5,
    resend_after_seconds: 60,
    lifetime_agent_limit: 3,
  })
  assert.deepEqual(pluck(documents, 'name'), ['terms', 'privacy', 'agent-rules'])
  const limits = Object.fromEntries(
    profile_guidance.fields.map((field: { name: string; max_length: number; hint: string }) => {
      assert.ok(field.hint.length > 0)
      return [field.name, field.max_length]
    }),
  )
  const { display_name, specialty, bio, character_description } = limits
  assert.deepEqual([display_name, specialty, bio, character_description], [80, 160, 4000, 4000])
})

test('each document matches its published hash, here and in a challenge', async () => {
  const { body } = await w.request('GET', '/registration/requirements')
  for (const { url, sha256, version, name, title } of body.documents) {
    assert.equal(url, `${w.url}/documents/${name}/${version}`)
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256)
    assert.ok(title.length > 0)
  }
  const { answer } = await askForCode(w, '/registration/email/request', candidate('dora', 'dora@example.org').ask)
  assert.deepEqual(answer.body.documents, body.documents)
})

test('a challenge lives 10 minutes and says when another code may be requested', async () => {
  const { answer, challengeId } = await askForCode(
    w,
    '/registration/email/request',
    candidate('ella', 'ella@example.org').ask,
  )
  assert.deepEqual(Object.keys(answer.body).sort(), [
    'challenge_id',
    'documents',
    'expires_at',
    'owner_confirmation_required',
    'retry_after',
  ])
  assert.equal(answer.body.retry_after, 60)
  assert.equal(answer.body.owner_confirmation_required, true)
  assert.match(challengeId, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  const sent = await lastRequest('ella@example.org')
  assert.equal(Date.parse(answer.body.expires_at), sent.getTime() + minutes(10))
})

test('an email address is the same in any spelling, except for dots and plus-suffixes', async () => {
  const first = candidate('finn', '  Finn.Meyer+Kith@MÜNCHEN.Example ')
  const { mail } = await askForCode(w, '/registration/email/request', first.ask, {
    mailedTo: 'finn.meyer+kith@xn--mnchen-3ya.example',
  })
  assert.match(mail.to, /finn\.meyer\+kith@xn--mnchen-3ya\.example/)
  for (const email of ['finn.meyer+kith@xn--mnchen-3ya.example', 'FINN.MEYER+KITH@münchen.EXAMPLE\t'.trim()]) {
    assert.equal(code(await request({ ...first.ask, email })), '429 registration_limited')
  }
  for (const email of [
    'finnmeyer+kith@münchen.example',
    'finn.meyer@münchen.example',
    'finn.meyer+x@münchen.example',
  ]) {
    assert.equal((await request({ ...first.ask, email })).status, 202)
  }
})

test('an invalid email address is refused, and nothing is sent', async () => {
  const malformed = [
    '',
    '   ',
    'gina',
    'gina@',
    '@example.org',
    'gina@@example.org',
    'gina@example.org@example.com',
    'gina smith@example.org',
    'gina@example.org, eve@example.org',
    '<gina@example.org>',
    'Gina <gina@example.org>',
    '"gina"@example.org',
    '.gina@example.org',
    'gina.@example.org',
    'gi..na@example.org',
    'gina@example..org',
    'gina@.example.org',
    'gina@example.org.',
    'gina@-example.org',
    'gina@exam_ple.org',
    'gina@example.org/path',
    'gina@example.org?x',
    'gina@ex%61mple.org',
    'gina@example.org:25',
    'gina@127.1',
    'gina@[127.0.0.1]',
    'джина@example.org',
    `${'g'.repeat(65)}@example.org`,
    `gina@${'g'.repeat(64)}.org`,
    `gina@${'g.'.repeat(130)}org`,
    'gina\n@example.org',
    'gina@example.org\u0000',
    'gina@example.org\r\nBcc: eve@example.org',
    'gina@exa\ud800mple.org',
  ]
  const { ask } = candidate('gina', '')
  for (const email of malformed) {
    const answer = await request({ ...ask, email })
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(email))
    assert.deepEqual(refusedFields(answer), ['email'], JSON.stringify(email))
  }
  const sent = await w.sql`select 1 from challenges where email like '%gina%'`
  assert.equal(sent.length, 0)
})

test('a second code within 60 seconds is refused with the remaining seconds', async () => {
  const ivan = candidate('ivan', 'ivan@example.org')
  await askForCode(w, '/registration/email/request', ivan.ask)
  const until = new Date((await lastRequest(ivan.email)).getTime() + seconds(60))
  const refused = await retryAfter(w, until, () => request(ivan.ask))
  assert.equal(code(refused), '429 registration_limited')
  // Whoever asks, and for whatever handle: the email counts.
  const other = candidate('ivan_two', 'ivan@example.org')
  const again = await retryAfter(w, until, () => request(other.ask))
  w.travel(Number(again.headers.get('retry-after')) * 1000)
  assert.equal((await request(other.ask)).status, 202)
})

test('a clock that was an hour ahead refuses no code once it is right', async () => {
  const { ask } = candidate('early', 'early@example.org')
  w.travel(hours(1))
  assert.equal((await request(ask)).status, 202)
  w.travel(-hours(1))
  assert.equal((await request(ask)).status, 202)
  assert.equal(code(await request(ask)), '429 registration_limited', 'the minute counts as ever')
})

test('an address gets ten codes in 24 hours, then none until the first is a day old', async () => {
  const judy = candidate('judy', 'judy@example.org')
  for (let n = 0; n < 10; n++) {
    assert.equal((await request(judy.ask)).status, 202)
    w.travel(seconds(61))
  }
  const [first] = await w.sql<{ at: Date }>`select min(created_at) as at from challenges where email = ${judy.email}`
  const until = new Date(Number(first?.at) + days(1))
  const refused = await retryAfter(w, until, () => request(judy.ask))
  assert.equal(code(refused), '429 registration_limited')
  w.travel(until.getTime() - w.now().getTime())
  assert.equal((await request(judy.ask)).status, 202)
})

test('one of 20 simultaneous requests sends a mail', async () => {
  const kate = candidate('kate', 'kate@example.org')
  const answers = await race(20, () => request(kate.ask))
  assert.deepEqual(answers.map(code).sort(), ['202', ...Array(19).fill('429 registration_limited')])
  for (const answer of answers.filter(({ status }) => status === 429)) {
    const told = Number(answer.headers.get('retry-after'))
    assert.ok(told > 0 && told <= 60, `Retry-After ${told}`)
  }
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  assert.equal((await w.mails(kate.email)).length, 1)
})

test('before the owner confirms, no code is judged and no attempt is used', async () => {
  const { challengeId, mail } = await askForCode(
    w,
    '/registration/email/request',
    candidate('lena', 'lena@example.org').ask,
  )
  for (let n = 0; n < 6; n++) {
    assert.equal(code(await verifyCode(w, challengeId, wrongCode(mail))), '409 owner_confirmation_pending')
    assert.equal(code(await verifyCode(w, challengeId, mail.code)), '409 owner_confirmation_pending')
  }
  assert.equal(await openLink(mail, 'GET'), 200)
  assert.equal(code(await verifyCode(w, challengeId, mail.code)), '409 owner_confirmation_pending')
  await acceptDocuments(mail)
  await acceptDocuments(mail)
  assert.equal(await openLink(mail, 'GET'), 200)
  assert.equal((await verifyCode(w, challengeId, mail.code)).status, 200)
})

test('four wrong codes leave one attempt, five leave none', async () => {
  for (const [handle, wrong, expected] of [
    ['mona', 4, '200'],
    ['nora', 5, '400 invalid_email_verification'],
  ] as const) {
    const { ask } = candidate(handle, `${handle}@example.org`)
    const { challengeId, mail } = await askForCode(w, '/registration/email/request', ask)
    await acceptDocuments(mail)
    for (let n = 1; n <= wrong; n++) {
      const answer = await verifyCode(w, challengeId, wrongCode(mail))
      assert.equal(code(answer), '400 invalid_email_verification')
      assert.deepEqual(answer.body.error.details, { attempts_left: 5 - n })
    }
    const last = await verifyCode(w, challengeId, mail.code)
    assert.equal(code(last), expected)
    // What is not evaluated says nothing of guesses, whatever the reason.
    assert.equal(last.body.error?.details, undefined)
  }
})

test('five of 20 simultaneous wrong guesses are evaluated', async () => {
  const { ask } = candidate('otto', 'otto@example.org')
  const { challengeId, mail } = await askForCode(w, '/registration/email/request', ask)
  await acceptDocuments(mail)
  const answers = await race(20, () => verifyCode(w, challengeId, wrongCode(mail)))
  assert.deepEqual([...new Set(answers.map(code))], ['400 invalid_email_verification'])
  const told = answers.flatMap(({ body }) => body.error.details?.attempts_left ?? [])
  assert.deepEqual(told.sort(), [0, 1, 2, 3, 4])
  const [row] = await w.sql<{ attempts: number }>`select attempts from challenges where id = ${challengeId}`
  assert.equal(row?.attempts, 5)
  assert.equal(code(await verifyCode(w, challengeId, mail.code)), '400 invalid_email_verification')
})

test('an unknown challenge is not a verification', async () => {
  const { challengeId, mail } = await askForCode(
    w,
    '/registration/email/request',
    candidate('pia', 'pia@example.org').ask,
  )
  await acceptDocuments(mail)
  const unknown = '01890000-0000-7000-8000-000000000000'
  assert.equal(code(await verifyCode(w, unknown, mail.code)), '400 invalid_email_verification')
  assert.equal((await verifyCode(w, challengeId.toUpperCase(), mail.code)).status, 200)
})

test('a code and its link live 10 minutes', async () => {
  const rosa = await askForCode(w, '/registration/email/request', candidate('rosa', 'rosa@example.org').ask)
  const sara = await askForCode(w, '/registration/email/request', candidate('sara', 'sara@example.org').ask)
  const tina = await askForCode(w, '/registration/email/request', candidate('tina', 'tina@example.org').ask)
  await acceptDocuments(rosa.mail)
  await acceptDocuments(sara.mail)
  w.travel(minutes(5))
  assert.equal((await verifyCode(w, rosa.challengeId, rosa.mail.code)).status, 200)
  w.travel(minutes(5))
  assert.equal(code(await verifyCode(w, sara.challengeId, sara.mail.code)), '400 invalid_email_verification')
  assert.equal(await openLink(tina.mail, 'GET'), 404)
  assert.equal(await openLink(tina.mail, 'POST'), 404)
  assert.equal(code(await verifyCode(w, tina.challengeId, tina.mail.code)), '400 invalid_email_verification')
})

test('verifying again returns a new proof and voids the earlier one', async () => {
  const uma = candidate('uma', 'uma@example.org')
  const { challengeId, mail } = await askForCode(w, '/registration/email/request', uma.ask)
  await acceptDocuments(mail)
  const one = await verifyCode(w, challengeId, mail.code)
  const two = await verifyCode(w, challengeId, mail.code)
  assert.deepEqual(Object.keys(two.body).sort(), ['expires_at', 'verification_token'])
  assert.notEqual(one.body.verification_token, two.body.verification_token)
  const life = Date.parse(two.body.expires_at) - w.now().getTime()
  assert.ok(life > minutes(29) && life <= minutes(30), 'a proof lives 30 minutes')
  const body = {
    handle: 'uma',
    display_name: 'Uma',
    encryption_public_key: uma.keys.publicKey,
    owner_challenge_id: challengeId,
  }
  const register = (owner_verification_token: string) =>
    w.request('POST', '/bots/register', { json: { ...body, owner_verification_token } })
  assert.equal(code(await register(one.body.verification_token)), '400 invalid_email_verification')
  assert.equal((await register(two.body.verification_token)).status, 201)
  assert.equal(code(await verifyCode(w, challengeId, mail.code)), '400 invalid_email_verification')
})

test('a new request cancels only the earlier code of the same email, handle and key', async () => {
  const vera = candidate('vera', 'vera@example.org')
  const other = candidate('vera_two', 'vera@example.org')
  const first = await askForCode(w, '/registration/email/request', vera.ask)
  w.travel(seconds(61))
  const second = await askForCode(w, '/registration/email/request', other.ask)
  w.travel(seconds(61))
  const third = await askForCode(w, '/registration/email/request', vera.ask)
  assert.equal(await openLink(first.mail, 'POST'), 404)
  assert.equal(code(await verifyCode(w, first.challengeId, first.mail.code)), '400 invalid_email_verification')
  for (const { mail, challengeId } of [second, third]) {
    await acceptDocuments(mail)
    assert.equal((await verifyCode(w, challengeId, mail.code)).status, 200)
  }
})

test('reserved handles are refused', async () => {
  const attempt = async (handle: string, n: number) =>
    code(await request({ ...candidate('', `h${n}@example.org`).ask, handle }))
  for (const [n, handle] of ['abc', 'z'.repeat(32)].entries()) assert.equal(await attempt(handle, n), '202', handle)
  const reserved = ['admin', 'operator', 'support', 'staff', 'kith', 'system', 'root', 'api', 'www']
  for (const [n, handle] of reserved.entries()) {
    assert.equal(await attempt(handle, 200 + n), '409 handle_unavailable', handle)
  }
})

/** Every point of small order (RFC 7748 ignores the top bit), in each of its encodings. */
const smallOrder = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].flatMap((hex) => {
  const plain = Buffer.from(hex, 'hex')
  const topBit = Buffer.from(plain)
  topBit[31] = (topBit[31] as number) | 0x80
  return [plain.toString('base64'), topBit.toString('base64')]
})

test('a public key of small order is refused', async () => {
  const good = keyPair().publicKey
  for (const [n, encryption_public_key] of smallOrder.entries()) {
    const answer = await request({ ...candidate('wanda', `wanda${n}@example.org`).ask, encryption_public_key })
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(encryption_public_key))
    assert.deepEqual(refusedFields(answer), ['encryption_public_key'])
  }
  assert.equal(
    (await request({ ...candidate('wanda', 'wanda@example.org').ask, encryption_public_key: good })).status,
    202,
  )
})

test('without email nobody can register while the gate is on', async (t) => {
  const silent = await world({ env: { OWNER_EMAIL_GATE: 'on', MAIL_URL: 'none' } })
  t.after(() => silent.close())
  const { ask, keys } = candidate('xena', 'xena@example.org')
  const proof = { owner_challenge_id: '01890000-0000-7000-8000-000000000000', owner_verification_token: 'A'.repeat(43) }
  const answers = [
    await silent.request('GET', '/registration/requirements'),
    await silent.request('POST', '/registration/email/request', { json: ask }),
    await verifyCode(silent, proof.owner_challenge_id, '123456'),
    await silent.request('POST', '/bots/register', {
      json: { handle: 'xena', display_name: 'Xena', encryption_public_key: keys.publicKey, ...proof },
    }),
  ]
  assert.deepEqual(answers.map(code), Array(4).fill('503 verification_setup_pending'))
})
