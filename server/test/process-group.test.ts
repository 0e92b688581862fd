// Ctrl-C on `npm start`, and a manager that signals everything at once: one wish, however often it arrives.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findServerProcesses, sendSignal } from '../src/embedded/leftovers.ts'
import { cleanEnv, dataFolder, type Folder, serve, startProgram } from './launch.ts'
import { befriendAt, postgresOf, register } from './process.ts'
import { connectEvents, eventually } from './world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm start` in a process group of its own, as a terminal makes one for each command. */
async function npmStart(dataDir: string) {
  const program = startProgram(['npm', 'start'], {
    cwd: root,
    env: cleanEnv({
      HOME: join(dataDir, '..'),
      PORT: '0',
      DATA_DIR: dataDir,
      OWNER_EMAIL_GATE: 'off',
      LOG_LEVEL: 'debug',
      npm_config_update_notifier: 'false',
    }),
    detached: true,
  })
  const [, url] = await program.says(/Kith is ready at (\S+)[\s\S]*Next .*\n/)
  return { ...program, group: program.pid, url: url as string }
}

/** The processes of a group, and all that come from them in sessions of their own. */
async function everyProcess(group: number, dataDir: string): Promise<number[]> {
  const inGroup = readdirSync('/proc').filter((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : ''
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group
    } catch {
      return false // gone meanwhile
    }
  })
  return [...inGroup.map(Number), ...(await findServerProcesses(join(dataDir, 'postgres', 'data')))]
}

const cases: [string, (group: number, dataDir: string) => Promise<void>][] = [
  ['Ctrl-C in a terminal', async (group) => void process.kill(-group, 'SIGINT')],
  ['a terminal that is closed', async (group) => void process.kill(-group, 'SIGHUP')],
  ['SIGTERM to the process group', async (group) => void process.kill(-group, 'SIGTERM')],
  [
    'SIGTERM to every process, PostgreSQL among them, as of systemd by default',
    async (group, dataDir) => {
      // One of PostgreSQL's may end by itself meanwhile.
      for (const pid of await everyProcess(group, dataDir)) sendSignal(pid, 'SIGTERM')
    },
  ],
]

/** One for all: what a case leaves is what the next one starts from. */
let folder: Folder
before(async () => {
  folder = await dataFolder({ migrated: true })
})
after(() => folder?.remove())

const endedCleanly = (next: string) => assert.doesNotMatch(next, /not properly shut down|was interrupted|redo starts/)

for (const [at, [what, signal]] of cases.entries()) {
  test(`npm start: ${what} ends it cleanly, and the next start needs no recovery`, {
    skip: process.platform !== 'linux' && 'it looks into /proc',
  }, async () => {
    const { dataDir } = folder
    const started = await npmStart(dataDir)
    endedCleanly(started.output())
    const ada = await register(started.url, `ada_${at}`)
    const socket = await connectEvents(started.url, ada.token)
    // A connection whose lease is still being written would be told of the database's end instead. Only those with a lease get events.
    await befriendAt(started.url, await register(started.url, `bea_${at}`), ada)
    await socket.acked(await socket.next('contact.requested'))
    await signal(started.group, dataDir)
    assert.equal(await socket.closed, 1001)
    await started.ended
    const output = started.output()
    assert.match(output, /"msg":"draining/)
    assert.match(output, /"msg":"stopped"/)
    assert.doesNotMatch(output, /^ {4}at /m)
    assert.doesNotMatch(output, /connection.* broke|"level":"(error|fatal)"/)
    await eventually(async () => (await postgresOf(dataDir)).length === 0, 'nothing is left')
    // Each case is the next start of the one before.
    if (at < cases.length - 1) return
    const next = await serve(dataDir, { env: { LOG_LEVEL: 'debug' } })
    endedCleanly(next.output())
    next.kill('SIGTERM')
    assert.equal(await next.ended, 0)
  })
}
