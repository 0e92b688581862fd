// What arrives on a bare socket: HTTP as no client library would send it.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { world } from '../../test/world.ts'
import type { Refusal } from '../kernel/refuse.ts'
import { wholeBody } from './body.ts'

const w = await world()
after(() => w.close())
const me = await w.agent('raw')
const { hostname, port, host } = new URL(w.url)

interface Reply {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
  body: any
}

/** Sends the pieces one after another and reads all answers until the other side closes. */
async function exchange(pieces: (string | Buffer)[], { end = false } = {}): Promise<Reply[]> {
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => chunks.push(chunk as Buffer))
    socket.on('end', resolve)
    socket.on('error', (error) => (chunks.length > 0 ? resolve() : reject(error)))
  })
  for (const piece of pieces) {
    if (!socket.writable) break
    await new Promise((resolve) => socket.write(piece, resolve))
  }
  if (end) socket.end()
  await closed
  socket.destroy()
  return parseReplies(Buffer.concat(chunks))
}

function parseReplies(bytes: Buffer): Reply[] {
  const replies: Reply[] = []
  let rest = bytes
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n')
    assert.ok(headEnd > 0, `no head in ${JSON.stringify(rest.toString('latin1').slice(0, 200))}`)
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(first)?.[1])
    assert.ok(status, first)
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.split(/: */, 2)[1]]),
    )
    rest = rest.subarray(headEnd + 4)
    if (status === 100) continue
    const length = Number(headers['content-length'] ?? 0)
    const text = rest.subarray(0, length).toString()
    rest = rest.subarray(length)
    replies.push({
      status,
      headers: headers as Record<string, string>,
      body: text === '' ? undefined : JSON.parse(text),
    })
  }
  return replies
}

/** Sends the first part, the second once a response has come, and more until the other side has closed; all that came. */
async function spokenTo(first: string, second = ''): Promise<Reply[]> {
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  socket.on('error', () => {})
  socket.once('data', () => socket.write(second))
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('end', () => {
    const more = setInterval(() => socket.write('x'), 20)
    socket.once('close', () => clearInterval(more))
  })
  socket.write(first)
  await new Promise((resolve) => socket.once('close', resolve))
  return parseReplies(Buffer.concat(chunks))
}

const bearer = `Authorization: Bearer ${me.token}`
const get = (path = '/api/v1/bots/me', extra = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n${extra}\r\n`
const last = 'Connection: close\r\n'
const post = (headers: string, body = ''): string =>
  `PATCH /api/v1/bots/me HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n${headers}\r\n${body}`

async function only(...pieces: (string | Buffer)[]): Promise<Reply> {
  const replies = await exchange(pieces)
  assert.equal(replies.length, 1)
  const [reply] = replies as [Reply]
  assert.match(reply.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/, 'every answer carries X-Request-Id')
  assert.equal(reply.headers['cache-control'], 'no-store')
  if (reply.status >= 400 && reply.body !== undefined) {
    assert.match(reply.headers['content-type'] ?? '', /^application\/json/)
    assert.equal(typeof reply.body.error.code, 'string')
    assert.equal(typeof reply.body.error.message, 'string')
  }
  return reply
}

const told = ({ status, body }: Reply): string => (status < 400 ? String(status) : `${status} ${body?.error.code}`)

test('a second Authorization header is 401, on public routes too', async () => {
  for (const path of ['/api/v1/bots/me', '/api/v1/registration/requirements']) {
    const reply = await only(get(path, `authorization: Bearer ${me.token}\r\n${last}`))
    assert.equal(told(reply), '401 unauthorized')
    assert.equal(reply.headers['www-authenticate'], 'Bearer')
  }
})

test('a second Host header, none, or one that is no host is 400', async () => {
  const hosts = {
    '400 invalid_input': [
      'a b',
      'http://a',
      'a/b',
      'ada@a',
      'a:b',
      'a:1:2',
      '::1',
      '[::1',
      '[]',
      'a\\b',
      'a#b',
      '<a>',
      'ä',
    ],
    '200': ['', 'a', 'a_b.example:', 'A.example:80', '127.0.0.1:1', '[::1]', '[fe80::1%25eth0]:80', '%C3%A4.example'],
  }
  for (const [answer, given] of Object.entries(hosts)) {
    for (const host of given) {
      const reply = await only(`GET /health/live HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`)
      assert.equal(told(reply), answer, host)
    }
  }
  assert.equal(told(await only(get(undefined, `host: other\r\n${last}`))), '400 invalid_input')
  assert.equal(told(await only(`GET /health/live HTTP/1.1\r\nHost: a\r\nHost: a\r\n${last}\r\n`)), '400 invalid_input')
  assert.equal(told(await only(`GET /api/v1/bots/me HTTP/1.1\r\n${bearer}\r\n${last}\r\n`)), '400 invalid_input')
})

test('a request that is not HTTP is 400, too many headers 431, each with the envelope', async () => {
  for (const garbage of [
    'hello\r\n\r\n',
    'GET\r\n\r\n',
    '\u0000\u0001\u0002\r\n\r\n',
    'BREW /api/v1/bots HTTP/1.1\r\nHost: x\r\n\r\n',
  ]) {
    assert.equal(told(await only(garbage)), '400 invalid_input', JSON.stringify(garbage))
  }
  assert.equal(told(await only(get(undefined, `X-Big: ${'x'.repeat(20_000)}\r\n`))), '431 headers_too_large')
  assert.equal(told(await only(get(`/api/v1/bots?q=${'x'.repeat(20_000)}`))), '431 headers_too_large')
  const bare = await only(get(undefined, 'Bad Header\r\n'))
  assert.equal(told(bare), '400 invalid_input')
})

test('slow headers and slow bodies are 408 with the envelope, unless the request was answered already', async () => {
  const length = 'Content-Type: application/json\r\nContent-Length: 100\r\n'
  const [head, body, answered] = await Promise.all([
    only(`GET /api/v1/bots/me HTTP/1.1\r\nHost: ${host}\r\n`),
    only(post(length, '{"bio":')),
    spokenTo(post(length, '{"bio":').replace(bearer, 'X-No: token')),
  ])
  assert.equal(told(head), '408 request_timeout')
  assert.equal(told(body), '408 request_timeout')
  assert.deepEqual(answered.map(told), ['401 unauthorized'])
})

test('pipelined requests are answered in order, even before a broken one', async () => {
  const replies = await exchange([get() + get('/api/v1/unknown') + get(undefined, last)])
  assert.deepEqual(replies.map(told), ['200', '404 not_found', '200'])
  const change = post('Content-Type: application/json\r\nContent-Length: 14\r\n', '{"bio":"pipe"}')
  const broken = await exchange([`${change}${get()}garbage\r\n\r\n`])
  assert.deepEqual(broken.map(told), ['200', '200', '400 invalid_input'], 'no answer stands for another request')
  assert.equal(broken[0]?.body.bot.bio, 'pipe')
})

test('a request that was answered before it arrived completely gets no second answer if the rest of it is malformed', async () => {
  for (const [path, answer] of [
    ['/api/v1/posts', '401 unauthorized'],
    ['/api/v1/nowhere', '404 not_found'],
  ]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
    const replies = await spokenTo(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`, 'no chunk\r\n')
    assert.deepEqual(replies.map(told), [answer])
  }
})

test('a client that does not close its side is disconnected soon after its last answer', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  const all = await Promise.all([
    spokenTo('hello\r\n\r\n'),
    spokenTo(get('/elsewhere', upgrade + key)),
    spokenTo(get('/ws/v1/events/', `${upgrade}${key}Sec-WebSocket-Protocol: a, b\r\n`)),
    spokenTo(get('/ws/v1/events/', upgrade)),
  ])
  assert.deepEqual(
    all.map((replies) => replies.map(told)),
    [['400 invalid_input'], ['404 not_found'], ['400 invalid_input'], ['400 invalid_input']],
  )
})

test('a client that reads nothing before it has sent all learns why its body is refused; nothing behind it is done', async () => {
  const body = Buffer.alloc(8 * 1024 * 1024, 'x')
  const behind = post('Content-Type: application/json\r\nContent-Length: 16\r\n', '{"bio":"behind"}')
  for (const headers of [
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`,
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
  ]) {
    const socket = connect({ host: hostname, port: Number(port) }).pause()
    const framed = headers.includes('chunked') ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body]
    const all = Buffer.concat([post(headers), ...framed, behind].map((piece) => Buffer.from(piece)))
    await promisify<Buffer>(socket.write).call(socket, all)
    const chunks: Buffer[] = []
    // What came behind the body may be answered with a reset.
    socket
      .on('error', () => {})
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .resume()
    await new Promise((resolve) => socket.once('close', resolve))
    assert.deepEqual(parseReplies(Buffer.concat(chunks)).map(told), ['413 payload_too_large'])
  }
  assert.notEqual((await me.get('/bots/me')).body.bot.bio, 'behind')
})

test('a client that stops in the middle of a refused body is disconnected', async () => {
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write(post('Content-Type: application/json\r\nContent-Length: 8000000\r\n', 'x'))
  const chunks = await socket.toArray()
  assert.deepEqual(parseReplies(Buffer.concat(chunks)).map(told), ['413 payload_too_large'])
  // Whether the other side is gone shows when something is sent.
  const more = setInterval(() => socket.write('x'), 3000)
  await closed
  clearInterval(more)
})

test('an upgrade that is pipelined behind unanswered requests is ignored', async () => {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  const opening = get('/ws/v1/events/', `${upgrade}Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`)
  const replies = await exchange([get() + get('/api/v1/unknown') + opening], { end: true })
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 404, 404],
  )
})

test('a half-closed connection still gets its response', async () => {
  assert.deepEqual((await exchange([get()], { end: true })).map(told), ['200'])
  const cut = post('Content-Type: application/json\r\nContent-Length: 100\r\n', '{"bio":"cut"')
  const replies = await exchange([cut], { end: true }).catch(() => [])
  assert.ok(
    replies.every(({ status }) => status === 400),
    'a body cut short is never taken',
  )
  assert.notEqual((await me.get('/bots/me')).body.bot.bio, 'cut')
})

test('Expect: 100-continue is served; other expectations are ignored', async () => {
  const body = '{"bio":"waited"}'
  const head = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${last}`
  assert.equal((await only(post(`${head}Expect: 100-continue\r\n`), body)).body.bot.bio, 'waited')
  assert.equal(told(await only(post(`${head}Expect: a-miracle\r\n`, body))), '200')
})

test('chunked bodies are read and limited, and empty ones count as no body', async () => {
  const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  const whole = `${chunk('{"bio":')}${chunk('"in parts"}')}0\r\n\r\n`
  assert.equal((await only(post(chunked + last, whole))).body.bot.bio, 'in parts')
  const endless = [post(chunked), ...Array.from({ length: 200 }, () => chunk('x'.repeat(1024))), '0\r\n\r\n']
  assert.equal(told(await only(...endless)), '413 payload_too_large')
  assert.equal(told(await only(post(chunked + last, 'zz\r\n'))), '400 invalid_input')
  const empty = (type: string): string =>
    `POST /api/v1/contacts/${me.id}/accept HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n${type}Transfer-Encoding: chunked\r\n${last}\r\n0\r\n\r\n`
  for (const type of ['', 'Content-Type: text/plain\r\n', 'Content-Type: application/json\r\n']) {
    assert.equal(told(await only(empty(type))), '404 not_found', type)
  }
})

test('a length with chunks, or an unknown coding, is refused', async () => {
  const both = 'Content-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n'
  assert.equal(told(await only(post(both, '0\r\n\r\n'))), '400 invalid_input')
  const twice = 'Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n'
  assert.equal(told(await only(post(twice, '{}'))), '400 invalid_input')
  for (const coding of ['xchunked', 'chunked, identity', 'gzip']) {
    const reply = await only(
      post(`Content-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n${last}`, '0\r\n\r\n'),
    )
    assert.ok(reply.status >= 400 && reply.status < 500, `${coding}: ${reply.status}`)
  }
  const json = 'Content-Type: application/json\r\n'
  const whole = '2\r\n{}\r\n0\r\n\r\n'
  for (const coding of ['gzip, chunked', 'chunked, chunked', 'identity, chunked', ',chunked']) {
    // The connection ends, although the client would keep it.
    const reply = await only(post(`${json}Transfer-Encoding: ${coding}\r\n`, whole))
    assert.deepEqual([told(reply), reply.headers['connection']], ['400 invalid_input', 'close'], coding)
  }
  const codedTwice = `${json}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`
  assert.equal(told(await only(post(codedTwice, whole))), '400 invalid_input')
  assert.equal(told(await only(post(`${json}Transfer-Encoding: Chunked\r\n${last}`, whole))), '200')
})

test('a large body gets its 413 although it is not read', async () => {
  const length = 3_000_000
  for (let i = 0; i < 3; i++) {
    const head = post(`Content-Type: application/json\r\nContent-Length: ${length}\r\n`)
    const pieces = Array.from({ length: 30 }, () => Buffer.alloc(length / 30, 0x20))
    assert.equal(told(await only(head, ...pieces)), '413 payload_too_large')
  }
})

test('request targets: absolute, asterisk, encoded, cut at a fragment', async () => {
  assert.equal(told(await only(get(`http://${host}/api/v1/bots/me`, last))), '200')
  assert.equal(told(await only(get(`http://${host}/api/v1/contacts/requests`, last))), '405 method_not_allowed')
  assert.equal(told(await only(get('HTTPS://other.example/api/v1/bots?page=0', last))), '400 invalid_pagination')
  const html = 'Accept: text/html\r\n'
  assert.equal(told(await only(get(`http://${host}/api/v1/nowhere`, html + last))), '404 not_found', 'in the envelope')
  for (const start of ['http://other.example', 'http://other.example?lang=ru']) {
    const [page] = await exchange([get(start, html + last).replace('GET', 'HEAD')])
    assert.deepEqual([page?.status, page?.headers['content-type']], [200, 'text/html; charset=utf-8'], start)
  }
  for (const method of ['OPTIONS', 'GET', 'POST', 'TRACE']) {
    const asterisk = await only(`${method} * HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`)
    assert.equal(told(asterisk), '404 not_found', method)
  }
  for (const path of [
    '%2Fapi/v1/bots/me',
    '/api/v1/bots%2Fme',
    '/api/v1/bots/%00',
    '/api/v1/bots/%',
    '/api/v1/bots/%ff',
    '/api/v1/bots/me#x',
    '/api/v1/bots#?q=1',
    '//api/v1/bots/me',
    '/api/v1/../v1/bots/me',
    '/api/v1/bots;a=b',
  ]) {
    const reply = await only(get(path, last))
    assert.ok(['404 not_found', '400 invalid_input'].includes(told(reply)), `${path}: ${told(reply)}`)
  }
})

test('HEAD and OPTIONS; a body on GET does not become the next request', async () => {
  const head = await exchange([`HEAD /api/v1/bots/me HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\n${last}\r\n`]).catch(
    (e) => e,
  )
  // The head names the length of a body that does not come.
  assert.ok(Array.isArray(head) ? head[0]?.status === 200 : /Unexpected end/.test(String(head)))
  const options = await only(`OPTIONS /api/v1/contacts/requests HTTP/1.1\r\nHost: ${host}\r\n${last}\r\n`)
  assert.equal(told(options), '405 method_not_allowed')
  assert.equal(options.headers['allow'], 'POST')
  const smuggled = get('/api/v1/unknown')
  const replies = await exchange([
    get(undefined, `Content-Length: ${smuggled.length}\r\n`) + smuggled + get('/health/live', last),
  ])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
})

test('an upgrade offer other than WebSocket is ignored', async () => {
  assert.equal(told(await only(get(undefined, 'Connection: Upgrade, close\r\nUpgrade: h2c\r\n'))), '200')
})

test('an upgrade offer that is ignored ends the connection, so no response is taken for that of a request behind it', async () => {
  const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'
  for (const [path, status] of [
    ['/api/v1/bots/me', 200],
    ['/api/v1/unknown', 404],
    ['/%', 404],
  ] as const) {
    const replies = await spokenTo(get(path, h2c) + get('/api/v1/contacts'), get('/health/live', last))
    assert.deepEqual(
      replies.map((reply) => [reply.status, reply.headers['connection']]),
      [[status, 'close']],
      path,
    )
  }
})

test('CONNECT is refused with the envelope', async () => {
  const reply = await only('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  assert.equal(told(reply), '400 invalid_input')
  assert.equal(reply.body.error.message, 'This server is not a proxy: it does not take CONNECT')
})

test('a length of 0 with any content type is no body', async () => {
  for (const type of ['text/plain', 'application/json', 'multipart/form-data']) {
    const text = `POST /api/v1/contacts/${me.id}/block HTTP/1.1\r\nHost: ${host}\r\n${bearer}\r\nContent-Type: ${type}\r\n`
    assert.equal(told(await only(`${text}Content-Length: 0\r\n${last}\r\n`)), '404 not_found', type)
    assert.equal(told(await only(`${text}${last}\r\n`)), '404 not_found', `${type} and no length`)
  }
})

test('a body cut into single bytes is read, and no piece of it is kept', async () => {
  const chunked = (text: string): Buffer =>
    Buffer.concat([...Buffer.from(text)].flatMap((byte) => [Buffer.from('1\r\n'), Buffer.of(byte, 13, 10)]))
  const head = `HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${me.token}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n`
  const sent = async (path: string, type: string, body: Buffer): Promise<Reply | undefined> =>
    (await exchange([`POST ${path} ${head}Content-Type: ${type}\r\n\r\n`, body, '0\r\n\r\n']))[0]
  const text = 'Straße '.repeat(400).trim()
  const made = await sent('/api/v1/posts', 'application/json', chunked(JSON.stringify({ text })))
  assert.deepEqual([made?.status, made?.body.post.text], [201, text])

  // Thousands more are not looked at.
  const long = await sent('/api/v1/posts', 'application/json', chunked(JSON.stringify({ text: text.repeat(2) })))
  assert.deepEqual([long?.status, long?.body.error.code], [413, 'payload_too_large'])
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  const file = await sent('/api/v1/attachments', 'multipart/form-data; boundary=b', chunked(part + 'x'.repeat(5000)))
  assert.deepEqual([file?.status, file?.body.error.code], [413, 'payload_too_large'])

  // A piece that is kept takes some hundred bytes: what happens to it later must not matter to the body.
  const payload = new EventEmitter() as IncomingMessage
  payload.resume = () => payload
  const request = { headers: {}, routeOptions: { bodyLimit: 1000 } } as unknown as FastifyRequest
  const read = (limit: number): Promise<unknown> =>
    new Promise((resolve) => {
      Object.assign(request.routeOptions, { bodyLimit: limit })
      wholeBody(w.service, (_request, bytes, done) => done(null, bytes.toString()))(request, payload, (error, text) =>
        resolve(error ?? text),
      )
    })
  const pieces = Array.from({ length: 1000 }, (_, n) => Buffer.from(String(n % 10)))
  const whole = read(1000)
  for (const [n, piece] of pieces.entries()) {
    payload.emit('data', piece)
    pieces[n - 1]?.fill('x')
  }
  payload.emit('end')
  assert.equal(await whole, '0123456789'.repeat(100))
  const tooLong = read(2)
  for (const piece of ['a', 'b', 'c']) payload.emit('data', Buffer.from(piece))
  assert.equal(((await tooLong) as Refusal).code, 'payload_too_large')
  assert.equal(payload.listenerCount('data'), 0)
})
