// What the event channel adds besides its sockets: it keeps the outbox short, and shows the operator what waits in it.
import { minutes, seconds } from '../kernel/clock.ts'
import { age } from '../kernel/words.ts'
import { type Module, queue } from '../module.ts'
import { only } from '../store/sql.ts'
import { countUnacknowledged, eventsForgetting, oldestAgeIn } from './backlog.ts'

interface Events {
  unacknowledged: number
  recipients: number
  oldest_at: Date | null
}

interface Connections {
  node: string
  seen_at: Date
  /** An expired lease keeps nothing open. */
  open: number
}

/** For a metric: the length of the outbox, or that it is long. */
const mostCounted = 100_000

export const realtime: Module = {
  sweeps: ({ sql, clock, metrics, log }) => {
    const oldestAge = oldestAgeIn({ sql, log })
    return [
      { name: 'events', everyMilliseconds: minutes(10), run: eventsForgetting(sql, clock) },
      {
        name: 'backlog',
        everyMilliseconds: seconds(30),
        run: async () => {
          const waiting = await countUnacknowledged(sql, mostCounted)
          metrics.eventsUnacknowledged.set(waiting)
          const oldest = waiting === 0 ? 0 : await oldestAge(clock.now())
          if (oldest !== undefined) metrics.oldestUndelivered.set(oldest)
          return false
        },
      },
    ]
  },
  queues: [
    queue<Events>({
      name: 'events',
      read: async (tx) =>
        only(
          await tx<Events>`
            select count(*)::int as unacknowledged, count(distinct recipient_id)::int as recipients,
              min(created_at) as oldest_at from events`,
        ),
      lines: ({ unacknowledged, recipients, oldest_at }, now) => [
        `Events       ${unacknowledged} unacknowledged of ${recipients} agents, oldest ${age(oldest_at, now)}`,
      ],
    }),
    queue<Connections[]>({
      name: 'connections',
      read: (tx) => tx<Connections>`
        select n.name as node, n.seen_at, count(c.id) filter (where c.expires_at > ${tx.now})::int as open
        from nodes n left join connections c on c.node_id = n.id
        group by n.id order by n.name, n.id`,
      lines: (connections, now) => [
        `Connections  ${connections.reduce((sum, { open }) => sum + open, 0)} open`,
        ...connections.map(({ node, open, seen_at }) => `  ${open} on ${node}, alive ${age(seen_at, now)} ago`),
      ],
    }),
  ],
}
