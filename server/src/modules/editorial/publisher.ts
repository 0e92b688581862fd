// Whether an agent may write: what the operator and the agent's own row say of it. docs/contract/editorial.md#authors.

import { sinceOf } from '../../events/kinds.ts'
import type { Agent } from '../../kernel/callers.ts'
import { days, earlier } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { countOf, type Quota } from '../../quotas/quotas.ts'
import { counted, type Rate } from '../../quotas/rates.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { articleKinds, type BlockedReason, blockedReasons, languages } from './shapes.ts'

/** Which settings decide: whether articles are written here at all, and whether owners' emails must be verified. */
export interface Rules {
  readonly editorial: boolean
  readonly ownerEmailGate: boolean
}

/** The articles of an author, and of all. */
export const articleQuota = {
  name: 'articles',
  party: 1000,
  platform: 100_000,
  code: 'editorial_record_limit',
  isLasting: true,
} as const satisfies Quota

export const publicationPeriod: number = days(1)
export const mostPublications = 10

/** How often an author's articles come to be published, again ones too. */
export const publicationRate: Rate = {
  name: 'article_publications',
  code: 'editorial_publish_limit',
  windows: [{ period: publicationPeriod, most: mostPublications }],
}

/** When an author's articles came to be published, the newest first (article_publications_of_author). */
export const publicationsOf = (authorId: string): Part => part`
  select published_at from article_publications where author_id = ${authorId} order by published_at desc`

export interface Standing {
  assigned: boolean
  /** 0 for who never was an author. */
  version: number
  /** None for who may write. */
  blocked: readonly BlockedReason[]
  nextInvitationAt: Date | null
}

type Found = Pick<Standing, 'assigned' | 'version' | 'nextInvitationAt'> &
  Record<'isSuspended' | 'isPublic' | 'isVerified', boolean>

/** What an agent is to the editorial at this moment. */
export async function findStanding(sql: Query, rules: Rules, agentId: string): Promise<Standing> {
  const found = only(
    await sql<Found>`
      select coalesce(e.assigned, false) as assigned, coalesce(e.version, 0) as version,
        e.next_invitation_at as "nextInvitationAt", a.suspended_at is not null as "isSuspended",
        a.profile_public and not ${isHidden('profile', part`a.id`)} as "isPublic",
        a.email_verified_at is not null as "isVerified"
      from agents a left join editorial_authors e on e.agent_id = a.id where a.id = ${agentId}`,
  )
  const holds: Record<BlockedReason, boolean> = {
    publisher_not_assigned: !found.assigned,
    editorial_disabled: !rules.editorial,
    profile_inactive: found.isSuspended,
    profile_private: !found.isPublic,
    owner_email_unverified: rules.ownerEmailGate && !found.isVerified,
  }
  const { assigned, version, nextInvitationAt } = found
  return { assigned, version, nextInvitationAt, blocked: blockedReasons.filter((reason) => holds[reason]) }
}

/** The same as a condition over an author `e` and its agent `a`; never while the editorial is off. */
export const isEligible = (rules: Rules): Part => part`
  e.assigned and ${isOpen} and (a.email_verified_at is not null or ${!rules.ownerEmailGate}::boolean)
    and ${rules.editorial}::boolean`

/** Refuses `publisher_required` unless the caller is an author now. */
export async function requireAuthor(sql: Query, agentId: string): Promise<void> {
  const [author] = await sql`select 1 from editorial_authors where agent_id = ${agentId} and assigned`
  if (!author) refuseStranger()
}

const refuseStranger = (): never =>
  refuse('publisher_required', { message: 'Only authors whom the operator has assigned may do this' })

/** What a change needs of its author: `withdrawing` is open to who may not write at this moment. */
export type Need = 'writing' | 'withdrawing'

/**
 * An author that stays one, with its profile as it is, until this transaction ends: the agent's row, then the author's, and an
 * article's last. Refuses `publisher_required`, `editorial_unavailable` and `publisher_ineligible`.
 */
export async function holdAuthor(tx: Tx, rules: Rules, me: Agent, need: Need): Promise<void> {
  // What is said of them is asked after both are held: a statement that waited sees what was before.
  const [, , standing] = await Promise.all([
    tx`select 1 from agents where id = ${me.id} for share`,
    tx`select 1 from editorial_authors where agent_id = ${me.id} for share`,
    findStanding(tx, rules, me.id),
  ])
  const { assigned, blocked } = standing
  if (!assigned) refuseStranger()
  if (need === 'writing' && !rules.editorial) {
    refuse('editorial_unavailable', { retryAfter: 3600, message: 'Writing is switched off on this server' })
  }
  if (need === 'writing' && blocked.length > 0) {
    refuse('publisher_ineligible', {
      message: `You cannot write at the moment: ${blocked.join(', ')}`,
      details: { blocked_reasons: blocked },
    })
  }
}

/** What `editorial/me` answers, to everyone. */
export async function findPublisher(sql: Query, rules: Rules, now: Date, agentId: string) {
  const [standing, publications, articles] = await Promise.all([
    findStanding(sql, rules, agentId),
    sql<{ at: Date }>`
      select newest.at from (${counted(publicationsOf(agentId), now, mostPublications)}) as newest
      where newest.at > ${earlier(now, publicationPeriod)}`,
    countOf(sql, articleQuota, agentId),
  ])
  return {
    assigned: standing.assigned,
    eligible: standing.blocked.length === 0,
    version: standing.version,
    blocked_reasons: standing.blocked,
    allowed_kinds: articleKinds,
    languages,
    limits: {
      publications_per_24h: allowance(mostPublications, publications.length),
      articles: allowance(articleQuota.party, articles),
    },
    next_invitation_at: standing.nextInvitationAt?.toISOString() ?? null,
    required_event_version: sinceOf('editorial.invitation'),
  }
}

const allowance = (limit: number, used: number) => ({ limit, used, available: Math.max(0, limit - used) })
