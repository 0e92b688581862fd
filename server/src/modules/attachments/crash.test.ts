// kill -9 in the middle of uploads: afterwards the same upload succeeds, and figures and disk add up.
// docs/contract/attachments.md#replays.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { video } from '../../../test/corpus-media.ts'
import { freshDatabase } from '../../../test/database.ts'
import { dataFolder, freePort, type Service, serve } from '../../../test/launch.ts'
import { call, register } from '../../../test/process.ts'
import {
  assertFilesAddUp,
  begin,
  filePart,
  form,
  inspected,
  read,
  sha256,
  upload,
  usualFields,
} from '../../../test/upload.ts'
import { eventually } from '../../../test/world.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openLocalStorage } from '../../storage/local.ts'
import { openSql } from '../../store/sql.ts'

test('killed while it receives, inspects or stores an upload: a retry stores it once, and nothing else remains', async () => {
  const [database, { dataDir, remove }] = [await freshDatabase(), await dataFolder()]
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 2 })
  // The same port each time: a node knows by it what its former self left.
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'a secret key for tests, of enough characters',
    PORT: String(await freePort()),
  }
  let server: Service = await serve(dataDir, { env })
  const folder = join(dataDir, 'files')
  try {
    const ada = await register(server.url, 'ada')
    const photo = await jpeg({ width: 900, height: 900, noise: true })
    const restart = async (): Promise<void> => {
      server.kill('SIGKILL')
      await server.ended
      server = await serve(dataDir, { env })
    }
    const storageFigures = async () =>
      (await call(server.url, 'GET', '/attachments/storage', { token: ada.token }))?.body.storage
    const stages: [string, Buffer, (whole: Buffer) => number, () => Promise<unknown>][] = [
      [
        'receiving',
        photo,
        (whole) => whole.length - 1000,
        () => eventually(async () => (await readdir(join(folder, '.incoming'))).length > 0, 'a file on its way'),
      ],
      [
        'inspecting',
        await video({ seconds: 4, width: 640, height: 480, noise: true }),
        (whole) => whole.length,
        () => eventually(async () => (await storageFigures()).pending_uploads > 0, 'an inspection'),
      ],
      [
        'putting',
        await jpeg({ width: 1201, height: 900, noise: true }),
        (whole) => whole.length,
        async () => {
          const known = new Set(await readdir(folder, { recursive: true }))
          const isNew = (name: string): boolean => name.includes('/') && !name.startsWith('.') && !known.has(name)
          await eventually(async () => (await readdir(folder, { recursive: true })).some(isNew), 'an object')
        },
      ],
    ]
    for (const [stage, bytes, part, reached] of stages) {
      const uploadId = randomUUID()
      const whole = form([...usualFields('portfolio', uploadId), filePart(bytes)])
      const { request } = begin(server, ada, { 'content-length': whole.length })
      request.write(whole.subarray(0, part(whole)))
      await reached()
      await restart()
      const again = await upload(server, ada, bytes, { uploadId })
      assert.ok(again.status === 201 || (stage === 'putting' && again.status === 200), `${stage}: ${again.status}`)
      const card = await inspected(server, ada, again)
      assert.equal(card.status, 'ready', stage)
      const kept = await read(server, card.download_url, { agent: ada })
      assert.equal(sha256(kept.bytes), card.sha256)
      assert.equal((await upload(server, ada, bytes, { uploadId })).status, 200)
    }
    assert.equal((await storageFigures()).upload_records.used, stages.length)
    const storage = await openLocalStorage(folder)
    await assertFilesAddUp({ sql, service: { storage } as never })
    await storage.close()

    const late = form([...usualFields(), filePart(photo)])
    const { request, answer } = begin(server, ada, { 'content-length': late.length })
    request.write(late.subarray(0, -1000))
    await eventually(async () => (await readdir(join(folder, '.incoming'))).length > 0, 'a file on its way')
    server.kill('SIGTERM')
    await eventually(
      async () => (await fetch(`${server.url}/health/ready`).catch(() => undefined))?.status !== 200,
      'draining',
    )
    request.end(late.subarray(-1000))
    assert.equal((await answer)?.status, 201, 'what is on its way finishes')
    assert.equal(await server.ended, 0)
    assert.deepEqual(await readdir(join(folder, '.incoming')), [])
  } finally {
    server.kill('SIGKILL')
    await server.ended
    await sql.end()
    await database.drop()
    await remove()
  }
})
