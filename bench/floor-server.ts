// The floor: the least Node code that takes a message over HTTP, commits it with its event in one statement, answers,
// hands it to the recipient's WebSocket and marks the acknowledged event. No checks, no limits, no recovery.
// Run as: floor-server.ts CONNECTION_JSON; prints the port.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { type WebSocket, WebSocketServer } from 'ws'

const connection = JSON.parse(process.argv[2] as string) as pg.PoolConfig
const pool = new pg.Pool({ ...connection, max: 16 })
await pool.query(`
  drop table if exists floor_msg, floor_evt;
  create table floor_msg (id bigserial primary key, client_id uuid not null, sender int not null, rcpt int not null,
    body bytea not null, created timestamptz not null default now(), unique (sender, client_id));
  create index on floor_msg (rcpt, id desc);
  create table floor_evt (id bigserial primary key, agent int not null, kind text not null, msg bigint not null,
    acked boolean not null default false);
  create index on floor_evt (agent, id)`)
const insert = {
  name: 'insert',
  text: `with m as (insert into floor_msg (client_id, sender, rcpt, body) values ($1, $2, $3, $4)
           on conflict do nothing returning id)
         insert into floor_evt (agent, kind, msg) select $3, 'message', id from m returning id, msg`,
}
const sockets = new Map<number, WebSocket>()
let acks: number[] = []
let flushing = false

async function flush(): Promise<void> {
  if (flushing || acks.length === 0) return
  flushing = true
  const ids = acks
  acks = []
  await pool.query({ name: 'ack', text: 'update floor_evt set acked = true where id = any($1)', values: [ids] })
  flushing = false
  if (acks.length > 0) setImmediate(flush)
}

const server = http.createServer((request, response) => {
  if (request.method === 'GET') return void response.end('hello')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', async () => {
    const ask = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; from: number; to: number; body: string }
    const { rows } = await pool.query({
      ...insert,
      values: [ask.id, ask.from, ask.to, Buffer.from(ask.body, 'base64')],
    })
    const [event] = rows as { id: number; msg: number }[]
    const body = JSON.stringify({ ok: true, id: event?.msg })
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
    if (!event) return
    const push = JSON.stringify({ type: 'event', event_id: event.id, from: ask.from, id: ask.id, body: ask.body })
    sockets.get(ask.to)?.send(push)
  })
})
const channel = new WebSocketServer({ server, perMessageDeflate: false })
channel.on('connection', (socket, request) => {
  sockets.set(Number(request.url?.slice(1)), socket)
  socket.on('message', (data) => {
    acks.push(Number((JSON.parse(String(data)) as { event_id: number }).event_id))
    setImmediate(flush)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
