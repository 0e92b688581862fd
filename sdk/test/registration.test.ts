// Registration step by step: what each refusal leads back to, and what may never be made twice.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openRegistration } from '../src/client.ts'
import { KithIdentityError, KithInputError, KithNetworkError, KithTokenLostError } from '../src/errors.ts'
import { memoryStore } from '../src/store.ts'
import { testRuntime, world } from './fixtures.ts'
import { code, startStandin } from './standin.ts'

const ask = { handle: 'ada', email: 'owner@example.org' }
const profile = { display_name: 'Ada' }

async function newcomer(t: TestContext, requireProof = true) {
  const service = await startStandin()
  t.after(() => service.close())
  service.requireProof = requireProof
  const store = memoryStore()
  const open = () => openRegistration({ baseUrl: service.url, store, runtime: testRuntime(), timeoutMs: 2_000 })
  return { service, store, open, registration: open() }
}

test('each registration step reports progress, also to the next process', async (t) => {
  const { service, store, open, registration } = await newcomer(t)
  assert.equal((await registration.progress()).step, 'start')
  assert.equal((await registration.start(ask)).step, 'code')
  assert.equal((await open().progress()).step, 'code')
  await assert.rejects(registration.verify('000000'), { code: 'invalid_email_verification' })
  assert.equal((await open().verify(code)).step, 'profile')
  const passport = await open().finish(profile)
  assert.equal(passport.bot.handle, 'ada')
  assert.deepEqual(await open().progress(), { step: 'done', passport })
  assert.equal(await store.read('registration.json'), undefined)
  assert.equal(service.bots.size, 1)
  await assert.rejects(registration.start(ask), KithIdentityError)
  await assert.rejects(registration.abandon(), KithIdentityError)
})

test('the private key and the email reach only their intended places', async (t) => {
  const { service, store, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  await registration.finish(profile)
  const key = (await store.read('key'))!.trim()
  assert.ok(!service.log.some((line) => line.includes(key)))
  assert.ok(!service.log.find((line) => line.startsWith('POST /bots/register'))!.includes(ask.email))
})

test('the key is saved before it is sent', async (t) => {
  const { service, store, registration } = await newcomer(t)
  service.fault('POST /registration/email/request', { how: 'refuse', status: 409, code: 'handle_unavailable' })
  await assert.rejects(registration.start(ask), { code: 'handle_unavailable' })
  const key = await store.read('key')
  assert.ok(key)
  await registration.start({ ...ask, handle: 'ada2' })
  assert.equal(await store.read('key'), key)
})

const tooEarly = {
  how: 'refuse',
  status: 429,
  code: 'registration_limited',
  headers: { 'retry-after': '1800' },
} as const

test('the code that was sent is good still when another one is refused', async (t) => {
  const { service, open, registration } = await newcomer(t)
  await registration.start(ask)
  service.fault('POST /registration/email/request', tooEarly)
  await assert.rejects(registration.start(ask), { code: 'registration_limited' })
  assert.equal((await open().verify(code)).step, 'profile')
})

test('a lost registration response is requested again with the same bytes', async (t) => {
  for (const how of ['lose', 'half'] as const) {
    const { service, registration } = await newcomer(t)
    await registration.start(ask)
    await registration.verify(code)
    service.fault('POST /bots/register', { how }, { how })
    await registration.finish(profile)
    assert.equal(service.bots.size, 1)
    assert.equal(new Set(service.log.filter((line) => line.startsWith('POST /bots/register'))).size, 1)
  }
})

test('after a lost registration response, a refusal from something in between takes nothing back', async (t) => {
  const { service, open, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  const between = { how: 'between', status: 403, code: 'forbidden' } as const
  service.fault('POST /bots/register', { how: 'lose' }, between)
  await assert.rejects(registration.finish(profile), { code: 'unexpected_answer' })
  assert.equal((await open().progress()).step, 'sent')
  assert.equal((await open().finish()).bot.handle, 'ada')
  assert.equal(service.bots.size, 1)
})

test('a lost proof is replaced by verifying again', async (t) => {
  const { service, registration } = await newcomer(t)
  await registration.start(ask)
  service.fault('POST /registration/email/verify', { how: 'lose' })
  await registration.verify(code)
  await registration.finish(profile)
  assert.equal(service.bots.size, 1)
})

test('a refused profile is corrected under the same proof', async (t) => {
  const { service, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  service.fault('POST /bots/register', { how: 'refuse', status: 400, code: 'invalid_input' })
  await assert.rejects(registration.finish({ display_name: '' }), { code: 'invalid_input' })
  assert.equal((await registration.progress()).step, 'profile')
  assert.equal((await registration.finish(profile)).bot.display_name, 'Ada')
})

test('an expired proof leads back to a new code, a taken handle to another choice', async (t) => {
  for (const refusal of ['invalid_email_verification', 'handle_unavailable']) {
    const { service, registration } = await newcomer(t)
    await registration.start(ask)
    await registration.verify(code)
    service.fault('POST /bots/register', { how: 'refuse', status: 409, code: refusal })
    await assert.rejects(registration.finish(profile), { code: refusal })
    assert.equal((await registration.progress()).step, 'start')
  }
})

test('a used and expired proof means a lost token, never a second passport', async (t) => {
  const { service, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  service.fault('POST /bots/register', { how: 'lose' }, { how: 'refuse', status: 409, code: 'email_verification_used' })
  await assert.rejects(
    registration.finish(profile),
    (error) => error instanceof KithTokenLostError && error.reason === 'registration',
  )
  assert.equal((await registration.progress()).step, 'sent')
  await assert.rejects(registration.start(ask), KithInputError)
})

test('a token saved before the passport leads to the passport', async (t) => {
  const { service, store, open, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  const state = await store.read('registration.json')
  const { bot } = await registration.finish(profile)
  await store.remove('passport.json')
  await store.write('registration.json', state!)
  assert.equal((await open().progress()).step, 'sent')
  assert.equal((await open().finish()).bot.id, bot.id)
  assert.equal(service.counts['POST /bots/register'], 1)
})

test('a registration at another service is not resumed here', async (t) => {
  const { store, registration } = await newcomer(t)
  await registration.start(ask)
  const other = openRegistration({ baseUrl: 'https://other.example', store, runtime: testRuntime() })
  await assert.rejects(other.progress(), KithIdentityError)
})

test("without an owner's proof: one request, and a lost response is reported", async (t) => {
  const { service, registration } = await newcomer(t, false)
  assert.equal((await registration.start({ handle: 'ada' })).step, 'profile')
  service.fault('POST /bots/register', { how: 'lose' })
  await assert.rejects(registration.finish(profile), KithNetworkError)
  assert.equal(service.counts['POST /bots/register'], 1)
  assert.equal((await registration.progress()).step, 'sent')
  await assert.rejects(
    registration.finish(),
    (error) => error instanceof KithTokenLostError && error.reason === 'registration',
  )
  assert.equal(service.bots.size, 1)
})

test("without an owner's proof: a request that never arrived is sent again", async (t) => {
  const { service, registration } = await newcomer(t, false)
  await registration.start({ handle: 'ada' })
  service.fault('POST /bots/register', { how: 'drop' })
  await assert.rejects(registration.finish(profile), KithNetworkError)
  assert.equal((await registration.finish()).bot.handle, 'ada')
  assert.equal(service.bots.size, 1)
})

test("without an owner's proof: a handle refused as taken can be replaced by another", async (t) => {
  const { service, registration } = await newcomer(t, false)
  service.addBot({ handle: 'ada' })
  await registration.start({ handle: 'ada' })
  await assert.rejects(registration.finish(profile), { code: 'handle_unavailable', name: 'KithError' })
  await registration.start({ handle: 'ada2' })
  assert.equal((await registration.finish(profile)).bot.handle, 'ada2')
})

test("without an owner's proof: a rate-limited request created nothing, and is corrected or resent", async (t) => {
  const { service, registration } = await newcomer(t, false)
  await registration.start({ handle: 'ada' })
  service.fault('POST /bots/register', tooEarly)
  await assert.rejects(registration.finish(profile), { code: 'registration_limited', retryAfter: 1800 })
  assert.equal(service.counts['POST /bots/register'], 1, 'half an hour is for the caller to wait')
  assert.equal((await registration.progress()).step, 'profile')
  service.addBot({ handle: 'ada' })
  await assert.rejects(registration.finish(profile), { code: 'handle_unavailable', name: 'KithError' })
})

test('with a proof a rate-limited registration is resent byte for byte', async (t) => {
  const { service, registration } = await newcomer(t)
  await registration.start(ask)
  await registration.verify(code)
  service.fault('POST /bots/register', tooEarly)
  await assert.rejects(registration.finish(profile), { code: 'registration_limited', retryAfter: 1800 })
  assert.equal((await registration.progress()).step, 'sent')
  assert.equal((await registration.finish()).bot.handle, 'ada')
})

test('an abandoned registration sets its key aside', async (t) => {
  const { store, registration } = await newcomer(t)
  await registration.start(ask)
  const key = await store.read('key')
  await registration.abandon()
  assert.equal(await store.read('key'), undefined)
  const [kept] = await store.list('retired')
  assert.equal(await store.read(`retired/${kept}`), key)
  assert.equal((await registration.progress()).step, 'start')
})

test('a registered identity is not registered again', async (t) => {
  const { service, store, runtime } = await world(t)
  const registration = openRegistration({ baseUrl: service.url, store, runtime })
  await assert.rejects(registration.start({ handle: 'other', email: 'owner@example.org' }), KithIdentityError)
})
