/**
 * A process that owns an embedded PostgreSQL, for tests that kill it. Its argument is the folder; it prints one line
 * of JSON when started or refused, then obeys the words `stop`, `exit` and `find` on its standard input.
 */
import { createInterface } from 'node:readline'
import { ownAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { findRunning, startEmbedded } from './embedded.ts'

const [task, folder = ''] = process.argv.slice(2)

function say(answer: unknown): void {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

process.on('SIGINT', () => {})

try {
  if (task === 'find') {
    say({ found: (await findRunning(folder)) ?? null })
  } else if (task === 'binaries') {
    say({ postgres: (await findBinaries({ account: ownAccount(), packageFolder: folder })).postgres })
  } else {
    const postgres = await startEmbedded({ folder, log: () => {} })
    say({ pid: postgres.pid, connection: postgres.connection })
    for await (const word of createInterface({ input: process.stdin })) {
      if (word === 'exit') process.exit()
      if (word === 'stop') break
    }
    await postgres.stop()
    say({ stopped: true })
    process.stdin.destroy() // the pipe alone would keep this process alive; that nothing else does is part of the test
  }
} catch (error) {
  say({ error: (error as Error).message })
}
