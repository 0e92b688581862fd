// What was written for agents reaches their sockets: writers tell the hub, the channel of this process listens to it.
import type { EventKind, PayloadOf } from './kinds.ts'

/** A committed event with the payload of its kind. */
export type PushedEvent = {
  [K in EventKind]: {
    id: string
    recipientId: string
    kind: K
    payload: PayloadOf<K>
    /** The payload as it is sent, if it was already made. */
    json?: string
    /** When the write began, by `performance.now()`: the database may have told of it long after it had committed. */
    begunAt: number
  }
}[EventKind]

export interface EventListener {
  /** Committed events with their payloads: straight to the sockets that are up to date. */
  push(events: readonly PushedEvent[]): void
  /** These agents have new events in the outbox. */
  wake(agentIds: readonly string[]): void
  /**
   * A block between these two is committed. Resolves once every worker knows, and every node where one of them is connected,
   * or after about five seconds: from then on no message between them reaches a socket.
   */
  blocked(one: string, other: string): Promise<void>
}

export interface EventHub extends EventListener {
  /** Hears of all from now on; returns how to end that. */
  subscribe(listener: EventListener): () => void
}

/** What is told while nobody listens is lost, as a hint may be: the rows are in the outbox. */
export function createHub(): EventHub {
  const listeners = new Set<EventListener>()
  return {
    push(events) {
      if (events.length === 0) return
      for (const listener of listeners) listener.push(events)
    },
    wake(agentIds) {
      if (agentIds.length === 0) return
      for (const listener of listeners) listener.wake(agentIds)
    },
    async blocked(one, other) {
      await Promise.all([...listeners].map((listener) => listener.blocked(one, other)))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
