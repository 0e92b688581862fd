// A PostgreSQL server of the run's own, for nodes that reach it over wires: it can be killed, paused, and left without room.
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../server/src/embedded/embedded.ts'
import { findServerProcesses } from '../server/src/embedded/leftovers.ts'
import { fillDisk, mountDisk, unmountDisk } from './small-disk.ts'
import { violated } from './violation.ts'
import { type NodeWire, openWires } from './wire.ts'

/** Of the disk in memory that it has for itself, in MiB: its files and its log while a world is under load, and some room. */
const diskSize = 700
/** For it to take connections again, in milliseconds. */
const longestRecovery = 60_000

export interface OwnServer {
  /** For what is not tortured itself. */
  url: string
  /** One for each node, with the URL that the node has. */
  wires: readonly NodeWire[]
  kill(): Promise<void>
  killBackend(draw: (from: readonly number[]) => number): Promise<void>
  /** All its processes stop for so long, in milliseconds. */
  pause(milliseconds: number): Promise<void>
  /** Undefined if this user may not mount a disk: then it shares the machine's. */
  fillDisk: ((milliseconds: number) => Promise<void>) | undefined
  /** Waits until it takes connections. */
  ready(): Promise<void>
  stop(): Promise<void>
}

export async function startOwnServer(root: string, nodes: number): Promise<OwnServer> {
  const disk = join(root, 'disk')
  await mkdir(disk)
  const isMounted = await mountDisk(disk, diskSize)
  const unmount = async (): Promise<void> => {
    if (isMounted) await unmountDisk(disk)
  }
  await chmod(disk, 0o755)
  const embedded = await startEmbedded({
    folder: join(disk, 'postgres'),
    log: () => {},
    settings: { max_connections: '200', max_wal_size: '200MB', min_wal_size: '80MB' },
  }).catch(async (error) => {
    await unmount()
    throw error
  })
  const { host, port, user, database } = embedded.connection
  const urlAt = (address: string): string => `postgresql://${user}@${address}/${database}`
  const url = `${urlAt(`localhost:${port}`)}?host=${encodeURIComponent(host)}`
  const socket = { path: join(host, `.s.PGSQL.${port}`) }
  const wires = await openWires(nodes, socket, urlAt)
  const processes = (): Promise<number[]> => findServerProcesses(join(disk, 'postgres', 'data'))
  const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }

  return {
    url,
    wires,
    async kill() {
      if (embedded.running()) signal([embedded.pid], 'SIGKILL')
    },
    async killBackend(draw) {
      const others = (await processes()).filter((pid) => pid !== embedded.pid)
      if (others.length > 0) signal([draw(others)], 'SIGKILL')
    },
    async pause(milliseconds) {
      const stopped = await processes()
      signal(stopped, 'SIGSTOP')
      await sleep(milliseconds)
      signal(stopped, 'SIGCONT')
    },
    fillDisk: isMounted ? (milliseconds) => fillDisk(disk, milliseconds) : undefined,
    async ready() {
      for (const deadline = performance.now() + longestRecovery; ; await sleep(20)) {
        const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
        client.on('error', () => {})
        const isUp = await client.connect().then(
          () => true,
          () => false,
        )
        await client.end().catch(() => {})
        if (isUp) return
        if (performance.now() > deadline) violated('the database does not come back')
      }
    },
    async stop() {
      await Promise.all(wires.map((wire) => wire.close()))
      await embedded.stop('immediate')
      await unmount()
    },
  }
}
