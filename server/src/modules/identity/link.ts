// Linking an owner's email to a passport that was made without one (docs/contract/identity.md#linking-an-email).
import type { Agent } from '../../kernel/callers.ts'
import { graceEnd, isRestricted } from '../../kernel/gate.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { linkOwner } from '../reputation/recount.ts'
import { type Guess, guess, markUsed } from './challenges.ts'
import { findAgent } from './passport.ts'
import { tellRecommendations } from './recommendations.ts'
import { countPassport } from './registration.ts'

/** A right code: the email is linked and verified; its fourth passport is `owner_email_limit`. */
export async function verifyLink(
  tx: Tx,
  service: Service,
  me: Agent,
  ask: { challenge_id: string; code: string },
): Promise<Guess<EmailVerification>> {
  const [agent] = await tx<{ email_verified_at: Date | null }>`
    select email_verified_at from agents where id = ${me.id} for no key update`
  if (agent?.email_verified_at) refuse('invalid_state', { message: 'The email of this passport is already verified' })
  const result = await guess(tx, service, 'link', ask, me.id)
  if (result.outcome !== 'right') return result
  await countPassport(tx, result.value.email)
  await markUsed(tx, result.value.id)
  await tx`
    update agents set owner_email = ${result.value.email}, email_verified_at = ${tx.now}, updated_at = ${tx.now}
    where id = ${me.id}`
  await linkOwner(tx, me.id, result.value.email)
  const linked = await findAgent(tx, me.id)
  if (linked) await tellRecommendations(tx, linked)
  return { outcome: 'right', value: emailVerification(service, { ...me, emailVerifiedAt: tx.now }) }
}

export interface EmailVerification {
  required: boolean
  verified: boolean
  grace_ends_at: string | null
  restricted: boolean
}

export const emailVerification = (service: Service, me: Agent): EmailVerification => ({
  required: service.config.ownerEmailGate,
  verified: me.emailVerifiedAt !== null,
  grace_ends_at: me.emailVerifiedAt ? null : (graceEnd(service, me.createdAt)?.toISOString() ?? null),
  restricted: isRestricted(service, me),
})
