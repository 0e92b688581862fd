// The life of a file where the bytes lie in an S3 service, and two nodes share it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import sharp from 'sharp'
import * as corpus from '../../../test/corpus.ts'
import { noSwift, type Swift, startSwift } from '../../../test/swift.ts'
import { read, sha256, uploaded } from '../../../test/upload.ts'
import { eventually, type World, world, worldFor } from '../../../test/world.ts'
import { newId } from '../../kernel/clock.ts'
import { purgeNext } from './purge.ts'

let swift: Swift
let w: World
before(async () => {
  if (noSwift) return
  swift = await startSwift()
  w = await world({ env: { STORAGE_URL: swift.url() } })
})
after(async () => {
  await w?.close()
  await swift?.stop()
})

test('a picture goes through S3: stored by one node, read by another, gone once discarded', {
  skip: noSwift,
}, async () => {
  const ann = await w.agent('ann')
  const other = await w.node()
  const bytes = await corpus.jpeg({ width: 1200, height: 900 })
  const file = await uploaded(w, ann, bytes)
  await eventually(async () => (await readdir(join(w.dataDir, 'uploads'))).length === 0, 'nothing stays on the node')
  const whole = await read(other, file.download_url, { agent: ann })
  assert.equal(sha256(whole.bytes), sha256(bytes))
  const part = await read(other, file.download_url, { agent: ann, headers: { range: 'bytes=10-19' } })
  assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(10, 20)])
  const preview = await read(other, file.preview_url, { agent: ann })
  assert.deepEqual([...preview.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff])
  for (const width of [480, 1080]) {
    const copy = await read(other, `${file.preview_url}?width=${width}`, { agent: ann })
    assert.deepEqual([copy.status, (await sharp(copy.bytes).metadata()).width], [200, width])
  }
  const keys = (await Array.fromAsync(w.service.storage.list())).map(({ key }) => key.slice(file.id.length + 1))
  assert.deepEqual(keys.sort(), ['original', 'preview', 'preview-1080', 'preview-480', 'web'])

  // On a busy machine Swift may take longer to answer than a check may.
  await eventually(
    async () => (await w.request('DELETE', `/attachments/${file.id}`, { token: ann.token })).status < 300,
    'it is discarded',
  )
  await eventually(async () => {
    await purgeNext(w.service).catch(() => {})
    return (await ann.get(`/attachments/${file.id}`)).body.attachment.status === 'purged'
  }, 'the bytes are purged')
  for await (const { key } of w.service.storage.list()) assert.fail(`${key} is still there`)
})

test('while S3 is down uploads are 503, nothing is charged, and the node reports itself degraded', async (t) => {
  const away = await worldFor(t, { env: { STORAGE_URL: 's3://KEY:SECRET@bucket?endpoint=http://127.0.0.1:9' } })
  const bob = await away.agent('bob')
  const form = new FormData()
  form.append('purpose', 'avatar')
  form.append('upload_id', '01890000-0000-7000-8000-000000000001')
  form.append('file', new File([new Uint8Array(await corpus.png({ width: 20, height: 20 }))], 'file'))
  const answer = await fetch(`${away.url}/api/v1/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bob.token}` },
    body: form,
  })
  assert.equal(answer.status, 503)
  assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'service_unavailable')
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  const { storage } = (await bob.get('/attachments/storage')).body
  assert.deepEqual([storage.bytes.used, storage.files.used, storage.upload_records.used], [0, 0, 0])
  await eventually(async () => (await readdir(join(away.dataDir, 'uploads'))).length === 0, 'the upload is removed')
  // Everything else goes on.
  const [ada, eve] = await away.friends('ada', 'eve')
  const socket = await eve.events()
  const sent = await ada.send(eve)
  assert.equal(sent.status, 201)
  assert.equal((await socket.next('message.created')).payload.id, sent.body.message.id)
  await socket.close()
  // The first to ask is not kept waiting for the storage: what was found is told from then on.
  const ready = async () => {
    const answer = await fetch(`${away.url}/health/ready`)
    assert.equal(answer.status, 200)
    return answer.json()
  }
  await eventually(
    async () => isDeepStrictEqual(await ready(), { status: 'ready', degraded: ['storage'] }),
    'it is told',
  )
  assert.match(away.warnings.join('\n'), /the storage failed: put: S3 failed: \w*Error ECONNREFUSED/)
})

test('while S3 accepts connections and never answers, an agent whose deletions wait for it is served', async () => {
  const connections = new Set<Socket>()
  const silent = createServer((socket) => {
    connections.add(socket)
    socket.on('error', () => {}).resume()
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const halfDead = await world({ env: { STORAGE_URL: `s3://KEY:SECRET@bucket?endpoint=http://127.0.0.1:${port}` } })
  try {
    const bob = await halfDead.agent('bob')
    const ids = Array.from({ length: 4 }, () => newId(halfDead.now()))
    for (const id of ids) {
      await halfDead.sql`
        insert into attachments (id, owner_id, upload_id, purpose, file_format, status, bytes, sha256, allocated_bytes,
          stored, created_at, updated_at)
        values (${id}, ${bob.id}, ${id}, 'order', 'zip', 'ready', 10, ${Buffer.alloc(32)}, 10, true,
          ${halfDead.now()}, ${halfDead.now()})`
    }
    const deletions = ids.map((id) => halfDead.request('DELETE', `/attachments/${id}`, { token: bob.token }))
    await eventually(() => connections.size > 0, 'the storage is asked')
    // All four that one agent may have under way wait for the storage.
    assert.equal((await bob.get('/bots/me')).status, 200)
    for (const { status, body } of await Promise.all(deletions)) {
      assert.deepEqual([status, body.error.code], [503, 'storage_cleanup_unavailable'])
    }
    assert.equal((await bob.get(`/attachments/${ids[0]}`)).body.attachment.status, 'ready')
  } finally {
    for (const socket of connections) socket.destroy()
    silent.close()
    await halfDead.drop()
  }
})
