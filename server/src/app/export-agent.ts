// kith-server export-agent HANDLE FOLDER: everything of an agent as files, taken by the operator beside the service, running or
// not. It reads through the agent's own routes, so that what an agent sees of its own is said in one place; nothing here
// can open a message, and no route shows a token. docs/export.md#for-operators.
import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import type { Wanted } from '../../../sdk/src/export/plan.ts'
import { type Exported, exportTo } from '../../../sdk/src/export/run.ts'
import { DamagedFile, damaged, type Source } from '../../../sdk/src/export/source.ts'
import { syncFolder } from '../../../sdk/src/node/disk.ts'
import { readGeneratedKey } from '../backup/backup.ts'
import { type Config, ConfigError } from '../config.ts'
import { createHub } from '../events/hub.ts'
import { unreachable } from '../failure.ts'
import { parseQuery } from '../http/query.ts'
import type { Answer, Route } from '../http/route.ts'
import { createInspector } from '../inspect/inspect.ts'
import type { Agent } from '../kernel/callers.ts'
import type { Clock } from '../kernel/clock.ts'
import { memoryLimiter } from '../kernel/limits.ts'
import { Refusal } from '../kernel/refuse.ts'
import { createMailer } from '../mail/deliver.ts'
import { createMetrics } from '../metrics.ts'
import { findOpenByHandle } from '../modules/profiles/profiles.ts'
import { recordBytes, recordOf } from '../modules/records/records.ts'
import { rulesOf } from '../operator/agent-commands.ts'
import { userName } from '../operator/grammar.ts'
import { findAgent } from '../operator/operator.ts'
import { deriveSecrets, type Secrets } from '../secrets.ts'
import type { Service } from '../service.ts'
import { brandOf } from '../site/brand/brand.ts'
import { openStorage } from '../storage/open.ts'
import { record } from '../store/audit.ts'
import { reachExisting } from '../store/locate.ts'
import { isAway, openSql, type Sql } from '../store/sql.ts'
import { routes } from './modules.ts'

/** Exports the agent with a handle from the installation that the settings name; a killed run is gone on with. */
export async function exportAgent(
  config: Config,
  handle: string,
  folder: string,
  { clock, log, signal }: { clock: Clock; log: Logger; signal?: AbortSignal },
): Promise<Exported> {
  const reached = await reachExisting(config, log)
  try {
    const sql = openSql({ clock, connection: reached.connection, maxConnections: 4 })
    try {
      const service = await beside(config, { sql, clock, log })
      try {
        const me = await agentNamed(sql, handle.replace(/^@/, ''))
        return await exportTo(folder, sourceOf(service, me), {
          begin: async () => {
            await sql.transaction((tx) =>
              record(tx, { actor: `operator:${userName()}`, action: 'agent.export', subject: me.handle, reason: null }),
            )
          },
          ...(signal && { signal }),
        })
      } finally {
        await service.storage.close()
      }
    } catch (error) {
      throw isAway(error) ? unreachable(config.databaseUrl, error) : error
    } finally {
      await sql.end()
    }
  } finally {
    await reached.close()
  }
}

/** With another key it would sign records that nobody can check. */
async function secretsFor(sql: Sql, { secretKey, dataDir }: Config): Promise<Secrets> {
  const secrets = deriveSecrets(secretKey ?? (await readGeneratedKey(dataDir)))
  const [known] = await sql`
    select 1 from instance where name = 'secret_fingerprint' and value = ${secrets.fingerprint}`
  if (!known) throw new ConfigError('SECRET_KEY is not the one this database was set up with')
  return secrets
}

/** What the routes are given in a process that serves nobody. */
async function beside(config: Config, { sql, clock, log }: { sql: Sql; clock: Clock; log: Logger }): Promise<Service> {
  const secrets = await secretsFor(sql, config)
  const { gateSince } = await rulesOf({ sql, config, clock })
  const storage = await openStorage(config)
  const publicUrl = config.publicUrl ?? `http://127.0.0.1:${config.port}`
  const metrics = createMetrics()
  const parts = { config, publicUrl, nodeId: randomUUID(), clock, sql, hot: sql, secrets, log, metrics }
  const countersFor = () => memoryLimiter(clock)
  const base = { ...parts, limiter: countersFor(), countersFor, hub: createHub() }
  const service: Service = {
    ...base,
    storage,
    inspector: createInspector(base),
    mailer: createMailer(base),
    speak: (languages) => brandOf(service).catalogue.of(languages),
    gateSince,
    documents: [],
    reading: (read) => read(service),
  }
  return service
}

/** An agent as its token would show it. */
async function agentNamed(sql: Sql, handle: string): Promise<Agent> {
  const { id } = await findAgent(sql, handle)
  const [row] = await sql<Omit<Agent, 'kind'>>`
    select id, handle, suspended_at as "suspendedAt", suspension_case_id as "suspensionCaseId",
      email_verified_at as "emailVerifiedAt", created_at as "createdAt"
    from agents where id = ${id}`
  return { kind: 'agent', ...(row as Omit<Agent, 'kind'>) }
}

function sourceOf(service: Service, me: Agent): Source {
  const answerOf = (route: string, ask: { path: Record<string, string>; query?: Record<string, string> }) =>
    called(service, me, route, ask)
  return {
    of: { service: service.publicUrl, by: 'operator', agent: { id: me.id, handle: me.handle } },
    read: async (route, ask) => {
      const answer = await answerOf(route, ask)
      // As it is on its way to an agent.
      if ('open' in answer) throw new TypeError(`${route} answers bytes`)
      return JSON.parse('json' in answer ? answer.json : JSON.stringify(answer.body))
    },
    refusalOf(error) {
      if (error instanceof DamagedFile) return damaged
      return error instanceof Refusal ? { status: error.status, code: error.code } : undefined
    },
    save: async ({ card, orderId }, path) => {
      const answer =
        orderId === undefined
          ? await answerOf('GET /attachments/{attachment_id}/download', { path: { attachment_id: card.id } })
          : await answerOf('GET /orders/{order_id}/ready-files/{attachment_id}', {
              path: { order_id: orderId, attachment_id: card.id },
            })
      if ('open' in answer) await saved(await answer.open(), card, path)
    },
    record: () =>
      service.sql.snapshot(async (tx) => {
        const agent = await findOpenByHandle(tx, me.handle)
        return agent && recordBytes(await recordOf(tx, service, agent)).toString('utf8')
      }),
  }
}

/** What a route answers its agent, past the limits and the gate: those are about who asks. */
async function called(
  service: Service,
  me: Agent,
  name: string,
  { path: params, query = {} }: { path: Record<string, string>; query?: Record<string, string> },
): Promise<Answer> {
  const route = routes.find(({ method, path }) => `${method} ${path}` === name) as Route
  const search = new URLSearchParams(query).toString()
  return route.handle({
    service,
    me,
    session: { digest: Buffer.alloc(0), expiresAt: service.clock.now() },
    params: params as never,
    query: parseQuery(route.query ?? {}, search, route.invalidQuery ?? 'invalid_input') as never,
    body: undefined as never,
    confirm: async () => {},
    address: '',
    request: { method: 'GET', headers: {} } as IncomingMessage,
  })
}

/** Writes a stream under a name that it has once it is whole and what its card says. */
async function saved(bytes: NodeJS.ReadableStream, card: Wanted['card'], path: string): Promise<void> {
  const part = `${path}.part`
  const hash = createHash('sha256')
  try {
    await pipeline(
      bytes,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(part, { mode: 0o600, flush: true }),
    )
    if (hash.digest('hex') !== card.sha256) throw new DamagedFile()
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}
