// PostgreSQL's cluster of hosting/patroni on this machine: three servers with Patroni, and the address that follows the
// primary. The torture strikes its servers as machines and networks do.
import { chmod, mkdir, readFile, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { findServerProcesses } from '../server/src/embedded/leftovers.ts'
import { dataFolder, freePort, type Program, startProgram } from '../server/test/launch.ts'
import type { OwnServer } from './own-server.ts'
import { fillDisk, mountDisk, unmountDisk } from './small-disk.ts'
import { openWires } from './wire.ts'

const script = fileURLToPath(new URL('../hosting/patroni/on-one-machine', import.meta.url))
/** Three servers with their etcd start, and copy the first one, in milliseconds. */
const longestStart = 240_000
/** A server that was away is found, started, copied again if it must be. */
const longestRepair = 180_000
const requestLimit = 2000
/** To take writes again after a fault of its primary, in milliseconds. */
const longestOutage = 120_000
/** Of the disk of each server, in MiB: its copy of the database, its log (up to 2 GB as shipped) and its etcd. */
const diskSize = 4096

const servers = [1, 2, 3] as const
export type Server = (typeof servers)[number]

export interface Cluster {
  /** Leads to the primary, with a role that may create databases. */
  url: string
  /** Who is the primary, and who has all that it acknowledged, as Patroni says; undefined while it does not. */
  roles(): Promise<{ primary: Server; successor: Server } | undefined>
  /** Sends a signal to PostgreSQL of a server, with Patroni or alone. */
  signal(server: Server, signal: NodeJS.Signals, what: 'machine' | 'PostgreSQL'): Promise<void>
  /** Holds up all that goes from and to a server, or what goes to etcd; and lets it go on. */
  cut(server: Server, what: 'everything' | 'etcd', isCut: boolean): Promise<void>
  /** Has the successor become the primary, in order. */
  switchOver(): Promise<void>
  /** Tries until a client with a new connection for each attempt has committed a write. */
  write(signal: AbortSignal): Promise<void>
  /** Waits until all three servers take part; fails with what each says of the others, and what is left of its disk. */
  whole(signal?: AbortSignal): Promise<void>
  /** Its primary as the server of a nemesis, which each node reaches over a wire of its own. */
  asServer(nodes: number): Promise<OwnServer>
  stop(): Promise<void>
}

export async function startCluster({ signal }: { signal: AbortSignal }): Promise<Cluster> {
  const { root, remove } = await dataFolder({ prefix: 'kith-cluster-' })
  // PostgreSQL runs as another user where this is root, and must get through here.
  await chmod(root, 0o755)
  const folder = join(root, 'cluster')
  const diskOf = (server: Server): string => join(folder, String(server))
  const dataOf = (server: Server): string => join(diskOf(server), 'data')
  const mounted: Server[] = []
  let program: Program | undefined
  const stop = async (): Promise<void> => {
    await program?.stop()
    for (const server of mounted) await unmountDisk(diskOf(server))
    await remove()
  }
  const first = await freePort()
  const portOf = (server: Server, which: number): number => first + 10 * server + which

  async function started(): Promise<string> {
    for (const server of servers) {
      await mkdir(diskOf(server), { recursive: true })
      if (await mountDisk(diskOf(server), diskSize)) mounted.push(server)
    }
    const running = startProgram(['/bin/bash', script, folder, String(first)], { env: process.env, detached: true })
    program = running
    let hasEnded = false
    void running.ended.then(() => {
      hasEnded = true
    })
    for (const deadline = performance.now() + longestStart; ; await sleep(100)) {
      signal.throwIfAborted()
      const [, found] = /^DATABASE_URL=(\S+)$/m.exec(running.out()) ?? []
      if (found !== undefined && running.out().includes('Ctrl-C')) return found
      if (hasEnded || performance.now() > deadline) throw new Error(`the cluster does not start: ${running.output()}`)
    }
  }

  async function pidOf(name: string): Promise<number> {
    return Number(await readFile(join(folder, `${name}.pid`), 'utf8'))
  }

  interface Member {
    name: string
    role: string
    state: string
  }

  /** What one of the servers says that answers; each knows it from etcd. */
  async function members(): Promise<Member[]> {
    const answers = await Promise.all(
      servers.map((server) =>
        fetch(`http://127.0.0.1:${portOf(server, 1)}/cluster`, { signal: AbortSignal.timeout(requestLimit) })
          .then(async (response) => ((await response.json()) as { members?: Member[] }).members ?? [])
          .catch((): Member[] => []),
      ),
    )
    // One that is cut off knows only what was.
    const counts = answers.map((all) => JSON.stringify(all.map(({ name, role }) => [name, role]).sort()))
    return answers.find((all, at) => all.length > 0 && counts.indexOf(counts[at] as string) !== at) ?? []
  }

  const serverOf = (member: Member | undefined): Server | undefined =>
    member && (Number(member.name.replace('server', '')) as Server)

  async function roles(): Promise<{ primary: Server; successor: Server } | undefined> {
    const all = await members()
    const primary = serverOf(all.find(({ role, state }) => role === 'leader' && state === 'running'))
    const successor = serverOf(all.find(({ role }) => role === 'sync_standby'))
    return primary && successor && { primary, successor }
  }

  const url = await started().catch(async (error) => {
    await stop()
    throw error
  })

  const self: Cluster = {
    url,
    roles,
    async signal(server, name, what) {
      // First what would start the other again.
      const pids = what === 'machine' ? [await pidOf(`${server}.patroni`)] : []
      pids.push(...(await findServerProcesses(dataOf(server))))
      for (const pid of pids) send(pid, name)
    },
    async cut(server, what, isCut) {
      const names = what === 'etcd' ? [] : [`${server}.reached`]
      // Its own etcd with it: that knows only what was, and says so as soon as it is reached again.
      for (const name of [...names, `${server}.etcd`, `etcd${server}`]) {
        send(await pidOf(name), isCut ? 'SIGSTOP' : 'SIGCONT')
      }
    },
    async switchOver() {
      const now = await roles()
      if (!now) throw new Error('there is nobody to switch over to')
      const response = await fetch(`http://127.0.0.1:${portOf(now.primary, 1)}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: `server${now.primary}`, candidate: `server${now.successor}` }),
      })
      if (!response.ok) throw new Error(`Patroni does not switch over: ${response.status} ${await response.text()}`)
    },
    async write(until) {
      for (; ; await sleep(50)) {
        until.throwIfAborted()
        const client = new pg.Client({
          connectionString: url,
          connectionTimeoutMillis: requestLimit,
          query_timeout: requestLimit,
        })
        client.on('error', () => {})
        try {
          await client.connect()
          // In a schema of its own: Kith begins only in a schema that is empty.
          await client.query('create schema if not exists torture')
          await client.query('create table if not exists torture.written (at timestamptz)')
          await client.query('insert into torture.written values (clock_timestamp())')
          return
        } catch {
          // Not yet.
        } finally {
          void client.end().catch(() => {})
        }
      }
    },
    async whole(until) {
      for (const deadline = performance.now() + longestRepair; ; await sleep(200)) {
        until?.throwIfAborted()
        const all = await members()
        const working = all.filter(({ role, state }) =>
          role === 'leader' ? state === 'running' : /running|streaming/.test(state),
        )
        if (working.length === servers.length && (await roles())) return
        if (performance.now() > deadline) {
          const left = await Promise.all(
            servers.map(async (server) => {
              const { bavail, bsize } = await statfs(diskOf(server))
              return bavail * bsize
            }),
          )
          throw new Error(
            `the cluster is not whole again: ${JSON.stringify(all)}; bytes left on the disks: ${left.join(', ')}`,
          )
        }
      }
    },
    async asServer(nodes) {
      const address = new URL(url)
      const wires = await openWires(nodes, { host: address.hostname, port: Number(address.port) }, (at) => {
        const through = new URL(url)
        through.host = at
        return through.href
      })
      /** The primary, once there is one that a replica keeps up with. */
      const primary = async (): Promise<Server> => {
        await self.whole()
        return (await roles())?.primary ?? primary()
      }
      return {
        url,
        wires,
        kill: async () => self.signal(await primary(), 'SIGKILL', 'PostgreSQL'),
        async killBackend(draw) {
          const data = dataOf(await primary())
          const first = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
          const others = (await findServerProcesses(data)).filter((pid) => pid !== first)
          if (others.length > 0) send(draw(others), 'SIGKILL')
        },
        async pause(milliseconds) {
          const paused = await primary()
          await self.signal(paused, 'SIGSTOP', 'machine')
          await sleep(milliseconds)
          await self.signal(paused, 'SIGCONT', 'machine')
        },
        fillDisk:
          mounted.length === servers.length
            ? async (milliseconds) => fillDisk(diskOf(await primary()), milliseconds)
            : undefined,
        ready: () => self.write(AbortSignal.timeout(longestOutage)),
        stop: async () => void (await Promise.all(wires.map((wire) => wire.close()))),
      }
    },
    stop,
  }
  return self
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
