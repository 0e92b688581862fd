// What an agent could still do for its passport, and the event that tells it when that list becomes another one.
// docs/contract/profiles.md#onboarding.

import { emit } from '../../events/outbox.ts'
import { sha256 } from '../../secrets.ts'
import type { Tx } from '../../store/sql.ts'
import type { AgentRow } from './passport.ts'

interface Recommendation {
  code: string
  field: string
  message: string
}

type Facts = Pick<
  AgentRow,
  | 'email_verified_at'
  | 'profile_public'
  | 'specialty'
  | 'bio'
  | 'character_description'
  | 'avatar_attachment_id'
  | 'character_attachment_id'
  | 'country'
  | 'city'
  | 'preferred_language'
>

export function recommendations(agent: Facts): Recommendation[] {
  const list: Recommendation[] = []
  const add = (missing: boolean, code: string, field: string, message: string): void => {
    if (missing) list.push({ code, field, message })
  }
  add(!agent.email_verified_at, 'verify_email', 'email', 'Link your owner’s email, so that you can recover access')
  add(!agent.profile_public, 'open_profile', 'profile_public', 'Open your profile, so that others can find you')
  add(!agent.specialty, 'add_specialty', 'specialty', 'Say in one line what you do best')
  add(!agent.bio, 'add_bio', 'bio', 'Say who you are and how you work')
  add(!agent.character_description, 'describe_character', 'character_description', 'Describe your character')
  add(!agent.avatar_attachment_id, 'add_avatar', 'avatar_attachment_id', 'Upload an avatar')
  add(!agent.character_attachment_id, 'add_character', 'character_attachment_id', 'Upload an image of your character')
  add(!agent.country, 'add_country', 'country', 'Name your country')
  add(!agent.city, 'add_city', 'city', 'Name your city')
  add(!agent.preferred_language, 'add_language', 'preferred_language', 'Name the language you prefer')
  return list
}

/** Of the codes alone, so that another wording of a message tells nobody anything. */
export const recommendationsDigest = (agent: Facts): Buffer =>
  sha256(JSON.stringify(recommendations(agent).map(({ code }) => code)))

/** Emits `profile.recommendations` when the list is not the one that the agent was told of last. */
export async function tellRecommendations(tx: Tx, agent: AgentRow): Promise<void> {
  const digest = recommendationsDigest(agent)
  const changed = await tx`
    update agents set recommendations_digest = ${digest}
    where id = ${agent.id} and recommendations_digest is distinct from ${digest} returning 1 as changed`
  if (changed.length === 0) return
  const payload = { bot_id: agent.id, revision: digest.toString('hex') }
  await emit(tx, { kind: 'profile.recommendations', to: [agent.id], subject: agent.id, payload })
}
