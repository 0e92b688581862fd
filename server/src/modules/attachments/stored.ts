// The bytes of files that a reader may see. Where the storage has lost them the reader gets 404, and the operator is told.
// docs/files.md#lost-files.
import type { Readable } from 'node:stream'
import { primaryOf, type Service } from '../../service.ts'
import type { ObjectName } from '../../storage/keys.ts'
import { type ByteRange, ObjectMissing, type Storage } from '../../storage/storage.ts'

/** An object of a kept file; undefined if the storage does not have it. */
export async function openStored(
  service: Service,
  { id, object, range }: { id: string; object: ObjectName; range: ByteRange | undefined },
): Promise<Readable | undefined> {
  const { storage, log, metrics } = service
  try {
    return await storage.open(`${id}/${object}`, range)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    // It may have been deleted since its reader was let in: a replica may not know that yet.
    const { sql } = primaryOf(service)
    const kept = await sql`select 1 from attachments where id = ${id} and status in ('ready', 'retained')`
    if (kept.length > 0) {
      metrics.missingObjects.inc()
      log.error({ attachment: id, object }, 'the storage has lost a file')
    }
    return undefined
  }
}

/** Whether the storage has an object up to this byte. */
export async function hasByte(storage: Storage, key: string, at: number): Promise<boolean> {
  try {
    const bytes = await storage.open(key, { start: at, end: at })
    bytes.destroy()
    return true
  } catch (error) {
    if (error instanceof ObjectMissing || error instanceof RangeError) return false
    throw error
  }
}
