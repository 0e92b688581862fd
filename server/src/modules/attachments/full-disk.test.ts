// Uploads to a disk that fills up: each is stored whole or leaves nothing, and what is deleted makes room.
// docs/files.md#disk.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { zip } from '../../../test/corpus-sources.ts'
import { purgeDue } from '../../../test/files.ts'
import { dataFolder } from '../../../test/launch.ts'
import { tinyDisk } from '../../../test/tiny-disk.ts'
import { assertFilesAddUp, inspected, read, sha256, upload, uploaded } from '../../../test/upload.ts'
import { code, eventually, world } from '../../../test/world.ts'

test('uploads that a full disk does not take are 503, leave nothing behind, and succeed once there is room', async (t) => {
  const { dataDir, remove } = await dataFolder()
  const disk = await tinyDisk(t, dataDir, 4096)
  const opening = disk && world({ env: { STORAGE_URL: `file:${join(disk.folder, 'files')}` } })
  t.after(async () => {
    try {
      await (await opening)?.close()
    } finally {
      disk?.end()
      await remove()
    }
  })
  const w = await opening
  if (!w) return
  const ann = await w.agent('ann')
  const readiness = async () => (await fetch(`${w.url}/health/ready`)).json()
  const photo = await jpeg({ width: 300, noise: true })
  const archive = (kibibytes: number): Buffer => zip([{ name: 'a', data: randomBytes(kibibytes * 1024) }])

  const first = archive(3300)
  const { id, download_url: path } = await uploaded(w, ann, first, { purpose: 'order' })
  // The first does not arrive whole; the second does, and what is made of it has no room.
  const tooMuch: [purpose: string, bytes: Buffer][] = [
    ['order', archive(1200)],
    ['portfolio', await jpeg({ width: 500, height: 500, noise: true })],
  ]
  const uploadId = randomUUID()
  for (const [purpose, bytes] of tooMuch) {
    const refused = await upload(w, ann, bytes, { purpose, uploadId })
    assert.equal(code(refused), '503 service_unavailable', purpose)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  assert.deepEqual(await readiness(), { status: 'ready', degraded: ['storage'] })
  assert.equal((await ann.get('/attachments/storage')).body.storage.upload_records.used, 1)
  // What the process of the refused one had is freed when it has ended.
  const small = await eventually(async () => {
    const answer = await upload(w, ann, photo)
    return answer.status === 201 ? answer : undefined
  }, 'room for a small one')
  assert.equal((await inspected(w, ann, small)).status, 'ready')
  assert.equal(sha256((await read(w, path, { agent: ann })).bytes), sha256(first))
  await assertFilesAddUp(w)

  assert.equal((await w.request('DELETE', `/attachments/${id}`, { token: ann.token })).status, 202)
  await purgeDue(w)
  const [[purpose, bytes] = ['', photo]] = tooMuch.slice(1)
  await uploaded(w, ann, bytes, { purpose, uploadId })
  await assertFilesAddUp(w)
})
