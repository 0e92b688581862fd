// npm run operator -- …: what the operator says to a running service, by its database. Exits with 0 when it was done,
// 1 when it was refused or failed, 2 when it was not understood.
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { isMistake, reasonOf, unreachable } from '../failure.ts'
import { uuidPattern } from '../http/schema.ts'
import { createLog, safeError } from '../log.ts'
import { reachRunning } from '../store/reach.ts'
import { isUnavailable, openSql, type Sql } from '../store/sql.ts'
import { entries, longestPage } from '../store/audit.ts'
import { OperatorError, queues, restore, suspend } from './operator.ts'
import { auditText, doneText, queuesText } from './text.ts'

const usage = `usage: npm run operator -- COMMAND [--json]

  agent suspend HANDLE --reason TEXT   take an agent out of the network, at once
  agent restore HANDLE --reason TEXT   bring it back with everything that it had
  audit [--limit N] [--before ID]      what operators did, newest first
  queue                                mails and events that wait, connections, agents
`

const options = {
  json: { type: 'boolean' },
  reason: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  help: { type: 'boolean' },
} as const

class UsageError extends Error {}

interface Answer {
  json: unknown
  text: string
}

/** What the words ask for; a {@link UsageError} before anything is reached. */
function understand(args: string[]): { json: boolean; act: (sql: Sql) => Promise<Answer> } {
  let parsed: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>
  try {
    parsed = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const { positionals, values } = parsed
  const { json = false, help, ...given } = values
  if (help) throw new UsageError('')
  const takes = (...names: string[]): void => {
    const other = Object.keys(given).find((name) => !names.includes(name))
    if (other) throw new UsageError(`--${other} has no meaning here`)
  }
  const [word, verb, handle, ...more] = positionals
  if (word === 'agent' && (verb === 'suspend' || verb === 'restore') && handle !== undefined && more.length === 0) {
    takes('reason')
    const { reason } = given
    if (reason === undefined) throw new UsageError('--reason is needed')
    const order = { actor: `operator:${userName()}`, handle, reason }
    return { json, act: (sql) => turn(sql, verb === 'suspend' ? suspend : restore, order) }
  }
  if (word === 'audit' && verb === undefined) {
    takes('limit', 'before')
    const { limit = '50', before } = given
    if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > longestPage) {
      throw new UsageError(`--limit is a number from 1 to ${longestPage}`)
    }
    if (before !== undefined && !uuidPattern.test(before)) throw new UsageError('--before is the id of an entry')
    return { json, act: (sql) => audit(sql, { limit: Number(limit), before }) }
  }
  if (word === 'queue' && verb === undefined) {
    takes()
    return { json, act: queue }
  }
  throw new UsageError(word === undefined ? '' : 'unknown command')
}

async function turn(sql: Sql, verb: typeof suspend, order: Parameters<typeof suspend>[1]): Promise<Answer> {
  const done = await sql.transaction((tx) => verb(tx, order))
  return { json: done, text: doneText(done) }
}

async function audit(sql: Sql, page: { limit: number; before: string | undefined }): Promise<Answer> {
  const found = await entries(sql, page)
  return { json: found, text: auditText(found) }
}

async function queue(sql: Sql): Promise<Answer> {
  const found = await queues(sql)
  return { json: found, text: queuesText(found, systemClock.now()) }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

async function main(args: string[]): Promise<number> {
  let json = args.includes('--json')
  const failed = (code: string, message: string, text: string): void => {
    if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
    else process.stderr.write(text)
  }
  try {
    const asked = understand(args)
    json = asked.json
    const config = readConfig(process.env)
    const sql = openSql({ clock: systemClock, connection: await reachRunning(config), maxConnections: 2 })
    try {
      const answer = await asked.act(sql)
      process.stdout.write(json ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`)
      return 0
    } catch (error) {
      throw isUnavailable(error) ? unreachable(config.databaseUrl, error) : error
    } finally {
      await sql.end()
    }
  } catch (error) {
    if (error instanceof UsageError) {
      failed('usage', error.message, error.message === '' ? usage : `${error.message}\n\n${usage}`)
      return 2
    }
    if (isMistake(error)) createLog('fatal').fatal({ error: safeError(error) }, 'the command failed')
    failed(error instanceof OperatorError ? 'refused' : 'failed', reasonOf(error), `operator: ${reasonOf(error)}\n`)
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
