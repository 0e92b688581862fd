// Whom a slow upload is blamed on: a sender, and never a disk.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { filePart, form, formType, usualFields } from '../../../test/upload.ts'
import { eventually } from '../../../test/world.ts'
import { createPace } from './pace.ts'
import { receiverOf } from './receive.ts'

for (const crowd of ['alone', 'crowded'] as const) {
  test(`no time is charged to a sender nobody waits for, ${crowd}`, async () => {
    const never = { over: 600_000, least: 1 }
    const rates = { alone: never, crowded: never, [crowd]: { over: 200, least: 1024 } }
    const pace = createPace({ ...rates, every: 50 }, () => (crowd === 'crowded' ? ['waiting'] : []))
    const ended: string[] = []
    const paused = pace.begin('ada', () => ended.push('ada'))
    paused.pause()
    const silent = pace.begin('bea', () => ended.push('bea'))
    await eventually(() => ended.length > 0, 'one that is too slow')
    assert.deepEqual(ended, ['bea'])
    paused.resume()
    await eventually(() => ended.length > 1, 'the other, of which nothing comes either')
    assert.deepEqual(ended, ['bea', 'ada'])
    paused.end()
    silent.end()
  })
}

test('a sender is not charged once its body is complete, or while the disk is slow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-pace-'))
  const told: string[] = []
  let bytes = 0
  const { promise: received, resolve, reject } = Promise.withResolvers<unknown>()
  const server = createServer((request, response) => {
    const arrival = {
      add: (more: number) => {
        bytes += more
      },
      pause: () => void told.push('pause'),
      resume: () => void told.push('resume'),
    }
    receiverOf(request)(join(folder, 'file'), new AbortController().signal, arrival)
      .then(resolve, reject)
      .finally(() => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const photo = await jpeg({ width: 2000, height: 2000, noise: true })
    const body = form([...usualFields(), filePart(photo)])
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await fetch(url, { method: 'POST', headers: { 'content-type': formType }, body: new Uint8Array(body) })
    await received
    assert.equal(bytes, body.length)
    assert.ok(told.slice(0, -1).includes('pause'), 'megabytes at once are more than a disk takes at once')
    assert.equal(told.at(-1), 'pause')
  } finally {
    server.close()
    await rm(folder, { recursive: true })
  }
})
