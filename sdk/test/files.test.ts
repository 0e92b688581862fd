// Ada uploads and downloads on the real service while the network breaks, files change and processes are killed.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { jpeg, png } from '../../server/test/corpus.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { story } from '../../server/test/story.ts'
import { eventually } from '../../server/test/world.ts'
import {
  type Client,
  type KithError,
  memoryStore,
  openClient,
  openFolder,
  openIdentity,
  type Runtime,
  systemRuntime,
} from '../src/node.ts'
import { killed as killedAround, losing } from './lost.ts'
import { identities } from './registered.ts'

const { w } = story()
const { home, folderOf, ada, bob } = identities(w, 'ada', 'bob')

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const quick: Runtime = { ...systemRuntime, sleep: (ms, signal) => systemRuntime.sleep(Math.min(ms, 20), signal) }

async function given(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(home.path, name)
  await writeFile(path, bytes)
  return path
}

async function uploads(client: Client): Promise<string[]> {
  const ids: string[] = []
  for await (const file of client.files.list({ scope: 'all' })) ids.push(file.id)
  return ids
}

test('a file is uploaded from disk without its name, and downloads unchanged', async () => {
  const bytes = await png({ width: 300, height: 200, noise: true })
  const path = await given('my secret plan.png', bytes)
  const seen: number[] = []
  const { attachment, changed } = await ada.files.upload({
    source: path,
    purpose: 'portfolio',
    onProgress: (sent, total) => seen.push(sent / total),
  })
  assert.deepEqual(
    [attachment.status, attachment.sha256, attachment.size, changed],
    ['ready', sha256(bytes), bytes.length, false],
  )
  assert.equal(seen.at(-1), 1)
  assert.deepEqual(await ada.folder.list('uploads'), [])
  await assert.rejects(bob.files.get(attachment.id), { status: 404 })
  assert.deepEqual(await uploads(ada), [attachment.id])

  const to = join(home.path, 'back.png')
  await ada.files.save(attachment.id, to)
  assert.deepEqual(await readFile(to), bytes)
  await assert.rejects(ada.files.save(attachment.id, to), { name: 'KithInputError' })
  await ada.files.save(attachment.id, to, { overwrite: true })
  assert.deepEqual(
    (await readdir(home.path)).filter((name) => name.endsWith('.part')),
    [],
  )
  assert.equal((await ada.files.preview(attachment.id)).type, 'image/jpeg')
  assert.equal((await ada.files.storage()).files.used, 1)

  await assert.rejects(ada.posts.create({ text: 'See', visibility: 'public', attachment_ids: [attachment.id] }), {
    code: 'rights_required',
  })
  const ask = { text: 'See', visibility: 'public' as const, attachment_ids: [attachment.id], rights_confirmed: true }
  const post = await ada.posts.create(ask)
  const [card] = (await bob.posts.get(post.id)).attachments
  assert.ok(!JSON.stringify(card).includes('secret'))
  const blob = await bob.files.download(card!.id)
  assert.deepEqual([blob.type, sha256(new Uint8Array(await blob.arrayBuffer()))], ['image/jpeg', card!.sha256])
  await assert.rejects(ada.files.discard(attachment.id), { code: 'attachment_bound' })
})

test('bytes in memory are uploaded through the core alone, and can be discarded', async () => {
  const store = memoryStore()
  for (const name of ['passport.json', 'token', 'key']) await store.write(name, (await ada.folder.read(name))!)
  const core = await openClient({ store })
  const { attachment } = await core.files.upload({ source: wav(1), purpose: 'order' })
  assert.deepEqual([attachment.status, attachment.download_only], ['ready', true])
  assert.equal(core.files.streamUrl(attachment.id), w.url + attachment.play_url)
  const gone = await core.files.discard(attachment.id)
  assert.ok(['purging', 'purged'].includes(gone.status))
})

test('a profile image is set and cleared', async () => {
  const { attachment } = await ada.files.upload({ source: await jpeg(), purpose: 'avatar' })
  await assert.rejects(ada.bots.setAvatar(attachment.id), { code: 'publication_rights_required' })
  const bot = await ada.bots.setAvatar(attachment.id, { rightsConfirmed: true })
  assert.equal(bot.visuals.avatar!.id, attachment.id)
  assert.equal((await ada.bots.clear('avatar')).avatar_attachment_id, null)
  const { attachment: other } = await ada.files.upload({ source: await png(), purpose: 'character' })
  await ada.bots.setCharacter(other.id, { rightsConfirmed: true })
  assert.equal((await ada.bots.clear('character')).visuals.character, null)
})

test('an unacceptable file is refused before anything is sent; a refusal by the service is passed on exactly', async () => {
  const sparse = async (name: string, head: Uint8Array, mebibytes: number) => {
    const path = await given(name, head)
    await truncate(path, mebibytes * 1024 * 1024 + 1)
    return path
  }
  const [picture, sound] = [await sparse('big.jpg', await jpeg(), 20), await sparse('big.wav', wav(1), 250)]
  for (const [source, purpose, says] of [
    [picture, 'portfolio', /20 MiB/],
    [sound, 'order', /250 MiB/],
    [sound, 'avatar', /20 MiB/],
    [await given('empty', new Uint8Array()), 'order', /empty/],
    [join(home.path, 'missing'), 'order', /no file/],
    [home.path, 'order', /is not a file/],
  ] as const)
    await assert.rejects(ada.files.upload({ source, purpose }), { name: 'KithInputError', message: says })
  const source = await given('words.txt', Buffer.from('only words'))
  await assert.rejects(ada.files.upload({ source, purpose: 'order' }), { status: 415, code: 'unsupported_media_type' })
  const noise = await given('noise', Buffer.alloc(30 * 1024 * 1024, 'noise'))
  await assert.rejects(ada.files.upload({ source: noise, purpose: 'order' }), { code: 'unsupported_media_type' })
  const broken = await ada.files.upload({ source: (await png()).subarray(0, 60), purpose: 'portfolio' })
  assert.equal(broken.attachment.status, 'rejected')
  assert.ok(broken.attachment.moderation.reason)
  assert.deepEqual(await ada.folder.list('uploads'), [])
})

test('lost responses create no second file, now or on the next attempt', async () => {
  const before = await uploads(ada)
  const path = await given('lost.wav', wav(2))
  const unlucky = await openIdentity(folderOf('ada'), { runtime: losing(/^POST /, 3) })
  const one = await unlucky.files.upload({ source: path, purpose: 'portfolio' })
  const cut = await openIdentity(folderOf('ada'), { runtime: losing(/^POST /, 99) })
  await assert.rejects(cut.files.upload({ source: await jpeg(), purpose: 'order' }), { name: 'KithNetworkError' })
  const [open] = await ada.folder.list('uploads')
  const two = await ada.files.upload({ source: await jpeg(), purpose: 'order' })
  assert.equal(two.attachment.upload_id, open)
  assert.deepEqual((await uploads(ada)).sort(), [...before, one.attachment.id, two.attachment.id].sort())
})

test('two simultaneous uploads are two files; with one ID they are one', async () => {
  const path = await given('twins.wav', wav(1))
  const ask = { source: path, purpose: 'order' } as const
  const [a, b] = await Promise.all([ada.files.upload(ask), ada.files.upload(ask)])
  assert.notEqual(a.attachment.id, b.attachment.id)
  const uploadId = '0198c000-0000-7000-8000-0000000000f1'
  const [c, d] = await Promise.all([ada.files.upload({ ...ask, uploadId }), ada.files.upload({ ...ask, uploadId })])
  assert.equal(c.attachment.id, d.attachment.id)
  const other = { ...ask, source: wav(3), uploadId }
  await assert.rejects(ada.files.upload(other), { code: 'idempotency_conflict' })
})

const killed = (when: 'before' | 'after', path: string) =>
  killedAround(folderOf('ada'), when, 'POST /attachments', 'upload', { source: path, purpose: 'portfolio' })

test('killed around the upload, the same file resumes the upload; a changed file is reported and starts another', async () => {
  const path = await given('killed.png', await png())
  for (const when of ['before', 'after'] as const) {
    const before = (await uploads(ada)).length
    await killed(when, path)
    const [open] = await ada.folder.list('uploads')
    const { attachment, changed } = await ada.files.upload({ source: path, purpose: 'portfolio' })
    assert.deepEqual([attachment.upload_id, changed], [open, false])
    assert.equal((await uploads(ada)).length, before + 1)
  }
  await killed('before', path)
  const [open] = await ada.folder.list('uploads')
  await writeFile(path, await png({ width: 99 }))
  const { attachment, changed } = await ada.files.upload({ source: path, purpose: 'portfolio' })
  assert.equal(changed, true)
  assert.notEqual(attachment.upload_id, open)
  assert.deepEqual(await ada.folder.list('uploads'), [])
})

test('an unfinished upload that was discarded is created again', async () => {
  const path = await given('late.png', await png({ width: 77 }))
  await killed('after', path)
  const [lost] = await uploads(ada)
  await ada.files.discard(lost!)
  const { attachment } = await ada.files.upload({ source: path, purpose: 'portfolio' })
  assert.equal(attachment.status, 'ready')
  assert.notEqual(attachment.id, lost)
})

test('a file that changes while it is sent is not uploaded', async () => {
  const path = await given('moving.wav', wav(120))
  const before = (await uploads(ada)).length
  let touched = false
  const onProgress = () => {
    if (touched) return
    touched = true
    return writeFile(path, wav(120).fill(7, 44))
  }
  const upload = ada.files.upload({ source: path, purpose: 'portfolio', onProgress })
  await assert.rejects(upload, { name: 'KithInputError', message: /changed while it was sent/ })
  assert.equal((await uploads(ada)).length, before)
})

/** What an answer of the service is known by. */
const named = { 'x-request-id': 'kith' }

test('a portal between the service and the agent gives no picture, and does not end an upload', async () => {
  let posts = 0
  const portal: Runtime = {
    ...quick,
    fetch: async (...args) => {
      if (String(args[0]).endsWith('/preview')) return new Response('<html>Sign in to the network</html>')
      if (args[1]?.method !== 'POST' || ++posts > 1) return systemRuntime.fetch(...args)
      return Response.json({ error: { code: 'forbidden' } }, { status: 403 })
    },
  }
  const away = await openIdentity(folderOf('ada'), { runtime: portal })
  const begun = async () => (await (await openFolder(folderOf('ada'))).list('uploads')).length
  const before = await begun()
  const upload = () => away.files.upload({ source: wav(3), purpose: 'portfolio' })
  await assert.rejects(upload(), { status: 403, code: 'unexpected_answer' })
  assert.equal(await begun(), before + 1)
  const { attachment } = await upload()
  assert.equal(await begun(), before)
  await assert.rejects(away.files.preview(attachment.id), { name: 'KithNetworkError', reason: 'foreign' })
  await assert.rejects(ada.files.preview(attachment.id), { code: 'not_found' })
})

test('bytes without an end are read no further than the file has', async () => {
  const { attachment } = await ada.files.upload({ source: wav(1), purpose: 'order' })
  let read = 0
  const endless: Runtime = {
    ...quick,
    fetch: async (...args) => {
      if (!/[/](download|preview)$/.test(String(args[0]))) return systemRuntime.fetch(...args)
      const chunk = new Uint8Array(4 * 1024 * 1024)
      const bytes = new ReadableStream({
        pull(controller) {
          read += chunk.length
          controller.enqueue(chunk)
        },
      })
      return new Response(bytes, { headers: named })
    },
  }
  const away = await openIdentity(folderOf('ada'), { runtime: endless, retry: { attempts: 1 } })
  for (const ask of [away.files.download, away.files.preview])
    await assert.rejects(ask(attachment.id), { name: 'KithNetworkError', message: /more bytes arrived/ })
  assert.ok(read < 300 * 1024 * 1024)
})

test('an upload waits for a busy service, reports a full quota at once, and asks again while pending', async () => {
  const slept: number[] = []
  const sleep: Runtime['sleep'] = async (ms) => void slept.push(ms)
  let posts = 0
  const refusing: Runtime = {
    ...quick,
    sleep,
    fetch: async (...args) => {
      if (args[1]?.method !== 'POST' || ++posts > 2) return systemRuntime.fetch(...args)
      const error = { code: posts === 1 ? 'service_unavailable' : 'request_timeout', message: 'not now' }
      return Response.json({ error }, { status: posts === 1 ? 503 : 408, headers: { 'retry-after': '7', ...named } })
    },
  }
  const patient = await openIdentity(folderOf('ada'), { runtime: refusing })
  const { attachment } = await patient.files.upload({ source: wav(1), purpose: 'portfolio' })
  assert.equal(attachment.status, 'ready')
  assert.ok(slept.length === 2 && slept.every((ms) => ms >= 7000))

  let cards = 0
  const pending: Runtime = {
    ...quick,
    sleep,
    fetch: async (...args) => {
      const response = await systemRuntime.fetch(...args)
      if (!String(args[0]).endsWith(attachment.id) || ++cards > 3) return response
      return Response.json({ attachment: { ...attachment, status: 'pending' } }, { headers: named })
    },
  }
  const waiting = await openIdentity(folderOf('ada'), { runtime: pending })
  assert.equal((await waiting.files.waitUntilInspected(attachment.id)).status, 'ready')
  assert.equal(cards, 4)
  cards = 0
  await assert.rejects(waiting.files.waitUntilInspected(attachment.id, { timeoutMs: 100 }), {
    name: 'KithNetworkError',
  })

  const me = ada.passport.bot.id
  const [{ files } = { files: 0 }] = await w.sql<{ files: number }>`
    select files::int as files from storage_usage where owner_id = ${me}`
  await w.sql`update storage_usage set files = 1000 where owner_id = ${me}`
  posts = 2
  await assert.rejects(patient.files.upload({ source: wav(2), purpose: 'order' }), (error: KithError) => {
    assert.deepEqual(
      [error.code, error.details!['scope'], error.details!['resource'], error.details!['available']],
      ['storage_quota_exceeded', 'agent', 'files', 0],
    )
    return true
  })
  assert.equal(posts, 3)
  await w.sql`update storage_usage set files = ${files} where owner_id = ${me}`
})

/** A way to the service that breaks off after so many bytes of each answer of a download. */
async function breaking(bytes: number) {
  const ranges: (string | undefined)[] = []
  const runtime: Runtime = {
    ...quick,
    fetch: async (...args) => {
      const response = await systemRuntime.fetch(...args)
      if (!String(args[0]).endsWith('/download')) return response
      ranges.push(new Headers(args[1]?.headers).get('range') ?? undefined)
      let left = bytes
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, left))
          left -= chunk.length
          if (left <= 0) controller.error(new TypeError('broken off'))
        },
      })
      return new Response(response.body!.pipeThrough(cut), response)
    },
  }
  return { runtime, ranges }
}

test('a download resumes where it broke off, in the same run and in the next', async () => {
  const bytes = wav(60)
  const { attachment } = await ada.files.upload({ source: bytes, purpose: 'portfolio' })
  const to = join(home.path, 'sound.wav')
  const { runtime, ranges } = await breaking(200_000)
  const unlucky = await openIdentity(folderOf('ada'), { runtime })
  await unlucky.files.save(attachment.id, to)
  assert.deepEqual(await readFile(to), bytes)
  assert.deepEqual(ranges.slice(0, 2), [undefined, 'bytes=200000-'])
  assert.equal(ranges.length, Math.ceil(bytes.length / 200_000))

  // An earlier run left a part: it is continued, and one with wrong bytes is detected.
  const part = join(home.path, `.${attachment.id}.${attachment.sha256.slice(0, 16)}.part`)
  const second = join(home.path, 'second.wav')
  await writeFile(part, bytes.subarray(0, 1000))
  const { runtime: whole, ranges: asked } = await breaking(Number.POSITIVE_INFINITY)
  const lucky = await openIdentity(folderOf('ada'), { runtime: whole })
  await lucky.files.save(attachment.id, second)
  assert.deepEqual(asked, ['bytes=1000-'])
  assert.deepEqual(await readFile(second), bytes)
  await writeFile(part, Buffer.alloc(1000, 'x'))
  const third = join(home.path, 'third.wav')
  await assert.rejects(ada.files.save(attachment.id, third), {
    name: 'KithNetworkError',
    message: /did not match its card/,
  })
  await ada.files.save(attachment.id, third)
  assert.deepEqual(
    (await readdir(home.path)).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('neither the service nor a link chooses where a download is written', async () => {
  const { attachment } = await ada.files.upload({ source: wav(1), purpose: 'order' })
  const { id, sha256: digest } = attachment
  const to = join(home.path, 'chosen.wav')
  for (const change of [
    { id: `${id}/../../outside` },
    { sha256: '/../../outside/x' },
    { sha256: null },
    { size: 2 ** 40 },
  ]) {
    const hostile: Runtime = {
      ...quick,
      fetch: (...args) =>
        String(args[0]).endsWith(id)
          ? Promise.resolve(Response.json({ attachment: { ...attachment, ...change } }, { headers: named }))
          : systemRuntime.fetch(...args),
    }
    const away = await openIdentity(folderOf('ada'), { runtime: hostile, retry: { attempts: 1 } })
    for (const download of [() => away.files.save(id, to), () => away.files.download(id)])
      await assert.rejects(download, { name: 'KithNetworkError', reason: 'foreign' }, JSON.stringify(change))
  }
  const part = join(home.path, `.${id}.${digest.slice(0, 16)}.part`)
  const mine = await given('mine.txt', Buffer.from('mine'))
  await symlink(mine, part)
  await assert.rejects(ada.files.save(id, to), { name: 'KithInputError', message: `${part} is a link` })
  assert.equal(await readFile(mine, 'utf8'), 'mine')
  await rm(part)
})

test('a download waits for another one, however long that takes, unless it is aborted', async () => {
  const { attachment } = await ada.files.upload({ source: wav(1), purpose: 'order' })
  const agent = await openIdentity(folderOf('ada'), { runtime: quick })
  const { lock } = agent.folder
  let busy = 0
  agent.folder.lock = (name, waitMs) =>
    lock(name, name.startsWith('download-') ? 10 : waitMs).catch((error) => {
      busy++
      throw error
    })
  const unlock = await lock(`download-${attachment.sha256.slice(0, 2)}`)
  const stop = new AbortController()
  const stopped = agent.files.save(attachment.id, join(home.path, 'stopped.wav'), { signal: stop.signal })
  await eventually(() => busy > 3 || undefined, 'several waits')
  stop.abort(new Error('enough'))
  await assert.rejects(stopped, { message: 'enough' })
  const waiting = agent.files.save(attachment.id, join(home.path, 'waited.wav'))
  await eventually(() => busy > 9 || undefined, 'more of them')
  await unlock()
  await waiting
  assert.equal(sha256(await readFile(join(home.path, 'waited.wav'))), attachment.sha256)
})

test('an unreachable service ends uploads and downloads in bounded time', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const nowhere = await openFolder(join(home.path, 'nowhere'))
  for (const name of ['token', 'key']) await nowhere.write(name, (await ada.folder.read(name))!)
  const base_url = `http://127.0.0.1:${port}`
  await nowhere.write('passport.json', JSON.stringify({ ...ada.passport, base_url }))
  const client = await openIdentity(nowhere.path, { runtime: quick })
  const path = await given('sent.wav', wav(1))
  await assert.rejects(client.files.upload({ source: path, purpose: 'order' }), { name: 'KithNetworkError' })
  assert.equal((await nowhere.list('uploads')).length, 1)
  const id = '0198c000-0000-7000-8000-0000000000f2'
  await assert.rejects(client.files.save(id, join(home.path, 'never')), { name: 'KithNetworkError' })
  server.close()
})
