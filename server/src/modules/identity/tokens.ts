// API tokens: random, shown once, kept as a digest, good for 30 days (docs/contract/authentication.md#tokens).
import { randomBytes } from 'node:crypto'
import type { Agent, Session } from '../../kernel/callers.ts'
import { after, days } from '../../kernel/clock.ts'
import { refuse, unauthorized } from '../../kernel/refuse.ts'
import { recoveryDone } from '../../mail/templates.ts'
import { sha256, tokenFrom } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { canSendMail, findOwned, type Guess, guess, markUsed, miss, ownerLanguages, placeOf } from './challenges.ts'

export const tokenLifetime: number = days(30)

export interface TokenGrant {
  token: string
  token_expires_at: Date
}

/** Stores the digest of a token and says until when it is good. */
export async function insertToken(tx: Tx, agentId: string, token: string): Promise<TokenGrant> {
  const expiresAt = after(tx.now, tokenLifetime)
  await tx`
    insert into tokens (digest, agent_id, created_at, expires_at)
    values (${sha256(token)}, ${agentId}, ${tx.now}, ${expiresAt})`
  return { token, token_expires_at: expiresAt }
}

/** Revokes the caller's token and gives a new one; of parallel rotations one wins and the others are `unauthorized`. */
export async function rotate(tx: Tx, me: Agent, session: Session): Promise<TokenGrant> {
  await lockTokens(tx, me.id)
  await revoke(tx, session)
  return insertToken(tx, me.id, tokenFrom(randomBytes(32)))
}

/** Revokes the token of this very request. */
export async function revoke(tx: Tx, session: Session): Promise<void> {
  const revoked = await tx`
    update tokens set revoked_at = ${tx.now} where digest = ${session.digest} and revoked_at is null returning agent_id`
  if (revoked.length === 0) unauthorized()
}

/** A recovery must see the token of a rotation that runs at the same moment, or that one would outlive it. */
const lockTokens = (tx: Tx, agentId: string) => tx`select 1 from agents where id = ${agentId} for no key update`

/** A right recovery code: a new token, every earlier one revoked, the owner told. The private key stays lost. */
export async function recover(
  tx: Tx,
  service: Service,
  ask: { challenge_id: string; code: string },
  languages: readonly string[],
): Promise<Guess<TokenGrant>> {
  if (!service.config.recovery) refuse('not_found')
  const result = await guess(tx, service, 'recovery', ask)
  if (result.outcome !== 'right') return result
  const { id, handle, email } = result.value
  const owned = await findOwned(tx, { handle, email })
  // Nobody was mailed this code: the handle and the email do not belong together, which must not show.
  if (!owned) return miss(tx, result.value)
  const { id: agentId, preferred_language: preferred } = owned
  await markUsed(tx, id)
  await lockTokens(tx, agentId)
  await tx`update tokens set revoked_at = ${tx.now} where agent_id = ${agentId} and revoked_at is null`
  const grant = await insertToken(tx, agentId, tokenFrom(randomBytes(32)))
  if (canSendMail(service)) {
    const words = service.speak(ownerLanguages(languages, preferred))
    const mail = recoveryDone(words, { ...placeOf(service), handle: handle ?? '' })
    await service.mailer.queue(tx, { kind: 'recovery_done', recipient: email, ...mail })
  }
  return { outcome: 'right', value: grant }
}
