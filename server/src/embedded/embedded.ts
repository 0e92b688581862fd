import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, chooseAccount, findForeign, findForeignDatabase, ownName } from './account.ts'
import { type Binaries, findBinaries, removeTemporary } from './binaries.ts'
import { DATABASE, dataFolderOf, type Fill, keepCluster, prepareCluster, prepareProvisional } from './cluster.ts'
import { canSetDeathSignal, launch } from './launch.ts'
import { endLeftovers, sendSignal, waitUntilGone } from './leftovers.ts'
import { own } from './owner.ts'
import { followServerLog } from './server-log.ts'
import { settingArguments } from './settings.ts'
import { clearSocket, findSocketFolder, makeSocketFolder, PORT, removeTraces } from './socket.ts'

/** A PostgreSQL server that lives and dies with this process. */
export interface EmbeddedPostgres {
  /** node-postgres connection options: `host` is the folder of the socket. */
  readonly connection: { host: string; port: number; user: string; database: string }
  /** The process id of the postmaster now running. */
  readonly pid: number
  /** Fires each time the server process ended unexpectedly and was started again. */
  readonly onRestart: (listener: () => void) => void
  /** Whether our own child runs and accepts connections. */
  running(): boolean
  /** Ends the server, leaving no process and no socket folder; a second call may hurry a first one. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /**
   * Stops a provisional server, and makes its database the one of the folder once all of it is on the disk and `last` is done.
   * Where this fails nothing is left.
   */
  keep(last: () => Promise<void>): Promise<void>
}

export interface EmbeddedOptions {
  /** Holds the database files and the lock; made when missing. */
  readonly folder: string
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
  /**
   * The database is a new one that is there once it is kept: a stop before removes it, and the next start removes what a
   * kill leaves. So its settings may leave out what makes a server outlive a power cut.
   */
  readonly provisional?: boolean
  /** Writes the files of a provisional database, which is a new one otherwise; the server then recovers for as long as it takes. */
  readonly fill?: Fill
  /** PostgreSQL settings over the defaults; those of access and logging are fixed. */
  readonly settings?: Record<string, string>
}

/** Recovery replays at most max_wal_size, so a server that is silent for longer hangs. */
const READY_MS = 300_000
/** One that replays an archive takes as long as that is. */
const RECOVERED_MS = 24 * 3_600_000
const RETRY_MS = 10_000
const FAST_STOP_MS = 20_000
const IMMEDIATE_STOP_MS = 8_000
const RESTART_DELAYS_MS = [0, 100, 250, 500, 1000, 2000, 5000, 10_000]

/** A start refused because an ending server still holds something succeeds later. */
const PASSING = /pre-existing shared memory block|lock file ".*" already exists|is another postmaster/i

/** Postmasters to end when this process exits without a stop, for systems without a death signal. */
const postmasters = new Set<number>()

interface Server {
  readonly child: ChildProcess
  readonly pid: number
  readonly ended: Promise<string>
  accepting: boolean
}

/**
 * Starts PostgreSQL on a folder, creating the database the first time, and keeps it running until stopped. Rejects with
 * a one-line reason; at once if another process has the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, settings, provisional = false, fill } = options
  const folder = resolve(options.folder)
  let dataFolder = dataFolderOf(folder)
  const ownership = await own(folder)

  let account: Account | undefined
  let binaries: Binaries | undefined
  let server: Server
  let start: () => Promise<Server>
  let socketFolder: string
  try {
    ownName() // rejects before any work where access could not be granted anyway
    const user = await chooseAccount(dataFolder)
    account = user
    const [found, tied] = await Promise.all([
      findBinaries({ account: user }),
      canSetDeathSignal(),
      removeTraces(folder),
    ])
    binaries = found
    if (!tied && process.platform === 'linux') {
      log(
        'warn',
        'setpriv of util-linux is missing: PostgreSQL would outlive a kill -9 of this process until the next start',
      )
    }
    if (provisional) dataFolder = await prepareProvisional(folder, binaries, user, log, fill)
    else await prepareCluster(folder, binaries, user, log)
    const closed = await findForeignDatabase(dataFolder, user)
    if (closed) throw new Error(`${closed.path} belongs to user id ${closed.uid}`)
    socketFolder = await makeSocketFolder(folder, user, binaries.temporary)
    const args = settingArguments(socketFolder, PORT, settings)
    const readyWithin = fill ? RECOVERED_MS : READY_MS
    start = () =>
      startServer({ program: found.postgres, args, account: user, dataFolder, socketFolder, log, readyWithin })
    server = await start()
  } catch (error) {
    if (provisional && dataFolder !== dataFolderOf(folder)) await rm(dataFolder, { recursive: true, force: true })
    if (binaries?.temporary !== undefined) await removeTemporary(binaries.temporary)
    await removeTraces(folder)
    const foreign = account && (await findForeign(dataFolder, account))
    await ownership.release()
    if (!foreign) throw error
    throw new Error(
      `${foreign.path} belongs to user id ${foreign.uid}, and PostgreSQL runs as user id ${account?.uid}: give that user all of ${dataFolder} (chown -R). The start ended with: ${(error as Error).message}`,
      { cause: error },
    )
  }

  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  const supervision = supervise()
  let stopped: Promise<void> | undefined

  /** Resolves after the stop; a server that ends before it is restarted. */
  async function supervise(): Promise<void> {
    for (;;) {
      const ending = await server.ended
      if (stopping.signal.aborted) return
      log('warn', `PostgreSQL stopped unexpectedly (${ending}); starting it again`)
      for (let attempt = 0; ; attempt++) {
        const delay = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)]!
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        try {
          server = await start()
          break
        } catch (error) {
          log('error', (error as Error).message)
        }
      }
      if (stopping.signal.aborted) return // stop() has seen the former server only, and ends this one then
      log('info', 'PostgreSQL is running again')
      for (const listener of listeners) listener()
    }
  }

  async function shutDown(last?: () => Promise<void>): Promise<void> {
    await endServer(server, 'fast')
    await supervision
    await endServer(server, 'fast') // one that a restart under way has brought up meanwhile
    if (!(await waitUntilGone(dataFolder, IMMEDIATE_STOP_MS))) await endLeftovers(dataFolder, log)
    try {
      if (last) await keepStopped(last)
      else if (provisional) await rm(dataFolder, { recursive: true, force: true })
    } finally {
      await removeTraces(folder)
      await ownership.release()
    }
  }

  async function keepStopped(last: () => Promise<void>): Promise<void> {
    const ending = await server.ended
    if (ending === 'code 0') return keepCluster(folder, dataFolder, binaries as Binaries, account as Account, last)
    await rm(dataFolder, { recursive: true, force: true })
    throw new Error(`PostgreSQL ended unexpectedly (${ending})`)
  }

  return {
    connection: connectionTo(socketFolder),
    get pid() {
      return server.pid
    },
    onRestart: (listener) => {
      listeners.add(listener)
    },
    running: () => !stopping.signal.aborted && server.accepting,
    stop(mode = 'fast') {
      stopping.abort()
      if (mode === 'immediate') void endServer(server, 'immediate')
      stopped ??= shutDown()
      return stopped
    },
    keep(last) {
      if (!provisional || stopped) return Promise.reject(new Error('only a provisional database that runs can be kept'))
      stopping.abort()
      stopped = shutDown(last)
      return stopped
    },
  }
}

/**
 * Where a running embedded server of this folder can be reached by another process of the same user (backup and
 * operator commands), or undefined.
 */
export async function findRunning(folder: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const host = await findSocketFolder(resolve(folder), dataFolderOf(resolve(folder)))
  return host === undefined ? undefined : connectionTo(host)
}

interface ServerOptions {
  readonly program: string
  readonly args: string[]
  readonly account: Account
  readonly dataFolder: string
  readonly socketFolder: string
  readonly log: EmbeddedOptions['log']
  readonly readyWithin: number
}

/** Starts the server, repeatedly for a bounded time while remains of an earlier one are in its way. */
async function startServer(options: ServerOptions): Promise<Server> {
  const deadline = performance.now() + RETRY_MS
  for (;;) {
    await endLeftovers(options.dataFolder, options.log)
    await clearSocket(options.socketFolder)
    try {
      return await startOnce(options)
    } catch (error) {
      if (!PASSING.test((error as Error).message) || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

/** Only our own child's log says that it is ready: an answer on the socket could come from another server. */
async function startOnce({ program, args, account, dataFolder, log, readyWithin }: ServerOptions): Promise<Server> {
  const { child, ended } = await launch(program, args, { account, dataFolder, deathSignal: 'INT' })
  const server: Server = { child, pid: child.pid ?? 0, ended, accepting: false }
  void ended.then(() => {
    server.accepting = false
    postmasters.delete(server.pid)
  })
  if (child.pid !== undefined) rememberForExit(child.pid)
  child.stdout!.resume()
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })
  const serverLog = followServerLog(child.stderr!, {
    dataFolder,
    log,
    onReady: () => {
      server.accepting = true
      isReady()
    },
    onRecovery: () => {
      server.accepting = false
    },
  })
  const timer = new AbortController()
  const problem = await Promise.race([
    ready,
    ended,
    sleep(readyWithin, `no word within ${readyWithin / 1000} s`, { signal: timer.signal }).catch(() => undefined),
  ])
  timer.abort()
  if (problem === undefined) return server
  await endServer(server, 'immediate')
  throw new Error(`PostgreSQL does not start on ${dataFolder}: ${(await serverLog.lastWords()) ?? problem}`)
}

const connectionTo = (host: string): EmbeddedPostgres['connection'] => ({
  host,
  port: PORT,
  user: DATABASE,
  database: DATABASE,
})

/** Ends a server within its mode's time limit, then by harder means. */
async function endServer(server: Server, mode: 'fast' | 'immediate'): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGQUIT', IMMEDIATE_STOP_MS],
    ['SIGKILL', IMMEDIATE_STOP_MS],
  ]
  if (mode === 'fast') steps.unshift(['SIGINT', FAST_STOP_MS])
  for (const [signal, wait] of steps) {
    if (server.child.exitCode !== null || server.child.signalCode !== null || server.pid === 0) return
    sendSignal(server.pid, signal)
    const timer = new AbortController()
    await Promise.race([server.ended, sleep(wait, undefined, { signal: timer.signal }).catch(() => {})])
    timer.abort()
  }
}

function rememberForExit(pid: number): void {
  if (postmasters.size === 0 && !process.listeners('exit').includes(endAtExit)) process.on('exit', endAtExit)
  postmasters.add(pid)
}

function endAtExit(): void {
  for (const pid of postmasters) sendSignal(pid, 'SIGINT')
}
