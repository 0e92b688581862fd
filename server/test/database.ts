// A fresh, migrated database for each world: cloned from a template on the server that the test run shares, or on an
// embedded PostgreSQL of its own when a test file runs alone.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { dataFolderOf } from '../src/embedded/cluster.ts'
import { startEmbedded } from '../src/embedded/embedded.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { migrate } from '../src/store/migrate.ts'
import { type Connection, openSql } from '../src/store/sql.ts'
import { copyCluster } from './launch.ts'
import { remove, roomiestPlace } from './scratch.ts'

interface TestServer {
  /** URL of a database to connect to when another is created or dropped. */
  url: string
  template: string
}

export const serverVariable = 'KITH_TEST_SERVER'

/** The same server, another database. */
export function urlOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** What health.test.ts raises; of a disk that is full PostgreSQL names the file too. */
const raised = /^PostgreSQL: (could not extend file|53100)$/

/**
 * An embedded server for tests: nothing of it need survive a power cut. It leaves the files of a migrated database in `copy`; one
 * that is started while a whole run goes on begins with those.
 */
export async function startTestServer(copy?: string): Promise<TestServer & { stop: () => Promise<void> }> {
  const root = await mkdtemp(join(roomiestPlace(), 'kith-test-'))
  const folder = join(root, 'postgres')
  const start = () =>
    startEmbedded({
      folder,
      log: (level, message) => level === 'error' && !raised.test(message) && console.error(message),
      settings: {
        max_connections: '400',
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        max_wal_size: '256MB',
        // Statistics are what a story gathers, whenever it looks at a plan.
        autovacuum: 'off',
      },
    })
  const made = copy === undefined && (await copyCluster(folder))
  let embedded = await start()
  if (copy !== undefined) {
    await migrateAt(embedded.connection)
    await embedded.stop()
    await promisify(execFile)('cp', ['-a', dataFolderOf(folder), copy])
    embedded = await start()
  }
  const { host, port, user, database } = embedded.connection
  const url = `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
  return {
    ...(await prepareTemplate(url, copy !== undefined || made ? `template ${database}` : '')),
    async stop() {
      await embedded.stop('immediate')
      await remove(root)
    },
  }
}

/** Migrates a template database on a server, made as the words after its name say. */
export async function prepareTemplate(url: string, how = ''): Promise<TestServer> {
  const template = `kith_template_${randomBytes(4).toString('hex')}`
  await admin(url, `create database ${template} ${how}`)
  await migrateAt({ connectionString: urlOf(url, template) })
  return { url, template }
}

async function migrateAt(connection: Connection): Promise<void> {
  const sql = openSql({ clock: systemClock, connection })
  await migrate(sql, systemClock)
  await sql.end()
}

export async function dropTemplate({ url, template }: TestServer): Promise<void> {
  await oncePossible(url, `drop database if exists ${template} with (force)`)
}

/**
 * Again while it is refused by 55006, which PostgreSQL says after five seconds: another clone of the template is being made, or a
 * connection that was told to end has not yet.
 */
async function oncePossible(url: string, statement: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await admin(url, statement)
    } catch (error) {
      if ((error as { code?: string }).code !== '55006' || attempt > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Where databases are created and dropped: one connection of a process, since each takes the server longer than that does. */
const admins = new Map<string, pg.Pool>()

async function admin(url: string, statement: string): Promise<void> {
  let pool = admins.get(url)
  if (!pool) {
    pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true })
    // A server that stops first ends it.
    pool.on('error', () => {})
    admins.set(url, pool)
  }
  await pool.query(statement)
}

type Stop = () => Promise<void>

let server: Promise<TestServer & { stop: Stop }> | undefined
let inUse = 0

/** The shared server, or one of this file's own that ends with its last database. */
async function useServer(): Promise<TestServer & { release: Stop }> {
  const shared = process.env[serverVariable]
  server ??= shared
    ? Promise.resolve({ ...(JSON.parse(shared) as TestServer), stop: async () => {} })
    : startTestServer()
  inUse += 1
  const { url, template, stop } = await server
  return {
    url,
    template,
    async release() {
      inUse -= 1
      if (inUse > 0) return
      server = undefined
      await stop()
    },
  }
}

export interface TestDatabase {
  url: string
  /** To be called once its service has stopped. */
  drop: Stop
}

/** A migrated database of its own. */
export const freshDatabase = (): Promise<TestDatabase> => createDatabase(true)

/** An empty database without a single table, made as the words after its name say. */
export const emptyDatabase = (how = ''): Promise<TestDatabase> => createDatabase(false, how)

async function createDatabase(migrated: boolean, how = ''): Promise<TestDatabase> {
  const { url, template, release } = await useServer()
  const name = `kith_${randomBytes(6).toString('hex')}`
  await oncePossible(url, `create database ${name} ${migrated ? `template ${template} strategy file_copy` : how}`)
  return {
    url: urlOf(url, name),
    async drop() {
      await oncePossible(url, `drop database if exists ${name} with (force)`)
      await release()
    },
  }
}
