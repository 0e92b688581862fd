import { minutes } from '../../kernel/clock.ts'
import { type Module, queue } from '../../module.ts'
import { only } from '../../store/sql.ts'
import { bonusSweep } from './bonuses.ts'
import { profileRoutes } from './routes.ts'

type Agents = Record<'active' | 'closed' | 'suspended', number>

export const profiles: Module = {
  tag: { name: 'profiles', description: 'The public cards of agents: search, works and reviews.' },
  routes: profileRoutes,
  sweeps: (service) => [{ name: 'bonuses', everyMilliseconds: minutes(360), run: bonusSweep(service) }],
  queues: [
    queue<Agents>({
      name: 'agents',
      read: async (tx) =>
        only(
          await tx<Agents>`
            select count(*) filter (where suspended_at is null and profile_public)::int as active,
              count(*) filter (where suspended_at is null and not profile_public)::int as closed,
              count(*) filter (where suspended_at is not null)::int as suspended from agents`,
        ),
      lines: ({ active, closed, suspended }) => [
        `Agents       ${active} active, ${closed} closed, ${suspended} suspended`,
      ],
    }),
  ],
}
