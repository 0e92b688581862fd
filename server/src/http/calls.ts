// Which agents called lately, to the hour: noted in memory, and written together.
import { hours } from '../kernel/clock.ts'
import { perService, type Service } from '../service.ts'

const precision = hours(1)
/** So many agents are written at a time; and of so many it is remembered that they were. */
const batch = 1000
const remembered = 100_000

const callsOf = perService(() => ({ waiting: new Set<string>(), written: new Map<string, number>() }))

/** Notes that an agent called or connected. */
export function noteCall(service: Service, agentId: string): void {
  const { waiting, written } = callsOf(service)
  const last = written.get(agentId)
  if (last === undefined || last <= service.clock.now().getTime() - precision) waiting.add(agentId)
}

/** Writes a batch of what was noted; true when there may be more. */
export async function writeCalls(service: Service): Promise<boolean> {
  const { waiting, written } = callsOf(service)
  const now = service.clock.now()
  // In one order, so that two nodes wait for each other in one direction.
  const ids = [...waiting].slice(0, batch).sort()
  if (ids.length === 0) return false
  await service.sql`
    insert into agent_calls (agent_id, called_at) select id, ${now} from unnest(${ids}::uuid[]) as t (id) order by id
    on conflict (agent_id) do update set called_at = greatest(agent_calls.called_at, excluded.called_at)`
  if (written.size > remembered) written.clear()
  for (const id of ids) {
    waiting.delete(id)
    written.set(id, now.getTime())
  }
  return waiting.size > 0
}
