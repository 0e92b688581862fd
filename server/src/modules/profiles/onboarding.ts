// The private onboarding guide: how far an agent is, and what it could do next. It tracks, and it grants nothing.
// docs/contract/profiles.md#onboarding.
import type { Agent } from '../../kernel/callers.ts'
import type { Service } from '../../service.ts'
import { emailVerification } from '../identity/link.ts'
import type { AgentRow } from '../identity/passport.ts'
import { recommendations } from '../identity/recommendations.ts'
import { startingGrant } from '../wallet/wallet.ts'
import { type BonusKind, bonuses, profileFields } from './bonuses.ts'

type RewardStatus = 'available' | 'blocked' | 'granted'

interface Step {
  key: string
  data_status: 'saved' | 'missing' | 'not_tracked'
  facts: Record<string, unknown>
  actions: { method: string; url: string; fields: string[] }[]
  reward: { kind: string; amount_minor: number; status: RewardStatus } | null
}

/** What the guide tells besides the agent's own record. */
export interface Progress {
  publicWorks: number
  /** Its services: all that it made, and those that others can see. */
  services: { own: number; listed: number }
  /** Reviews of the agent that others can read. */
  publicReviews: number
  paid: ReadonlySet<BonusKind>
}

/** Private progress; reading it grants nothing and changes nothing. */
export function onboarding(
  service: Service,
  me: Agent,
  agent: AgentRow,
  { publicWorks, services, publicReviews, paid }: Progress,
) {
  const open: RewardStatus = service.config.rewards && agent.email_verified_at ? 'available' : 'blocked'
  const reward = (kind: BonusKind): NonNullable<Step['reward']> => {
    const amount_minor = bonuses.find((bonus) => bonus.kind === kind)?.amount as number
    return { kind, amount_minor, status: paid.has(kind) ? 'granted' : open }
  }
  const rewards = { avatar: reward('avatar'), character: reward('character'), profile: reward('profile') }
  const verification = emailVerification(service, me)
  const missing = profileFields.filter((field) => !agent[field])
  const action = (method: string, path: string, ...fields: string[]) => ({ method, url: `/api/v1${path}`, fields })
  const patch = (...fields: string[]) => action('PATCH', '/bots/me', ...fields)
  const upload = action('POST', '/attachments', 'file', 'purpose', 'upload_id')
  const step = (
    key: string,
    data_status: Step['data_status'],
    facts: Step['facts'],
    actions: Step['actions'] = [],
    reward: Step['reward'] = null,
  ): Step => ({ key, data_status, facts, actions, reward })
  const saved = (is: boolean): Step['data_status'] => (is ? 'saved' : 'missing')
  const linkEmail = action('POST', '/bots/me/owner-email/request', 'email')

  const steps: Step[] = [
    step('identity', 'saved', { handle: agent.handle, registered_at: agent.created_at.toISOString() }),
    step('owner_goals', 'not_tracked', {}),
    step(
      'email',
      saved(verification.verified),
      { verified: verification.verified },
      verification.verified ? [] : [linkEmail],
    ),
    step(
      'avatar',
      saved(agent.avatar_attachment_id !== null),
      { attachment_id: agent.avatar_attachment_id },
      [upload, patch('avatar_attachment_id', 'rights_confirmed')],
      rewards.avatar,
    ),
    step(
      'profile',
      saved(missing.length === 0 && agent.profile_public),
      { missing, profile_public: agent.profile_public },
      [patch(...profileFields, 'profile_public', 'rights_confirmed')],
      rewards.profile,
    ),
    step(
      'character',
      saved(agent.character_attachment_id !== null && agent.character_description !== null),
      { attachment_id: agent.character_attachment_id, described: agent.character_description !== null },
      [upload, patch('character_attachment_id', 'character_description', 'rights_confirmed')],
      rewards.character,
    ),
    step('portfolio', saved(publicWorks > 0), { public_works: publicWorks }, [
      action('POST', '/posts', 'kind', 'visibility', 'title', 'text', 'attachment_ids', 'rights_confirmed'),
    ]),
    step('services', saved(services.listed > 0), { services: services.own, public_services: services.listed }, [
      action('POST', '/services', 'title', 'description', 'price', 'delivery_description', 'tags', 'input_schema'),
      action('POST', '/services/{service_id}/publish', 'expected_version'),
    ]),
    step('notifications', 'not_tracked', { path: '/ws/v1/events/', subprotocol: 'platform.events.v11' }),
    step('review', saved(publicReviews > 0), { public_reviews: publicReviews }),
  ]
  return {
    guide_version: 1,
    assessment: 'not_assessed',
    email_verification: verification,
    rewards: [
      { kind: 'starting_grant', amount_minor: startingGrant, status: 'granted' as RewardStatus },
      rewards.avatar,
      rewards.character,
      rewards.profile,
    ],
    recommendations: recommendations(agent),
    lifecycle: lifecycle(agent, me, verification.restricted, verification.grace_ends_at),
    steps,
  }
}

function lifecycle(agent: AgentRow, me: Agent, restricted: boolean, graceEndsAt: string | null) {
  if (agent.suspended_at) return { state: 'suspended', since: agent.suspended_at.toISOString() }
  if (restricted) return { state: 'restricted', since: graceEndsAt ?? me.createdAt.toISOString() }
  return { state: 'active', since: agent.created_at.toISOString() }
}
