// What the operator says to a running service, by its database. Exits with 0 when it was done,
// 1 when it was refused or failed, 2 when it was not understood.

import { queues } from '../app/modules.ts'
import { readConfig } from '../config.ts'
import { isMistake, reasonOf, unreachable } from '../failure.ts'
import { systemClock } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refuse.ts'
import { createLog, isForPeople, safeError } from '../log.ts'
import { reachRunning } from '../store/locate.ts'
import { isAway, openSql } from '../store/sql.ts'
import { UsageError } from './command.ts'
import { understand, usageFor } from './commands.ts'
import { OperatorError } from './operator.ts'

async function main(args: string[]): Promise<number> {
  let json = args.includes('--json')
  const failed = (code: string, message: string, text: string): void => {
    if (json) process.stdout.write(`${JSON.stringify({ error: { code, message } })}\n`)
    else process.stderr.write(text)
  }
  try {
    const command = understand(args)
    json = command.json
    const config = readConfig(process.env)
    const sql = openSql({ clock: systemClock, connection: await reachRunning(config), maxConnections: 2 })
    try {
      const answer = await command.act({ sql, config, clock: systemClock, queues })
      process.stdout.write(json ? `${JSON.stringify(answer.json)}\n` : `${answer.text}\n`)
      return 0
    } catch (error) {
      throw isAway(error) ? unreachable(config.databaseUrl, error) : error
    } finally {
      await sql.end()
    }
  } catch (error) {
    if (error instanceof UsageError) {
      failed('usage', error.message, [error.message, usageFor(args)].filter((text) => text !== '').join('\n\n'))
      return 2
    }
    if (isMistake(error) && !isForPeople(undefined))
      createLog('fatal').fatal({ error: safeError(error) }, 'the command failed')
    const refused = error instanceof OperatorError || error instanceof Refusal
    failed(refused ? 'refused' : 'failed', reasonOf(error), `operator: ${reasonOf(error)}\n`)
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
