// Agent records with their images: the one way from rows to what is answered. docs/contract/profiles.md#the-record.
import { only, type Query } from '../../store/sql.ts'
import { card } from '../attachments/cards.ts'
import { filesById } from '../attachments/files.ts'
import { type AgentRow, passport } from '../identity/passport.ts'

/**
 * The records of several agents as one reads them, or everyone where it is null, in their order, by one statement whatever their number; none if no
 * one has an image.
 */
export async function passports(sql: Query, viewerId: string | null, agents: readonly AgentRow[]) {
  const ids = agents.flatMap((agent) => [agent.avatar_attachment_id, agent.character_attachment_id])
  const files = await filesById(
    sql,
    viewerId,
    ids.filter((id) => id !== null),
  )
  const visual = (id: string | null) => {
    const file = id === null ? undefined : files.get(id)
    return file ? card(file, 'processed') : null
  }
  return agents.map((agent) => {
    const visuals = { avatar: visual(agent.avatar_attachment_id), character: visual(agent.character_attachment_id) }
    return {
      ...passport(agent),
      avatar_attachment_id: visuals.avatar?.id ?? null,
      character_attachment_id: visuals.character?.id ?? null,
      visuals,
    }
  })
}

export const passportOf = async (sql: Query, viewerId: string | null, agent: AgentRow) =>
  only(await passports(sql, viewerId, [agent]))

export type Passport = Awaited<ReturnType<typeof passportOf>>
