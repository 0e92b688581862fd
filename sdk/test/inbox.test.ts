// The durable inbox: nothing acknowledged is lost, nothing finished comes again, and the file does not grow for ever.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pluck } from '../../server/test/pluck.ts'
import { openFileInbox } from '../src/node/file-inbox.ts'
import type { KithEvent } from '../src/types.ts'
import { temporaryFolder } from './fixtures.ts'

const event = (n: number): KithEvent => ({
  event_id: `0198c000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  kind: 'order.changed',
  payload: { order_id: '0198c000-0000-7000-8000-000000000001', status: 'funded', version: n },
})
const ids = (events: KithEvent[]) => events.map(({ event_id }) => event_id)

test('unfinished events come back in order; finished ones do not', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  for (const n of [1, 2, 3]) assert.equal(await inbox.add(event(n)), true)
  await inbox.done(event(2).event_id)
  await inbox.done('0198c000-0000-7000-8000-00000000ffff')
  await inbox.close()
  const again = await openFileInbox(folder)
  assert.deepEqual(again.pending(), [event(1), event(3)])
  await again.close()
  await assert.rejects(again.add(event(9)), /closed/)
})

test('an event is stored once, even if it was processed already', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  assert.deepEqual(await Promise.all([inbox.add(event(1)), inbox.add(event(1))]), [true, false])
  await inbox.done(event(1).event_id)
  assert.equal(await inbox.add(event(1)), false)
  inbox.acked(event(1).event_id)
  assert.equal(await inbox.add(event(1)), false)
  await inbox.close()
  const again = await openFileInbox(folder)
  assert.equal(await again.add(event(1)), false)
  assert.deepEqual(again.pending(), [])
  await again.close()
})

test('a crash in the middle of a line loses only that line', async (t) => {
  const folder = await temporaryFolder(t)
  const path = join(folder, 'events.ndjson')
  const inbox = await openFileInbox(folder)
  await inbox.add(event(1))
  await inbox.add(event(2))
  await inbox.close()
  const whole = await readFile(path)
  const firstLine = whole.indexOf(10) + 1
  for (let length = firstLine; length < whole.length; length++) {
    await writeFile(path, whole)
    await truncate(path, length)
    const again = await openFileInbox(folder)
    assert.deepEqual(again.pending(), [event(1)], `cut at ${length}`)
    assert.equal(await again.add(event(2)), true)
    await again.close()
    const last = await openFileInbox(folder)
    assert.deepEqual(ids(last.pending()), ids([event(1), event(2)]))
    await last.close()
  }
})

test('garbage after the last sync, as after a power cut, is cut off', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  await inbox.add(event(1))
  await inbox.close()
  await appendFile(join(folder, 'events.ndjson'), `\0\0\0\0\n${JSON.stringify({ event: event(2) })}\n`)
  const again = await openFileInbox(folder)
  assert.deepEqual(again.pending(), [event(1)])
  await again.close()
})

/** Where open files have `datasync`, which a story may replace until its end. */
async function syncing(t: TestContext, folder: string) {
  const probe = await fs.promises.open(join(folder, 'events.ndjson'))
  const prototype = Object.getPrototypeOf(probe) as { datasync: () => Promise<void> }
  await probe.close()
  const { datasync } = prototype
  t.after(() => {
    prototype.datasync = datasync
  })
  return { prototype, datasync }
}

test('events that arrive together share a sync', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  const { prototype, datasync } = await syncing(t, folder)
  let syncs = 0
  prototype.datasync = function () {
    syncs++
    return datasync.call(this)
  }
  await Promise.all(Array.from({ length: 200 }, (_, n) => inbox.add(event(n))))
  assert.ok(syncs <= 3, `${syncs} syncs`)
  await inbox.close()
})

test('the file stays small over many events, and forgets nothing it needs', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  const open = event(999_999)
  await inbox.add(open)
  for (let batch = 0; batch < 60; batch++) {
    const events = Array.from({ length: 200 }, (_, n) => event(batch * 200 + n))
    await Promise.all(events.map((each) => inbox.add(each)))
    for (const each of events) inbox.acked(each.event_id)
    await Promise.all(events.map((each) => inbox.done(each.event_id)))
  }
  await inbox.close()
  const { size } = await stat(join(folder, 'events.ndjson'))
  assert.ok(size < 2_000_000, `${size} bytes after 12000 events`)
  const again = await openFileInbox(folder)
  assert.deepEqual(again.pending(), [open])
  assert.equal(await again.add(event(11_999)), false)
  await again.close()
})

test('a disk error is reported, and nothing is written after half a line', async (t) => {
  const folder = await temporaryFolder(t)
  const inbox = await openFileInbox(folder)
  const { prototype, datasync } = await syncing(t, folder)
  prototype.datasync = async () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  }
  const twins = await Promise.allSettled([inbox.add(event(1)), inbox.add(event(1))])
  assert.deepEqual(pluck(twins, 'status'), ['rejected', 'rejected'])
  prototype.datasync = datasync
  await assert.rejects(inbox.add(event(2)), { code: 'ENOSPC' })
  await inbox.close()
})
