// How long files live: unused ones for a day, released ones for another, and what happens to those that a failure left.
// docs/contract/attachments.md#states.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { cut, jpeg } from '../../../test/corpus.ts'
import { givenFile, startDuePurges } from '../../../test/files.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import {
  assertFilesAddUp,
  holdInspections,
  incomingOf,
  read,
  upload,
  uploaded,
  withStorage,
  withTimes,
} from '../../../test/upload.ts'
import { type Agent, eventually, worldFor } from '../../../test/world.ts'
import { newId } from '../../kernel/clock.ts'
import { type Storage, StorageFailed } from '../../storage/storage.ts'
import { type Status, statuses } from './cards.ts'
import { attachments } from './module.ts'
import { purgeNext, watchNodes } from './purge.ts'
import { reconcile } from './reconcile.ts'
import { uploadsOf } from './uploads.ts'
import { giveBack } from './usage.ts'

const day = 86_400_000

const photo = await jpeg()
const { w, ada } = story('ada')
after(() => assertFilesAddUp(w))

const cardOf = async (id: string, agent = ada) => (await agent.get(`/attachments/${id}`)).body.attachment

const discard = (agent: Pick<Agent, 'token'>, id: string, at = w) =>
  at.request('DELETE', `/attachments/${id}`, { token: agent.token })

const purged = (id: string) =>
  eventually(async () => {
    await purgeNext(w.service).catch(() => {})
    const card = await cardOf(id)
    return card.status === 'purged' ? card : undefined
  }, 'a purged record')

/** What inspections find is known only after `letGo`, and after `hold` no longer. */
async function withSlowInspections(story: (inspections: { letGo(): void; hold(): void }) => Promise<void>) {
  const { inspector } = w.service
  let held = Promise.withResolvers<void>()
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const inspect: typeof inspector.inspect = async (...given) => {
    const inspection = await inspector.inspect(...given)
    await Promise.race([held.promise, isOver])
    return inspection
  }
  Object.assign(w.service, { inspector: { ...inspector, inspect } })
  const hold = (): void => {
    held = Promise.withResolvers()
  }
  try {
    await withTimes(w, { answerWithin: 0 }, () => story({ letGo: () => held.resolve(), hold }))
  } finally {
    end()
    Object.assign(w.service, { inspector })
  }
}

test('an upload unused for a day is deleted, and its record stays', async () => {
  const uploadId = randomUUID()
  const { id } = await uploaded(w, ada, photo, { uploadId })
  const used = await uploaded(w, ada, await jpeg({ width: 70 }))
  await givenPost(ada, { attachment_ids: [used.id], rights_confirmed: true })
  w.travel(day - 600_000)
  await startDuePurges(w)
  assert.equal((await cardOf(id)).status, 'ready')
  w.travel(600_001)
  await startDuePurges(w)
  const card = await purged(id)
  assert.deepEqual([card.available, card.allocated_bytes, card.can_discard], [false, 0, false])
  assert.ok(card.purged_at)
  assert.deepEqual([card.download_url, card.preview_url], [null, null])
  assert.equal((await read(w, `/attachments/${id}/download`, { agent: ada })).code, 'not_found')
  const replay = await upload(w, ada, photo, { uploadId })
  assert.deepEqual([replay.status, replay.body.attachment], [200, card])
  const bound = await ada.post('/posts', { text: 'Late', attachment_ids: [id] })
  assert.deepEqual([bound.status, bound.body.error.code], [404, 'invalid_attachment'])
  const again = await discard(ada, id)
  assert.deepEqual([again.status, again.body.attachment.status], [200, 'purged'])
  w.travel(10 * day)
  await startDuePurges(w)
  assert.equal((await cardOf(used.id)).status, 'ready', 'what is used stays')
})

test('a released file is deleted a day later, and cannot be reused', async () => {
  const { id } = await uploaded(w, ada, photo)
  const post = await givenPost(ada, { attachment_ids: [id], rights_confirmed: true })
  await discard(ada, id).then(({ status, body }) =>
    assert.deepEqual([status, body.error.code], [409, 'attachment_bound']),
  )
  assert.equal((await w.request('DELETE', `/posts/${post.id}`, { token: ada.token })).status, 200)
  const card = await cardOf(id)
  assert.deepEqual([card.status, card.binding.active, card.can_discard], ['ready', false, false])
  const other = await ada.post('/posts', { text: 'Once more', attachment_ids: [id] })
  assert.deepEqual([other.status, other.body.error.code], [409, 'attachment_already_bound'])
  await discard(ada, id).then(({ status, body }) =>
    assert.deepEqual([status, body.error.code], [409, 'attachment_not_discardable']),
  )
  w.travel(day + 1)
  await startDuePurges(w)
  await purged(id)
})

test('you can only discard your own ready files that were never used', async (t) => {
  const other = await worldFor(t)
  const [bob, eve] = [await other.agent('bob'), await other.agent('eve')]
  const answers: Record<Status, [number, string]> = {
    pending: [409, 'attachment_not_discardable'],
    ready: [202, 'purging'],
    rejected: [409, 'attachment_not_discardable'],
    retained: [409, 'attachment_not_discardable'],
    purging: [202, 'purging'],
    purged: [200, 'purged'],
  }
  for (const status of statuses) {
    const id = await givenFile(other, bob, { status })
    for (const query of ['?x=1', '?operation_id=1']) {
      assert.equal((await discard(bob, id + query, other)).body.error.code, 'invalid_input')
    }
    for (const json of [{ a: 1 }, {}]) {
      const body = await other.request('DELETE', `/attachments/${id}`, { token: bob.token, json })
      assert.deepEqual([body.status, body.body.error.code], [400, 'invalid_input'])
    }
    assert.equal((await discard(eve, id, other)).status, 404)
    const answer = await discard(bob, id, other)
    const said = answer.body.error?.code ?? answer.body.attachment.status
    assert.deepEqual([answer.status, said], answers[status], status)
  }
  assert.equal((await discard(bob, randomUUID(), other)).status, 404)
})

test('when storage cannot delete, nothing is reported as deleted, and other files are not held up', async () => {
  const stuck = await uploaded(w, ada, photo)
  const fine = await uploaded(w, ada, await jpeg({ width: 71 }))
  const broken = async (): Promise<never> => {
    throw new Error('no storage')
  }
  await withStorage(w, { check: broken }, async () => {
    const answer = await discard(ada, stuck.id)
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'storage_cleanup_unavailable'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal((await cardOf(stuck.id)).status, 'ready')
  })
  const { remove } = w.service.storage
  await withStorage(w, { remove: (id) => (id === stuck.id ? broken() : remove(id)) }, async () => {
    for (const { id } of [stuck, fine]) assert.equal((await discard(ada, id)).status, 202)
    await purged(fine.id)
    const card = await cardOf(stuck.id)
    assert.deepEqual([card.status, card.allocated_bytes > 0], ['purging', true])
    const { storage } = (await ada.get('/attachments/storage')).body
    assert.deepEqual(storage.cleanup_pending, { files: 1, bytes: card.allocated_bytes })
  })
  await purged(stuck.id)
})

test('on a full disk a file can be discarded, which makes room', async () => {
  const file = await uploaded(w, ada, await jpeg({ width: 73 }))
  const full = async (): Promise<never> => {
    throw new StorageFailed('check', Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
  }
  await withStorage(w, { check: full }, async () => {
    assert.equal((await discard(ada, file.id)).status, 202)
    await purged(file.id)
  })
})

test('a storage that is slow to delete holds few connections, however many files are discarded', async () => {
  const files = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => uploaded(w, ada, await jpeg({ width: 40 + at }))),
  )
  const { remove } = w.service.storage
  const { promise: isBack, resolve: comesBack } = Promise.withResolvers<void>()
  let [waiting, most] = [0, 0]
  const slow = async (id: string): Promise<void> => {
    waiting += 1
    most = Math.max(most, waiting)
    await isBack
    waiting -= 1
    await remove(id)
  }
  await withStorage(w, { remove: slow }, async () => {
    for (const { id } of files) assert.equal((await discard(ada, id)).status, 202)
    // Four, and one of the sweep, which goes on whatever the requests began.
    await eventually(() => waiting >= 4, 'the first deletions')
    assert.ok(most <= 5, `${most} at once`)
    comesBack()
    for (const { id } of files) await purged(id)
  })
})

test('when storage cannot write, the upload leaves nothing, and succeeds later', async () => {
  const uploadId = randomUUID()
  const full = async (): Promise<never> => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  const usage = (await ada.get('/attachments/storage')).body.storage
  await withStorage(w, { put: full }, async () => {
    const answer = await upload(w, ada, photo, { uploadId })
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'service_unavailable'])
    assert.ok(answer.headers.get('retry-after'))
  })
  assert.deepEqual((await ada.get('/attachments/storage')).body.storage, usage)
  const { incoming } = w.service.storage
  await rename(incoming, `${incoming}-away`)
  for (const bytes of [photo, Buffer.concat([photo, randomBytes(1_000_000)])]) {
    const answer = await upload(w, ada, bytes, { uploadId })
    assert.deepEqual([answer.status, answer.body.error.code], [503, 'service_unavailable'])
  }
  await mkdir(incoming, { recursive: true })
  assert.equal((await upload(w, ada, photo, { uploadId })).status, 201)
})

test('a slow inspection is answered as pending, and settled later', async () => {
  await withSlowInspections(async ({ letGo, hold }) => {
    for (const [bytes, outcome] of [
      [photo, 'ready'],
      [cut(await jpeg({ width: 300 }), 0.6), 'rejected'],
    ] as const) {
      const uploadId = randomUUID()
      const answer = await upload(w, ada, bytes, { uploadId })
      const { id, status, allocated_bytes } = answer.body.attachment
      assert.deepEqual([answer.status, status, allocated_bytes], [201, 'pending', 28 * 1024 ** 2])
      assert.equal((await read(w, `/attachments/${id}/download`, { agent: ada })).status, 404)
      const replay = await upload(w, ada, bytes, { uploadId })
      assert.deepEqual([replay.status, replay.body.attachment.id], [200, id])
      letGo()
      await eventually(async () => (await cardOf(id)).status === outcome, outcome)
      hold()
    }
  })
  await assertFilesAddUp(w)
})

test('an inspection that does not start in time is 408, and leaves nothing', async () => {
  const release = await holdInspections(w)
  const usage = (await ada.get('/attachments/storage')).body.storage
  const uploadId = randomUUID()
  await withTimes(w, { acceptance: 300 }, async () => {
    const answer = await upload(w, ada, photo, { uploadId })
    assert.deepEqual([answer.status, answer.body.error.code], [408, 'request_timeout'])
  })
  assert.deepEqual((await ada.get('/attachments/storage')).body.storage, usage)
  await release()
  assert.equal((await upload(w, ada, photo, { uploadId })).status, 201)
})

test('bytes without a record are deleted, but never those of running uploads', async () => {
  const { storage } = w.service
  const put = async (id: string): Promise<void> => {
    const path = join(storage.incoming, randomUUID())
    await writeFile(path, 'some bytes')
    await storage.put(`${id}/original`, path)
  }
  const ready = await uploaded(w, ada, photo)
  await givenPost(ada, { attachment_ids: [ready.id], rights_confirmed: true })
  const [old, young] = [newId(new Date(w.now().getTime() - 7_200_000)), newId(w.now())]
  for (const id of [old, young]) await put(id)
  await withSlowInspections(async ({ letGo }) => {
    const pending = upload(w, ada, await jpeg({ width: 72 }))
    const [living] = await eventually(async () => {
      const rows = await w.sql<{ id: string }>`select id from attachments where status = 'pending'`
      return rows.length > 0 ? rows : undefined
    }, 'a living upload')
    await reconcile(w.service)
    const left = (await Array.fromAsync(storage.list())).map(({ key }) => key.split('/')[0])
    assert.ok(!left.includes(old), 'an orphan')
    assert.ok(left.includes(young), 'of one that may only just be born nothing is known yet')
    assert.ok(left.includes(ready.id))
    const id = (await pending).body.attachment.id
    assert.equal(living?.id, id)
    letGo()
    await eventually(async () => (await cardOf(id)).status === 'ready', 'the living upload to be ready')
    assert.equal((await read(w, `/attachments/${id}/download`, { agent: ada })).status, 200)
  })
  w.travel(3_700_000)
  await reconcile(w.service)
  assert.equal((await read(w, `/attachments/${ready.id}/download`, { agent: ada })).status, 200)
})

test('the operator learns which stored bytes are missing or cut off', async () => {
  const { storage, metrics } = w.service
  const count = async () => (await metrics.missingObjects.get()).values[0]?.value ?? 0
  const put = async (key: string, bytes: string): Promise<void> => {
    const path = join(storage.incoming, randomUUID())
    await writeFile(path, bytes)
    await storage.put(key, path)
  }
  const files = await Promise.all([74, 75, 76, 77].map(async (width) => uploaded(w, ada, await jpeg({ width }))))
  const [whole, gone, cut, discarded] = files.map(({ id }) => id) as [string, string, string, string]
  await reconcile(w.service)
  const before = await count()
  await storage.remove(gone)
  await put(`${cut}/preview`, 'a part')
  assert.equal((await discard(ada, discarded)).status, 202)
  await purged(discarded)
  await reconcile(w.service)
  assert.equal((await count()) - before, 4)
  const told = JSON.parse(w.warnings.findLast((line) => line.includes('the storage has lost files')) ?? '{}')
  assert.deepEqual([told.level, told.lost], ['error', 4])
  const lost = [...['original', 'preview', 'web'].map((name) => `${gone}/${name}`), `${cut}/preview`]
  assert.deepEqual([...told.first].sort(), lost.sort())
  assert.equal((await read(w, `/attachments/${whole}/download`, { agent: ada })).status, 200)
  for (const id of [gone, cut, whole]) {
    assert.equal((await discard(ada, id)).status, 202)
    await purged(id)
  }
  await reconcile(w.service)
  assert.equal((await count()) - before, 4, 'nobody misses what is deleted')
})

test('a file that cannot be read now is not lost, and the operator learns of the others', async () => {
  const { storage, metrics } = w.service
  const count = async () => (await metrics.missingObjects.get()).values[0]?.value ?? 0
  const { id: unreadable } = await uploaded(w, ada, await jpeg({ width: 78 }))
  const { id: gone } = await uploaded(w, ada, await jpeg({ width: 79 }))
  const before = await count()
  await storage.remove(gone)
  const denied = async (): Promise<never> => {
    throw new StorageFailed('open', Object.assign(new Error('denied'), { code: 'EACCES' }))
  }
  // A list may be older than what it lists.
  async function* list() {
    for await (const object of storage.list()) if (!object.key.startsWith(unreadable)) yield object
  }
  const open: Storage['open'] = (key, range) => (key.startsWith(unreadable) ? denied() : storage.open(key, range))
  await withStorage(w, { list, open }, () => reconcile(w.service).then(() => {}))
  assert.equal((await count()) - before, 3)
  const lines = w.warnings.map((line) => JSON.parse(line))
  const told = lines.findLast(({ msg }) => msg === 'the storage has lost files')
  assert.ok(told.first.every((key: string) => key.startsWith(gone)))
  assert.ok(lines.some(({ msg, attachment }) => msg === 'a stored file could not be read' && attachment === unreadable))
  await reconcile(w.service)
  assert.equal((await read(w, `/attachments/${unreadable}/download`, { agent: ada })).status, 200)
  assert.equal((await discard(ada, gone)).status, 202)
  await purged(gone)
})

test('after a node dies, its unfinished receiving is undone and its inspections are repeated', async () => {
  const dead = randomUUID()
  const zoe = await w.agent('zoe')
  const pending = async (stored: boolean): Promise<string> => {
    const id = (await uploaded(w, zoe, photo)).id
    const reserved = 28 * 1024 ** 2
    await w.sql.transaction(async (tx) => {
      const [row] = await tx<{
        allocated: number
      }>`select allocated_bytes as allocated from attachments where id = ${id}`
      await tx`
        update attachments set status = 'pending', node_id = ${dead}, stored = ${stored}, preview_bytes = null,
          preview_sha256 = null, preview_width = null, preview_height = null, web_bytes = null, web_sha256 = null,
          web_widths = null, web_sizes = null, allocated_bytes = ${reserved}, purge_after = null where id = ${id}`
      await tx`
        update storage_usage set bytes = bytes + ${reserved - (row?.allocated ?? 0)}
        where owner_id in (${zoe.id}, '00000000-0000-0000-0000-000000000000')`
    })
    return id
  }
  const [kept, lost, gone] = [await pending(true), await pending(false), await pending(true)]
  await w.service.storage.remove(gone)
  await writeFile(join(w.service.storage.incoming, `${dead}.${randomUUID()}`), 'half of a file')
  const theirs = join(w.service.storage.incoming, randomUUID())
  await writeFile(theirs, 'of another program')
  // While it lived its clock was a day behind, or that of this node a day ahead.
  await w.sql`insert into nodes (id, name, seen_at) values (${dead}, 'other', ${new Date(w.now().getTime() - day)})`
  await uploadsOf(w.service).recover()
  assert.equal((await cardOf(lost, zoe)).status, 'pending')
  assert.ok((await incomingOf(w.service)).some((name) => name.startsWith(dead)))
  await w.sql`delete from nodes where id = ${dead}`
  await eventually(async () => {
    await uploadsOf(w.service).recover()
    return (await cardOf(kept, zoe)).status === 'ready' && (await cardOf(gone, zoe)).status === 'rejected'
  }, 'the verdicts')
  assert.equal((await zoe.get(`/attachments/${lost}`)).status, 404)
  await uploadsOf(w.service).recover()
  // Of a node that lives nobody else takes them: so of several workers each looks for its own.
  const again = attachments.sweeps?.(w.service).find(({ name }) => name === 'inspections')
  assert.equal(again?.isOwn, true)
  // A process that gets ready for the next file has names there for a moment.
  await eventually(async () => String(await incomingOf(w.service)) === basename(theirs), 'no other file')
  await rm(theirs)
})

test('a node is dead after a minute of silence that this one has waited, whatever the clocks say', async () => {
  const node = randomUUID()
  const sign = (at: number) => w.sql`
    insert into nodes (id, name, seen_at) values (${node}, 'other', ${new Date(at)})
    on conflict (id) do update set seen_at = excluded.seen_at`
  let elapsed = 0
  const findDead = watchNodes(w.service, () => elapsed)
  /** After looks every ten seconds. */
  const isDead = async (after: number): Promise<boolean> => {
    for (const end = elapsed + after; elapsed < end; ) {
      elapsed = Math.min(elapsed + 10_000, end)
      if ((await findDead()).includes(node)) return true
    }
    return (await findDead()).includes(node)
  }
  // By a clock that is two minutes off.
  const signed = w.now().getTime() - 120_000
  await sign(signed)
  assert.equal(await isDead(0), false)
  assert.equal(await isDead(59_999), false)
  await sign(signed + 1)
  assert.equal(await isDead(1), false)
  assert.equal(await isDead(59_998), false)
  // The database is away for an hour: nobody can write a sign, and this node cannot look.
  elapsed += 3_600_000
  await sign(signed + 2)
  assert.equal(await isDead(30_000), false)
  elapsed += 3_600_000
  assert.equal(await isDead(0), false, 'this one is back first')
  assert.equal(await isDead(19_999), false)
  assert.equal(await isDead(1), true, 'the other one is not back yet after a minute of looks')
  await w.sql`delete from nodes where id = ${node}`
})

test('a node presumed dead during an inspection leaves nothing, and a waiting retry takes its place', async () => {
  const max = await w.agent('max')
  const release = await holdInspections(w)
  const uploadId = randomUUID()
  const first = upload(w, max, photo, { uploadId })
  const id = await eventually(
    async () => (await max.get('/attachments?status=pending')).body.attachments[0]?.id as string | undefined,
    'the first one to wait',
  )
  const second = upload(w, max, photo, { uploadId })
  // What another node does that has not seen this one for a minute.
  await w.sql.transaction(async (tx) => {
    const [row] = await tx<{
      bytes: number
    }>`delete from attachments where id = ${id} returning allocated_bytes as bytes`
    await giveBack(tx, max.id, row?.bytes ?? 0)
  })
  await release()
  const [lost, won] = [await first, await second]
  assert.deepEqual([lost.status, lost.body.error?.code], [503, 'service_unavailable'])
  assert.deepEqual([won.status, won.body.attachment.status], [201, 'ready'])
  assert.equal((await upload(w, max, photo, { uploadId })).body.attachment.id, won.body.attachment.id)
})
