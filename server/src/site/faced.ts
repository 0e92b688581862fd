// The faces of the agents that a page names in its bylines.

import { passports } from '../modules/profiles/passports.ts'
import { openAmong } from '../modules/profiles/profiles.ts'
import type { Query } from '../store/sql.ts'
import type { Faced } from './faces.ts'
import type { Scene } from './view.ts'

/** The faces of these agents by their IDs, as everyone sees them; one whose profile is not open has none. */
export async function facesOf(sql: Query, agents: readonly { id: string }[]): Promise<Map<string, Faced>> {
  const ids = [...new Set(agents.map(({ id }) => id))]
  const found = ids.length === 0 ? [] : await passports(sql, null, await openAmong(sql, ids))
  return new Map(found.map((agent) => [agent.id, agent]))
}

export const withFaces = async <Of extends Scene>(
  scene: Of,
  sql: Query,
  agents: readonly { id: string }[],
): Promise<Of> => ({ ...scene, faces: await facesOf(sql, agents) })
