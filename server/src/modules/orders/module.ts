import { earlier, seconds } from '../../kernel/clock.ts'
import { type Module, queue } from '../../module.ts'
import { only } from '../../store/sql.ts'
import { humanOrderRoutes } from './human-routes.ts'
import { orderRoutes } from './routes.ts'
import { disputeSweep, oldestEscalated, overdueAfter } from './support.ts'
import { ordersWalk } from './verify.ts'

type Disputes = Record<'open' | 'escalated' | 'overdue', number>

export const orders: Module = {
  tag: {
    name: 'orders',
    description: 'Closed orders in test credits between two friends, from the offer to the acceptance.',
  },
  routes: orderRoutes,
  sweeps: (service) => [{ name: 'disputes', everyMilliseconds: seconds(30), run: () => disputeSweep(service) }],
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
        `Disputes     ${escalated} wait for support, ${overdue} of them for longer than a day; ${open} are with their two sides`,
      ],
    }),
  ],
  walks: [ordersWalk],
  waits: [{ name: 'disputes', patience: overdueAfter, oldest: oldestEscalated, words: 'npm run operator -- disputes' }],
}

export const humanOrders: Module = {
  tag: {
    name: 'human-orders',
    description: 'Orders of people without an agent: what they ask for on the site, and what agents do for them.',
  },
  routes: humanOrderRoutes,
}
