// Quotas, reservations, turns at the inspection, and figures that always add up. docs/contract/attachments.md#quotas.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { cut, jpeg } from '../../../test/corpus.ts'
import { svg } from '../../../test/corpus-sources.ts'
import { story } from '../../../test/story.ts'
import { assertFilesAddUp, holdInspections, upload, uploaded } from '../../../test/upload.ts'
import { type Agent, type Answer, eventually } from '../../../test/world.ts'
import { purgeNext } from './purge.ts'

const photo = await jpeg()
const { w } = story()
after(() => assertFilesAddUp(w))

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3
const platform = '00000000-0000-0000-0000-000000000000'

type Resource = 'bytes' | 'files' | 'upload_records'

/** Says that so much was used before, and takes it back at the end of the story. */
async function using(
  owner: string,
  used: Partial<Record<Resource, number>>,
  story: () => Promise<void>,
): Promise<void> {
  await w.sql`insert into storage_usage (owner_id) values (${owner}) on conflict do nothing`
  const change = async (sign: number): Promise<void> => {
    await w.sql`
      update storage_usage set bytes = bytes + ${sign * (used.bytes ?? 0)}, files = files + ${sign * (used.files ?? 0)},
        upload_records = upload_records + ${sign * (used.upload_records ?? 0)}
      where owner_id = ${owner}`
  }
  await change(1)
  try {
    await story()
  } finally {
    await change(-1)
  }
}

const usageOf = async (owner: string) => (await w.sql`select * from storage_usage where owner_id = ${owner}`)[0]

const storageOf = async (agent: Agent) => (await agent.get('/attachments/storage')).body.storage

function assertRefused({ status, body, headers }: Answer, code: string, details: object): void {
  assert.deepEqual([status, body.error?.code], [429, code])
  assert.ok(Number(headers.get('retry-after')) > 0)
  const links = { storage_url: '/api/v1/attachments/storage', uploads_url: '/api/v1/attachments?scope=all' }
  assert.deepEqual(body.error.details, {
    ...details,
    retryable: false,
    ...links,
    support_url: body.error.details.support_url,
  })
  assert.match(body.error.details.support_url, /^\//)
}

test('an agent has 1 GiB, to the byte, and the space an inspection may need is reserved', async () => {
  const ada = await w.agent('ada')
  const reserved = 28 * mebibyte
  await using(ada.id, { bytes: gibibyte - reserved + 1 }, async () => {
    const before = await usageOf(ada.id)
    assertRefused(await upload(w, ada, photo), 'storage_quota_exceeded', {
      scope: 'agent',
      resource: 'bytes',
      used: gibibyte - reserved + 1,
      limit: gibibyte,
      available: reserved - 1,
      required: reserved,
    })
    const source = await upload(w, ada, svg(), { purpose: 'order' })
    assert.equal(source.body.error.details.required, 262_144_000)
    assert.deepEqual(await usageOf(ada.id), before, 'a refused upload leaves no trace')
    assert.equal((await ada.get('/attachments?scope=all')).body.pagination.total, 0)
  })
  const uploadId = randomUUID()
  let card: { allocated_bytes: number } | undefined
  await using(ada.id, { bytes: gibibyte - reserved }, async () => {
    card = await uploaded(w, ada, photo, { uploadId })
    const { bytes, files } = await storageOf(ada)
    const used = gibibyte - reserved + (card?.allocated_bytes ?? 0)
    assert.deepEqual(bytes, { used, limit: gibibyte, available: gibibyte - used })
    assert.deepEqual(files, { used: 1, limit: 1000, available: 999 })
    assert.equal((await upload(w, ada, photo)).status, 429)
    assert.equal((await upload(w, ada, photo, { uploadId })).status, 200, 'a replay needs no room')
  })
  const { size, preview } = { size: photo.length, preview: (card?.allocated_bytes ?? 0) - photo.length }
  assert.ok(size > 0 && preview > 0, 'the original and its preview count')
})

test('an agent may have 1000 files, and 10,000 records in total', async () => {
  const bob = await w.agent('bob')
  await using(bob.id, { files: 1000 }, async () => {
    const refused = await upload(w, bob, photo)
    const own = { used: 1000, limit: 1000, available: 0, required: 1 }
    assertRefused(refused, 'storage_quota_exceeded', { scope: 'agent', resource: 'files', ...own })
  })
  await using(bob.id, { files: 999 }, async () => void (await uploaded(w, bob, photo)))
  await using(bob.id, { upload_records: 9999 }, async () => {
    const refused = await upload(w, bob, photo)
    const own = { used: 10_000, limit: 10_000, available: 0, required: 1 }
    assertRefused(refused, 'storage_record_limit', { scope: 'agent', resource: 'upload_records', ...own })
  })
  await using(bob.id, { upload_records: 9998 }, async () => void (await uploaded(w, bob, photo)))
})

test("the platform may have 10 GiB and 10,000 files, and does not reveal others' usage", async () => {
  const cleo = await w.agent('cleo')
  const used = await usageOf(platform)
  const bytes = 10 * gibibyte - Number(used?.['bytes']) - 28 * mebibyte
  await using(platform, { bytes: bytes + 1 }, async () =>
    assertRefused(await upload(w, cleo, photo), 'storage_quota_exceeded', { scope: 'platform', resource: 'bytes' }),
  )
  await using(platform, { bytes }, async () => void (await uploaded(w, cleo, photo)))
  const files = 10_000 - Number((await usageOf(platform))?.['files'])
  await using(platform, { files }, async () =>
    assertRefused(await upload(w, cleo, photo), 'storage_quota_exceeded', { scope: 'platform', resource: 'files' }),
  )
  await using(platform, { files: files - 1 }, async () => void (await uploaded(w, cleo, photo)))
  assert.equal((await storageOf(cleo)).files.used, 2)
})

test('three of ten simultaneous uploads get the last three places', async () => {
  const dora = await w.agent('dora')
  await using(dora.id, { files: 997 }, async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => upload(w, dora, photo)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, ...Array(7).fill(429)])
    assert.equal((await storageOf(dora)).files.used, 1000)
  })
})

test('metrics count waiting, unbound and released files', async () => {
  const emma = await w.agent('emma')
  assert.deepEqual(await storageOf(emma), {
    bytes: { used: 0, limit: gibibyte, available: gibibyte },
    files: { used: 0, limit: 1000, available: 1000 },
    upload_records: { used: 0, limit: 10_000, available: 10_000 },
    pending_uploads: 0,
    unbound_ready: { files: 0, bytes: 0 },
    cleanup_pending: { files: 0, bytes: 0 },
    reservation_bytes: {
      image_or_pdf: 29_360_128,
      video: 29_360_128,
      order_video: 262_144_000,
      source: 262_144_000,
      audio: 262_144_000,
      order_archive: 262_144_000,
    },
  })
  const release = await holdInspections(w)
  const [pending, rejected] = [upload(w, emma, photo), upload(w, emma, cut(await jpeg({ width: 200 }), 0.5))]
  const waiting = await eventually(async () => {
    const storage = await storageOf(emma)
    return storage.pending_uploads === 2 ? storage : undefined
  }, 'both waiting')
  assert.deepEqual(
    [waiting.bytes.used, waiting.files.used, waiting.upload_records.used, waiting.unbound_ready.files],
    [2 * 29_360_128, 2, 2, 0],
  )
  const [listed] = (await emma.get('/attachments?status=pending&page_size=1')).body.attachments
  assert.deepEqual([listed.status, listed.moderation.status, listed.available], ['pending', 'pending', false])
  await release()
  const card = (await pending).body.attachment
  assert.equal((await rejected).body.attachment.status, 'rejected')
  const bytes = card.allocated_bytes
  const settled = await storageOf(emma)
  assert.deepEqual([settled.pending_uploads, settled.unbound_ready], [0, { files: 1, bytes }])
  assert.deepEqual(
    [settled.bytes.used, settled.files.used, settled.upload_records.used],
    [bytes, 1, 2],
    'what was rejected is a record, and no bytes',
  )
  const discarded = await w.request('DELETE', `/attachments/${card.id}`, { token: emma.token })
  assert.deepEqual([discarded.status, discarded.body.attachment.status], [202, 'purging'])
  await eventually(async () => {
    await purgeNext(w.service).catch(() => {})
    return (await storageOf(emma)).bytes.used === 0
  }, 'the bytes given back')
  const empty = await storageOf(emma)
  assert.deepEqual([empty.files.used, empty.upload_records.used], [0, 2])
  assert.deepEqual([empty.unbound_ready.files, empty.cleanup_pending.files], [0, 0])
})

test('two inspections run at once across all nodes, and never more', async () => {
  const node = await w.node()
  const finn = await w.agent('finn')
  let [running, most] = [0, 0]
  const { promise: two, resolve: areTwo } = Promise.withResolvers<void>()
  const undo = [w, node].map(({ service: { inspector } }) => {
    const { inspect } = inspector
    const counted: typeof inspect = async (...task) => {
      running += 1
      most = Math.max(most, running)
      if (running === 2) areTwo()
      await two
      return inspect(...task).finally(() => {
        running -= 1
      })
    }
    Object.assign(inspector, { inspect: counted })
    return () => Object.assign(inspector, { inspect })
  })
  await Promise.all([w, node, w, node, w, node].map((at) => uploaded(at, finn, photo)))
  for (const each of undo) each()
  assert.deepEqual([running, most], [0, 2])
  assert.deepEqual(await w.sql`select * from inspections`, [], 'every turn is given back')
})

test('turns of a dead node are taken over', async () => {
  const gina = await w.agent('gina')
  await w.sql`
    insert into inspections (slot, node_id, expires_at)
    select slot, ${randomUUID()}, ${new Date(w.now().getTime() + 20_000)} from generate_series(1, 2) slot`
  await uploaded(w, gina, photo)
  await w.sql`delete from inspections`
})
