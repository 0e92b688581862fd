// Files as an inspected upload leaves them, for stories about what files are bound to.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attachment } from '@kith/sdk'
import type { FolderClient } from '@kith/sdk/node'
import { type FileFormat, isWorkingSource, type Purpose, reservationBytes } from '../src/inspect/formats.ts'
import { newId } from '../src/kernel/clock.ts'
import type { Status } from '../src/modules/attachments/cards.ts'
import { purgeNext, startPurges } from '../src/modules/attachments/purge.ts'
import type { Agent, World } from './world.ts'

interface FileFields {
  purpose?: Purpose
  file_format?: FileFormat
  status?: Status
  bytes?: number
  sha256?: Buffer
}

const platform = '00000000-0000-0000-0000-000000000000'

/** The id of a file of the agent's, a ready portfolio JPEG unless told otherwise; its bytes are nowhere. */
export async function givenFile(
  w: World,
  agent: Pick<Agent, 'id'>,
  {
    purpose = 'portfolio',
    file_format: format = 'jpeg',
    status = 'ready',
    bytes = 1000,
    sha256 = randomBytes(32),
  }: FileFields = {},
): Promise<string> {
  const id = newId(w.now())
  const derived = isWorkingSource(format, purpose) || status !== 'ready' ? null : 500
  // What was rejected counts as a record, not as bytes; what is purged no more either.
  const counts = !['rejected', 'purged'].includes(status)
  // What was never inspected holds its reservation, which the service gives back when it takes it up.
  const held = status === 'pending' ? reservationBytes(format, purpose) : bytes + (derived ?? 0)
  const allocated = counts ? held : 0
  await w.sql`
    insert into attachments (id, owner_id, upload_id, purpose, file_format, status, bytes, sha256, preview_bytes,
      preview_sha256, width, height, allocated_bytes, stored, rejection_reason, purge_after, created_at, updated_at,
      purged_at)
    values (${id}, ${agent.id}, ${randomUUID()}, ${purpose}, ${format}, ${status}, ${bytes}, ${sha256},
      ${derived}, ${derived && randomBytes(32)}, ${derived && 640}, ${derived && 480}, ${allocated}, ${counts},
      ${status === 'rejected' ? 'broken' : null}, ${status === 'ready' ? new Date(w.now().getTime() + 86_400_000) : null},
      ${w.now()}, ${w.now()}, ${status === 'purged' ? w.now() : null})`
  await w.sql`
    insert into storage_usage (owner_id, bytes, files, upload_records)
    select owner, ${allocated}, ${counts ? 1 : 0}, 1 from unnest(${[platform, agent.id]}::uuid[]) as t (owner) order by owner desc
    on conflict (owner_id) do update set bytes = storage_usage.bytes + excluded.bytes,
      files = storage_usage.files + excluded.files, upload_records = storage_usage.upload_records + 1`
  return id
}

/** The same with bytes, though of no format. */
export async function storedFile(w: World, owner: Pick<Agent, 'id'>, fields: FileFields = {}): Promise<string> {
  const { storage } = w.service
  const bytes = randomBytes(1000)
  const id = await givenFile(w, owner, { ...fields, sha256: createHash('sha256').update(bytes).digest() })
  for (const [object, its] of [
    ['original', bytes],
    ['preview', bytes.subarray(0, 500)],
  ] as const) {
    const path = join(storage.incoming, randomUUID())
    await writeFile(path, its)
    await storage.put(`${id}/${object}`, path)
  }
  return id
}

/** The smallest upload that is taken: for an order. */
export function emptyZip(): FormData {
  const form = new FormData()
  form.append('purpose', 'order')
  form.append('upload_id', randomUUID())
  form.append('file', new File([Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])], 'a'))
  return form
}

/** Starts every purge that is due, also where a sweep of the service is at it. */
export async function startDuePurges({ service, sql }: World): Promise<void> {
  for (;;) {
    await startPurges(service)
    const due = await sql`
      select 1 from attachments where purge_after <= ${service.clock.now()} and status in ('ready', 'retained') limit 1`
    if (due.length === 0) return
    // As many as may be under way at once are.
    await purgeNext(service)
  }
}

/** Deletes the bytes of every file whose time has come. */
export async function purgeDue(w: World): Promise<void> {
  await startDuePurges(w)
  do await purgeNext(w.service)
  while ((await w.sql`select 1 from attachments where status = 'purging' limit 1`).length > 0)
}

/** Uploads a file for what needs its verdict; a machine whose cores are all busy answers first that it is pending. */
export async function uploadInspected(
  { files }: Pick<FolderClient, 'files'>,
  ask: Parameters<FolderClient['files']['upload']>[0],
): Promise<Attachment> {
  const { attachment } = await files.upload(ask)
  return attachment.status === 'pending' ? files.waitUntilInspected(attachment.id) : attachment
}
