// npm run torture [-- --seed N] [--seconds N] [--workers N] [--database-url URL | --nemesis] [--from CHECKOUT];
// npm run failover [-- --strike NAME … --nemesis]: docs/torture.md says what it proves.
import { parseArgs } from 'node:util'
import { type Strike, strikes } from './failover.ts'
import { run } from './run.ts'
import { Violation } from './violation.ts'

const usage = `npm run torture -- [--seed N] [--seconds N] [--workers N] [--database-url URL | --nemesis] [--from CHECKOUT]
npm run failover -- [--seed N] [--seconds N] [--workers N] [--strike NAME]… [--nemesis]
  ${strikes.join(', ')}`

/** 0: everything held; 1: a rule did not; 2: there was no run to speak of; 130: it was interrupted. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
      seconds: { type: 'string', default: '60' },
      workers: { type: 'string', default: '1' },
      'database-url': { type: 'string' },
      nemesis: { type: 'boolean', default: false },
      from: { type: 'string' },
      failover: { type: 'boolean', default: false },
      strike: { type: 'string', multiple: true, default: [...strikes] },
    },
  })
  const [seed, seconds, workers] = [Number(values.seed), Number(values.seconds), Number(values.workers)]
  if (
    !Number.isInteger(seed) ||
    !(Number.isInteger(workers) && workers >= 1 && workers <= 8) ||
    !(seconds > 0 && seconds <= 7 * 24 * 3600) ||
    !values.strike.every((name) => (strikes as readonly string[]).includes(name))
  ) {
    console.error(usage)
    return 2
  }
  const { 'database-url': databaseUrl, nemesis, from, failover } = values
  if (databaseUrl !== undefined && (nemesis || failover)) {
    console.error(usage)
    return 2
  }
  const failovers = failover ? (values.strike as Strike[]) : []
  console.log(`torture with --seed ${seed} --seconds ${seconds} --workers ${workers}`)
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort())
  try {
    await run({
      seed,
      seconds,
      workers,
      databaseUrl,
      nemesis,
      from,
      failovers,
      signal: interrupted.signal,
      log: (line) => console.log(line),
    })
    console.log(`seed ${seed}: everything held`)
    return 0
  } catch (error) {
    if (interrupted.signal.aborted) return 130
    if (!(error instanceof Violation)) {
      console.error(error)
      return 2
    }
    console.error(`FAILED with seed ${seed}: ${error.message}`)
    for (const record of error.records) console.error(JSON.stringify(record, shown, 2))
    return 1
  }
}

/** Sets as lists; tokens and cookies are nobody's business. */
const shown = (key: string, value: unknown): unknown =>
  key === 'credentials' ? undefined : value instanceof Set ? [...value] : value

process.exit(await main())
