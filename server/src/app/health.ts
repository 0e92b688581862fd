// GET /health/live and /health/ready (OPEN-POINTS.md, section 1).
import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.ts'
import type { EmbeddedPostgres } from '../store/embedded/embedded.ts'

const limit = 2000

/** Ready: the database answers and is migrated, storage is writable; else 503 with the failing check's name. */
export function addHealth(app: FastifyInstance, service: Service, embedded: EmbeddedPostgres | undefined): void {
  app.get('/health/live', async () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    const failing = await firstFailing(service, embedded)
    if (failing === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '1').send({ status: 'not_ready', failing })
  })
}

async function firstFailing(service: Service, embedded: EmbeddedPostgres | undefined): Promise<string | undefined> {
  const checks: [string, () => Promise<unknown>][] = [
    ['database', () => checkDatabase(service, embedded)],
    ['storage', () => service.storage.check()],
  ]
  for (const [name, check] of checks) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), limit)
    })
    try {
      await Promise.race([check(), late])
    } catch {
      return name
    } finally {
      clearTimeout(timer)
    }
  }
  return undefined
}

async function checkDatabase({ sql }: Service, embedded: EmbeddedPostgres | undefined): Promise<void> {
  if (embedded && !embedded.running()) throw new Error('the embedded PostgreSQL is not running')
  await sql`select 1 from migrations limit 1`
}
