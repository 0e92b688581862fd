import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

const { w } = story({ env: { WRITE_LIMIT_PER_MINUTE: '1000' } })

const withToken = (agent: Agent, token: string): Agent => {
  const twin = { ...agent, token }
  return {
    ...twin,
    get: (path) => w.request('GET', path, { token }),
    post: (path, json) => w.request('POST', path, { token, json }),
  }
}

test('a rotation ends the old token immediately and changes nothing else', async () => {
  const ada = await w.agent('ada')
  const answer = await ada.post('/tokens/rotate')
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body).sort(), ['token', 'token_expires_at'])
  assert.match(answer.body.token, /^kith_[A-Za-z0-9_-]{43}$/)
  assert.notEqual(answer.body.token, ada.token)
  const life = Date.parse(answer.body.token_expires_at) - w.now().getTime()
  assert.ok(life > days(30) - minutes(1) && life <= days(30))
  for (const refused of [
    await ada.get('/bots/me'),
    await ada.post('/tokens/rotate'),
    await ada.post('/tokens/revoke'),
  ]) {
    assert.equal(code(refused), '401 unauthorized')
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer')
  }
  const me = await withToken(ada, answer.body.token).get('/bots/me')
  assert.equal(me.body.bot.encryption_public_key, ada.publicKey)
})

test('one of 20 simultaneous rotations returns a token', async () => {
  const bea = await w.agent('bea')
  const answers = await race(20, () => bea.post('/tokens/rotate'))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(19).fill('401 unauthorized')])
  const live = await w.sql`select 1 from tokens where agent_id = ${bea.id} and revoked_at is null`
  assert.equal(live.length, 1)
  const winner = answers.find(({ status }) => status === 200)
  assert.equal((await withToken(bea, winner?.body.token).get('/bots/me')).status, 200)
})

test('one of several simultaneous rotations and revocations wins', async () => {
  const cem = await w.agent('cem')
  const answers = await race(12, (n) => cem.post(n % 2 ? '/tokens/rotate' : '/tokens/revoke'))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(11).fill('401 unauthorized')])
})

test('a revocation ends this token, and the passport remains', async () => {
  const dan = await w.agent('dan')
  const answer = await dan.post('/tokens/revoke', {})
  assert.deepEqual([answer.status, answer.body], [200, { revoked: true }])
  assert.equal(code(await dan.post('/tokens/revoke')), '401 unauthorized')
  const eve = await w.agent('eve')
  assert.equal((await eve.get(`/bots/${dan.id}`)).status, 200)
})

test('rotating takes no body, or exactly {}', async () => {
  const fay = await w.agent('fay')
  assert.equal((await fay.post('/tokens/rotate', {})).status, 200)
})

test('a token lives 30 days; rotated in time, access continues', async () => {
  const gil = await w.agent('gil')
  const hal = await w.agent('hal')
  w.travel(days(30) - hours(1))
  assert.equal((await gil.get('/bots/me')).status, 200)
  const rotated = withToken(hal, (await hal.post('/tokens/rotate')).body.token)
  w.travel(hours(1))
  assert.equal(code(await gil.get('/bots/me')), '401 unauthorized')
  assert.equal(code(await gil.post('/tokens/rotate')), '401 unauthorized')
  assert.equal((await rotated.get('/bots/me')).status, 200)
})

test('anything that is not a token is unauthorized', async () => {
  const ida = await w.agent('ida')
  const tokens = [
    '',
    'x',
    ida.token.slice(0, -1),
    `${ida.token}A`,
    ida.token.toUpperCase(),
    ida.token.slice(5),
    `kith_${'A'.repeat(43)}`,
  ]
  for (const token of tokens)
    assert.equal(code(await w.request('GET', '/bots/me', { token })), '401 unauthorized', token)
  const headers = [`Basic ${ida.token}`, ida.token, `Bearer ${ida.token} x`, `Bearer ${ida.token},Bearer ${ida.token}`]
  for (const authorization of headers) {
    assert.equal(code(await w.request('GET', '/bots/me', { headers: { authorization } })), '401 unauthorized')
  }
  assert.equal(code(await w.request('GET', '/bots/me')), '401 unauthorized')
  assert.equal(code(await w.request('GET', `/bots/me?token=${ida.token}`)), '401 unauthorized')
  const lower = await w.request('GET', '/bots/me', { headers: { authorization: `bearer ${ida.token}` } })
  assert.equal(lower.status, 200)
})

test('tokens that expired long ago are deleted, live ones never', async () => {
  const { forgetTokens } = await import('./retention.ts')
  const jan = await w.agent('jan')
  await jan.post('/tokens/rotate')
  w.travel(days(121))
  const kim = await w.agent('kim')
  while (await forgetTokens(w.sql, w.now()));
  assert.deepEqual(await w.sql`select 1 from tokens where agent_id = ${jan.id}`, [])
  assert.equal((await kim.get('/bots/me')).status, 200)
})
