// Registration: passport, token and starting grant in one transaction, with an exact replay while the proof lives.
// docs/contract/identity.md#registering.
import { randomBytes } from 'node:crypto'
import { currentDocuments } from '../../documents.ts'
import { refuse } from '../../kernel/refuse.ts'
import { registrationCopy } from '../../mail/registration-copy.ts'
import { count } from '../../quotas/counters.ts'
import { keepFindable } from '../../search/findable.ts'
import { equalBytes, sha256, tokenFrom } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import { contentDigest } from '../../store/once.ts'
import { type Tx, violatedUnique } from '../../store/sql.ts'
import { noteOwner } from '../reputation/owners.ts'
import { openWallet } from '../wallet/wallet.ts'
import { type ChallengeRow, canSendMail, find, lock, markUsed, ownerLanguages, placeOf } from './challenges.ts'
import { requireAgentName } from './claimed-names.ts'
import { keyTaken, requireFreeHandle, requireFreeKey } from './handles.ts'
import { publicKeyBytes } from './keys.ts'
import { type AgentRow, findAgent, passport } from './passport.ts'
import { recommendationsDigest } from './recommendations.ts'
import { findableAgent, searchGrams, searchText } from './search.ts'
import { keepSpecialtyWords } from './specialty-words.ts'
import { insertToken, type TokenGrant } from './tokens.ts'

export interface Registration {
  handle: string
  display_name: string
  encryption_public_key: string
  owner_challenge_id?: string
  owner_verification_token?: string
  specialty?: string | null
  bio?: string | null
  profile_public?: boolean
  character_description?: string | null
  country?: string | null
  city?: string | null
  preferred_language?: string | null
  invitation?: string
}

export interface Registered extends TokenGrant {
  bot: AgentRow
}

/** An email may own so many passports over all time. */
export const maxPassports = 3

/**
 * Registers an agent by a proof of its owner's email, which also makes an exact replay safe. With the gate off the
 * proof may be left out, and then nothing does.
 */
export async function register(service: Service, ask: Registration, languages: readonly string[]): Promise<Registered> {
  // A fault of form, whatever the proof is.
  publicKeyBytes(ask.encryption_public_key, 'encryption_public_key')
  const hasProof = ask.owner_challenge_id !== undefined || ask.owner_verification_token !== undefined
  const needsProof = hasProof || service.config.ownerEmailGate
  try {
    return await service.sql.transaction((tx) =>
      needsProof ? withProof(tx, service, ask, languages) : without(tx, service, ask),
    )
  } catch (error) {
    // Two registrations of one handle or key at once: both found it free.
    const unique = violatedUnique(error)
    if (unique === 'agents_handle') refuse('handle_unavailable')
    if (unique === 'agents_public_key') keyTaken()
    throw error
  }
}

async function without(tx: Tx, service: Service, ask: Registration): Promise<Registered> {
  requireInvitation(service, ask)
  requireAgentName(service.config, ask.display_name)
  return create(tx, ask, tokenFrom(randomBytes(32)))
}

async function withProof(
  tx: Tx,
  service: Service,
  ask: Registration,
  languages: readonly string[],
): Promise<Registered> {
  const { owner_challenge_id: challengeId, owner_verification_token: verificationToken } = ask
  if (challengeId === undefined || verificationToken === undefined) {
    const missing = (path: string, value: unknown) => (value === undefined ? [{ path, problem: 'required' }] : [])
    refuse('invalid_input', {
      details: {
        fields: [
          ...missing('owner_challenge_id', challengeId),
          ...missing('owner_verification_token', verificationToken),
        ],
      },
    })
  }
  const proof = Buffer.from(verificationToken, 'base64url')
  const challenge = await lock(tx, 'registration', challengeId)
  if (!challenge || !proves(challenge, proof)) return refuse('invalid_email_verification')
  const alive = isAlive(challenge, tx.now)
  const token = tokenFrom(service.secrets.derive('registration token', proof, challenge.id, 32))
  const digest = digestOf(ask)
  if (challenge.used_at) {
    if (!alive) refuse('email_verification_used')
    if (!challenge.registration_digest?.equals(digest)) refuse('registration_replay_conflict')
    return replay(tx, token)
  }
  requireInvitation(service, ask)
  requireAgentName(service.config, ask.display_name)
  if (!alive || !isBoundTo(challenge, ask)) refuse('invalid_email_verification')
  const registered = await create(tx, ask, token, challenge.email)
  await markUsed(tx, challenge.id, digest)
  if (canSendMail(service)) {
    const words = service.speak(ownerLanguages(languages, registered.bot.preferred_language))
    const copy = registrationCopy(words, {
      ...placeOf(service),
      passport: passport(registered.bot),
      documents: currentDocuments(service.documents),
    })
    await service.mailer.queue(tx, { kind: 'registration_copy', recipient: challenge.email, ...copy })
  }
  return registered
}

/** Whether this registration was answered before, to the letter, and would be answered so again. */
export async function isReplay({ sql, clock }: Service, ask: Registration): Promise<boolean> {
  if (ask.owner_challenge_id === undefined || ask.owner_verification_token === undefined) return false
  const challenge = await find(sql, 'registration', ask.owner_challenge_id)
  return (
    challenge !== undefined &&
    challenge.used_at !== null &&
    proves(challenge, Buffer.from(ask.owner_verification_token, 'base64url')) &&
    isAlive(challenge, clock.now()) &&
    challenge.registration_digest?.equals(digestOf(ask)) === true
  )
}

const proves = ({ verification_digest: digest }: ChallengeRow, proof: Buffer): boolean =>
  digest !== null && equalBytes(sha256(proof), digest)

const isAlive = ({ verification_expires_at: end }: ChallengeRow, now: Date): boolean => end !== null && end > now

/** What a registration said beside its proof. */
function digestOf(ask: Registration): Buffer {
  const { owner_challenge_id: _id, owner_verification_token: _token, ...content } = spelledOut(ask)
  return contentDigest(content)
}

/** The same grant again. It revives nothing that was revoked since; a token of another SECRET_KEY is not known here. */
async function replay(tx: Tx, token: string): Promise<Registered> {
  const [row] = await tx<{ agent_id: string; expires_at: Date }>`
    select agent_id, expires_at from tokens where digest = ${sha256(token)}`
  const bot = row && (await findAgent(tx, row.agent_id))
  if (!row || !bot) return refuse('email_verification_used')
  return { bot, token, token_expires_at: row.expires_at }
}

/** With its defaults, so that leaving one out or writing it makes no difference. */
const spelledOut = (fields: Registration) => ({
  ...fields,
  invitation: fields.invitation || undefined,
  profile_public: fields.profile_public ?? true,
  specialty: fields.specialty || null,
  bio: fields.bio || null,
  character_description: fields.character_description || null,
  country: fields.country || null,
  city: fields.city || null,
  preferred_language: fields.preferred_language || null,
})

const isBoundTo = (challenge: ChallengeRow, ask: Registration): boolean =>
  challenge.handle === ask.handle && challenge.encryption_public_key?.toString('base64') === ask.encryption_public_key

function requireInvitation(service: Service, ask: Registration): void {
  const { invitationCodes } = service.config
  if (invitationCodes.length === 0) return
  const given = sha256(ask.invitation ?? '')
  if (!invitationCodes.some((code) => equalBytes(sha256(code), given))) refuse('invalid_invitation')
}

async function create(tx: Tx, ask: Registration, token: string, email?: string): Promise<Registered> {
  const key = publicKeyBytes(ask.encryption_public_key, 'encryption_public_key')
  await requireFreeHandle(tx, ask.handle)
  await requireFreeKey(tx, key)
  if (email !== undefined) await countPassport(tx, email)
  const fields = {
    ...spelledOut(ask),
    email_verified_at: email === undefined ? null : tx.now,
    avatar_attachment_id: null,
    character_attachment_id: null,
  }
  const id = tx.newId()
  await tx`insert into parties (id, kind, created_at) values (${id}, 'agent', ${tx.now})`
  await tx`
    insert into agents (id, handle, display_name, specialty, bio, character_description, country, city,
      preferred_language, profile_public, encryption_public_key, owner_email, email_verified_at, search_text,
      search_grams, recommendations_digest, created_at, updated_at)
    values (${id}, ${fields.handle}, ${fields.display_name}, ${fields.specialty}, ${fields.bio},
      ${fields.character_description}, ${fields.country}, ${fields.city}, ${fields.preferred_language},
      ${fields.profile_public}, ${key}, ${email ?? null}, ${fields.email_verified_at},
      ${searchText(fields)}, ${searchGrams(fields)}, ${recommendationsDigest(fields)}, ${tx.now}, ${tx.now})`
  await keepFindable(tx, findableAgent({ ...fields, id }))
  if (email !== undefined) await noteOwner(tx, id, email)
  if (fields.profile_public) await count(tx, 'open_agents', 1)
  if (fields.specialty) await keepSpecialtyWords(tx, id)
  await openWallet(tx, id)
  const grant = await insertToken(tx, id, token)
  const bot = (await findAgent(tx, id)) as AgentRow
  return { bot, ...grant }
}

/** Counts a passport towards the three of its email, for all time; a fourth is `owner_email_limit`. */
export async function countPassport(tx: Tx, email: string): Promise<void> {
  await tx`insert into owners (email, created_at) values (${email}, ${tx.now}) on conflict do nothing`
  const counted = await tx`
    update owners set passports = passports + 1 where email = ${email} and passports < ${maxPassports} returning passports`
  if (counted.length === 0) refuse('owner_email_limit')
}
