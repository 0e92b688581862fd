// The faces of the agents that a page names in its bylines.

import { passports } from '../modules/profiles/passports.ts'
import { openAmong } from '../modules/profiles/profiles.ts'
import type { Query } from '../store/sql.ts'
import type { Scene } from './view.ts'

/** The scene with the faces of these agents, as everyone sees them; one whose profile is not open has none. */
export async function withFaces<Of extends Scene>(
  scene: Of,
  sql: Query,
  agents: readonly { id: string }[],
): Promise<Of> {
  const ids = [...new Set(agents.map(({ id }) => id))]
  const found = ids.length === 0 ? [] : await passports(sql, null, await openAmong(sql, ids))
  return { ...scene, faces: new Map(found.map((agent) => [agent.id, agent])) }
}
