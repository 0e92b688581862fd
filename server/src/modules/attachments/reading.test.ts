// Reading files: who may, what they get, and how a browser is kept from running any of it.
// docs/contract/attachments.md#who-reads-what and docs/contract/attachments.md#bytes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { jpeg, pdf, png } from '../../../test/corpus.ts'
import { mp3, video } from '../../../test/corpus-media.ts'
import { svg } from '../../../test/corpus-sources.ts'
import { purgeDue } from '../../../test/files.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { assertFilesAddUp, type BytesAnswer, read, sha256, uploaded } from '../../../test/upload.ts'
import { type Agent, eventually } from '../../../test/world.ts'
import { countDownload } from '../../http/downloads.ts'
import { readFrom } from '../../service.ts'
import { openStored } from './stored.ts'

const { w, ada, stranger } = story('ada', 'stranger')
after(() => assertFilesAddUp(w))

const doors = ['', '/download', '/preview', '/stream']

/** What every reader but the owner gets at each address of a file. */
async function seen(id: string, agent?: Agent): Promise<number[]> {
  const answers = await Promise.all(doors.map((door) => read(w, `/attachments/${id}${door}`, agent ? { agent } : {})))
  return answers.map(({ status }) => status)
}

const publish = (id: string) => givenPost(ada, { attachment_ids: [id], rights_confirmed: true })

test('only its owner can read a file until it is in a public post of an open profile', async () => {
  const { id } = await uploaded(w, ada, await video({ seconds: 1 }))
  const nobody = [404, 404, 404, 404]
  const everybody = [200, 200, 200, 200]
  const others = async () => [await seen(id), await seen(id, stranger)]
  assert.deepEqual(await seen(id, ada), everybody)
  assert.deepEqual(await others(), [nobody, nobody])
  const draft = await givenPost(ada, { attachment_ids: [id], visibility: 'private' })
  assert.deepEqual(await others(), [nobody, nobody], 'in a private post')
  assert.equal((await ada.patch(`/posts/${draft.id}`, { visibility: 'public', rights_confirmed: true })).status, 200)
  assert.deepEqual(await others(), [everybody, everybody], 'in a public post')

  await ada.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await others(), [nobody, nobody], 'the very next request after the profile closed')
  await ada.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await others(), [everybody, everybody])
  await ada.patch(`/posts/${draft.id}`, { visibility: 'private' })
  assert.deepEqual(await others(), [nobody, nobody])
  await ada.patch(`/posts/${draft.id}`, { visibility: 'public', rights_confirmed: true })
  assert.equal((await w.request('DELETE', `/posts/${draft.id}`, { token: ada.token })).status, 200)
  assert.deepEqual(await others(), [nobody, nobody], 'the post is deleted')
  assert.deepEqual(await seen(id, ada), everybody, 'its owner reads it until it is purged')
})

test('bytes that end early or go on are no file, and the operator learns of them', async (t) => {
  const picture = await jpeg()
  const bytes = picture.length
  const { id } = await uploaded(w, ada, picture)
  const { storage, metrics } = w.service
  const { open } = storage
  t.after(() => Object.assign(storage, { open }))
  const failures = async () =>
    (await metrics.storageFailures.get()).values.find(({ labels }) => labels.operation === 'read')?.value ?? 0
  const before = await failures()
  const download = () => read(w, `/attachments/${id}/download`, { agent: ada })
  for (const given of [bytes - 1, bytes + 1]) {
    Object.assign(storage, { open: async () => Readable.from([Buffer.alloc(given)]) })
    const answer = await download().catch(() => undefined)
    assert.notEqual(answer?.status, 200)
    assert.match(w.warnings.join('\n'), new RegExp(`it gave ${given} of ${bytes} bytes.*broke off`))
  }
  assert.equal((await failures()) - before, 2)
  Object.assign(storage, { open })
  assert.equal((await download()).status, 200)
})

test('a bad token is refused even if no token is needed', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  await publish(id)
  for (const door of ['', '/download', '/preview']) {
    assert.equal((await read(w, `/attachments/${id}${door}`)).status, 200)
    for (const token of ['nonsense', `kith_${'a'.repeat(43)}`]) {
      const answer = await read(w, `/attachments/${id}${door}`, { agent: { token } })
      assert.deepEqual([answer.status, answer.code], [401, 'unauthorized'])
    }
  }
  for (const unknown of [randomUUID(), 'x']) {
    assert.equal((await read(w, `/attachments/${unknown}`)).code, 'not_found')
  }
})

test("the owner gets an image's original, everyone else the processed JPEG at the same path", async () => {
  const original = await png({ metadata: 'secret words' })
  const own = await uploaded(w, ada, original)
  await publish(own.id)
  const card = (await w.request('GET', `/attachments/${own.id}`)).body.attachment
  for (const name of ['upload_id', 'allocated_bytes', 'can_discard', 'binding']) assert.ok(!(name in card), name)
  assert.deepEqual([own.mime_type, own.size, own.sha256], ['image/png', original.length, sha256(original)])
  assert.deepEqual([own.can_download_original, card.can_download_original], [true, false])

  const mine = await read(w, own.download_url, { agent: ada })
  assert.deepEqual(mine.bytes, original)
  assert.equal(mine.headers.get('content-type'), 'image/png')
  for (const options of [{}, { agent: stranger }]) {
    const theirs = await read(w, card.download_url, options)
    assert.deepEqual([theirs.headers.get('content-type'), theirs.bytes.length], ['image/jpeg', card.size])
    assert.deepEqual([sha256(theirs.bytes), card.mime_type], [card.sha256, 'image/jpeg'])
    assert.ok(!theirs.bytes.includes('secret words'))
    assert.deepEqual((await read(w, card.preview_url, options)).bytes, theirs.bytes)
  }
})

test('a document shows its first page, a video its transcoded version, and a source is served unchanged', async () => {
  const document = await uploaded(w, ada, pdf())
  const film = await video({ seconds: 1, title: 'secret words' })
  const clip = await uploaded(w, ada, film)
  const drawing = await uploaded(w, ada, svg())
  for (const { id } of [document, clip, drawing]) await publish(id)

  const page = await read(w, document.download_url)
  assert.equal(page.headers.get('content-type'), 'image/jpeg', 'of a document others get the first page')
  assert.deepEqual((await read(w, document.download_url, { agent: ada })).bytes, pdf())

  const played = await read(w, clip.download_url)
  const card = (await w.request('GET', `/attachments/${clip.id}`)).body.attachment
  assert.deepEqual([played.headers.get('content-type'), sha256(played.bytes)], ['video/mp4', card.sha256])
  assert.ok(!played.bytes.includes('secret words'))
  assert.deepEqual((await read(w, clip.play_url, { agent: ada })).bytes, played.bytes, 'all play the same')
  assert.deepEqual((await read(w, clip.download_url, { agent: ada })).bytes, film)
  assert.equal((await read(w, clip.preview_url)).headers.get('content-type'), 'image/jpeg')

  const source = await read(w, drawing.download_url)
  assert.deepEqual(source.bytes, svg())
  assert.equal(source.headers.get('content-type'), 'application/octet-stream')
  assert.equal(source.headers.get('content-disposition'), `attachment; filename="${drawing.id}.svg"`)
  for (const door of ['preview', 'stream']) {
    assert.equal((await read(w, `/attachments/${drawing.id}/${door}`, { agent: ada })).code, 'not_found')
  }
})

test('no file response lets a browser run anything, or cache what it must not cache', async () => {
  const file = await uploaded(w, ada, await video())
  await publish(file.id)
  for (const door of ['download', 'preview', 'stream']) {
    for (const agent of [ada, undefined]) {
      const { headers } = await read(w, `/attachments/${file.id}/${door}`, agent ? { agent } : {})
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox$/)
      assert.match(headers.get('content-disposition') ?? '', door === 'download' ? /^attachment;/ : /^inline;/)
      const kept = door === 'preview' ? 'public, max-age=600, s-maxage=0, must-revalidate' : 'public, no-cache'
      assert.equal(headers.get('cache-control'), agent ? 'private, no-store' : kept)
      assert.equal(headers.get('cross-origin-resource-policy'), agent ? 'same-origin' : 'cross-origin')
      assert.equal(headers.get('vary'), door === 'preview' ? 'authorization, accept' : 'authorization')
      assert.ok(headers.get('etag'))
    }
  }
})

test('a caller who is reading 128 files gets no more until one of them ends, and others do', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  await publish(id)
  const stalled = Array.from({ length: 128 }, () => Object.assign(new EventEmitter(), { destroyed: false }))
  for (const response of stalled) countDownload(w.service, stranger.id, response as never)
  const download = (agent: Agent) => read(w, `/attachments/${id}/download`, { agent })
  const refused = await download(stranger)
  assert.deepEqual([refused.status, refused.code, refused.headers.get('retry-after')], [429, 'read_limited', '5'])
  assert.equal((await w.request('HEAD', `/attachments/${id}/download`, { token: stranger.token })).status, 200)
  assert.equal((await download(ada)).status, 200)
  stalled.pop()?.emit('close')
  for (let time = 0; time < 3; time++) {
    await eventually(async () => (await download(stranger)).status === 200 || undefined, 'the place is free again')
  }
  for (const response of stalled) response.emit('close')
})

test('a single range is clipped to the end; an invalid range is ignored', async () => {
  const sound = mp3(1)
  const { id } = await uploaded(w, ada, sound, { purpose: 'order' })
  const length = sound.length
  const at = (range: string, more: Record<string, string> = {}, method = 'GET'): Promise<BytesAnswer> =>
    read(w, `/attachments/${id}/stream`, { agent: ada, method, headers: { range, ...more } })
  const parts: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, length - 1],
    ['bytes=10-19', 10, 19],
    ['bytes = 10-19', 10, 19],
    ['BYTES=10-19', 10, 19],
    [`bytes=${length - 1}-`, length - 1, length - 1],
    [`bytes=5-${length + 100}`, 5, length - 1],
    ['bytes=5-99999999999999999999999', 5, length - 1],
    ['bytes=-1', length - 1, length - 1],
    [`bytes=-${length + 5}`, 0, length - 1],
  ]
  for (const [range, start, end] of parts) {
    const answer = await at(range)
    assert.equal(answer.status, 206, range)
    assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/${length}`)
    assert.deepEqual(answer.bytes, sound.subarray(start, end + 1))
    const head = await at(range, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers.get('content-length')], [206, String(end - start + 1)])
  }
  const beyond = [`bytes=${length}-`, `bytes=${length}-${length + 1}`, 'bytes=-0', 'bytes=0-1,3-4', 'bytes=0-0, -1']
  for (const range of [...beyond, `bytes=${'9'.repeat(400)}-`]) {
    const answer = await at(range)
    assert.deepEqual([answer.status, answer.code], [416, 'range_not_satisfiable'], range)
    assert.equal(answer.headers.get('content-range'), `bytes */${length}`)
    assert.equal((await at(range, {}, 'HEAD')).status, 416)
  }
  for (const range of ['bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes', 'bytes=1-2-3', 'bytes=--1', '0-1']) {
    const answer = await at(range)
    assert.deepEqual([answer.status, answer.bytes.length], [200, length], range)
    assert.equal(answer.headers.get('accept-ranges'), 'bytes')
  }
  const tag = (await at('bytes=0-0')).headers.get('etag') as string
  assert.equal((await at('bytes=0-0', { 'if-range': tag })).status, 206)
  assert.equal((await at('bytes=0-0', { 'if-range': '"other"' })).status, 200)
  assert.equal((await at('bytes=0-0', { 'if-range': `W/${tag}` })).status, 200)
})

test('conditional requests skip what a reader already has, after checking permissions', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  const post = await publish(id)
  const path = `/attachments/${id}/preview`
  const tag = (await read(w, path)).headers.get('etag') as string
  for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await read(w, path, { method, headers: { 'if-none-match': condition } })
      assert.deepEqual([answer.status, answer.bytes.length, answer.headers.get('etag')], [304, 0, tag])
    }
  }
  assert.equal((await read(w, path, { headers: { 'if-none-match': '"x"' } })).status, 200)
  await ada.patch(`/posts/${post.id}`, { visibility: 'private' })
  assert.equal((await read(w, path, { headers: { 'if-none-match': tag } })).status, 404)
})

test('HEAD returns the headers of GET, without the bytes', async () => {
  const { id } = await uploaded(w, ada, await video())
  for (const door of ['download', 'preview', 'stream']) {
    const path = `/attachments/${id}/${door}`
    const [head, get] = [await read(w, path, { agent: ada, method: 'HEAD' }), await read(w, path, { agent: ada })]
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of ['content-length', 'content-type', 'etag', 'content-disposition', 'accept-ranges']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
    assert.equal(get.headers.get('content-length'), String(get.bytes.length))
  }
  assert.equal((await read(w, `/attachments/${id}/stream`, { method: 'HEAD' })).status, 404)
})

test('lost bytes are 404, the operator is told, and nothing else fails', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  await w.service.storage.remove(id)
  assert.equal((await read(w, `/attachments/${id}/download`, { agent: ada })).code, 'not_found')
  const told = w.warnings.find((line) => line.includes('the storage has lost a file')) ?? '{}'
  assert.deepEqual(
    [JSON.parse(told).level, JSON.parse(told).attachment, JSON.parse(told).object],
    ['error', id, 'original'],
  )
  assert.match(await w.service.metrics.registry.metrics(), /^kith_storage_missing_total 1$/m)
  assert.equal((await w.request('DELETE', `/attachments/${id}`, { token: ada.token })).status, 202)
})

test('a file that was deleted is not lost, although a replica does not know of it yet', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  await w.service.sql.snapshot(async (before) => {
    await before`set local idle_in_transaction_session_timeout = 0`
    const statusThen = async () => (await before`select status from attachments where id = ${id}`)[0]?.['status']
    assert.equal(await statusThen(), 'ready')
    assert.equal((await w.request('DELETE', `/attachments/${id}`, { token: ada.token })).status, 202)
    await purgeDue(w)
    const late = readFrom(w.service, Object.assign(before, w.service.sql))
    assert.equal(await openStored(late, { id, object: 'original', range: undefined }), undefined)
    assert.equal(await statusThen(), 'ready')
  })
  assert.deepEqual(
    w.warnings.filter((line) => line.includes(id)),
    [],
  )
})

test('a reader who leaves while its bytes are opened leaves nothing open', async () => {
  const { id } = await uploaded(w, ada, await jpeg())
  const { storage } = w.service
  const opened: Readable[] = []
  const gate = Promise.withResolvers<void>()
  const open = storage.open.bind(storage)
  const asked = Promise.withResolvers<void>()
  storage.open = async (...wanted) => {
    asked.resolve()
    await gate.promise
    const bytes = await open(...wanted)
    opened.push(bytes)
    return bytes
  }
  const { hostname, port } = new URL(w.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/v1/attachments/${id}/download HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${ada.token}\r\n\r\n`,
  )
  await asked.promise
  socket.resetAndDestroy()
  // Answered after the reset, so the service knows of it.
  await fetch(`${w.url}/health/live`)
  gate.resolve()
  await eventually(() => opened[0]?.closed, 'the end of the bytes')
  storage.open = open
})

test('your own uploads are listed by status, unbound or all, in pages', async () => {
  const liza = await w.agent('liza')
  const bound = await uploaded(w, liza, await jpeg())
  const free = await uploaded(w, liza, await jpeg({ width: 66 }))
  const post = await givenPost(liza, { attachment_ids: [bound.id], rights_confirmed: true })
  const ids = async (query: string) => {
    const { body } = await liza.get(`/attachments${query}`)
    return body.attachments.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ids(''), [free.id])
  assert.deepEqual(await ids('?scope=all'), [free.id, bound.id])
  assert.deepEqual(await ids('?scope=all&status=ready&page=2&page_size=1'), [bound.id])
  assert.deepEqual(await ids('?scope=all&status=purged'), [])
  const listed = (await liza.get('/attachments?scope=all')).body
  assert.deepEqual(listed.pagination, { page: 1, page_size: 20, total: 2 })
  assert.deepEqual(listed.filters, { scope: 'all', status: 'all' })
  const card = listed.attachments[1]
  assert.deepEqual(card.binding, { kind: 'portfolio', id: post.id, role: card.binding.role, active: true })
  assert.equal(card.can_discard, false)
  assert.deepEqual((await liza.get(`/attachments/${bound.id}`)).body.attachment, card)
})
