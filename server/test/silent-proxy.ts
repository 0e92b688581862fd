// A network between a service and its database that goes silent: nothing is forwarded and nothing is closed, as where a
// firewall drops packets or a node of a cluster is gone.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentProxy {
  /** The database by way of this proxy. */
  url: string
  /** Stops forwarding, in both directions, also for new connections. */
  silence(): void
  /** Forwards for those who connect from now on; the connections from before stay silent for ever, or go on. */
  restore(before: 'lost' | 'resumed'): void
  /** How many have connected so far. */
  connected(): number
  close(): Promise<void>
}

interface Pair {
  /** What has arrived on the one side and is not forwarded yet. */
  held: { to: Socket; chunk: Buffer }[]
  isSilent: boolean
}

export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  const reach = (): Socket => (folder === null ? connect(port, target.hostname) : connect(`${folder}/.s.PGSQL.${port}`))
  const pairs = new Map<Pair, Socket[]>()
  let isSilent = false

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = reach()
    const pair: Pair = { held: [], isSilent }
    pairs.set(pair, [near, far])
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => {})
      from.on('data', (chunk: Buffer) => {
        if (pair.isSilent) pair.held.push({ to, chunk })
        else to.write(chunk)
      })
      from.on('close', () => {
        // What is dropped is also the news of an end.
        if (!pair.isSilent) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    silence() {
      isSilent = true
      for (const pair of pairs.keys()) pair.isSilent = true
    },
    restore(before) {
      isSilent = false
      if (before === 'lost') return
      for (const [pair, [near, far]] of pairs) {
        pair.isSilent = false
        for (const { to, chunk } of pair.held.splice(0)) to.write(chunk)
        if (near?.destroyed) far?.destroy()
      }
    },
    connected: () => pairs.size,
    async close() {
      for (const sockets of pairs.values()) for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
