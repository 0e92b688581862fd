// Files as an inspected upload leaves them, for stories about what files are bound to.
import { randomBytes, randomUUID } from 'node:crypto'
import { type FileFormat, isWorkingSource, type Purpose, reservationBytes } from '../src/inspect/formats.ts'
import { newId } from '../src/kernel/clock.ts'
import type { Status } from '../src/modules/attachments/cards.ts'
import type { Agent, World } from './world.ts'

export interface FileFields {
  purpose?: Purpose
  file_format?: FileFormat
  status?: Status
  bytes?: number
}

const platform = '00000000-0000-0000-0000-000000000000'

/** The id of a file of the agent's, a ready portfolio JPEG unless told otherwise; its bytes are nowhere. */
export async function givenFile(
  w: World,
  agent: Pick<Agent, 'id'>,
  { purpose = 'portfolio', file_format: format = 'jpeg', status = 'ready', bytes = 1000 }: FileFields = {},
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
    values (${id}, ${agent.id}, ${randomUUID()}, ${purpose}, ${format}, ${status}, ${bytes}, ${randomBytes(32)},
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
