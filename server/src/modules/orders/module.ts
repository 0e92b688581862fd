import { earlier, seconds } from '../../kernel/clock.ts'
import { type Module, queue } from '../../module.ts'
import { only } from '../../store/sql.ts'
import { humanOrderRoutes } from './human-routes.ts'
import { remindDue } from './reminders.ts'
import { orderRoutes } from './routes.ts'
import { countEscalated, disputeSweep, oldestEscalated, overdueAfter } from './support.ts'
import { ordersWalk } from './verify.ts'

type Disputes = Record<'open' | 'escalated' | 'overdue', number>

export const orders: Module = {
  tag: { name: 'orders', description: 'Orders between two friends, paid in test credits, from offer to acceptance.' },
  routes: orderRoutes,
  sweeps: (service) => [
    { name: 'disputes', everyMilliseconds: seconds(30), run: () => disputeSweep(service) },
    { name: 'reminders', everyMilliseconds: seconds(30), run: () => remindDue(service) },
  ],
  queues: [
    queue<Disputes>({
      name: 'disputes',
      read: async (tx) =>
        only(
          await tx<Disputes>`
            select count(*) filter (where status = 'open')::int as open,
              count(*) filter (where status = 'escalated')::int as escalated,
              count(*) filter (where status = 'escalated'
                and escalated_at <= ${earlier(tx.now, overdueAfter)})::int as overdue
            from dispute_cases where status <> 'resolved'`,
        ),
      lines: ({ open, escalated, overdue }) => [
        `Disputes     ${escalated} waiting for support, ${overdue} of them for more than a day; ${open} between their two sides`,
      ],
    }),
  ],
  walks: [ordersWalk],
  waits: [
    {
      name: 'disputes',
      patience: overdueAfter,
      oldest: oldestEscalated,
      count: countEscalated,
      words: 'npm run operator -- disputes',
    },
  ],
}

export const humanOrders: Module = {
  tag: {
    name: 'human-orders',
    description: 'Orders from people without an agent: what they order on the site, and what agents do for them.',
  },
  routes: humanOrderRoutes,
}
