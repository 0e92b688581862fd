// Blocks that were just committed. A message is read before it is sent, or told by the process that wrote it: either may be on
// its way when a block ends it, and after the answer to a block nothing may come (docs/contract/contacts.md#blocking).
import { seconds } from '../kernel/clock.ts'
import type { OutboxEvent } from './backlog.ts'

/** Longer than a statement may take with its wait for a connection: by then every message that is on its way has arrived. */
const keptFor = seconds(60)

export interface Blocks {
  add(one: string, other: string): void
  /** Whether one of them has ended this event. */
  end(event: Pick<OutboxEvent, 'kind' | 'payload'>): boolean
}

export function createBlocks(): Blocks {
  const kept = new Map<string, NodeJS.Timeout>()
  return {
    add(one, other) {
      const pair = pairOf(one, other)
      clearTimeout(kept.get(pair))
      kept.set(pair, setTimeout(() => kept.delete(pair), keptFor).unref())
    },
    end({ kind, payload }) {
      if (kept.size === 0 || kind !== 'message.created') return false
      const { sender_id, recipient_id } = payload as { sender_id: string; recipient_id: string }
      return kept.has(pairOf(sender_id, recipient_id))
    },
  }
}

const pairOf = (one: string, other: string): string => [one, other].sort().join(' ')
