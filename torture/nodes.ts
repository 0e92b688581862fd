// The processes that are tortured: nodes of the service on its embedded PostgreSQL or on a server's database, each behind
// a proxy whose address outlives them.
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findServerProcesses } from '../server/src/embedded/leftovers.ts'
import {
  command,
  dataFolder,
  freePort,
  type Launched,
  launch,
  mainFile,
  operatorFile,
  ready,
  workersOf,
} from '../server/test/launch.ts'
import { type Clocks, openClocks } from './clocks.ts'
import type { Cluster } from './cluster.ts'
import { type Cut, openCut, type Place } from './cut.ts'
import { type OwnRedis, startOwnRedis } from './own-redis.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'
import { peoplesDomain } from './people.ts'
import { randomOf } from './random.ts'
import { ensure, Violation, violated } from './violation.ts'

/** In milliseconds. */
const longestStop = 30_000
const longestRecovery = 30_000

export interface Nodes {
  /** Addresses of the nodes, for as long as the run lasts. */
  urls: readonly string[]
  /** The one that they all call their own. */
  origin: string
  /** Where they write their emails. */
  mailFolder: string
  /** Kills a node by SIGKILL; it stays down until it is started again. */
  kill(node: number): Promise<void>
  start(node: number): Promise<void>
  /** Every node that still has the other version gets this one. */
  replaceOlder(): Promise<void>
  hasWorkers: boolean
  /** SIGKILL to one of the workers of a node, which replaces it by itself. */
  killWorker(node: number, draw: (from: readonly number[]) => number): void
  /** SIGKILL to the postmaster; where the database is a server's, every connection to it is terminated. */
  killDatabase(): Promise<void>
  /** SIGKILL to one of PostgreSQL's other processes; the same as {@link killDatabase} on a server. */
  killBackend(draw: (from: readonly number[]) => number): Promise<void>
  /** Runs a command of the operator; resolves with what it says. */
  operator(args: readonly string[]): Promise<string>
  /** Has the service verify all that it holds; throws what it finds wrong. */
  verify(): Promise<void>
  /** Waits until every node says that it is ready; each has been started. */
  ready(): Promise<void>
  /** What a run with a server of its own can do besides. */
  nemesis: Nemesis | undefined
  pauseCuts(): void
  resumeCuts(): void
  cuts(): Record<Place, number>
  /** Ends the nodes in order, and says what was not in order. */
  stop(): Promise<string | undefined>
  /** Ends whatever still runs and removes what was written. */
  destroy(): Promise<void>
}

interface Nemesis {
  server: OwnServer
  /** All of a node stops for so long, in milliseconds. */
  pauseNode(node: number, milliseconds: number): Promise<void>
  /** Undefined without libfaketime. */
  clocks: Clocks | undefined
  /** Undefined without Redis. */
  redis: OwnRedis | undefined
}

interface NodesOptions {
  seed: number
  /** Hears of what their logs must not have. */
  fail: (error: unknown) => void
  /** A PostgreSQL server whose role may create databases; two nodes share one there. */
  databaseUrl: string | undefined
  /** Processes of each node that serve; 1: the node itself. */
  workers: number
  /** Three nodes on a server of the run's own, which can be tortured too. */
  nemesis: boolean
  /** The server is this cluster. */
  cluster?: Cluster | undefined
  /** A checkout of another version, with which each node starts first; from its first restart on it has this one. */
  from: string | undefined
}

const nemesisNodes = 3

interface Node {
  dataDir: string
  cut: Cut
  /** As it was started last. */
  launched: Launched | undefined
  /** The same for its whole life, as of a node that an operator runs. */
  port: number
  /** Whether it listens there. */
  isUp: boolean
  /** Whether it was started again. */
  isUpgraded: boolean
}

const outputOf = ({ launched }: Node): string => launched?.output() ?? ''

export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const { seed, fail, databaseUrl, workers, from } = options
  const database = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl)
  const { root, remove } = await dataFolder({ prefix: 'kith-torture-' })
  // PostgreSQL runs as another user where this is root, and must get through here to its socket.
  await chmod(root, 0o755)
  const server = options.nemesis
    ? await (options.cluster?.asServer(nemesisNodes) ?? startOwnServer(root, nemesisNodes))
    : undefined
  const redis = options.nemesis ? await startOwnRedis(root) : undefined
  const mailFolder = join(root, 'mails')
  const env: Record<string, string> = {
    // All that a service says in ordinary times, which tells nobody's email.
    LOG_LEVEL: 'info',
    MAIL_URL: `file:${mailFolder}`,
    // What a node that is killed leaves there goes with the rest.
    TMPDIR: root,
    WORKERS: String(workers),
    ...((database || server) && {
      DATABASE_URL: (database ?? (server as OwnServer)).url,
      SECRET_KEY: `the torture of seed ${seed}`.padEnd(40, '.'),
    }),
    ...(redis && { REDIS_URL: redis.url }),
  }
  const nodes: Node[] = []
  for (let at = 0; at < (server ? nemesisNodes : database ? 2 : 1); at++) {
    const random = randomOf(seed, `cuts of node ${at}`)
    const port = await freePort()
    const cut = await openCut(random, () => (nodes[at]?.isUp ? port : undefined))
    const dataDir = join(root, `node-${at}`)
    nodes.push({ dataDir, cut, launched: undefined, port, isUp: false, isUpgraded: false })
  }
  const origin = (nodes[0] as Node).cut.url
  env['PUBLIC_URL'] = origin
  const nodeAt = (at: number): Node => nodes[at] as Node
  const clocks = server ? openClocks(root) : undefined
  /** Until this version has migrated the database, the other one's commands are those that know it. */
  const checkout = (): string | undefined => (nodes.some(({ isUpgraded }) => isUpgraded) ? undefined : from)
  const databaseFolder = join(nodeAt(0).dataDir, 'postgres', 'data')
  const postmaster = async (): Promise<number> =>
    Number((await readFile(join(databaseFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])

  async function start(at: number): Promise<void> {
    const node = nodeAt(at)
    await server?.ready()
    const launched = launch(node.dataDir, {
      env: {
        ...env,
        PORT: String(node.port),
        ...(server && { DATABASE_URL: server.wires[at]?.url as string }),
        ...(clocks && (await clocks.of(at))),
      },
      checkout: node.launched === undefined ? from : undefined,
      // A group of its own: Ctrl-C is for the torture, which then ends its nodes.
      detached: true,
      keep: 20_000,
      on: (output) => {
        if (output.includes(peoplesDomain)) fail(new Violation('a log tells the email of a person', [output]))
        // Only this says why an answer was 500.
        for (const line of output.split('\n')) if (line.includes('"a request failed"')) console.error(line)
      },
    })
    node.isUpgraded = node.launched !== undefined
    node.launched = launched
    void launched.ended.then(() => {
      if (node.launched === launched) node.isUp = false
    })
    await ready(launched)
    node.isUp = launched.child.exitCode === null && launched.child.signalCode === null
  }

  const self: Nodes = {
    urls: nodes.map(({ cut }) => cut.url),
    origin,
    mailFolder,
    start,
    async kill(at) {
      const node = nodeAt(at)
      node.isUp = false
      await node.launched?.stop('SIGKILL')
    },
    async replaceOlder() {
      if (from === undefined) return
      for (const [at, { isUpgraded }] of nodes.entries()) {
        if (isUpgraded) continue
        await nodeAt(at).launched?.stop()
        await start(at)
      }
    },
    hasWorkers: workers > 1,
    killWorker(at, draw) {
      const { launched } = nodeAt(at)
      const all = launched ? workersOf(launched) : []
      if (all.length > 0) killPid(draw(all))
    },
    async killDatabase() {
      if (server) return server.kill()
      if (database) return database.terminate()
      const pid = await postmaster()
      if (pid > 1) killPid(pid)
    },
    async killBackend(draw) {
      if (server) return server.killBackend(draw)
      if (database) return database.terminate()
      const first = await postmaster()
      const others = (await findServerProcesses(databaseFolder)).filter((pid) => pid !== first)
      if (others.length > 0) killPid(draw(others))
    },
    async operator(args) {
      const { code, stdout, stderr } = await command(
        operatorFile,
        args,
        { ...env, DATA_DIR: nodeAt(0).dataDir },
        checkout(),
      )
      if (code !== 0) throw new Error(`the operator's command ended with ${code}: ${stderr}`)
      return stdout
    },
    async verify() {
      const { code, stdout, stderr } = await command(mainFile, ['verify'], { ...env, DATA_DIR: nodeAt(0).dataDir })
      ensure(code === 0, 'the service itself finds something wrong', stdout, stderr)
    },
    async ready() {
      for (const deadline = performance.now() + longestRecovery; ; await sleep(10)) {
        const gone = nodes.filter(({ isUp }) => !isUp)
        ensure(gone.length === 0, 'a node ended by itself', ...gone.map(outputOf))
        const answers = await Promise.all(nodes.map(({ cut }) => isReady(cut.url)))
        if (answers.every((answer) => answer)) return
        if (performance.now() > deadline) violated('a node is not ready again', ...nodes.map(outputOf))
      }
    },
    nemesis: server && {
      server,
      async pauseNode(at, milliseconds) {
        const { pid } = nodeAt(at).launched as Launched
        // It leads a group, which what it has started belongs to.
        process.kill(-pid, 'SIGSTOP')
        await sleep(milliseconds)
        process.kill(-pid, 'SIGCONT')
      },
      clocks,
      redis,
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
        nodes.map(({ launched }) =>
          Promise.race([launched?.stop() ?? null, sleep(longestStop, 'nothing', { ref: false })]),
        ),
      )
      if (codes.some((code) => code !== 0)) {
        return `SIGTERM ended the nodes with ${codes.join(' and ')}: ${nodes.map(outputOf).join('\n')}`
      }
      const left = await findServerProcesses(databaseFolder)
      return left.length > 0 ? `processes of PostgreSQL are left: ${left.join(', ')}` : undefined
    },
    async destroy() {
      for (const { launched } of nodes) await launched?.stop('SIGKILL')
      for (let round = 0; round < 500; round++) {
        const left = await findServerProcesses(databaseFolder)
        if (left.length === 0) break
        for (const pid of left) killPid(pid)
        await sleep(10)
      }
      for (const { cut } of nodes) await cut.close()
      await database?.drop()
      await server?.stop()
      await redis?.stop()
      await clocks?.close()
      await remove()
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
    async drop() {
      for (let attempt = 0; ; attempt++) {
        try {
          return await run(`drop database if exists ${name} with (force)`)
        } catch (error) {
          // The server's own vacuum is in it, which only a superuser can end.
          if ((error as { code?: string }).code !== '42501' || attempt > 600) throw error
          await sleep(100)
        }
      }
    },
  }
}
