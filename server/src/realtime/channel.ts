// The event channel, /ws/v1/events/: its connections from their opening to their close. docs/contract/events.md.
import type { IncomingMessage, Server } from 'node:http'
import { hostname } from 'node:os'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import type { Acknowledged } from '../events/acknowledged.ts'
import { bareAnswer } from '../http/bare-answer.ts'
import { noteCall } from '../http/calls.ts'
import { endWith } from '../http/lingering.ts'
import type { Admitted, Agent } from '../kernel/callers.ts'
import { newId, seconds } from '../kernel/clock.ts'
import type { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import type { Connection as DatabaseConnection } from '../store/sql.ts'
import { createAcknowledge } from './acknowledge.ts'
import { acknowledgedId, faultOf, tooManyFrames } from './client-frames.ts'
import { type Connection, createConnection, stalledFor } from './connection.ts'
import { frameReader } from './frame-reader.ts'
import { judge, notWebSocket } from './handshake.ts'
import * as leases from './leases.ts'
import { createPlaces, probeTime } from './places.ts'
import { createPresence } from './presence.ts'
import { createRelay, type Relay } from './relay.ts'
import { type Ended, endedAmong, endedSince } from './sessions.ts'
import { answerPings, createSocketServer } from './socket-server.ts'
import { joinWakeups, type Siblings, type Wakeups } from './wakeups.ts'

const pingEvery = seconds(30)
const stallLimit = seconds(30)
const checkSessionsEvery = seconds(10)

export interface Channel {
  /** Joins the other nodes. */
  start(): Promise<void>
  /** Rejects if for longer than a lease this node could not say that it is alive: no connection would last here. */
  check(): Promise<void>
  /** Starts to serve. */
  attach(server: Server): void
  /** Closes every socket with 1001, opens no more, and frees the leases; the other nodes are still told of new events. */
  closeSockets(): Promise<void>
  /** Leaves the other nodes, once nothing here writes events. */
  stop(): Promise<void>
}

export interface ChannelOptions {
  /** What follows an acknowledgement, by room. */
  acknowledged: readonly Acknowledged[]
  /** For hints of other services' nodes; undefined if no other service can use the database. */
  connection: DatabaseConnection | undefined
  redisUrl: string | undefined
  /** No other node can exist: the database belongs to this process. */
  alone: boolean
  /** The other workers of this service, each a node. */
  siblings?: Siblings | undefined
  listensOn: string
  /** How long a receiver may read nothing; 30 s by default. */
  stallMilliseconds?: number
}

export function createChannel(service: Service, options: ChannelOptions): Channel {
  const sockets = createSocketServer((stream) => refuseUpgrade(stream, notWebSocket))
  const node: leases.Node = { id: service.nodeId, name: `${hostname()} ${options.listensOn}` }
  let wakeups: Wakeups | undefined
  let peers = 0
  const presence = createPresence()
  const renewed = leases.renewals()
  let draining = false
  let started = false
  const readEnded = endedSince(service)
  let unsubscribe = (): void => {}
  const timers: NodeJS.Timeout[] = []
  /** Work that may still write leases. */
  const underWay = new Set<Promise<void>>()
  const places = createPlaces(service, node, (agentId) => {
    probe(agentId)
    wakeups?.probe(agentId)
  })
  const relay: Relay = createRelay({
    service,
    acknowledge: createAcknowledge(service, options.acknowledged),
    tellOthers: (events) => wakeups?.events(events),
    alone: options.alone,
  })
  /** Before the upgrade there is only HTTP. */
  const refuseUpgrade = (stream: Duplex, refusal: Refusal): void =>
    endWith(stream, bareAnswer(refusal, newId(service.clock.now()), service.publicUrl))

  async function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    stream.on('error', () => stream.destroy())
    const handshake = await judge(service, request, started && !draining).catch((error: Refusal) => {
      refuseUpgrade(stream, error)
    })
    if (!handshake) return
    sockets.handleUpgrade(request, stream, head, (socket) => {
      // ws has closed it already; without a listener the error would end the process.
      socket.on('error', () => {})
      if (draining) return close(socket, 1001)
      if ('closeWith' in handshake) return close(socket, handshake.closeWith)
      const { admitted, version } = handshake
      noteCall(service, admitted.caller.id)
      const opened = open(socket, stream, admitted, version).catch((error: unknown) => {
        service.log.warn({ error: safeError(error) }, 'an event connection could not be opened')
        close(socket, draining ? 1001 : 1013)
      })
      track(opened)
    })
  }

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  async function open(socket: WebSocket, stream: Duplex, admitted: Admitted<Agent>, version: number): Promise<void> {
    const now = performance.now()
    const connection = createConnection(socket, newId(service.clock.now()), admitted, version, now)
    socket.on('message', (data, isBinary) => receive(connection, data, isBinary))
    const readFrames = frameReader((header) => {
      const code = faultOf(connection, header)
      if (code !== undefined) close(socket, code)
    })
    // Before ws: when a message arrives, its pieces must already be counted.
    stream.prependListener('data', readFrames)
    answerPings(socket)
    socket.on('pong', () => {
      connection.awaitingPong = false
      connection.pongAt = performance.now()
    })
    socket.on('close', () => leave(connection))
    const taken = await places.take(connection).catch((error: unknown) => {
      // The lease may have been taken anyway.
      places.free(connection)
      throw error
    })
    if (!taken) return close(socket, 4429)
    if (draining) return close(socket, 1001)
    if (socket.readyState !== socket.OPEN) return places.free(connection)
    // Only now other nodes know that a block concerns this one: a message that was begun before must be read.
    connection.openedAt = performance.now()
    connection.pingAt = connection.openedAt + pingEvery
    relay.add(connection)
    if (peers > 0) announce(connection)
    service.metrics.sockets.set(relay.size)
  }

  /** From now on the other nodes announce new events; what they wrote before is polled for once more. */
  function announce(connection: Connection): void {
    wakeups?.came(connection.agent.id)
    setTimeout(() => relay.wake([connection.agent.id]), 1000).unref()
  }

  function leave(connection: Connection): void {
    const before = relay.size
    relay.remove(connection)
    if (relay.size === before) return
    service.metrics.sockets.set(relay.size)
    if (!draining) places.free(connection)
  }

  function close(socket: WebSocket, code: number): void {
    if (socket.readyState === socket.OPEN) service.metrics.socketsClosed.inc({ code })
    socket.close(code)
  }

  function receive(connection: Connection, data: RawData, isBinary: boolean): void {
    const { socket } = connection
    if (socket.readyState !== socket.OPEN) return
    const isWhole = (connection.pieces.shift() ?? 1) === 1
    const eventId = isBinary ? undefined : acknowledgedId(data as Buffer)
    if (eventId === undefined) close(socket, 4400)
    // Events may be acknowledged at any pace: the window limits them, and a backlog must be able to drain.
    else if (isWhole && !connection.inFlight.has(eventId) && tooManyFrames(connection)) close(socket, 4429)
    else relay.acknowledge(connection, eventId)
  }

  function probe(agentId: string): void {
    for (const connection of relay.of(agentId)) {
      const asked = performance.now()
      connection.socket.ping()
      const judge = (): void => {
        if (connection.pongAt < asked) connection.socket.terminate()
      }
      // After a turn of the loop, because a process that was blocked has not read the pong yet.
      setTimeout(() => setImmediate(judge), probeTime).unref()
    }
  }

  /** Pings, stalled readers, expired tokens: once a second over the sockets of this node. */
  function tick(): void {
    const now = performance.now()
    const wallClock = service.clock.now()
    for (const connection of relay.all()) {
      const { socket } = connection
      if (connection.session.expiresAt <= wallClock) close(socket, 4401)
      else if (stalledFor(connection, now) >= (options.stallMilliseconds ?? stallLimit)) close(socket, 1013)
      else if (now >= connection.pingAt) {
        // While it still reads its backlog, its pong may be behind that.
        if (connection.awaitingPong && socket.bufferedAmount === 0) close(socket, 1013)
        else socket.ping()
        connection.awaitingPong = true
        connection.pingAt = now + pingEvery
      }
      relay.resume(connection)
    }
  }

  /** Tokens revoked and agents suspended on any node, within half a second. */
  async function endSessions(): Promise<void> {
    if (relay.size > 0) end(await readEnded())
  }

  async function checkSessions(): Promise<void> {
    const digests = Array.from(relay.all(), ({ session }) => session.digest)
    for await (const ended of endedAmong(service.sql, digests)) end(ended)
  }

  function end({ tokens, agents }: Ended): void {
    if (tokens.size === 0 && agents.size === 0) return
    for (const { agent, session, socket } of relay.all()) {
      if (agents.has(agent.id)) close(socket, 4403)
      else if (tokens.has(session.digest.toString('hex'))) close(socket, 4401)
    }
  }

  async function renewLeases(): Promise<void> {
    const now = service.clock.now()
    const open = [...relay.all()]
    const held = await leases.renew(service.sql, node, {
      now,
      open: open.map(({ id, agent }) => ({ id, agentId: agent.id })),
    })
    // Frozen for longer than a lease, others may have taken our places: start over.
    for (const connection of open) {
      // A connection closed meanwhile may have got its lease again.
      if (connection.socket.readyState >= connection.socket.CLOSING) places.free(connection)
      else if (!held.has(connection.id)) close(connection.socket, 1013)
    }
    await leases.freeEarlierRuns(service.sql, node, { now, alone: options.alone, those: renewed.note() })
    await lookAround()
  }

  const renewDue = async (): Promise<void> => {
    if (renewed.isDue()) await renewLeases()
  }

  /** Which other nodes there are, and who is connected there. */
  async function lookAround(): Promise<void> {
    if (options.alone) return
    peers = await leases.countPeers(service.sql, node, service.clock.now())
    service.metrics.peers.set(peers)
    await presence.refresh(() => leases.heldElsewhere(service.sql, node))
  }

  const every = (milliseconds: number, what: string, work: () => void | Promise<void>): void => {
    const run = async (): Promise<void> => {
      try {
        await work()
      } catch (error) {
        service.log.warn({ error: safeError(error) }, `${what} failed and will be tried again`)
      }
    }
    timers.push(setInterval(() => track(run()), milliseconds))
  }

  let closed: Promise<void> | undefined
  function closeSockets(): Promise<void> {
    closed ??= closeAll()
    return closed
  }

  async function closeAll(): Promise<void> {
    draining = true
    for (const timer of timers) clearInterval(timer)
    relay.stop()
    const all = [...sockets.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets.clients) close(socket, 1001)
    await Promise.all(all)
    // A renewal takes lost leases again.
    await briefly(Promise.allSettled(underWay))
    // The node's row stays, because its requests still work; its agents reconnect to other nodes meanwhile.
    await briefly(leases.releaseAll(service.sql, node).catch(() => {}))
  }

  return {
    async start() {
      unsubscribe = service.hub.subscribe({
        push: (events) => relay.push(events),
        wake: (agentIds) => {
          relay.wake(agentIds)
          wakeups?.wake(agentIds)
        },
        async blocked(one, other) {
          relay.block(one, other)
          await wakeups?.blocked(one, other)
        },
      })
      if (!options.alone) {
        const { sql, log, metrics } = service
        const { connection, siblings, redisUrl } = options
        const { nodesOf } = presence
        const holders = (agentIds: readonly string[]) => leases.holders(sql, node, agentIds, service.clock.now())
        wakeups = await joinWakeups(
          { nodeId: node.id, sql, connection, siblings, redisUrl, log, metrics, peers: () => peers, nodesOf, holders },
          {
            wake: (agentIds) => relay.wake(agentIds),
            events: (events, begunAt) => relay.deliver(events, begunAt),
            came: presence.came,
            probe,
            blocked: relay.block,
            hello: () => {
              peers = Math.max(peers, 1)
              metrics.peers.set(peers)
            },
            missed() {
              relay.pollNow()
              lookAround().catch(() => {})
            },
          },
        )
      }
      await renewLeases()
      wakeups?.hello()
      every(1000, 'the round over the event sockets', tick)
      every(500, 'the check of ended sessions', oneAtATime(endSessions))
      every(checkSessionsEvery, 'the check of all sessions', oneAtATime(checkSessions))
      every(1000, 'giving leases back', places.freeAll)
      every(1000, 'the renewal of leases', oneAtATime(renewDue))
      started = true
    },
    async check() {
      if (renewed.isTooLate()) throw new Error('the leases could not be renewed')
    },
    attach(server) {
      server.on('upgrade', (request, stream, head) => void upgrade(request, stream, head))
    },
    closeSockets,
    async stop() {
      await closeSockets()
      unsubscribe()
      // Each would restore this node's row.
      await briefly(Promise.allSettled(underWay))
      await wakeups?.close()
      await leases.unregister(service.sql, node).catch(() => {})
    },
  }
}

/** Does nothing while the call before is under way. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    await work().finally(() => {
      isRunning = false
    })
  }
}

/** Waits for it, but not for a database that does not answer. */
const briefly = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, sleep(1000, undefined, { ref: false })])
