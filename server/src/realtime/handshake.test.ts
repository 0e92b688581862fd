// Opening the channel: subprotocols, tokens, headers, refusals before and after the upgrade.
// docs/contract/events.md#the-channel.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { story } from '../../test/story.ts'
import { type Agent, connectEvents, eventually } from '../../test/world.ts'
import { consoleOrigin } from '../http/origins.ts'
import { days } from '../kernel/clock.ts'
import { tokenFrom } from '../secrets.ts'
import { renew } from './leases.ts'

let serial = 0
const { w, ann } = story('ann')

const channel = '/ws/v1/events/'

interface Refused {
  status: number
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
  body: any
}
type Opened = { code: number } | { refused: Refused }

/** Opens with raw header lines, and says how it was refused, or closed; an opened socket is closed with 1000. */
function handshake(path: string, headers: readonly [string, string][], at = w.url): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const url = new URL(at)
    const asked = httpRequest({
      host: url.hostname,
      port: url.port,
      path,
      headers: [
        ['Host', url.host],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', Buffer.alloc(16).toString('base64')],
        ...headers,
      ].flat(),
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () =>
        resolve({
          refused: {
            status: response.statusCode as number,
            headers: response.headers,
            body: text.startsWith('{') ? JSON.parse(text) : text,
          },
        }),
      )
    })
    asked.on('upgrade', (_response, stream, head) => {
      let bytes: Buffer = Buffer.from(head)
      stream.on('error', () => {})
      const read = () => {
        // One unmasked close frame: 0x88, length, code.
        if (bytes.length >= 4 && bytes[0] === 0x88) {
          stream.destroy()
          resolve({ code: bytes.readUInt16BE(2) })
        }
      }
      stream.on('data', (piece: Buffer) => {
        bytes = Buffer.concat([bytes, piece])
        read()
      })
      read()
      // A close frame with 1000 of an open connection is answered with the same.
      stream.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]))
    })
    asked.end()
  })
}

const bearer = (token: string): [string, string] => ['Authorization', `Bearer ${token}`]

const refusal = async (path: string, headers: [string, string][], at?: string): Promise<string> => {
  const opened = await handshake(path, headers, at)
  return 'code' in opened ? `closed ${opened.code}` : `${opened.refused.status} ${opened.refused.body.error?.code}`
}

test('a handshake that WebSocket does not know is refused in the envelope, with the version that is spoken', async () => {
  const ada = await w.agent('ada_version')
  const authorization = ['Authorization', `Bearer ${ada.token}`] as [string, string]
  for (const wrong of [
    ['Sec-WebSocket-Version', '8'],
    ['Sec-WebSocket-Key', 'short'],
  ] as [string, string][]) {
    const opened = await handshake(channel, [authorization, wrong])
    assert.ok('refused' in opened)
    const { status, headers, body } = opened.refused
    assert.deepEqual([status, body.error.code], [400, 'invalid_input'], wrong[0])
    assert.equal(headers['sec-websocket-version'], '13')
    assert.ok(headers['x-request-id'])
  }
})

test('every version negotiates, and no version means the first', async () => {
  for (let version = 1; version <= 10; version++) {
    const socket = await connectEvents(w.url, ann.token, version)
    assert.equal(socket.socket.protocol, version === 1 ? '' : `platform.events.v${version}`)
    await socket.close()
  }
})

test('an unknown subprotocol, or more than one, is refused before the upgrade', async () => {
  const offered = (...names: string[]): [string, string][] => [
    bearer(ann.token),
    ...names.map((name): [string, string] => ['Sec-WebSocket-Protocol', name]),
  ]
  for (const names of [
    ['platform.events.v1'],
    ['platform.events.v12'],
    ['platform.events.v02'],
    ['platform.events.v10x'],
    ['Platform.Events.V10'],
    ['platform.events'],
    ['chat'],
    [''],
    ['platform.events.v9, platform.events.v10'],
    ['platform.events.v10, platform.events.v10'],
    ['platform.events.v10, chat'],
    ['platform.events.v10,'],
    ['platform.events.v9', 'platform.events.v10'],
  ]) {
    assert.equal(await refusal(channel, offered(...names)), '400 invalid_input', JSON.stringify(names))
  }
  assert.equal(await refusal(channel, offered('platform.events.v10')), 'closed 1000')
})

test('a missing, invalid or ended token closes with 4401', async () => {
  assert.equal(await refusal(channel, []), 'closed 4401')
  const tokens = ['', 'x', `kith_${'A'.repeat(43)}`, `${ann.token} x`]
  for (const token of tokens) assert.equal(await refusal(channel, [bearer(token)]), 'closed 4401', token)
  assert.equal(await refusal(channel, [['Authorization', `Basic ${ann.token}`]]), 'closed 4401')
  assert.equal(await refusal(channel, [['Authorization', `bearer ${ann.token}`]]), 'closed 1000')

  const revoked = await w.agent('revoked')
  await revoked.post('/tokens/revoke')
  assert.equal(await refusal(channel, [bearer(revoked.token)]), 'closed 4401')
  const rotated = await w.agent('rotated')
  const { token } = (await rotated.post('/tokens/rotate')).body
  assert.equal(await refusal(channel, [bearer(rotated.token)]), 'closed 4401')
  assert.equal(await refusal(channel, [bearer(token)]), 'closed 1000')
  const expired = await w.agent('expired')
  await w.sql`update tokens set expires_at = ${new Date(w.now().getTime() - days(1))} where agent_id = ${expired.id}`
  assert.equal(await refusal(channel, [bearer(expired.token)]), 'closed 4401')
})

test('a query string, a second Authorization header, a foreign Origin and a suspension close with 4403', async () => {
  const token = bearer(ann.token)
  for (const path of [`${channel}?`, `${channel}?token=${ann.token}`, `${channel}?a=1`]) {
    assert.equal(await refusal(path, [token]), 'closed 4403', path)
  }
  assert.equal(await refusal(channel, [token, token]), 'closed 4403')
  for (const origin of ['https://evil.example', 'null', `${w.url}/`, w.url.replace('http', 'https'), `${w.url}.evil`]) {
    assert.equal(await refusal(channel, [token, ['Origin', origin]]), 'closed 4403', origin)
  }
  assert.equal(await refusal(channel, [token, ['Origin', w.url]]), 'closed 1000')
  assert.equal(await refusal(channel, [token, ['Origin', consoleOrigin(w.url)]]), 'closed 1000')
  assert.equal(await refusal(channel, [token, ['Origin', w.url], ['Origin', 'https://evil.example']]), 'closed 4403')
  const eve = await w.agent('eve')
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${eve.id}`
  assert.equal(await refusal(channel, [bearer(eve.token)]), 'closed 4403')
  await w.sql`update agents set suspended_at = null where id = ${eve.id}`
})

test('a target that names an origin is its path', async () => {
  for (const origin of [w.url, 'HTTP://other.example', 'https://other.example:1']) {
    assert.equal(await refusal(origin + channel, [bearer(ann.token)]), 'closed 1000', origin)
    assert.equal(await refusal(`${origin}${channel}?a=1`, [bearer(ann.token)]), 'closed 4403', origin)
    assert.equal(await refusal(origin, [bearer(ann.token)]), '404 not_found', origin)
  }
})

test('another path is 404, and a request that is not a WebSocket handshake is plain HTTP', async () => {
  for (const path of ['/ws/v1/events', '/ws/v1/events//', '/ws/v2/events/', '/', '/api/v1/bots/me']) {
    assert.equal(await refusal(path, [bearer(ann.token)]), '404 not_found', path)
  }
  const version = await handshake(channel, [bearer(ann.token), ['Host', 'other.example']])
  assert.ok('refused' in version && version.refused.status === 400, 'a second Host')
  const plain = await fetch(`${w.url}${channel}`, { headers: { authorization: `Bearer ${ann.token}` } })
  assert.equal(plain.status, 404)
  // A client that would rather speak HTTP/2 is answered in HTTP/1.1.
  const text = await new Promise<string>((resolve) => {
    const { hostname, port, host } = new URL(w.url)
    const stream = connect(Number(port), hostname)
    let seen = ''
    stream.on('data', (piece) => {
      seen += piece
    })
    stream.on('close', () => resolve(seen))
    stream.write(
      `GET /api/v1/bots/me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${ann.token}\r\n` +
        'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n',
    )
  })
  assert.match(text, /^HTTP\/1\.1 200 /)
})

/** An agent whom an event waits for: a connection is established once it brings it. */
async function awaited(): Promise<Agent> {
  serial += 1
  const agent = await w.agent(`awaited_${serial}`)
  await ann.post('/contacts/requests', { recipient_id: agent.id })
  return agent
}

test('a passport has two connections, and a third closes with 4429, on any node, until one ends', async () => {
  const other = await w.node()
  const bob = await awaited()
  const [one, two] = [await bob.events(), await bob.events(1, other)]
  await Promise.all([one.next(), two.next()])
  const more = [await bob.events(), await bob.events(10, other)]
  assert.deepEqual(await Promise.all(more.map(({ closed }) => closed)), [4429, 4429])
  assert.deepEqual(
    more.map(({ frames }) => frames),
    [[], []],
  )
  assert.equal(one.socket.readyState, WebSocket.OPEN)
  assert.equal(two.socket.readyState, WebSocket.OPEN)
  await two.close()
  const three = await bob.events()
  await three.next()
  const { token } = (await bob.post('/tokens/rotate')).body
  assert.deepEqual(await Promise.all([one.closed, three.closed]), [4401, 4401])
  const again = await Promise.all([connectEvents(w.url, token), connectEvents(other.url, token)])
  for (const socket of again) await socket.next()
  for (const socket of again) await socket.close()
})

test('two of ten simultaneous connections stay', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const sockets = await Promise.all(Array.from({ length: 10 }, () => bob.events()))
  const codes: number[] = []
  for (const socket of sockets) void socket.closed.then((code) => codes.push(code))
  while (codes.length < 8)
    await Promise.race(sockets.filter((s) => s.socket.readyState !== WebSocket.CLOSED).map((s) => s.closed))
  assert.deepEqual(codes, Array(8).fill(4429))
  const open = sockets.filter(({ socket }) => socket.readyState === WebSocket.OPEN)
  assert.equal(open.length, 2)
  for (const socket of open) await socket.close()
})

test('many connections of one agent wait for each other: the excess is closed, and other agents connect', async () => {
  const [greedy, modest] = [await w.agent('greedy'), await awaited()]
  const codes: number[] = []
  const crowd = await w.sql.transaction(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`connections ${greedy.id}`}, 0))`
    const sockets = await Promise.all(Array.from({ length: 60 }, () => greedy.events()))
    for (const { closed } of sockets) void closed.then((code) => codes.push(code))
    // On a slow machine those that wait may be put off meanwhile.
    await eventually(() => codes.filter((code) => code === 4429).length > 42 || undefined, 'the rest to be closed')
    const [row] = await w.sql<{ held: number }>`
      select count(*)::int as held from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock%'`
    assert.equal(row?.held, 1, 'one connection of the pool')
    const other = await modest.events()
    await other.next()
    await other.close()
    return sockets
  })
  for (const { socket } of crowd) socket.terminate()
})

test('behind a trusted proxy guesses count for the address that the proxy reports', async () => {
  const node = await w.node({ READ_LIMIT_PER_MINUTE: '300', TRUSTED_PROXIES: '127.0.0.0/8, ::1, 10.0.0.0/8' })
  const guess = (forwarded: string): Promise<string> =>
    refusal(channel, [bearer(tokenFrom(randomBytes(32))), ['X-Forwarded-For', forwarded]], node.url)
  for (let n = 0; n < 10; n++) assert.equal(await guess('8.8.8.8'), 'closed 4401')
  for (const forwarded of ['8.8.8.8', '9.9.9.9, 8.8.8.8', '8.8.8.8, 10.1.2.3', '8.8.8.8:4711']) {
    assert.equal(await guess(forwarded), '429 read_limited', forwarded)
  }
  assert.equal(await guess('8.8.8.8, 7.7.7.7'), 'closed 4401')
  assert.equal(await guess('unknown'), 'closed 4401')
})

test('dead connections make room for new ones, on any node', async () => {
  const other = await w.node()
  const bob = await awaited()
  const dead = [await bob.events(), await bob.events(10, other)]
  for (const socket of dead) {
    await socket.next()
    socket.socket.pause()
  }
  const fresh = await bob.events()
  assert.equal((await fresh.next()).kind, 'contact.requested')
  await fresh.close()
  for (const { socket } of dead) socket.terminate()
})

test('the leases of a dead node expire', async () => {
  const bob = await awaited()
  const gone = '00000000-0000-7000-8000-00000000dead'
  await w.sql`insert into nodes (id, name, seen_at) values (${gone}, 'gone', ${w.now()})`
  for (const id of ['1', '2']) {
    await w.sql`
      insert into connections (id, agent_id, node_id, expires_at)
      values (${`00000000-0000-7000-8000-00000000000${id}`}, ${bob.id}, ${gone}, ${new Date(w.now().getTime() + 30_000)})`
  }
  assert.equal(await (await bob.events()).closed, 4429)
  w.travel(30_000)
  const fresh = await bob.events()
  await fresh.next()
  await fresh.close()
})

test('a node does not keep a lease alive that it could not free', async () => {
  const bob = await awaited()
  const socket = await bob.events()
  await socket.next()
  const [row] = await w.sql<{ id: string; node_id: string }>`select * from connections where agent_id = ${bob.id}`
  const left = randomUUID()
  await w.sql`
    insert into connections (id, agent_id, node_id, expires_at)
    values (${left}, ${bob.id}, ${row?.node_id}, ${new Date(w.now().getTime() + 30_000)})`
  const now = new Date(w.now().getTime() + 20_000)
  const node = { id: String(row?.node_id), name: 'a node' }
  const held = await renew(w.service.sql, node, { now, open: [{ id: String(row?.id), agentId: bob.id }] })
  assert.deepEqual([...held], [row?.id])
  const [lost] = await w.sql<{ expires_at: Date }>`select expires_at from connections where id = ${left}`
  assert.ok(lost && lost.expires_at.getTime() < now.getTime() + 30_000)
  await socket.close()
})

test('a draining node closes its sockets with 1001 and refuses new ones with 503', async () => {
  const node = await w.node()
  const [bob, cid] = [await w.agent('bob_drain'), await w.agent('cid_drain')]
  const socket = await bob.events(10, node)
  const kept = connect(Number(new URL(node.url).port), '127.0.0.1')
  await new Promise((resolve) => kept.once('connect', resolve))
  const late = new Promise<string>((resolve) => {
    let seen = ''
    kept.on('data', (piece) => {
      seen += piece
    })
    kept.on('error', () => {})
    kept.on('close', () => resolve(seen))
  })
  // Its receiver is slow to answer the close: the node is in its drain for that long.
  socket.socket.pause()
  const stopped = node.running.stop()
  kept.write(
    `GET ${channel} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer ${cid.token}\r\n\r\n`,
  )
  const answer = await late
  assert.match(answer, /^HTTP\/1\.1 503 /)
  assert.match(answer, /\r\nretry-after: \d+\r\n/i)
  assert.match(answer, /"code":"service_unavailable"/)
  socket.socket.resume()
  assert.equal(await socket.closed, 1001)
  await stopped
  assert.equal((await w.sql`select 1 from connections where agent_id = ${bob.id}`).length, 0)
})
