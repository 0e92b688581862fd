// Rotation: in time, once, and with a name for what is lost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClient, openRecovery } from '../src/client.ts'
import { KithError, KithIdentityError, KithNetworkError, KithTokenLostError } from '../src/errors.ts'
import { memoryStore, type Store } from '../src/store.ts'
import { day, firstToken, world } from './fixtures.ts'
import { code } from './standin.ts'

const stored = async (store: Store) => JSON.parse((await store.read('token'))!).token as string

test('a token with more than 7 days left is used as it is', async (t) => {
  const { client, service } = await world(t, { tokenDays: 7.01 })
  await client.bots.me()
  assert.equal(service.counts['POST /tokens/rotate'], undefined)
})

test('a token with less than 7 days left is rotated once, before its next use', async (t) => {
  const { client, service, store } = await world(t, { tokenDays: 6.99 })
  await Promise.all([client.bots.me(), client.bots.me(), client.bots.me()])
  assert.equal(service.counts['POST /tokens/rotate'], 1)
  for (const grant of [await client.tokens.current(), await client.tokens.reload(), await client.tokens.rotate()])
    assert.deepEqual(Object.keys(grant), ['token', 'token_expires_at'])
  assert.notEqual(await stored(store), firstToken)
  assert.ok(service.tokens.has(await stored(store)))
})

test('calls that are made at once read the token once', async (t) => {
  const { store, reopen } = await world(t)
  const client = await reopen()
  const { lock } = store
  const taken: string[] = []
  store.lock = (name, waitMs) => {
    taken.push(name)
    return lock(name, waitMs)
  }
  await Promise.all(Array.from({ length: 50 }, () => client.bots.me()))
  assert.equal(taken.filter((name) => name === 'token').length, 1)
})

test('a clock that is weeks ahead rotates the token once a day, not at every request', async (t) => {
  const { client, service, runtime, reopen } = await world(t)
  const rotations = () => service.counts['POST /tokens/rotate'] ?? 0
  runtime.advance(25 * day)
  await client.bots.me()
  await client.bots.me()
  await (await reopen()).bots.me()
  assert.equal(rotations(), 1)
  runtime.advance(day)
  await (await reopen()).bots.me()
  assert.equal(rotations(), 2)
  // Once the clock is right again, the token is rotated in time.
  runtime.advance(-26 * day)
  await (await reopen()).bots.me()
  assert.equal(rotations(), 2)
  runtime.advance(24 * day)
  await (await reopen()).bots.me()
  assert.equal(rotations(), 3)
})

test('two processes rotate a token once between them', async (t) => {
  const { client, service, reopen } = await world(t, { tokenDays: 3 })
  const other = await reopen()
  await Promise.all([client.bots.me(), other.bots.me()])
  assert.equal(service.counts['POST /tokens/rotate'], 1)
})

test('a token rotated by another process is found in the store', async (t) => {
  const { client, reopen } = await world(t)
  await client.bots.me()
  await (await reopen()).tokens.rotate()
  assert.equal((await client.bots.me()).handle, 'ada')
})

test('after a request that never arrived, the old token works and the rotation is retried', async (t) => {
  const { client, service, store } = await world(t)
  service.fault('POST /tokens/rotate', { how: 'drop' })
  await client.tokens.rotate()
  assert.equal(service.counts['POST /tokens/rotate'], 2)
  assert.equal(service.counts['GET /bots/me'], 1)
  assert.ok(service.tokens.has(await stored(store)))
  assert.equal(await store.read('rotation.json'), undefined)
})

test('after a lost response, the old token is tried and the error names recovery', async (t) => {
  for (const how of ['lose', 'half'] as const) {
    const { client, service, store, runtime, reopen } = await world(t)
    service.fault('POST /tokens/rotate', { how })
    await assert.rejects(client.tokens.rotate(), (error) => {
      assert.ok(error instanceof KithTokenLostError)
      assert.equal(error.reason, 'rotation')
      assert.match(error.recovery, /ada.*openRecovery: request, then verify.*RECOVERY=on.*never register again/)
      return true
    })
    // A new start says the same, and recovery ends it.
    await assert.rejects((await reopen()).bots.me(), { name: 'KithTokenLostError', reason: 'rotation' })
    const recovery = openRecovery({ baseUrl: service.url, store, runtime })
    await recovery.request({ handle: 'ada', email: 'owner@example.org' })
    await assert.rejects(recovery.verify('000000'), { code: 'invalid_email_verification' })
    await recovery.verify(code)
    assert.equal((await (await reopen()).bots.me()).handle, 'ada')
    assert.equal(await store.read('recovery.json'), undefined)
  }
})

test('an unknown outcome is resolved at the next use', async (t) => {
  const { client, service, reopen } = await world(t)
  service.fault('POST /tokens/rotate', { how: 'drop' })
  service.fault('GET /bots/me', ...Array(5).fill({ how: 'drop' }))
  await assert.rejects(client.tokens.rotate(), KithNetworkError)
  assert.equal((await (await reopen()).bots.me()).handle, 'ada')
})

test('a new token on disk settles the intent that a crash left', async (t) => {
  const { store, service, reopen } = await world(t)
  await store.write('rotation.json', JSON.stringify({ from: 'the digest of another token' }))
  await (await reopen()).bots.me()
  assert.equal(service.counts['GET /bots/me'], 1)
  assert.equal(await store.read('rotation.json'), undefined)
})

test('a postponed rotation keeps the old token in use, and is not attempted at every call', async (t) => {
  const { client, service, runtime } = await world(t, { tokenDays: 3 })
  service.fault('POST /tokens/rotate', { how: 'refuse', status: 429, code: 'write_limited' })
  await client.bots.me()
  await client.bots.me()
  assert.equal(service.counts['POST /tokens/rotate'], 1)
  runtime.advance(2 * 3_600_000)
  await client.bots.me()
  assert.equal(service.counts['POST /tokens/rotate'], 2)
})

test('a revoked or expired token is reported, with the way to recover', async (t) => {
  const { client, service, runtime } = await world(t)
  service.tokens.clear()
  await assert.rejects(client.bots.me(), { name: 'KithTokenLostError', reason: 'refused', status: 401 })
  runtime.advance(40 * day)
  await assert.rejects(client.bots.me(), { name: 'KithTokenLostError', reason: 'refused' })
})

test('a 401 from something in between loses no token', async (t) => {
  const { client, service, store } = await world(t)
  const between = { how: 'between', status: 401, code: 'unauthorized' } as const
  const unclear = { name: 'KithError', code: 'unexpected_answer' }
  service.fault('GET /bots/me', between)
  await assert.rejects(client.bots.me(), unclear)
  // The probe of the old token is refused likewise: whether it lives is asked at the next use.
  service.fault('POST /tokens/rotate', between)
  service.fault('GET /bots/me', { ...between, status: 403 })
  await assert.rejects(client.tokens.rotate(), unclear)
  assert.ok(await store.read('rotation.json'))
  service.fault('POST /tokens/revoke', between)
  await assert.rejects(client.tokens.revoke(), unclear)
  assert.equal(await stored(store), firstToken)
})

test('a response without a grant is not a success', async (t) => {
  const { client, service, store } = await world(t)
  service.server.removeAllListeners('request')
  service.server.on('request', (_, response) =>
    response.writeHead(200, { 'x-request-id': 'r1' }).end('{"token":"short"}'),
  )
  await assert.rejects(client.tokens.rotate(), KithNetworkError)
  assert.equal(await stored(store), firstToken)
})

test('revoking ends the token on both ends, even if the response is lost', async (t) => {
  const { client, service, store } = await world(t)
  service.fault('POST /tokens/revoke', { how: 'lose' })
  await client.tokens.revoke()
  assert.equal(service.tokens.size, 0)
  assert.equal(await store.read('token'), undefined)
  assert.ok(await store.read('key'))
  await assert.rejects(client.bots.me(), (error) => error instanceof KithIdentityError || error instanceof KithError)
})

test('a revocation that could not be sent ends the old token alone, not the one that recovery brings', async (t) => {
  const { client, service, store, runtime, reopen } = await world(t)
  service.fault('POST /tokens/revoke', ...Array(5).fill({ how: 'drop' }))
  await assert.rejects(client.tokens.revoke(), KithNetworkError)
  const recovery = openRecovery({ baseUrl: service.url, store, runtime })
  await recovery.request({ handle: 'ada', email: 'owner@example.org' })
  await recovery.verify(code)
  assert.equal((await (await reopen()).bots.me()).handle, 'ada')
  assert.deepEqual([...service.tokens.keys()], [await stored(store)])
})

test('a recovery that ended between the token and the passport is finished with the same code', async (t) => {
  const { service, runtime } = await world(t)
  const store = memoryStore()
  const recovery = openRecovery({ baseUrl: service.url, store, runtime })
  await recovery.request({ handle: 'ada', email: 'owner@example.org' })
  service.fault('GET /bots/me', ...Array(5).fill({ how: 'drop' }))
  await assert.rejects(recovery.verify(code), KithNetworkError)
  const token = await stored(store)
  assert.equal((await recovery.verify(code)).token, token)
  assert.equal(service.counts['POST /tokens/recover/verify'], 1)
  assert.equal((await (await openClient({ store, runtime })).bots.me()).handle, 'ada')
  // Nor is it taken for another agent's.
  await store.remove('passport.json')
  await recovery.request({ handle: 'bob', email: 'owner@example.org' })
  await recovery.verify(code)
  assert.equal(service.counts['POST /tokens/recover/verify'], 2)
  // One that has expired since is no reason to refuse another code.
  await store.remove('passport.json')
  service.tokens.clear()
  await recovery.request({ handle: 'ada', email: 'owner@example.org' })
  assert.notEqual((await recovery.verify(code)).token, token)
})
