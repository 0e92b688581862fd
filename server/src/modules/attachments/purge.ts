// Bytes are deleted once nothing holds them, and before a record says so. docs/contract/attachments.md#states.
import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { seconds } from '../../kernel/clock.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import { perService, type Service } from '../../service.ts'
import { rowSweep } from '../../store/row-sweep.ts'
import { adjust } from './usage.ts'

type Parts = Pick<Service, 'sql' | 'clock' | 'storage' | 'log' | 'metrics'>

/** Turns files whose time has come to `purging`, as many as are through within seconds. */
export async function startPurges({ sql }: Parts): Promise<false> {
  await sql.transaction(
    (tx) => tx`
      update attachments set status = 'purging', purge_after = null, updated_at = ${tx.now}
      where id in (
        select id from attachments
        where purge_after <= ${tx.now} and status in ('ready', 'retained')
        order by purge_after
        limit greatest(0, ${batch} - (select count(*) from attachments where status = 'purging'))
        for no key update skip locked)`,
  )
  return false
}

const batch = 100

/** Removes the bytes of a few files on their way out; true when there may be more. */
export async function purgeNext(service: Service): Promise<boolean> {
  // At least one, so that it goes on while requests begin others.
  const free = Math.max(1, atOnce - begun(service).running)
  const done = await Promise.allSettled(Array.from({ length: free }, () => purge(service)))
  const failed = done.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return done.every((each) => each.status === 'fulfilled' && each.value)
}

/** Each purge holds a connection for as long as the storage takes. */
const atOnce = 4

const begun = perService(() => ({ running: 0 }))

async function purge(service: Service): Promise<boolean> {
  const state = begun(service)
  state.running += 1
  try {
    return await purgeOne(service)
  } finally {
    state.running -= 1
  }
}

/** Begins to purge a file before the sweep comes by, which alone gets to those that a slow storage leaves waiting. */
export function purgeSoon(service: Service): void {
  if (begun(service).running < atOnce) void purge(service).catch(() => {})
}

interface Going {
  id: string
  owner_id: string
  allocated_bytes: number
}

/** Removes the bytes of one file on its way out, then says so; true when there was one. */
export const purgeOne: (parts: Parts) => Promise<boolean> = rowSweep<Going, Parts>({
  name: 'purging',
  batch: 1,
  keyOf: ({ id }) => id,
  take: (tx, { limit, without }) => tx<Going>`
    select id, owner_id, allocated_bytes from attachments
    where status = 'purging' and id <> all (${without}::uuid[])
    order by updated_at limit ${limit} for no key update skip locked`,
  async work(tx, files, { storage }) {
    for (const { id, owner_id, allocated_bytes } of files) {
      await storage.remove(id)
      await tx`
        update attachments set status = 'purged', original_name = null, allocated_bytes = 0, purged_at = ${tx.now},
          updated_at = ${tx.now}
        where id = ${id}`
      adjust(tx, owner_id, { bytes: -allocated_bytes, files: -1 })
    }
  },
})

/** A node that has not been seen for so long is taken for dead. */
export const deadAfter: number = seconds(60)

type Node = Pick<Service, 'sql' | 'storage' | 'nodeId'>

/** A new name for a file on its way, which tells whose it is. */
export const incomingPath = ({ storage, nodeId }: Pick<Node, 'storage' | 'nodeId'>): string =>
  join(storage.incoming, `${nodeId}.${randomUUID()}`)

/**
 * Of a longer pause between two looks no more counts as silence: the database was away, or this process, and then the
 * others could not say that they live either.
 */
const longestPause = seconds(20)

/**
 * Finds the other nodes that have shown no sign of life for {@link deadAfter} while this process looked: by elapsed time, for
 * a clock that jumps ahead must not take all of them for dead.
 */
export function watchNodes({ sql, nodeId }: Pick<Node, 'sql' | 'nodeId'>, elapsed = () => performance.now()) {
  let signs = new Map<string, { seenAt: number; silence: number }>()
  let lookedAt = elapsed()
  return async (): Promise<string[]> => {
    const nodes = await sql<{ id: string; seen_at: Date }>`select id, seen_at from nodes where id <> ${nodeId}`
    const now = elapsed()
    const watched = Math.min(now - lookedAt, longestPause)
    lookedAt = now
    signs = new Map(
      nodes.map(({ id, seen_at }) => {
        const seenAt = seen_at.getTime()
        const last = signs.get(id)
        return [id, { seenAt, silence: last?.seenAt === seenAt ? last.silence + watched : 0 }]
      }),
    )
    return [...signs].flatMap(([id, { silence }]) => (silence >= deadAfter ? [id] : []))
  }
}

/** Removes the files that dead nodes were receiving: nobody waits for them. */
export async function removeLeftovers({ sql, storage, nodeId }: Node, dead: readonly string[]): Promise<void> {
  // The names first: whoever wrote one of them had joined by then.
  const names = await readdir(storage.incoming)
  const living = await sql<{ id: string }>`select id from nodes where id <> all (${dead}::uuid[])`
  const known = new Set([nodeId, ...living.map(({ id }) => id)])
  for (const name of names) {
    const [writer = '', rest] = name.split('.', 2)
    if (rest === undefined || !uuidPattern.test(writer) || known.has(writer)) continue
    await rm(join(storage.incoming, name), { force: true })
  }
}
