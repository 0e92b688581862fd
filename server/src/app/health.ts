// GET /health/live and /health/ready: whether the process answers, and whether a balancer may send it requests.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { EmbeddedPostgres } from '../embedded/embedded.ts'
import { safeError } from '../log.ts'
import { uploadsOf } from '../modules/attachments/uploads.ts'
import type { Service } from '../service.ts'
import type { Replica } from '../store/replica.ts'
import type { Sql } from '../store/sql.ts'
import { within } from '../store/within.ts'
import { type Refusals, watchWrites } from './disk.ts'

/** Milliseconds that a check may take, and for which its verdict is remembered. */
const limit = 2000
const goodFor = 2000
const badFor = 1000
/** Milliseconds that an answer waits for what is not the database: a balancer gives a check little more than a second. */
const patience = 200

interface HealthParts {
  service: Service
  /** Each is asked, for one may hang while another does not. */
  pools: readonly Sql[]
  embedded: EmbeddedPostgres | undefined
  isArchiveBehind: () => boolean
  disk: Refusals
  tables: Refusals
  replica: Replica | undefined
  /** Rejects while this node cannot say to the others that it lives: then it opens no event socket. */
  checkChannel: () => Promise<void>
  isDraining: () => boolean
  /** What waits for a person past its time. */
  overdue: () => readonly string[]
}

/** Whether each part works; asked as seldom as by whoever asks whether this process is ready. */
export type Checks = () => Promise<{ database: boolean; events: boolean; storage: boolean }>

/**
 * Ready is 200 while the core works: the database answers each pool and is migrated. What fails beside it is named
 * in `degraded` (`disk`, `tables`, `writes`, `storage`, `inspection`, `replica`, `archive`), and what waits for a person past its time in `overdue`. Else 503 with
 * the name of the failing check (`database`, `events`, `drain`). However often it is asked, one check is under way at a time; a drain and an embedded database that is down show at once. Only the database
 * is waited for: of the others the last verdict counts while the next one is under way, and none yet counts as well.
 */
export function addHealth(app: FastifyInstance, parts: HealthParts): Checks {
  const { service, pools, embedded, isArchiveBehind, disk, tables, replica, checkChannel, isDraining, overdue } = parts
  const tellOf = (part: string) => told(service.log, part, isDraining)
  const database = remembered(() => Promise.all(pools.map((pool) => pool.ping())), tellOf('database'))
  const channel = remembered(checkChannel, tellOf('events'))
  const storage = remembered(() => service.storage.check(), tellOf('storage'))
  const takesWrites = watchWrites(service)
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const refuse = (failing: string) =>
      reply.code(503).header('retry-after', '1').send({ status: 'not_ready', failing })
    if (isDraining()) return refuse('drain')
    const [core, files] = await Promise.all([
      embedded?.running() === false ? false : database.verdict(),
      storage.latest(),
    ])
    if (isDraining()) return refuse('drain')
    if (!core) return refuse('database')
    if (!(await channel.soon())) return refuse('events')
    const late = overdue()
    const failing = {
      disk: disk.isRecent(),
      tables: tables.isRecent(),
      writes: !takesWrites(),
      storage: !files || uploadsOf(service).areRefused(),
      inspection: !service.inspector.canRun(),
      replica: replica?.isUsed() === false,
      archive: isArchiveBehind(),
    }
    const degraded = Object.entries(failing).flatMap(([name, fails]) => (fails ? [name] : []))
    return { status: 'ready', ...(degraded.length > 0 && { degraded }), ...(late.length > 0 && { overdue: late }) }
  })
  return async () => ({
    database: embedded?.running() !== false && (await database.verdict()),
    events: await channel.soon(),
    storage: await storage.soon(),
  })
}

/** Logs a part that goes away and comes back, once each. In a drain everything goes away. */
function told(log: Logger, part: string, isDraining: () => boolean): (reason: unknown, works: boolean) => void {
  let was = true
  return (reason, works) => {
    if (works === was || isDraining()) return
    was = works
    if (works) log.info({ part }, 'a part of the service is back')
    else log.warn({ part, error: safeError(reason) }, 'a part of the service is down')
  }
}

interface Remembered {
  /** Waits for it. */
  verdict(): Promise<boolean>
  /** Waits for a moment only; then the last one counts, and none yet as a good one. */
  soon(): Promise<boolean>
  /** The last one, however old, while a new one is under way; the first is waited for as by `soon`. */
  latest(): Promise<boolean>
}

/**
 * Whether a check passes: run again once its last verdict is old. One that is late has failed, and is not started
 * again.
 */
function remembered(check: () => Promise<unknown>, tell: (reason: unknown, works: boolean) => void): Remembered {
  let running: Promise<boolean> | undefined
  let asked: Promise<boolean> | undefined
  let last: { works: boolean; until: number } | undefined

  const begin = (): Promise<boolean> => {
    running ??= check()
      .then(
        () => verdict(true),
        (reason) => verdict(false, reason),
      )
      .finally(() => {
        running = undefined
      })
    return running
  }
  const verdict = (works: boolean, reason?: unknown): boolean => {
    last = { works, until: performance.now() + (works ? goodFor : badFor) }
    tell(reason, works)
    return works
  }
  const ask = async (): Promise<boolean> => {
    const works = await within(limit, begin()).catch(() => false)
    if (!works && running) verdict(false, new Error('no answer within 2 s'))
    return works
  }
  const current = async (): Promise<boolean> => {
    if (last && performance.now() < last.until) return last.works
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return asked
  }
  const soon = async (): Promise<boolean> => {
    const late = sleep(patience, undefined, { ref: false }).then(() => last?.works ?? true)
    return Promise.race([current(), late])
  }
  return {
    verdict: current,
    soon,
    async latest() {
      const known = last?.works
      if (known === undefined) return soon()
      void current()
      return known
    },
  }
}
