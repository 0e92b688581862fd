// The transport and its retries: what is a refusal, what is no answer, and how long to wait.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createClock } from '../src/clock.ts'
import { KithError, KithInputError, KithNetworkError } from '../src/errors.ts'
import { checkBaseUrl, createTransport, leftAfter } from '../src/http.ts'
import { noAnswer } from '../src/reach.ts'
import { backoff, defaultRetry, isPassing, retrying } from '../src/retry.ts'
import { systemRuntime } from '../src/runtime.ts'
import { testRuntime, world } from './fixtures.ts'

async function serving(t: TestContext, status: number, headers: Record<string, string>, body: string) {
  const server = createServer((_, response) => response.writeHead(status, headers).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return createTransport({ baseUrl, runtime: systemRuntime, maxAnswerBytes: 1_000 })
}

test('an origin is https, or http on loopback', () => {
  for (const good of [
    'https://kith.example',
    'https://kith.example/',
    'http://127.0.0.1:8080',
    'http://localhost:1',
    'http://[::1]:8080',
  ])
    assert.equal(checkBaseUrl(good), good.replace(/\/$/, ''))
  for (const bad of [
    'http://kith.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'ftp://127.0.0.1',
    'https://u:p@kith.example',
    'https://kith.example/api',
    'https://kith.example/?x',
    'https://kith.example/#x',
    'kith.example',
    '',
  ])
    assert.throws(() => checkBaseUrl(bad), KithInputError, bad)
})

test('a refusal carries all details of the envelope and the headers', async (t) => {
  const body = JSON.stringify({
    error: { code: 'invalid_input', message: 'no', details: { fields: [{ path: 'q', problem: 'long' }] } },
  })
  const transport = await serving(t, 429, { 'retry-after': '7', 'x-request-id': 'r1' }, body)
  await assert.rejects(transport({ method: 'GET', path: '/bots' }), (error) => {
    assert.ok(error instanceof KithError)
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId, error.retryAfter],
      [429, 'invalid_input', 'no: q: long', 'r1', 7],
    )
    assert.deepEqual(error.fields, [{ path: 'q', problem: 'long' }])
    return true
  })
})

test('a message names the first fields, and for a wrong code the attempts that remain', () => {
  const refused = (details: Record<string, unknown>, code = 'invalid_input') =>
    new KithError({ status: 400, code, message: 'invalid input', details })
  const fields = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, problem: 'is needed' }))
  assert.equal(refused({ fields }).message, 'invalid input: a: is needed; b: is needed; c: is needed; 2 more')
  for (const odd of [null, 'x', [null, 'x', {}]]) assert.equal(refused({ fields: odd }).message, 'invalid input')
  const left = (details: Record<string, unknown>) => refused(details, 'invalid_email_verification').attemptsLeft
  assert.deepEqual([left({ attempts_left: 0 }), left({}), left({ attempts_left: '3' })], [0, undefined, undefined])
})

test('the time of the service is what its responses tell, unless the clock of the machine may be right', () => {
  const noon = Date.parse('2026-03-01T12:00:00Z')
  const at = (seconds: number) => noon + 1000 * seconds
  const named = { 'x-request-id': 'r1' }
  /** By a machine's clock: a request at `sent` is answered at `came`; the response says noon. */
  const told = (sent: number, came: number, headers: Record<string, string> = named) => {
    const clock = createClock({ now: () => at(came) })
    clock.hear(new Response('', { headers: { date: new Date(noon).toUTCString(), ...headers } }), at(sent))
    return [clock.isKnown(), (clock.now() - noon) / 1000]
  }
  assert.deepEqual(told(0.3, 0.8), [true, 0.8], 'a header counts whole seconds')
  assert.deepEqual(told(-20, 40), [true, 40], 'the response was slow')
  assert.deepEqual(told(-7200, -7199), [true, 0], 'two hours slow')
  assert.deepEqual(told(7200, 7201), [true, 2], 'two hours fast')
  assert.deepEqual(told(-7200, -7199, {}), [false, -7199], 'not from Kith')
  assert.deepEqual(told(-7200, -7199, { ...named, date: 'noon' }), [false, -7199], 'no date')
})

test('an agent whose clock is wrong asks the service for the time once', async (t) => {
  const { client, runtime, service } = await world(t)
  runtime.advance(-5 * 3_600_000)
  const minutes = async () => Math.abs((await client.now()) - Date.now()) / 60_000
  assert.ok((await minutes()) < 60)
  assert.ok((await minutes()) < 60)
  assert.equal(service.log.filter((line) => line.startsWith('GET /bots/me')).length, 1)
})

test('a response from a proxy is recognised as such', async (t) => {
  const page = '<html>502 Bad Gateway</html>'
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const ask = { method: 'GET', path: '/bots' }
  for (const [status, said] of [
    [502, /answered 502 with a web page that is not from Kith: a proxy answers, .* is it running\?$/],
    [404, /answered 404 with a web page that is not from Kith: is the address right/],
  ] as const)
    await assert.rejects((await serving(t, status, html, page))(ask), (error: KithError) => {
      assert.deepEqual([error.status, error.code], [status, 'unexpected_answer'])
      assert.match(error.message, said)
      return true
    })
  // Other services refuse in the same form, but without the header.
  const envelope = JSON.stringify({ error: { code: 'not_found', message: 'no' } })
  await assert.rejects((await serving(t, 404, {}, envelope))(ask), { status: 404, code: 'unexpected_answer' })
  await assert.rejects((await serving(t, 200, html, page))(ask), { reason: 'foreign', message: /a web page/ })
  // The last one is whole, but without the header of each response of Kith it says nothing about a request.
  for (const body of [page, '[]', '"text"', '', '{"half":', '{"status":"ok"}'])
    await assert.rejects((await serving(t, 200, {}, body))(ask), { name: 'KithNetworkError', reason: 'foreign' }, body)
})

test('if the service does not respond, the error says what to check', async (t) => {
  const listening = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const gone = createTcpServer()
  const nobody = await listening(gone)
  await new Promise((resolve) => gone.close(resolve))
  const hanging = await listening(createTcpServer((socket) => socket.unref().on('error', () => {})))
  const rude = await listening(createTcpServer((socket) => socket.on('error', () => {}).destroy()))
  const half = await listening(
    createServer((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setImmediate(() => response.destroy())
    }),
  )
  const elsewhere = await listening(createServer((_, response) => response.writeHead(302, { location: '/x' }).end()))
  for (const [baseUrl, reason, message] of [
    [`http://${nobody}`, 'refused', `cannot reach http://${nobody} (connection refused): is it running?`],
    [`http://${hanging}`, 'timeout', `http://${hanging} did not answer GET /bots within 0.1 seconds`],
    [`http://${rude}`, 'broken', `no complete response from http://${rude} to GET /bots: the connection was lost`],
    [`http://${half}`, 'broken', `no complete response from http://${half} to GET /bots: the connection was lost`],
    [`https://${elsewhere}`, 'tls', `cannot reach https://${elsewhere} (it does not speak TLS): is it http?`],
    [
      `http://${elsewhere}`,
      'redirect',
      `cannot reach http://${elsewhere} (it redirects elsewhere): give the address that it redirects to`,
    ],
  ] as const) {
    const transport = createTransport({
      baseUrl,
      runtime: systemRuntime,
      timeoutMs: reason === 'timeout' ? 100 : 30_000,
    })
    await assert.rejects(transport({ method: 'GET', path: '/bots' }), { name: 'KithNetworkError', reason, message })
  }
})

test("each cause of a failed connection has its own message; a browser's errors have none", () => {
  const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })
  const told = (cause: unknown) => {
    const { reason, message } = noAnswer({ origin: 'https://kith.example', request: 'GET /bots', seconds: 30 }, cause)
    return [reason, message] as const
  }
  for (const [code, reason, words] of [
    ['ENOTFOUND', 'name', /\(there is no such host\): is the address right\?$/],
    ['EAI_AGAIN', 'name', /is there a network\?$/],
    ['ENETUNREACH', 'unreachable', /is there a network\?$/],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', /the connection timed out/],
    ['CERT_HAS_EXPIRED', 'tls', /its certificate has expired\)$/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', /NODE_EXTRA_CA_CERTS/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /for another name\)$/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls', /TLS failed\)$/],
    ['UND_ERR_SOCKET', 'broken', /the connection was lost$/],
  ] as const) {
    const [found, message] = told(failed(code))
    assert.equal(found, reason, code)
    assert.match(message, words)
  }
  // Of a host with two addresses both failed.
  const both = new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })])
  assert.equal(told(new TypeError('fetch failed', { cause: both }))[0], 'refused')
  for (const plain of [new TypeError('Failed to fetch'), 'x', undefined]) assert.equal(told(plain)[0], 'broken')
})

test('a response that is too large is not read to its end', async (t) => {
  const transport = await serving(t, 200, {}, JSON.stringify({ text: 'x'.repeat(2_000) }))
  await assert.rejects(transport({ method: 'GET', path: '/bots' }), KithNetworkError)
})

test('a slow link earns time by what it brings, and a drip does not', async () => {
  const transport = (write: (write: (text: string) => void) => Promise<void>) =>
    createTransport({
      baseUrl: 'https://kith.example',
      timeoutMs: 50,
      runtime: {
        ...systemRuntime,
        fetch: async (_url, init) => {
          const body = new ReadableStream<Uint8Array>({
            async start(controller) {
              init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
              await write((text) => controller.enqueue(new TextEncoder().encode(text)))
              controller.close()
            },
          })
          return new Response(body, { headers: { 'x-request-id': 'r1' } })
        },
      },
    })({ method: 'GET', path: '/bots' })
  const { body } = await transport(async (write) => {
    write(' '.repeat(65_536))
    await systemRuntime.sleep(200)
    write('{"a":1}')
  })
  assert.deepEqual(body, { a: 1 })
  const drip = async (write: (text: string) => void) => {
    for (;;) {
      write(' ')
      await systemRuntime.sleep(5)
    }
  }
  await assert.rejects(transport(drip), { name: 'KithNetworkError', reason: 'timeout' })
  // Megabytes that came at once do not pay for an hour of silence.
  assert.deepEqual([leftAfter(500, 4096, 30_000), leftAfter(500, 16_777_216, 30_000)], [1500, 60_000])
  assert.equal(leftAfter(500, 1_073_741_824, 600_000), 600_000)
})

test('redirects are not followed, so the token does not leak', async (t) => {
  const { service, client } = await world(t)
  const other = await serving(t, 302, { location: `${service.url}/api/v1/bots/me` }, '')
  await assert.rejects(other({ method: 'GET', path: '/bots/me', token: 'kith_secret' }), KithNetworkError)
  assert.equal(service.counts['GET /bots/me'], undefined)
  await client.bots.me()
})

test("the caller can abort a request; the error carries the caller's reason", async (t) => {
  const { service, client } = await world(t)
  service.fault('GET /bots/me', { how: 'hang' })
  const stop = new AbortController()
  const asked = client.bots.me({ signal: stop.signal })
  setTimeout(() => stop.abort(new Error('enough')), 50)
  await assert.rejects(asked, { message: 'enough' })
})

test('reads are retried through temporary errors, and wait as long as the service asks', async (t) => {
  const { service, client, runtime } = await world(t)
  service.fault('GET /bots/me', { how: 'drop' }, { how: 'half' })
  service.fault('GET /bots/me', { how: 'refuse', status: 503, code: 'starting', headers: { 'retry-after': '3' } })
  assert.equal((await client.bots.me()).handle, 'ada')
  assert.equal(service.counts['GET /bots/me'], 4)
  assert.equal(runtime.slept.length, 3)
  assert.ok(runtime.slept[2]! >= 3_000)
})

test('a wait longer than the budget is left to the caller', async (t) => {
  const { service, client, runtime } = await world(t)
  service.fault('GET /bots/me', {
    how: 'refuse',
    status: 429,
    code: 'write_limited',
    headers: { 'retry-after': '600' },
  })
  await assert.rejects(client.bots.me(), { status: 429, retryAfter: 600 })
  assert.deepEqual(runtime.slept, [])
})

test('a permanent refusal is not retried', async (t) => {
  for (const status of [400, 403, 404, 405, 409, 413, 415]) {
    const { service, client } = await world(t)
    service.fault('GET /bots/me', { how: 'refuse', status, code: 'not_found' })
    await assert.rejects(client.bots.me(), { status })
    assert.equal(service.counts['GET /bots/me'], 1)
  }
})

test('quotas that waiting does not free, and missing configuration, are permanent', () => {
  const error = (status: number, code: string, details?: Record<string, unknown>) =>
    new KithError({ status, code, details })
  assert.equal(isPassing(error(429, 'storage_quota_exceeded', { retryable: false })), false)
  assert.equal(isPassing(error(503, 'verification_setup_pending')), false)
  assert.equal(isPassing(error(429, 'write_limited')), true)
  assert.equal(isPassing(error(408, 'timeout')), true)
})

test('attempts are bounded, and the back-off grows to its cap with full jitter', async () => {
  const runtime = testRuntime()
  let tries = 0
  await assert.rejects(
    retrying(runtime, defaultRetry, async () => {
      tries++
      throw new KithNetworkError('gone')
    }),
    KithNetworkError,
  )
  assert.equal(tries, defaultRetry.attempts)
  assert.deepEqual(runtime.slept, [125, 250, 500, 1000])
  assert.equal(backoff({ baseMs: 500, capMs: 60_000 }, 40, 1), 60_000)
  assert.equal(backoff({ baseMs: 500, capMs: 60_000 }, 40, 0), 0)
})
