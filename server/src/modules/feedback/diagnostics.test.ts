// What diagnostics take, key by key, at each bound and beyond. docs/contract/feedback.md#diagnostics.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { recordBody } from '../../../test/feedback.ts'
import { type Agent, code, type World, world } from '../../../test/world.ts'
import { layers, methods } from './diagnostics.ts'

let w: World
let ada: Agent
before(async () => {
  w = await world()
  ada = await w.agent('ada')
})
after(() => w.close())

const send = (diagnostics: unknown) => ada.post('/feedback', recordBody('problem', { diagnostics }))

/** What is stored of a value of a key; the code where it is refused. */
async function kept(key: string, value: unknown): Promise<unknown> {
  const answer = await send({ layer: 'api', [key]: value })
  return answer.status === 201 ? answer.body.feedback.diagnostics[key] : code(answer)
}

const refused = '400 invalid_input'

test('all of it comes back in one form, and so does as little as may be', async () => {
  const failed = randomUUID()
  const answer = await send({
    failed_operation_id: failed.toUpperCase(),
    client_version: ' 1.2.3 ',
    platform: 'Linux, Node 26',
    occurred_at: '2026-02-28T23:59:59.9999+05:30',
    http_status: 503,
    endpoint: '/api/v1/posts/{post_id}/poll',
    method: 'POST',
    error_code: 'service_unavailable',
    tool_name: 'kith:post-create',
    operation: 'posts.create',
    layer: 'api',
  })
  assert.equal(code(answer), '201')
  const { diagnostics, id } = answer.body.feedback
  assert.equal(
    JSON.stringify(diagnostics),
    JSON.stringify({
      layer: 'api',
      operation: 'posts.create',
      tool_name: 'kith:post-create',
      error_code: 'service_unavailable',
      method: 'POST',
      endpoint: '/api/v1/posts/{post_id}/poll',
      http_status: 503,
      occurred_at: '2026-02-28T18:29:59.999Z',
      platform: 'Linux, Node 26',
      client_version: '1.2.3',
      failed_operation_id: failed,
    }),
  )
  assert.deepEqual((await ada.get(`/feedback/${id}`)).body.feedback.diagnostics, diagnostics)
  assert.deepEqual((await send({ layer: 'unknown' })).body.feedback.diagnostics, { layer: 'unknown' })
})

test('a layer is needed, and no other key is known', async () => {
  for (const layer of layers) assert.equal(await kept('layer', layer), layer)
  for (const bad of ['API', '', 'database', null, 1, ['api']]) assert.equal(await kept('layer', bad), refused)
  for (const bad of [{}, { method: 'GET' }, null, [], 'api', 5]) assert.equal(code(await send(bad)), refused)
  for (const key of ['stack', 'Layer', 'constructor', 'toString', 'token'])
    assert.equal(await kept(key, 'x'), refused, key)
  const raw = JSON.stringify(recordBody('problem')).slice(0, -1)
  const proto = await w.request('POST', '/feedback', {
    token: ada.token,
    raw: `${raw},"diagnostics":{"layer":"api","__proto__":{"method":"GET"}}}`,
  })
  assert.equal(code(proto), refused)
})

test('identifiers', async () => {
  const longest = `a${'_.:-9'.repeat(20)}`.slice(0, 100)
  for (const key of ['operation', 'tool_name', 'error_code']) {
    for (const good of ['a', '0', 'Z9_.:-', longest]) assert.equal(await kept(key, good), good, `${key} ${good}`)
    for (const bad of [`${longest}x`, '', '_a', '.a', '-a', ':a', 'a b', ' a', 'a/b', 'é', 'a\n', 'ａ', null, 7, {}]) {
      assert.equal(await kept(key, bad), refused, `${key} ${JSON.stringify(bad)}`)
    }
  }
})

test('methods and statuses', async () => {
  for (const method of methods) assert.equal(await kept('method', method), method)
  for (const bad of ['get', 'TRACE', 'CONNECT', '', null]) assert.equal(await kept('method', bad), refused)
  for (const good of [100, 599, null]) assert.equal(await kept('http_status', good), good)
  for (const bad of [99, 600, 200.5, -1, '200', true])
    assert.equal(await kept('http_status', bad), refused, String(bad))
})

test('endpoints', async () => {
  const longest = `/api/v1/${'x'.repeat(192)}`
  for (const good of [
    '/api/v1/bots',
    '/api/v1/feedback/{id}/followups',
    `/api/v1/posts/${randomUUID()}`,
    '/api/v1/a%20b/~x',
    longest,
  ]) {
    assert.equal(await kept('endpoint', good), good)
  }
  for (const bad of [
    `${longest}x`,
    '/api/v1',
    '/api/v1/',
    '/api/v2/bots',
    'api/v1/bots',
    '/ws/v1/events/',
    'https://kith.example/api/v1/bots',
    '//kith.example/api/v1/bots',
    '/api/v1/bots?q=secret',
    '/api/v1/bots#top',
    '/api/v1/a b',
    '/api/v1/é',
    '/api/v1/<script>',
    '/api/v1/a\\b',
    '/api/v1/bots\n',
    '\n/api/v1/bots',
    '',
    null,
  ]) {
    assert.equal(await kept('endpoint', bad), refused, String(bad))
  }
})

test('times and names', async () => {
  assert.equal(await kept('occurred_at', '2024-02-29T00:00:00Z'), '2024-02-29T00:00:00.000Z')
  for (const bad of ['2026-02-29T00:00:00Z', '2026-05-01T12:00:00', '2026-05-01', 'yesterday', '', 0, null]) {
    assert.equal(await kept('occurred_at', bad), refused, String(bad))
  }
  for (const key of ['platform', 'client_version']) {
    for (const good of ['x', '𝒳'.repeat(100), 'macOS 26 (arm64)']) assert.equal(await kept(key, good), good)
    for (const bad of ['', '  ', 'x'.repeat(101), 'two\nlines', 'a\u0000', 'a\u202eb', 'a\ud800', '\u200b', null, 1]) {
      assert.equal(await kept(key, bad), refused, `${key} ${JSON.stringify(bad)}`)
    }
  }
  for (const bad of ['1', '', randomUUID().slice(1), null])
    assert.equal(await kept('failed_operation_id', bad), refused)
})
