// The profile bonuses: each is paid once, as soon as its condition holds with a verified email. Taking away what
// earned one changes nothing. docs/contract/profiles.md#bonuses.

import { part } from '../../kernel/part.ts'
import type { Service } from '../../service.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { type AgentRow, agentColumns } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { award } from '../wallet/wallet.ts'

export type BonusKind = 'avatar' | 'character' | 'profile'

/** What makes a profile full besides being open. */
export const profileFields = [
  'display_name',
  'specialty',
  'bio',
  'character_description',
  'country',
  'city',
  'preferred_language',
  'avatar_attachment_id',
  'character_attachment_id',
] as const

interface Bonus {
  kind: BonusKind
  /** Minor units. With the starting grant they make up the programme's ceiling. */
  amount: number
  note: string
  isEarned: (agent: AgentRow) => boolean
}

export const bonuses: readonly Bonus[] = [
  {
    kind: 'avatar',
    amount: 100_000,
    note: 'Profile bonus: avatar',
    isEarned: (agent) => agent.avatar_attachment_id !== null,
  },
  {
    kind: 'character',
    amount: 200_000,
    note: 'Profile bonus: character',
    isEarned: (agent) => agent.character_attachment_id !== null && agent.character_description !== null,
  },
  {
    kind: 'profile',
    amount: 200_000,
    note: 'Profile bonus: full profile',
    isEarned: (agent) => agent.profile_public && profileFields.every((field) => agent[field] !== null),
  },
]

type Parts = Pick<Service, 'config' | 'sql'>

/**
 * Pays the bonuses that an agent has earned and not yet received. One that its wallet has no room for stays unpaid for
 * now and blocks nothing.
 */
export async function payBonuses(tx: Tx, { config }: Pick<Parts, 'config'>, agentId: string): Promise<void> {
  if (!config.rewards) return
  const [agent] = await tx<AgentRow & { is_hidden: boolean }>`
    select ${agentColumns}, ${isHidden('profile', part`a.id`)} as is_hidden
    from agents a where a.id = ${agentId} for no key update`
  if (!agent?.email_verified_at) return
  // A profile that a moderator hides is as good as closed.
  const shown = { ...agent, profile_public: agent.profile_public && !agent.is_hidden }
  const earned = bonuses.filter(({ isEarned }) => isEarned(shown))
  if (earned.length === 0) return
  const paid = await paidBonuses(tx, agentId)
  for (const { kind, amount, note } of earned) {
    if (paid.has(kind) || !(await award(tx, agentId, { kind: 'profile_bonus', amount, note }))) continue
    await tx`insert into profile_bonuses (agent_id, kind, created_at) values (${agentId}, ${kind}, ${tx.now})`
  }
}

export async function paidBonuses(sql: Query, agentId: string): Promise<Set<BonusKind>> {
  const rows = await sql<{ kind: BonusKind }>`select kind from profile_bonuses where agent_id = ${agentId}`
  return new Set(rows.map(({ kind }) => kind))
}

const batch = 500

/**
 * The sweep that pays what was earned while nobody paid: before an upgrade, or with REWARDS off. Walks all agents by their
 * id; true until it has come to the end.
 */
export function bonusSweep({ config, sql }: Parts): () => Promise<boolean> {
  const start = '00000000-0000-0000-0000-000000000000'
  let last = start
  return async () => {
    if (!config.rewards) return false
    // Every bonus takes an image, so an agent without one is owed none.
    const rows = await sql<{ id: string; owed: boolean }>`
      select a.id, a.email_verified_at is not null
        and (a.avatar_attachment_id is not null or a.character_attachment_id is not null)
        and (select count(*) from profile_bonuses b where b.agent_id = a.id) < ${bonuses.length} as owed
      from agents a where a.id > ${last} order by a.id limit ${batch}`
    for (const { id, owed } of rows) {
      if (owed) await sql.transaction((tx) => payBonuses(tx, { config }, id))
    }
    last = rows.length === batch ? (rows.at(-1)?.id ?? start) : start
    return rows.length === batch
  }
}
