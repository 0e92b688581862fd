// The network between a node and its database, which can be slow, silent or cut.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Wire {
  port: number
  /** From now on each piece of data takes so long, in milliseconds; 0 for none. */
  slow(delay: number): void
  /** Nothing is forwarded and nothing is closed, until it is healed: then everything comes. */
  silence(): void
  /** Every connection is closed, and none can be made until it is healed. */
  cut(): void
  heal(): void
  close(): Promise<void>
}

/** The wire of a node, with the URL that the node has. */
export type NodeWire = Wire & { url: string }

/** One for each node, all to the same database; `urlAt` gives its URL at an address. */
export const openWires = (nodes: number, to: NetConnectOpts, urlAt: (address: string) => string): Promise<NodeWire[]> =>
  Promise.all(
    Array.from({ length: nodes }, async () => {
      const wire = await openWire(to)
      return { ...wire, url: urlAt(`127.0.0.1:${wire.port}`) }
    }),
  )

/** Forwards to an address of this machine. */
async function openWire(to: NetConnectOpts): Promise<Wire> {
  const open = new Set<Socket>()
  let delay = 0
  let isCut = false
  let silent = Promise.resolve()
  let speak = (): void => {}

  async function forward(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (delay > 0) await sleep(delay)
        await silent
        if (!to.write(piece)) await once(to, 'drain')
      }
      to.end()
    } catch {
      to.destroy()
    }
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    near.on('error', () => {})
    if (isCut) return near.destroy()
    const far = connect({ ...to, allowHalfOpen: true })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => other.destroy())
      socket.once('close', () => open.delete(socket))
      void forward(socket, other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const self: Wire = {
    port: (server.address() as AddressInfo).port,
    slow(milliseconds) {
      delay = milliseconds
    },
    silence() {
      silent = new Promise((resolve) => {
        speak = resolve
      })
    },
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    heal() {
      delay = 0
      isCut = false
      speak()
    },
    async close() {
      self.heal()
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
  return self
}
