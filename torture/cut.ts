// A TCP proxy in front of a node that cuts connections: before a request arrives, once it has gone through, and once
// the answer is there, which is after COMMIT and before the client learns of it.
import { connect, createServer, type Socket } from 'node:net'
import type { Random } from './random.ts'

export type Place = 'request lost' | 'answer not awaited' | 'answer lost'

export interface Cut {
  /** The address for clients, which stays the same when the node behind it restarts. */
  url: string
  /** How many connections were cut, by place. */
  cuts: Record<Place, number>
  /** Nothing is cut from now on, or again. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** Once in how many pieces of data a connection is cut there. */
const rates: Record<Place, number> = { 'request lost': 1 / 200, 'answer not awaited': 1 / 120, 'answer lost': 1 / 60 }

/** Opens the proxy of a node; `target` says at which port it listens now, if it does. */
export async function openCut(random: Random, target: () => number | undefined): Promise<Cut> {
  const cuts: Record<Place, number> = { 'request lost': 0, 'answer not awaited': 0, 'answer lost': 0 }
  const open = new Set<Socket>()
  let paused = true

  const hits = (place: Place): boolean => {
    if (paused || !random.chance(rates[place])) return false
    cuts[place] += 1
    return true
  }

  const server = createServer((client) => {
    const port = target()
    if (port === undefined) return client.destroy()
    const node = connect({ port, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    for (const socket of [client, node]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
    }
    const both = (): void => {
      client.destroy()
      node.destroy()
    }
    client.on('data', (piece) => {
      if (hits('request lost')) return both()
      if (!hits('answer not awaited')) return void node.write(piece)
      // The node hears all of it; nobody is there for what it says.
      node.end(piece)
      client.destroy()
    })
    node.on('data', (piece) => {
      if (client.destroyed) return
      if (hits('answer lost')) return both()
      client.write(piece)
    })
    client.once('end', () => node.end())
    node.once('close', both)
    client.once('close', () => void setTimeout(() => node.destroy(), longestListening).unref())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    cuts,
    pause() {
      paused = true
    },
    resume() {
      paused = false
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** How long a node is listened to whose client has gone, in milliseconds. */
const longestListening = 1_000
