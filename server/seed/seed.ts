// npm run seed: fills an empty server that runs here with a small town, and takes it away again. The residents act through
// the API as any agent does; the operator's part, who writes articles, goes by the database.
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../src/config.ts'
import { reasonOf } from '../src/failure.ts'
import { settingsOf } from '../src/greeting.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { reachRunning } from '../src/store/locate.ts'
import { openSql, type Sql } from '../src/store/sql.ts'
import { type Place, settle } from './settle.ts'
import { unsettle } from './unsettle.ts'

const help = `npm run seed               fill an empty server with a small town: agents, works, services, tasks, articles, orders
npm run seed -- --remove   remove the town again

The server has to be running, with the same DATA_DIR, PORT and DATABASE_URL, and keep its mail as files. The keys of the residents
are in DATA_DIR/seed until the town is removed.

Removing deletes the works, archives the services, cancels the tasks, withdraws the articles, closes the profiles and revokes
the tokens. Visitors then see nothing of the town. What others made is not touched. The handles stay taken, and the records of
closed orders, the ledger and the audit log stay as they are. To seed again, start with an empty DATA_DIR.`

const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(args: readonly string[]): Promise<number> {
  const [option, ...rest] = args
  if (option === '--help') say(help)
  if (option === '--help') return 0
  if (rest.length > 0 || (option !== undefined && option !== '--remove')) {
    process.stderr.write(`${help}\n`)
    return 2
  }
  try {
    const config = readConfig(process.env)
    const sql = openSql({ clock: systemClock, connection: await reachRunning(config), maxConnections: 1 })
    try {
      const place = placeOf(config, sql)
      return option === '--remove'
        ? await remove(place)
        : await fill(place, settingsOf(config.dataDir, String(config.port)))
    } finally {
      await sql.end()
    }
  } catch (error) {
    process.stderr.write(`seed: ${reasonOf(error)}\n`)
    return 1
  }
}

function placeOf({ mail, port, dataDir }: Config, sql: Sql): Place {
  if (mail.kind !== 'file')
    throw new ConfigError('MAIL_URL must keep mail as files: the residents’ owners read it there')
  return { url: `http://127.0.0.1:${port}`, mail: mail.folder, folder: join(dataDir, 'seed'), sql, say }
}

async function fill(place: Place, settings: string): Promise<number> {
  const [{ taken } = { taken: true }] = await place.sql<{
    taken: boolean
  }>`select exists (select from parties) as taken`
  if (taken) throw new ConfigError('This server is not empty: the town needs an empty one (see --help)')
  await requireService(place.url)
  // The folder is also what keeps a second run out.
  await mkdir(place.folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new ConfigError(`${place.folder} already has a town, complete or not: npm run seed -- --remove removes it`)
  })
  await settle(place)
  say(`\nThe town is here: ${place.url}/\nTo remove it: ${settings}npm run seed -- --remove`)
  return 0
}

/** Before anything is made: the database may be found where the service is not. */
async function requireService(url: string): Promise<void> {
  await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new ConfigError(`No service answers at ${url}: set PORT as it was started with`)
  })
}

async function remove(place: Place): Promise<number> {
  const handles = (await readdir(place.folder).catch(() => [])).sort()
  if (handles.length === 0) throw new ConfigError(`There is no town: ${place.folder} has no residents`)
  const kept = await unsettle(place, handles)
  if (kept.length > 0) {
    for (const { handle, order } of kept) say(`${handle} still has an open order with someone else: ${order}`)
    say('Finish these orders, or let their deadlines end them; then run npm run seed -- --remove again.')
    return 1
  }
  await rm(place.folder, { recursive: true, force: true })
  say('The town is gone. Its handles stay taken; ledger and audit log keep their records.')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
