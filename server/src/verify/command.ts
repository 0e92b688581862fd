// The verification as a command beside the service, running or not.
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { unreachable } from '../failure.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { reachExisting } from '../store/locate.ts'
import { isAway, openSql } from '../store/sql.ts'
import type { Walk } from '../store/walks.ts'
import { countOf, type Findings, verify, wholeChecks } from './verify.ts'

export async function verifyInstallation(
  config: Config,
  walks: readonly Walk[],
  options: { clock?: Clock; log: Logger; signal?: AbortSignal },
): Promise<Findings> {
  const { clock = systemClock, log, signal } = options
  const reached = await reachExisting(config, log)
  try {
    const sql = openSql({ clock, connection: reached.connection, maxConnections: 1 })
    try {
      return await verify(sql, walks, signal)
    } catch (error) {
      throw reasonFor(config, error)
    } finally {
      await sql.end()
    }
  } finally {
    await reached.close()
  }
}

function reasonFor(config: Config, error: unknown): unknown {
  if ((error as { code?: string }).code === '57014')
    return new Error('A part of the ledger took longer than 15 s to read')
  if (isAway(error)) return unreachable(config.databaseUrl, error)
  // A table or column that is not there.
  const { code } = error as { code?: string }
  return code === '42P01' || code === '42703'
    ? new ConfigError('The database is of an earlier version: start the service once to upgrade it')
    : error
}

/** What a person is told: one line for each difference, and one at the end. */
export function findingsText(findings: Findings, walks: readonly Walk[]): string[] {
  const { seen, examples } = findings
  const about = Object.entries(seen)
    .map(([over, count]) => `${count} ${over}`)
    .join(', ')
  const checks: Record<string, string> = Object.assign({}, wholeChecks, ...walks.map((walk) => walk.checks))
  const count = countOf(findings)
  if (count === 0) return [`No differences in ${about}`]
  const lines = examples.map(({ check, id }) => `${check}${id === null ? '' : ` ${id}`}: ${checks[check]}`)
  const rest = count - examples.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : []), `${count} differences in ${about}`]
}
