// The storage and the records compared in both directions: bytes that no record knows are removed, and bytes that are gone
// are reported to the operator. docs/files.md#crashes, docs/files.md#lost-files.
import { setTimeout as sleep } from 'node:timers/promises'
import { earlier, hours } from '../../kernel/clock.ts'
import { safeError } from '../../log.ts'
import type { Service } from '../../service.ts'
import type { ObjectName } from '../../storage/keys.ts'
import type { StoredObject } from '../../storage/storage.ts'
import { hasByte } from './stored.ts'

type Parts = Pick<Service, 'sql' | 'clock' | 'storage' | 'log' | 'metrics'>

/** Files that are compared at once. */
const batch = 100

/** How old the bytes of no record must be: those of an upload that is being settled have one that may not be seen yet. */
const unclaimedFor = hours(1)

/** How many lost objects a walk looks for: where more are missing, the storage is another one. */
const mostLost = 100
const mostNamed = 10

const first = '00000000-0000-0000-0000-000000000000'
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The attachment of a key. */
const idOf = (key: string): string => key.slice(0, key.indexOf('/'))

/** Walks the whole storage once. */
export async function reconcile(parts: Parts): Promise<false> {
  const lost: string[] = []
  let after = first
  let objects: StoredObject[] = []

  async function compare(upTo: string): Promise<void> {
    await removeUnclaimed(parts, [...new Set(objects.map(({ key }) => idOf(key)))])
    if (lost.length < mostLost)
      lost.push(...(await lostAmong(parts, objects, { after, upTo, limit: mostLost - lost.length })))
    after = upTo
    objects = []
  }

  let files = 0
  let id = ''
  for await (const object of parts.storage.list()) {
    if (idOf(object.key) !== id) {
      if (files === batch) {
        await compare(id)
        await sleep(10)
        files = 0
      }
      files += 1
      id = idOf(object.key)
    }
    objects.push(object)
  }
  await compare(last)
  if (lost.length > 0) {
    parts.metrics.missingObjects.inc(lost.length)
    parts.log.error({ lost: lost.length, first: lost.slice(0, mostNamed) }, 'the storage has lost files')
  }
  return false
}

async function removeUnclaimed({ sql, clock, storage, log, metrics }: Parts, ids: readonly string[]): Promise<void> {
  const claimed = await sql<{ id: string }>`
    select id from attachments
    where id = any(${ids}::uuid[]) and status in ('pending', 'ready', 'retained', 'purging')`
  const known = new Set(claimed.map(({ id }) => id))
  for (const id of ids) {
    if (known.has(id) || bornAt(id) > earlier(clock.now(), unclaimedFor).getTime()) continue
    await storage.remove(id)
    metrics.unclaimedObjects.inc()
    log.warn({ attachment: id }, 'bytes without a record were removed')
  }
}

/** The keys of the objects that kept files should have, of files whose IDs are in this range, and that are not there whole. */
async function lostAmong(
  { sql, storage, log }: Parts,
  objects: readonly StoredObject[],
  { after, upTo, limit }: { after: string; upTo: string; limit: number },
): Promise<string[]> {
  const missing = await sql<{ id: string; name: ObjectName; bytes: number }>`
    select f.id, o.name, o.bytes from attachments f
    cross join lateral (values ('original', f.bytes::bigint), ('preview', f.preview_bytes),
      ('preview-480', f.preview_480_bytes), ('preview-1080', f.preview_1080_bytes), ('web', f.web_bytes),
      ('playback', f.playback_bytes)) o (name, bytes)
    where f.id > ${after} and f.id <= ${upTo} and f.status in ('ready', 'retained') and o.bytes > 0
      and not exists (
        select 1 from unnest(${objects.map(({ key }) => key)}::text[], ${objects.map(({ bytes }) => bytes)}::bigint[])
          as s (key, bytes)
        where s.key = f.id || '/' || o.name and s.bytes = o.bytes)
    order by f.id, o.name limit ${limit}`
  const lost: string[] = []
  for (const { id, name, bytes } of missing) {
    const key = `${id}/${name}`
    // The list of a service may be older than its objects.
    const isThere = await hasByte(storage, key, bytes - 1).catch((error) => {
      // Whatever cannot be read now is looked at by the next walk, and this one goes on.
      log.warn({ attachment: id, error: safeError(error) }, 'a stored file could not be read')
      return true
    })
    if (isThere) continue
    // Or the file is gone for a good reason by now.
    const kept = await sql`select 1 from attachments where id = ${id} and status in ('ready', 'retained')`
    if (kept.length > 0) lost.push(key)
  }
  return lost
}

/** The moment in a UUIDv7, in milliseconds. */
const bornAt = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
