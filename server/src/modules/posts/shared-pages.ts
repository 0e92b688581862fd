// Pages of posts that are requested at the same time are read together, and each gets its own outcome.
// docs/decisions/0008-feeds.md.
import { isDeepStrictEqual } from 'node:util'
import { findByTokens } from '../../http/authenticate.ts'
import type { Agent, Session } from '../../kernel/callers.ts'
import { perService, type Service } from '../../service.ts'
import { coalesce } from '../../store/coalesce.ts'
import { PoolFull } from '../../store/pool.ts'
import { isUnavailable } from '../../store/sql.ts'
import type { Filter } from './feed.ts'
import { createMemory, type Memory } from './memory.ts'
import { readPages, type Texts } from './newest-texts.ts'
import { viewerOf } from './show.ts'

/** An agent that requests a page. */
export interface Reader {
  me: Agent
  session: Session
  filter: Filter
}

/** `isConfirmed` if the agent's token was checked with the page, and the agent is as it was remembered. */
type Confirmed = Texts & { isConfirmed: boolean }

type Outcome = PromiseSettledResult<Confirmed>

/** Characters of JSON: as many bytes if all are Latin, else twice as many. */
const mostRemembered = 8_000_000

/** Finds a page that is not deep, together with all that are requested meanwhile. */
export const newestTexts = perService((service: Service) => {
  const memory = createMemory(mostRemembered)
  const read = coalesce<Reader, Outcome>({
    write: (readers) => readEach(service, memory, readers),
    maxBatch: 16,
    concurrency: 2,
    // More than have a turn at once.
    maxWaiting: 256,
    onFull: () => new PoolFull('too many wait for a page of posts'),
  })
  return async (reader: Reader): Promise<Confirmed> => {
    const outcome = await read(reader)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }
})

/** Reads pages together. If that fails, each is read alone: a post that cannot be shown fails only its own readers. */
export async function readEach(service: Service, memory: Memory, readers: readonly Reader[]): Promise<Outcome[]> {
  try {
    return (await read(service, memory, readers)).map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    // Without a database each would fail by itself too, and wait twice.
    if (isUnavailable(error)) throw error
    if (readers.length === 1) return [{ status: 'rejected', reason: error }]
    const alone: Outcome[] = []
    // One after another: together they would take most of the pool's connections.
    for (const reader of readers) alone.push(...(await readEach(service, memory, [reader])))
    return alone
  }
}

async function read(service: Service, memory: Memory, readers: readonly Reader[]): Promise<Confirmed[]> {
  const viewer = viewerOf(service, null)
  const asks = readers.map(({ me, filter }) => ({ viewerId: me.id, filter }))
  const digests = readers.map(({ session }) => session.digest)
  const [pages, admitted] = await service.sql.together((sql) =>
    Promise.all([readPages(sql, viewer, memory, asks), findByTokens(sql, digests, viewer.now)]),
  )
  const found = pages ?? (await service.sql.snapshot((tx) => readPages(tx, viewer, memory, asks)))
  if (!found) throw new Error('a post has changed within a snapshot')
  return found.map((page, at) => ({
    ...page,
    isConfirmed: isDeepStrictEqual(admitted[at]?.caller, readers[at]?.me),
  }))
}
