// Uploads that mean no good, and senders that are slow, early or gone: each gets its answer, and leaves nothing behind.
// docs/contract/attachments.md#formats.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { blackPng, cut, gifAndScript, jpeg, pdf, png, pngPromising, pngSignature } from '../../../test/corpus.ts'
import { video } from '../../../test/corpus-media.ts'
import { billionLaughs, svg, zip } from '../../../test/corpus-sources.ts'
import { story } from '../../../test/story.ts'
import {
  around,
  assertFilesAddUp,
  begin,
  filePart,
  form,
  formType,
  holdInspections,
  incomingOf,
  inspected,
  post,
  read,
  type Sending,
  upload,
  uploaded,
  usualFields,
  withTimes,
} from '../../../test/upload.ts'
import { eventually, world } from '../../../test/world.ts'
import { usualPace } from './pace.ts'
import { maxRequest } from './receive.ts'
import { uploadsOf } from './uploads.ts'

const photo = await jpeg()
const { w, mallory } = story('mallory')
after(() => assertFilesAddUp(w))

const mebibyte = 1024 ** 2

test('a broken or hostile file gets a rejected record, and keeps no bytes', async () => {
  const hostile: [string, string, Buffer][] = [
    ['broken', 'portfolio', cut(await jpeg({ width: 600, height: 600 }), 0.5)],
    ['broken', 'avatar', cut(await png({ noise: true }), 0.5)],
    ['broken', 'avatar', Buffer.concat([pngSignature, photo])],
    ['broken', 'portfolio', Buffer.from('%PDF-1.7\nnothing else')],
    ['broken', 'portfolio', cut(await video(), 0.7)],
    ['broken', 'order', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)])],
    ['dimensions', 'character', pngPromising(60_000, 60_000)],
    ['dimensions', 'character', blackPng(8001, 8)],
    ['dimensions', 'portfolio', blackPng(7000, 7000)],
    ['encrypted', 'order', pdf({ password: 'secret' })],
    ['external_reference', 'portfolio', svg('<image href="https://example.com/pixel.png"/>')],
  ]
  const before = (await mallory.get('/attachments/storage')).body.storage
  const answers = await Promise.all(hostile.map(([, purpose, bytes]) => upload(w, mallory, bytes, { purpose })))
  for (const [index, answer] of answers.entries()) {
    const [reason, purpose] = hostile[index] as (typeof hostile)[number]
    const { status } = answer
    const card = await inspected(w, mallory, answer)
    const what = `${index}: ${reason} for ${purpose}`
    assert.deepEqual([status, card?.status, card?.moderation.reason], [201, 'rejected', reason], what)
    assert.deepEqual([card.available, card.allocated_bytes, card.can_discard], [false, 0, false], what)
    assert.deepEqual([card.preview_url, card.download_url, card.play_url], [null, null, null])
    assert.equal((await read(w, `/attachments/${card.id}/download`, { agent: mallory })).status, 404)
  }
  const laughs = await inspected(w, mallory, await upload(w, mallory, billionLaughs(), { purpose: 'order' }))
  assert.equal(laughs.status, 'rejected')
  const records = hostile.length + 1
  const storage = (await mallory.get('/attachments/storage')).body.storage
  assert.deepEqual(storage.bytes, before.bytes)
  assert.deepEqual(storage.files, before.files)
  assert.equal(storage.upload_records.used, before.upload_records.used + records)
  await assertFilesAddUp(w)
})

test('a file with two formats counts as its first one, and only the picture part of a picture is shown', async () => {
  const payload = Buffer.from('<script>alert(1)</script>')
  const card = await uploaded(w, mallory, Buffer.concat([photo, payload, zip()]), { purpose: 'order' })
  assert.equal(card.file_format, 'jpeg')
  const preview = await read(w, card.preview_url, { agent: mallory })
  assert.ok(!preview.bytes.includes(payload))
  const script = await upload(w, mallory, gifAndScript())
  assert.equal(script.status, 415)
  const page = await upload(w, mallory, Buffer.from('<!doctype html><script>alert(1)</script>'), { purpose: 'order' })
  assert.equal(page.status, 415)
})

test('a program with an archive behind it is an archive, otherwise an unknown format', async () => {
  const program = Buffer.from(`MZ${'\0'.repeat(70_000)}`)
  const card = await uploaded(w, mallory, Buffer.concat([program, zip()]), { purpose: 'order' })
  assert.deepEqual([card.file_format, card.status], ['zip', 'ready'])
  for (const [purpose, bytes] of [
    ['order', program],
    ['order', Buffer.from('MZ')],
    ['order', Buffer.concat([program, zip(), Buffer.alloc(70_000)])],
    ['portfolio', Buffer.concat([program, zip()])],
  ] as const) {
    const { status, body } = await upload(w, mallory, bytes, { purpose })
    assert.deepEqual([status, body.error.code], [415, 'unsupported_media_type'])
  }
})

test('a file name may be anything, and nobody else sees it', async () => {
  const names = [
    'n'.repeat(65_536),
    'a\r\nSet-Cookie: a=b',
    'a%0D%0Ab',
    '../../etc/passwd',
    'a\0b',
    'a\\"b',
    "x\"; filename*=utf-8''%E2",
  ]
  for (const name of names) {
    const answer = await post(w, mallory, form([...usualFields('order'), filePart(photo, name)]))
    assert.equal(answer.status, 201, JSON.stringify([name.slice(0, 20), answer.body]))
    const card = await inspected(w, mallory, answer)
    assert.equal(card.status, 'ready')
    const { headers } = await read(w, card.download_url, { agent: mallory })
    assert.equal(headers.get('content-disposition'), `attachment; filename="${card.id}.jpg"`)
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('fields in strange encodings and endless parts are refused, and nothing crashes', async () => {
  const [, id] = usualFields()
  for (const charset of ['foo', 'utf-7', 'utf-16le', 'x'.repeat(300), 'UTF-8;;']) {
    const head = `Content-Disposition: form-data; name="purpose"\r\nContent-Type: text/plain; charset=${charset}\r\n`
    const answer = await post(w, mallory, form([{ head, body: 'portf\xff' }, id as never, filePart(photo)]))
    assert.equal(answer.status, 400, charset)
  }
  const { before } = around([...usualFields(), filePart('')])
  const bodies = [
    Buffer.alloc(200_000, '\r\n'),
    Buffer.alloc(200_000, '--a-boundary-of-a-test\r\n'),
    Buffer.alloc(200_000, '--a-boundary-of-a-test\r\nX: y\r\n\r\n'),
    Buffer.concat([before.subarray(0, -4), Buffer.alloc(300_000, 'h')]),
    Buffer.concat([before.subarray(0, -2), Buffer.alloc(300_000, 'a: b\r\n')]),
  ]
  for (const [index, body] of bodies.entries()) {
    const answer = await post(w, mallory, body)
    assert.equal(answer.status, 400, `${index}: ${JSON.stringify(answer.body)}`)
  }
})

test('a body with neither length nor end is cut off at the limit, wherever its bytes are', async () => {
  const { before } = around([...usualFields('order'), filePart('')])
  const filler = Buffer.alloc(mebibyte)
  async function* endless(start: Buffer) {
    yield start
    for (let sent = 0; sent <= maxRequest; sent += filler.length) yield filler
    // Whoever goes on writes to a connection that is closed meanwhile, and fails before it reads why.
    await new Promise(() => {})
  }
  for (const start of [Buffer.from('a preamble'), Buffer.concat([before, zip()])]) {
    const answer = await post(w, mallory, endless(start))
    assert.deepEqual([answer.status, answer.body.error.code], [413, 'payload_too_large'])
    assert.match(answer.body.error.message, /the limit is 26\d{7} bytes/)
  }
})

test('senders in the middle of a large body learn at once that it is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-hostile-'))
  try {
    const path = join(folder, 'unknown')
    await writeFile(path, 'no known format')
    await truncate(path, 250 * mebibyte)
    const { before: first, after: last } = around([...usualFields('order'), filePart('')])
    const length = `Content-Length: ${first.length + 250 * mebibyte + last.length}`
    for (const headers of [[length], [length, 'Expect: 100-continue'], ['Transfer-Encoding: chunked']]) {
      assert.match(await sendListening(path, first, last, headers), /^HTTP\/1.1 415 .*unsupported_media_type/s)
    }

    let sent = 0
    const { before, after } = around([...usualFields('order'), filePart('')])
    async function* body() {
      yield before
      for (; sent < 250; sent++) yield Buffer.alloc(mebibyte)
      yield after
    }
    const headers = { authorization: `Bearer ${mallory.token}`, 'content-type': formType }
    const asking = { method: 'POST', headers, body: body(), duplex: 'half' } as unknown as RequestInit
    assert.equal((await fetch(`${w.url}/api/v1/attachments`, asking)).status, 415)
    assert.ok(sent < 200, `it went on sending ${sent} MiB`)

    const deaf = await sendAllThenListen(form([...usualFields('order'), filePart(Buffer.alloc(40 * mebibyte))]))
    assert.match(deaf, /^HTTP\/1.1 415 /)
  } finally {
    await rm(folder, { recursive: true })
  }
})

/** As curl does: it listens while it sends, which ends what it sends, and may ask first whether to go on. */
async function sendListening(path: string, first: Buffer, last: Buffer, headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(w.url)
  const socket = connect({ host: hostname, port: Number(port) })
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  // It may break off once it has answered.
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  const isChunked = headers.some((line) => line.endsWith('chunked'))
  const head = [`Host: ${hostname}`, `Authorization: Bearer ${mallory.token}`, `Content-Type: ${formType}`, ...headers]
  socket.write(`POST /api/v1/attachments HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  if (headers.includes('Expect: 100-continue')) await once(socket, 'data')
  heard = heard.replace('HTTP/1.1 100 Continue\r\n\r\n', '')
  async function* body() {
    yield first
    yield* createReadStream(path)
    yield last
  }
  for await (const piece of body()) {
    if (heard !== '' || socket.destroyed) break
    const framed = isChunked ? [`${piece.length.toString(16)}\r\n`, piece, '\r\n'] : [piece]
    for (const each of framed) socket.write(each)
    // What was answered is read before more is written.
    while (socket.writableNeedDrain && heard === '' && !socket.destroyed) await turn()
    await turn()
  }
  socket.end()
  await closed
  return heard
}

/** As simple clients do: they read nothing before all is written. */
async function sendAllThenListen(body: Buffer): Promise<string> {
  const { hostname, port } = new URL(w.url)
  const socket = connect({ host: hostname, port: Number(port) })
  try {
    const head = [`Host: ${hostname}`, `Authorization: Bearer ${mallory.token}`, `Content-Type: ${formType}`]
    socket.write(`POST /api/v1/attachments HTTP/1.1\r\n${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(body, () => resolve())
    })
    const [answer] = await once(socket, 'data')
    return String(answer)
  } finally {
    socket.destroy()
  }
}

test('after a refused upload the connection serves the next request', async () => {
  const { hostname, port } = new URL(w.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const body = form([...usualFields('order'), filePart(Buffer.alloc(3 * mebibyte))])
  const authorization = `Authorization: Bearer ${mallory.token}`
  let heard = ''
  socket.setEncoding('latin1').on('data', (text) => (heard += text))
  socket.write(
    `POST /api/v1/attachments HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}\r\n` +
      `Content-Type: ${formType}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
  socket.write(`GET /api/v1/bots/me HTTP/1.1\r\nHost: ${hostname}\r\n${authorization}\r\n\r\n`)
  await eventually(() => /^HTTP\/1.1 415 [\s\S]*HTTP\/1.1 200 /.test(heard), 'both answers')
  socket.destroy()
})

test('a sender that sends a byte now and then is told that time is up', async () => {
  const slowpoke = await w.agent('slowpoke')
  const whole = form([...usualFields(), filePart(photo)])
  const dripping = async (start: number): Promise<void> => {
    const { request, answer } = begin(w, slowpoke, { 'content-length': whole.length })
    request.write(whole.subarray(0, start))
    let at = start
    const drip = setInterval(() => {
      // Its last byte never comes, however busy the machine is.
      if (at < whole.length - 1) request.write(whole.subarray(at, ++at))
    }, 100)
    const heard = await answer
    clearInterval(drip)
    request.destroy()
    assert.deepEqual([heard?.status, heard?.body.error.code], [408, 'request_timeout'])
  }
  await withTimes(w, { acceptance: 1500 }, async () => {
    await Promise.all([0, 60, whole.length - 100].map(dripping))
  })
  assert.equal((await slowpoke.get('/attachments/storage')).body.storage.upload_records.used, 0)
  assert.equal((await upload(w, slowpoke, photo)).status, 201)
})

test('eight slow uploads of one agent delay only its own ninth', async () => {
  // They send nothing for as long as a busy machine takes.
  const never = { over: 600_000, least: 1 }
  await withTimes(w, { pace: { ...usualPace, alone: never, crowded: never } }, delayNobodyElse)
})

async function delayNobodyElse(): Promise<void> {
  const [greedy, other] = [await w.agent('greedy'), await w.agent('other')]
  const whole = form([...usualFields(), filePart(await jpeg({ width: 300, noise: true }))])
  const slow: Sending[] = []
  for (let index = 0; index < 8; index++) {
    const sending = begin(w, greedy, { 'content-length': whole.length })
    sending.request.write(whole.subarray(0, 2000))
    slow.push(sending)
  }
  await eventually(async () => (await incomingOf(w.service)).length === 8, 'eight on their way')
  assert.equal((await upload(w, other, photo)).status, 201, 'another agent goes its way')

  const gone = begin(w, greedy, { 'content-length': whole.length })
  gone.request.end(whole)
  await sleep(100)
  gone.request.destroy()
  let isNinthThrough = false
  const ninth = upload(w, greedy, photo).then((answer) => {
    isNinthThrough = true
    return answer
  })
  await sleep(200)
  assert.equal(isNinthThrough, false)
  // Its turn comes at once: the one before it in the queue has gone and holds none.
  slow[0]?.request.destroy()
  assert.equal((await ninth).status, 201)
  for (const { request } of slow) request.destroy()
  await eventually(async () => (await incomingOf(w.service)).length === 0, 'nothing on its way')
}

test('a sender that hung up while waiting does not block the next turn', async () => {
  const hasty = await w.agent('hasty')
  const whole = form([...usualFields(), filePart(photo)])
  const slow = Array.from({ length: 8 }, () => {
    const sending = begin(w, hasty, { 'content-length': whole.length })
    sending.request.write(whole.subarray(0, -10))
    return sending
  })
  await eventually(async () => (await incomingOf(w.service)).length === 8, 'eight on their way')
  for (let index = 0; index < 8; index++) {
    const gone = begin(w, hasty, { 'content-length': whole.length })
    gone.request.write(whole.subarray(0, 100))
    await sleep(20)
    gone.request.destroy()
  }
  await sleep(50)
  for (const { request } of slow) request.destroy()
  assert.equal((await upload(w, hasty, photo)).status, 201)
})

test('a stopping process does not wait for queued inspections: their senders are told to retry', async () => {
  const ending = await world()
  const node = await ending.node()
  const [anna, whole] = [await ending.agent('anna'), form([...usualFields(), filePart(photo)])]
  await holdInspections(ending)
  const { request, answer } = begin(node, anna, { 'content-length': whole.length })
  request.end(whole)
  await eventually(async () => (await anna.get('/attachments/storage')).body.storage.pending_uploads === 1, 'pending')
  const stopped = node.running.stop()
  // One that is cut off when the time of the stop is over has no answer.
  const heard = await answer
  assert.deepEqual([heard?.status, heard?.body.error.code], [503, 'service_unavailable'])
  await stopped
  assert.equal((await anna.get('/attachments/storage')).body.storage.pending_uploads, 0, 'as if it had never been')
  await ending.close()
})

test('an upload that just began to wait is told that the service is stopping', async () => {
  const ending = await world()
  const [anna, whole] = [await ending.agent('anna'), form([...usualFields(), filePart(photo)])]
  await holdInspections(ending)
  const { request, answer } = begin(ending, anna, { 'content-length': whole.length })
  request.end(whole)
  await eventually(async () => (await anna.get('/attachments/storage')).body.storage.pending_uploads === 1, 'pending')
  await uploadsOf(ending.service).stop()
  const heard = await answer
  assert.deepEqual([heard?.status, heard?.body.error.code], [503, 'service_unavailable'])
  assert.deepEqual(await incomingOf(ending.service), [])
  await ending.close()
})
