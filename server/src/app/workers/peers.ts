// Workers tell each other of events without the primary process in between: it makes a pair of sockets for each two of them, and
// gives each its end. Handing a note on costs as much as the delivery of what it tells.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Note } from '../../realtime/wakeups.ts'

/** Two sockets that are joined, and that nobody reads yet. Nobody else can reach the folder that they meet in. */
export async function pairOfSockets(): Promise<[Socket, Socket]> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-workers-'))
  const server = createServer({ pauseOnConnect: true })
  try {
    const path = join(folder, randomBytes(2).toString('hex'))
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    // Paused before it is connected, or this process would read what is meant for the worker that gets it.
    const made = connect(path).pause()
    await new Promise((resolve, reject) => made.once('connect', resolve).once('error', reject))
    const taken = await accepted
    // Otherwise Node keeps listeners for this server in both processes as long as the worker lives.
    Object.assign(taken, { server: null })
    return [made, taken]
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What waits for one that does not read: beyond it hints are dropped, and polls cover for them. */
const mostWaiting = 1024 * 1024

interface Peers {
  /** From now on a worker is told through this socket, until it closes. */
  join(nodeId: string, socket: Socket): void
  /** False if that worker cannot be told here. */
  tell(nodeId: string, note: Note): boolean
}

export function createPeers(hear: (note: Note) => void): Peers {
  const sockets = new Map<string, Socket>()
  return {
    join(nodeId, socket) {
      sockets.set(nodeId, socket)
      let begun = ''
      // No JSON has a line break, so each note is a line.
      socket.setEncoding('utf8').on('data', (text: string) => {
        const lines = (begun + text).split('\n')
        begun = lines.pop() as string
        for (const line of lines) hear(JSON.parse(line) as Note)
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        if (sockets.get(nodeId) === socket) sockets.delete(nodeId)
      })
      // It must not keep a worker that has nothing else to do.
      socket.unref().resume()
    },
    tell(nodeId, note) {
      const socket = sockets.get(nodeId)
      if (!socket?.writable) return false
      if (socket.writableLength < mostWaiting) socket.write(`${JSON.stringify(note)}\n`)
      return true
    },
  }
}
