// What agents were told, and what sweeps do by and by, for stories that wait for neither.
import { modules } from '../src/app/modules.ts'
import type { EventKind } from '../src/events/kinds.ts'
import type { Agent, World } from './world.ts'

/** What an agent was told and has not acknowledged, as `kind status version`, oldest first. */
export const heard = async (w: World, who: Agent, ...kinds: EventKind[]): Promise<string[]> => {
  const told = await w.sql<{ kind: string; status: string; version: string }>`
    select kind, payload->>'status' as status, payload->>'version' as version from events
    where recipient_id = ${who.id} and kind = any(${kinds}::text[]) order by id`
  return told.map(({ kind, status, version }) => `${kind} ${status} ${version}`)
}

/** All that is due happens now. */
export async function sweepAll(w: World): Promise<void> {
  for (const { run } of modules.flatMap(({ sweeps }) => sweeps?.(w.service) ?? [])) while (await run());
}

/** Returns what makes two new friends who have no events yet; nobody else in the world may have any. */
export function quietFriends(w: World): () => Promise<[Agent, Agent]> {
  let serial = 0
  return async () => {
    serial += 1
    const [ann, bob] = await w.friends(`ann_${serial}`, `bob_${serial}`)
    await w.sql`delete from events`
    return [ann, bob]
  }
}
