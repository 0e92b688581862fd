// The processes that are tortured: nodes of the service on its embedded PostgreSQL or on a server's database, each behind
// a proxy whose address outlives them.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { findServerProcesses } from '../server/src/store/embedded/leftovers.ts'
import { type Cut, openCut, type Place } from './cut.ts'
import { randomOf } from './random.ts'
import { ensure, violated } from './violation.ts'

const mainFile = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
const operatorFile = fileURLToPath(new URL('../server/src/operator/main.ts', import.meta.url))

/** In milliseconds: the first start makes a database, and the machine may be busy. */
const longestStart = 90_000
const longestStop = 30_000
const longestRecovery = 30_000

export interface Nodes {
  /** Addresses of the nodes, for as long as the run lasts. */
  urls: readonly string[]
  /** Kills a node by SIGKILL; it stays down until it is started again. */
  kill(node: number): Promise<void>
  start(node: number): Promise<void>
  /** SIGKILL to the postmaster; where the database is a server's, every connection to it is terminated. */
  killDatabase(): Promise<void>
  /** SIGKILL to one of PostgreSQL's other processes; the same as {@link killDatabase} on a server. */
  killBackend(draw: (from: readonly number[]) => number): Promise<void>
  /** Runs a command of the operator. */
  operator(args: readonly string[]): Promise<void>
  /** Waits until every node says that it is ready; each has been started. */
  ready(): Promise<void>
  pauseCuts(): void
  resumeCuts(): void
  cuts(): Record<Place, number>
  /** Ends the nodes in order, and says what was not in order. */
  stop(): Promise<string | undefined>
  /** Ends whatever still runs and removes what was written. */
  destroy(): Promise<void>
}

export interface NodesOptions {
  seed: number
  /** A PostgreSQL server whose role may create databases; two nodes share one there. */
  databaseUrl: string | undefined
}

interface Node {
  dataDir: string
  cut: Cut
  child: ChildProcess | undefined
  /** The same for its whole life, as of a node that an operator runs. */
  port: number
  /** Whether it listens there. */
  isUp: boolean
  ended: Promise<number | NodeJS.Signals | null>
  output: string
}

/** Starts the nodes on an empty database. */
export async function startNodes({ seed, databaseUrl }: NodesOptions): Promise<Nodes> {
  const database = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl)
  const root = await mkdtemp(join(tmpdir(), 'kith-torture-'))
  // PostgreSQL runs as another user where this is root, and must get through here.
  await chmod(root, 0o755)
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: tmpdir(),
    OWNER_EMAIL_GATE: 'off',
    WRITE_LIMIT_PER_MINUTE: '0',
    READ_LIMIT_PER_MINUTE: '0',
    REGISTRATION_LIMIT_PER_HOUR: '0',
    LOG_LEVEL: 'error',
    ...(database && { DATABASE_URL: database.url, SECRET_KEY: `the torture of seed ${seed}`.padEnd(40, '.') }),
  }
  const nodes: Node[] = []
  for (let at = 0; at < (database ? 2 : 1); at++) {
    const random = randomOf(seed, `cuts of node ${at}`)
    const port = await freePort()
    const cut = await openCut(random, () => (nodes[at]?.isUp ? port : undefined))
    const dataDir = join(root, `node-${at}`)
    nodes.push({ dataDir, cut, child: undefined, port, isUp: false, ended: Promise.resolve(null), output: '' })
  }
  const nodeAt = (at: number): Node => nodes[at] as Node
  const dataFolder = join(nodeAt(0).dataDir, 'postgres', 'data')
  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])

  async function start(at: number): Promise<void> {
    const node = nodeAt(at)
    const child = spawn(process.execPath, [mainFile], {
      cwd: '/',
      env: { ...env, PORT: String(node.port), DATA_DIR: node.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C is for the torture, which then ends its nodes.
      detached: true,
    })
    node.child = child
    node.output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => (node.output = (node.output + text).slice(-20_000)))
    }
    node.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)))
    void node.ended.then(() => {
      if (node.child === child) node.isUp = false
    })
    for (const deadline = performance.now() + longestStart; ; await sleep(10)) {
      node.isUp = node.output.includes('Kith is ready at ')
      if (node.isUp) return
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`a node ended: ${node.output}`)
      if (performance.now() > deadline) throw new Error(`a node does not start: ${node.output}`)
    }
  }

  const self: Nodes = {
    urls: nodes.map(({ cut }) => cut.url),
    start,
    async kill(at) {
      const node = nodeAt(at)
      node.isUp = false
      node.child?.kill('SIGKILL')
      await node.ended
    },
    async killDatabase() {
      if (database) return database.terminate()
      const pid = await postmaster()
      if (pid > 1) killPid(pid)
    },
    async killBackend(draw) {
      if (database) return database.terminate()
      const first = await postmaster()
      const others = (await findServerProcesses(dataFolder)).filter((pid) => pid !== first)
      if (others.length > 0) killPid(draw(others))
    },
    operator: (args) =>
      promisify(execFile)(process.execPath, [operatorFile, ...args], {
        cwd: '/',
        env: { ...env, DATA_DIR: nodeAt(0).dataDir },
        timeout: longestStop,
      }).then(() => {}),
    async ready() {
      for (const deadline = performance.now() + longestRecovery; ; await sleep(10)) {
        const gone = nodes.filter(({ isUp }) => !isUp)
        ensure(gone.length === 0, 'a node ended by itself', ...gone.map(({ output }) => output))
        const answers = await Promise.all(nodes.map(({ cut }) => isReady(cut.url)))
        if (answers.every((answer) => answer)) return
        if (performance.now() > deadline) violated('a node is not ready again', ...nodes.map(({ output }) => output))
      }
    },
    pauseCuts() {
      for (const { cut } of nodes) cut.pause()
    },
    resumeCuts() {
      for (const { cut } of nodes) cut.resume()
    },
    cuts: () =>
      nodes.reduce(
        (sum, { cut: { cuts } }) => ({
          'request lost': sum['request lost'] + cuts['request lost'],
          'answer not awaited': sum['answer not awaited'] + cuts['answer not awaited'],
          'answer lost': sum['answer lost'] + cuts['answer lost'],
        }),
        { 'request lost': 0, 'answer not awaited': 0, 'answer lost': 0 },
      ),
    async stop() {
      const codes = await Promise.all(
        nodes.map(async ({ child, ended }) => {
          child?.kill('SIGTERM')
          return Promise.race([ended, sleep(longestStop, 'nothing', { ref: false })])
        }),
      )
      if (codes.some((code) => code !== 0)) {
        return `SIGTERM ended the nodes with ${codes.join(' and ')}: ${nodes.map(({ output }) => output).join('\n')}`
      }
      const left = await findServerProcesses(dataFolder)
      return left.length > 0 ? `processes of PostgreSQL are left: ${left.join(', ')}` : undefined
    },
    async destroy() {
      for (const { child, ended } of nodes) {
        if (child?.exitCode === null) child.kill('SIGKILL')
        await ended
      }
      for (let round = 0; round < 500; round++) {
        const left = await findServerProcesses(dataFolder)
        if (left.length === 0) break
        for (const pid of left) killPid(pid)
        await sleep(10)
      }
      for (const { cut } of nodes) await cut.close()
      await database?.drop()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  try {
    await Promise.all(nodes.map((_, at) => start(at)))
    return self
  } catch (error) {
    await self.destroy()
    throw error
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )

/** A port that nothing listens on, below those that connections leave from: none of them may take it meanwhile. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('listening', () => resolve(true))
      server.once('error', () => resolve(false))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

interface Database {
  url: string
  terminate(): Promise<void>
  drop(): Promise<void>
}

/** A database of the run's own on a server. */
async function createDatabase(serverUrl: string): Promise<Database> {
  const name = `kith_torture_${process.pid}_${Math.floor(performance.timeOrigin)}`
  const run = async (statement: string, values: string[] = []): Promise<void> => {
    const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      await client.query(statement, values)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    terminate: () => run('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    drop: () => run(`drop database if exists ${name} with (force)`),
  }
}
