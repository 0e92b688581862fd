// How a command beside the service reaches its database: the embedded one of a running service, or DATABASE_URL.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { type EmbeddedOptions, type EmbeddedPostgres, findRunning, startEmbedded } from '../embedded/embedded.ts'
import { archivingSettings, loadingSettings, provisionalSettings } from '../embedded/settings.ts'
import { type DatabaseUrl, parseDatabaseUrl, socketFolders } from '../kernel/database-url.ts'
import type { Connection } from './sql.ts'

export interface Reached {
  connection: Connection
  /** The embedded server, if this process had to start it. */
  embedded?: EmbeddedPostgres
  /** Closes a database that was made here, does `last`, and makes it the installation's; one that is only closed is gone. */
  keep?: (last: () => Promise<void>) => Promise<void>
  close(): Promise<void>
}

export const embeddedFolderOf = (config: Config): string => join(config.dataDir, 'postgres')

/** In that folder: from which copy an archive goes on to now (`wal/chain.ts`). */
export const chainFile = 'archive.json'

/** The settings of an installation's embedded server. One that does not archive leaves a gap in an archive. */
export async function serverSettings(config: Config, by: { byService: boolean }): Promise<Record<string, string>> {
  if (config.archive) return archivingSettings(by)
  // Before the start: nothing may be written that seems to follow.
  await rm(join(embeddedFolderOf(config), chainFile), { force: true })
  return {}
}

/** The driver's options for DATABASE_URL; without a host a socket of this machine, and this user if it names none. */
export function connectionOf(databaseUrl: string): Connection {
  const { url, host, port } = parseDatabaseUrl(databaseUrl) as DatabaseUrl
  const { searchParams } = url
  if (host !== undefined && !host.startsWith('/')) {
    if (!searchParams.has('sslmode') && !searchParams.has('sslrootcert')) return { connectionString: databaseUrl }
    checkCertificate(searchParams)
    return { connectionString: url.href }
  }
  // A socket of this machine is not encrypted.
  searchParams.delete('sslmode')
  const folders = host === undefined ? socketFolders : [host]
  searchParams.set('host', folders.find((each) => existsSync(join(each, `.s.PGSQL.${port}`))) ?? (folders[0] as string))
  // The driver uses the parameter, whatever is in the host's place.
  url.hostname = 'local-socket'
  if (url.username === '' && !searchParams.get('user')) searchParams.set('user', userInfo().username)
  if (url.pathname.length <= 1) url.pathname = `/${searchParams.get('user') ?? url.username}`
  return { connectionString: url.href }
}

/**
 * Every mode that encrypts checks the server's certificate and its name, unless it is asked for libpq's meanings of them:
 * docs/operating.md#your-own-postgresql-server. Without the change the driver warns of its next version.
 */
function checkCertificate(parameters: URLSearchParams): void {
  if (parameters.get('sslrootcert') === 'system') parameters.delete('sslrootcert')
  if (parameters.get('sslmode') === 'disable' || parameters.get('uselibpqcompat') === 'true') return
  parameters.set('sslmode', 'verify-full')
}

/** The database of a running service; the embedded one is never started here. */
export async function reachRunning(config: Config): Promise<Connection> {
  if (config.databaseUrl) return connectionOf(config.databaseUrl)
  const connection = await findRunning(embeddedFolderOf(config))
  if (!connection)
    throw new ConfigError(`No service is running on ${config.dataDir}: start it, or set DATA_DIR or DATABASE_URL`)
  return connection
}

/** The database of an installation, running or not: if no service runs, the embedded server is started. */
export async function reachExisting(config: Config, log: Logger): Promise<Reached> {
  const folder = embeddedFolderOf(config)
  if (config.databaseUrl) return { connection: connectionOf(config.databaseUrl), close: async () => {} }
  if (!existsSync(join(folder, 'data'))) throw new ConfigError(`There is no database in ${config.dataDir}`)
  // A service that is just starting already owns the folder, and does not answer yet.
  for (let attempt = 1; ; attempt++) {
    const connection = await findRunning(folder)
    if (connection) return { connection, close: async () => {} }
    try {
      return await startHere(folder, log, { settings: await serverSettings(config, { byService: false }) })
    } catch (error) {
      if (attempt === 20 || !/ is in use by /.test((error as Error).message)) throw error
      await sleep(500)
    }
  }
}

/** A database that no service uses: the embedded one is created if missing, and refused if in use. */
export async function reachUnused(config: Config, log: Logger): Promise<Reached> {
  if (config.databaseUrl) return { connection: connectionOf(config.databaseUrl), close: async () => {} }
  const folder = embeddedFolderOf(config)
  await rm(join(folder, chainFile), { force: true })
  if (existsSync(join(folder, 'data'))) return startHere(folder, log, { settings: loadingSettings })
  const reached = await startHere(folder, log, { settings: provisionalSettings, provisional: true })
  return { ...reached, keep: (last) => reached.embedded.keep(last), close: () => reached.embedded.stop('immediate') }
}

async function startHere(
  folder: string,
  log: Logger,
  options: Pick<EmbeddedOptions, 'settings' | 'provisional'> = {},
): Promise<Reached & { embedded: EmbeddedPostgres }> {
  const embedded = await startEmbedded({
    ...options,
    folder,
    log: (level, message) => log[level]({ from: 'postgresql' }, message),
  })
  return { connection: embedded.connection, embedded, close: () => embedded.stop() }
}
