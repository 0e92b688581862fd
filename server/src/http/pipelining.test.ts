// A flood on one connection: what of it is worked on, what waits unread, and that others are answered meanwhile.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { eventually } from '../../test/world.ts'
import { boundPipelining, type Pipelining, type PipeliningOptions } from './pipelining.ts'

const servers: Server[] = []
after(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

interface Shop extends Pipelining {
  port: number
  /** Requests that the handler was given, by path, and how many it has not answered. */
  begun: string[]
  open: number
  mostOpen: number
  sockets: Set<Socket>
  /** Lets those go that wait for it. */
  release(): void
}

/** Answers with the path; below /gate only once it is released, below /big with a mebibyte, of a body with its length. */
async function shop(options: PipeliningOptions = {}): Promise<Shop> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '' } = request
    self.begun.push(url)
    self.mostOpen = Math.max(self.mostOpen, ++self.open)
    response.once('close', () => self.open--)
    let body = url
    if (request.method === 'POST') {
      let bytes = 0
      for await (const chunk of request) bytes += (chunk as Buffer).length
      body = `${url} ${bytes}`
    }
    if (url.startsWith('/gate')) await released
    if (url.startsWith('/big')) body = 'x'.repeat(1024 * 1024)
    response.end(`${body}\n`)
  }
  const pipelining = boundPipelining((request, response) => void answer(request, response), options)
  const server = createServer(pipelining.listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const self: Shop = { ...pipelining, port, begun: [], open: 0, mostOpen: 0, sockets: new Set(), release }
  server.on('connection', (socket) => self.sockets.add(socket))
  return self
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: shop\r\nX-Padding: ${'p'.repeat(60)}\r\n\r\n`

interface Client {
  socket: Socket
  /** The bodies that have come, each a line. */
  lines(): string[]
  closed: boolean
}

function client(port: number): Client {
  const socket = connect({ host: '127.0.0.1', port })
  const lines: string[] = []
  let rest = ''
  const self: Client = { socket, lines: () => lines, closed: false }
  socket.on('data', (bytes) => {
    const come = (rest + String(bytes)).split(/\r?\n/)
    rest = come.pop() ?? ''
    lines.push(...come.filter((line) => line.startsWith('/')))
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    self.closed = true
  })
  return self
}

const paths = (count: number, name: string): string[] => Array.from({ length: count }, (_, n) => `/${name}/${n}`)

test('four of 20,000 requests on a connection run, most are not read, and other clients are answered', async () => {
  const at = await shop()
  const all = paths(20_000, 'gate')
  const flood = client(at.port)
  const text = all.map(get).join('')
  flood.socket.write(text)
  await eventually(() => at.begun.length === 4 || undefined, 'the first four')
  // Somebody else's, many times over: each of them passes through the same loop as the flood.
  const other = client(at.port)
  for (let n = 0; n < 50; n++) {
    other.socket.write(get(`/now/${n}`))
    await eventually(() => other.lines().length === n + 1 || undefined, 'an answer beside the flood')
  }
  assert.equal(at.begun.filter((path) => path.startsWith('/gate')).length, 4)
  // One reading of the socket, at most 64 KiB.
  assert.ok(at.waiting() <= 65_536 / get('/gate/0').length, `${at.waiting()} wait`)
  const [connection] = at.sockets
  assert.ok((connection as Socket).bytesRead <= 65_536, 'the rest waits at the client')
  at.release()
  await eventually(() => flood.lines().length === all.length || undefined, 'all answers')
  assert.deepEqual(flood.lines(), all, 'in their order')
  assert.ok(at.mostOpen <= 5)
  assert.equal(at.waiting(), 0)
  flood.socket.destroy()
  other.socket.destroy()
})

test('most waiting requests never start once their connection is gone', async () => {
  const at = await shop()
  const flood = client(at.port)
  flood.socket.write(paths(300, 'gate').map(get).join(''))
  await eventually(() => at.waiting() === 296 || undefined, 'the others to wait')
  flood.socket.destroy()
  // It shows with the next answers, for nothing is read meanwhile.
  at.release()
  await eventually(() => [...at.sockets].every(({ destroyed }) => destroyed) || undefined, 'the connection to close')
  await eventually(() => at.waiting() === 0 || undefined, 'nothing to wait')
  assert.ok(at.begun.length < 100, `${at.begun.length} were begun`)
})

test('responses that wait behind another are over when their connection is', async () => {
  const at = await shop()
  const leaver = client(at.port)
  leaver.socket.pause()
  leaver.socket.write(paths(4, 'gate').map(get).join(''))
  await eventually(() => at.open === 4 || undefined, 'all four')
  leaver.socket.resetAndDestroy()
  await eventually(() => at.open === 0 || undefined, 'the end of each')
  at.release()
})

test('bodies of consecutive requests arrive whole, even where reading pauses between them', async () => {
  const at = await shop({ unanswered: 4 })
  const all = paths(200, 'post')
  const body = 'b'.repeat(5000)
  const flood = client(at.port)
  flood.socket.write(
    all.map((path) => `POST ${path} HTTP/1.1\r\nHost: shop\r\nContent-Length: 5000\r\n\r\n${body}`).join(''),
  )
  await eventually(() => flood.lines().length === all.length || undefined, 'all answers')
  assert.deepEqual(
    flood.lines(),
    all.map((path) => `${path} 5000`),
  )
  assert.ok(at.mostOpen <= 4)
  flood.socket.destroy()
})

test('a client that reads no responses gets no more of them, and is disconnected', async () => {
  const at = await shop({ stalled: 300 })
  const flood = client(at.port)
  flood.socket.pause()
  flood.socket.write(paths(500, 'big').map(get).join(''))
  await eventually(() => at.mostOpen === 4 || undefined, 'answers that nobody reads')
  await eventually(() => [...at.sockets].every(({ destroyed }) => destroyed) || undefined, 'the end of the connection')
  assert.ok(at.begun.length < 50, `${at.begun.length} answers were made`)
  await eventually(() => at.waiting() === 0 || undefined, 'nothing to wait')
  flood.socket.destroy()
})

test('a slow response is not a stalled reader, and an idle connection is kept', async () => {
  const at = await shop({ stalled: 50 })
  const patient = client(at.port)
  patient.socket.write(get('/now/1'))
  await eventually(() => patient.lines().length === 1 || undefined, 'the first answer')
  patient.socket.write(get('/now/2') + get('/gate/1') + get('/now/3'))
  await eventually(() => patient.lines().length === 2 || undefined, 'the second')
  await new Promise((resolve) => setTimeout(resolve, 300))
  at.release()
  await eventually(() => patient.lines().length === 4 || undefined, 'the others')
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(patient.closed, false)
  patient.socket.destroy()
})

test('when too many requests wait on all connections, one with more than its share is closed, and others are not', async () => {
  const at = await shop({ waiting: 1000 })
  const modest = client(at.port)
  modest.socket.write(paths(40, 'gate').map(get).join(''))
  await eventually(() => at.waiting() === 36 || undefined, 'the modest to wait')
  const floods = Array.from({ length: 6 }, () => client(at.port))
  for (const { socket } of floods) socket.write(paths(400, 'gate').map(get).join(''))
  await eventually(() => floods.some(({ closed }) => closed) || undefined, 'one of them to be ended')
  await eventually(() => at.waiting() <= 1000 || undefined, 'fewer to wait')
  at.release()
  await eventually(() => modest.lines().length === 40 || undefined, 'the answers to the modest')
  for (const { socket } of [modest, ...floods]) socket.destroy()
})
