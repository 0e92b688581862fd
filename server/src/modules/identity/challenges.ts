// Codes to an email: to an owner's for a registration, for linking it to a passport and for recovering access, and to a
// customer's for signing in. docs/contract/identity.md#codes.
import { randomBytes, randomInt } from 'node:crypto'
import { currentDocuments } from '../../documents.ts'
import { after, days, earlier, minutes, seconds } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { isLanguage } from '../../kernel/text.ts'
import { linkCode, recoveryCode, registrationCode, sessionCode } from '../../mail/templates.ts'
import { equalBytes, sha256 } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { ChallengesRow } from '../../store/tables.ts'
import { normaliseEmail } from './email.ts'
import { requireFreeHandle, requireFreeKey } from './handles.ts'
import { publicKeyBytes } from './keys.ts'

export const codeLifetime: number = minutes(10)
export const maxAttempts = 5
export const resendAfter: number = seconds(60)
export const proofLifetime: number = minutes(30)
const maxPerDay = 10

export type Purpose = 'registration' | 'link' | 'recovery' | 'session'

export interface SentChallenge {
  challenge_id: string
  expires_at: Date
}

/** Who sends an email, as its words name it. */
export const placeOf = ({ publicUrl, config }: Service) => ({ publicUrl, name: config.siteName })

/** Whether codes can be sent at all. */
export const canSendMail = (service: Pick<Service, 'config'>): boolean => service.config.mail.kind !== 'none'

/** Sends a code and a confirmation link for a new registration; nothing in the answer tells what is known of the email. */
export async function requestRegistration(
  tx: Tx,
  service: Service,
  ask: { email: string; handle: string; encryption_public_key: string },
  languages: readonly string[],
): Promise<SentChallenge> {
  if (!canSendMail(service)) refuse('verification_setup_pending')
  const email = normaliseEmail(ask.email)
  const key = publicKeyBytes(ask.encryption_public_key, 'encryption_public_key')
  await requireFreeHandle(tx, ask.handle)
  await requireFreeKey(tx, key)
  await limitRequests(tx, email, 'registration')
  await tx`
    update challenges set replaced_at = ${tx.now}
    where email = ${email} and purpose = 'registration' and handle = ${ask.handle}
      and encryption_public_key = ${key} and replaced_at is null and used_at is null`
  const secret = randomBytes(32).toString('base64url')
  const code = newCode()
  const challenge = await insert(tx, service, { purpose: 'registration', email, code, handle: ask.handle, key, secret })
  const mail = registrationCode(service.speak(languages), {
    ...placeOf(service),
    code,
    link: `${service.publicUrl}/owner/confirm/${secret}`,
    handle: ask.handle,
    documents: currentDocuments(service.documents),
  })
  await service.mailer.queue(tx, {
    kind: 'registration_code',
    recipient: email,
    ...mail,
    expiresAt: challenge.expires_at,
  })
  return challenge
}

/** Sends a code that links an email to the caller's passport. */
export async function requestLink(
  tx: Tx,
  service: Service,
  me: { id: string; handle: string },
  ask: { email: string },
  languages: readonly string[],
): Promise<SentChallenge> {
  if (!canSendMail(service)) refuse('owner_email_disabled')
  const email = normaliseEmail(ask.email)
  const [agent] = await tx<{ email_verified_at: Date | null; preferred_language: string | null }>`
    select email_verified_at, preferred_language from agents where id = ${me.id} for no key update`
  if (agent?.email_verified_at) refuse('invalid_state', { message: 'The email of this passport is already verified' })
  await limitRequests(tx, email, 'link')
  await replaceForAgent(tx, me.id, 'link')
  const code = newCode()
  const challenge = await insert(tx, service, { purpose: 'link', email, code, agentId: me.id })
  const words = service.speak(ownerLanguages(languages, agent?.preferred_language))
  const mail = linkCode(words, { ...placeOf(service), code, handle: me.handle })
  await service.mailer.queue(tx, { kind: 'link_code', recipient: email, ...mail, expiresAt: challenge.expires_at })
  return challenge
}

/**
 * Sends a recovery code where handle and verified email belong together. Where they do not, everything is done and
 * written as if they did, but for the mail, which is gone before anybody could send it: neither the answer nor the time
 * that it takes tells the two apart.
 */
export async function requestRecovery(
  tx: Tx,
  service: Service,
  ask: { handle: string; email: string },
  languages: readonly string[],
): Promise<SentChallenge> {
  if (!service.config.recovery || !canSendMail(service)) refuse('not_found')
  const email = normaliseEmail(ask.email)
  // Each pair for itself, whether it belongs together or not. One count for the email would let a stranger who does not
  // even know the handle use its owner's requests up; one for the right pairs alone would tell which they are.
  const pair = part`and handle = ${ask.handle}`
  await limitRequests(tx, email, 'recovery', { among: pair, name: ask.handle })
  const owned = await findOwned(tx, { handle: ask.handle, email })
  await tx`
    update challenges set replaced_at = ${tx.now}
    where email = ${email} and purpose = 'recovery' ${pair} and replaced_at is null and used_at is null`
  const code = newCode()
  // Whose it is stays open until the code is right: a reference to an agent would be one more thing to lock and write.
  const challenge = await insert(tx, service, { purpose: 'recovery', email, code, handle: ask.handle })
  const words = service.speak(ownerLanguages(languages, owned?.preferred_language))
  const mail = recoveryCode(words, { ...placeOf(service), code, handle: ask.handle })
  await service.mailer.queue(tx, {
    kind: 'recovery_code',
    recipient: email,
    ...mail,
    expiresAt: challenge.expires_at,
    discarded: owned === undefined,
  })
  return challenge
}

/**
 * Sends a code that signs a customer in. Whether the email is known is not even asked, so nothing that can be seen or
 * measured tells it. A form names itself by an id: one that is sent twice in a hurry asks once.
 */
export async function requestSession(
  tx: Tx,
  service: Service,
  ask: { email: string; form?: string },
  languages: readonly string[],
): Promise<SentChallenge> {
  if (!canSendMail(service)) refuse('verification_setup_pending')
  const email = normaliseEmail(ask.email)
  const id = ask.form === undefined ? undefined : idOfForm(service, email, ask.form)
  await lockRequests(tx, email, 'session')
  const [sent] =
    id === undefined
      ? []
      : await tx<SentChallenge & { created_at: Date }>`
          select id as challenge_id, created_at, expires_at from challenges where id = ${id}`
  if (sent && sent.created_at > earlier(tx.now, resendAfter)) return sent
  await limitRequests(tx, email, 'session')
  await tx`
    update challenges set replaced_at = ${tx.now}
    where email = ${email} and purpose = 'session' and replaced_at is null and used_at is null`
  const code = newCode()
  const challenge = await insert(tx, service, { purpose: 'session', email, code, ...(!sent && { id }) })
  const mail = sessionCode(service.speak(languages), { ...placeOf(service), code })
  await service.mailer.queue(tx, { kind: 'session_code', recipient: email, ...mail, expiresAt: challenge.expires_at })
  return challenge
}

/** What the owner of an agent reads: what the request asks for, and then the language that the agent named. */
export const ownerLanguages = (asked: readonly string[], preferred: string | null | undefined): readonly string[] =>
  preferred && isLanguage(preferred) ? [...asked, preferred] : asked

/** The agent of this handle, where this is its verified email. */
export async function findOwned(
  sql: Query,
  { handle, email }: { handle: string | null; email: string },
): Promise<{ id: string; preferred_language: string | null } | undefined> {
  const [agent] = await sql<{ id: string; preferred_language: string | null }>`
    select id, preferred_language from agents
    where handle = ${handle} and owner_email = ${email} and email_verified_at is not null`
  return agent
}

/** How a guess ended. A wrong one must be committed, so it is told by value and refused afterwards. */
export type Guess<T> =
  | { outcome: 'right'; value: T }
  /** `left`: how many more guesses the code takes; only where this one was evaluated at all. */
  | { outcome: 'wrong'; left?: number }
  | { outcome: 'unconfirmed' }

/** The answer to a guess: its value, or the refusal that its outcome asks for. */
export function acceptGuess<T>(guess: Guess<T>): T {
  if (guess.outcome === 'right') return guess.value
  if (guess.outcome === 'unconfirmed') refuse('owner_confirmation_pending')
  const { left } = guess
  return left === undefined
    ? refuse('invalid_email_verification')
    : refuse('invalid_email_verification', { message: wrongCode(left), details: { attempts_left: left } })
}

const wrongCode = (left: number): string =>
  left === 0 ? 'Wrong code; no attempts left' : `Wrong code; ${left} ${left === 1 ? 'attempt' : 'attempts'} left`

export type ChallengeRow = Omit<ChallengesRow, 'purpose' | 'confirmation_digest' | 'created_at'>

/**
 * Checks a code under the challenge's lock, so that of any number of parallel guesses at most five wrong ones are ever
 * evaluated; a right one uses up no attempt. `agentId` limits a link to the agent that asked for it.
 */
export async function guess(
  tx: Tx,
  service: Service,
  purpose: Purpose,
  ask: { challenge_id: string; code: string },
  agentId?: string,
): Promise<Guess<ChallengeRow>> {
  const challenge = await lock(tx, purpose, ask.challenge_id)
  const open =
    challenge !== undefined &&
    (agentId === undefined || challenge.agent_id === agentId) &&
    challenge.replaced_at === null &&
    challenge.used_at === null &&
    challenge.expires_at > tx.now &&
    challenge.attempts < maxAttempts
  if (!open) return { outcome: 'wrong' }
  if (purpose === 'registration' && challenge.confirmed_at === null) return { outcome: 'unconfirmed' }
  if (!equalBytes(codeDigest(service, challenge.id, ask.code), challenge.code_digest)) return miss(tx, challenge)
  return { outcome: 'right', value: challenge }
}

/** Counts a wrong guess. */
export async function miss(
  tx: Tx,
  { id, attempts }: Pick<ChallengeRow, 'id' | 'attempts'>,
): Promise<{ outcome: 'wrong'; left: number }> {
  await tx`update challenges set attempts = attempts + 1 where id = ${id}`
  return { outcome: 'wrong', left: maxAttempts - attempts - 1 }
}

/** A right code gives a new proof and voids the one before it. */
export async function verifyRegistration(
  tx: Tx,
  service: Service,
  ask: { challenge_id: string; code: string },
): Promise<Guess<{ verification_token: string; expires_at: Date }>> {
  const result = await guess(tx, service, 'registration', ask)
  if (result.outcome !== 'right') return result
  const token = randomBytes(32)
  const expiresAt = after(tx.now, proofLifetime)
  await tx`
    update challenges set verification_digest = ${sha256(token)}, verification_expires_at = ${expiresAt}
    where id = ${result.value.id}`
  return { outcome: 'right', value: { verification_token: token.toString('base64url'), expires_at: expiresAt } }
}

export async function find(
  sql: Query,
  purpose: Purpose,
  id: string,
  locking: Part = part``,
): Promise<ChallengeRow | undefined> {
  const [row] = await sql<ChallengeRow>`
    select id, email, handle, encryption_public_key, agent_id, code_digest, attempts, confirmed_at,
      verification_digest, verification_expires_at, used_at, registration_digest, replaced_at, expires_at
    from challenges where id = ${id} and purpose = ${purpose} ${locking}`
  return row
}

/** The same, and nobody else judges it before this transaction ends. */
export const lock = (tx: Tx, purpose: Purpose, id: string): Promise<ChallengeRow | undefined> =>
  find(tx, purpose, id, part`for update`)

export const markUsed = (tx: Tx, id: string, registrationDigest: Buffer | null = null) =>
  tx`update challenges set used_at = ${tx.now}, registration_digest = ${registrationDigest} where id = ${id}`

export interface Confirmation {
  state: 'pending' | 'confirmed'
  handle: string
}

/** What the owner's confirmation page shows; undefined for a secret that is unknown, replaced or expired. */
export async function findConfirmation(sql: Query, now: Date, secret: string): Promise<Confirmation | undefined> {
  const [row] = await sql<{ handle: string; confirmed_at: Date | null }>`
    select handle, confirmed_at from challenges
    where confirmation_digest = ${sha256(secret)} and expires_at > ${now} and replaced_at is null`
  return row && { state: row.confirmed_at ? 'confirmed' : 'pending', handle: row.handle }
}

/** The owner accepts the documents; again is harmless. False for a secret that is unknown, replaced or expired. */
export async function confirm(sql: Query, now: Date, secret: string): Promise<boolean> {
  const rows = await sql`
    update challenges set confirmed_at = coalesce(confirmed_at, ${now})
    where confirmation_digest = ${sha256(secret)} and expires_at > ${now} and replaced_at is null
    returning id`
  return rows.length === 1
}

const allOfThem = { among: part``, name: '' }

/**
 * One request a minute and ten a day for an email and purpose, whoever asks and whatever is known of the email; counted
 * `among` the challenges that the condition names, where there is one.
 */
async function limitRequests(tx: Tx, email: string, purpose: Purpose, { among, name } = allOfThem): Promise<void> {
  await lockRequests(tx, email, purpose, name)
  // Rows more than a minute in the future date from before the clock was set back.
  const recent = await tx<{ created_at: Date }>`
    select created_at from challenges
    where email = ${email} and purpose = ${purpose} ${among}
      and created_at > ${earlier(tx.now, days(1))} and created_at <= ${after(tx.now, resendAfter)}
    order by created_at desc limit ${maxPerDay}`
  const [last] = recent
  if (!last) return
  const oldest = recent.at(maxPerDay - 1)
  const until = Math.max(
    last.created_at.getTime() + resendAfter,
    oldest === undefined ? 0 : oldest.created_at.getTime() + days(1),
  )
  // Who waited for the lock may have begun before the request that it waited for.
  const wait = until - Math.max(tx.now.getTime(), last.created_at.getTime())
  if (wait > 0) refuse('registration_limited', { retryAfter: Math.ceil(wait / 1000) })
}

const lockRequests = (tx: Tx, email: string, purpose: Purpose, name = '') =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`${purpose} ${email} ${name}`}, 0))`

/** Only the form leads to it, with this email in it: nobody else can come upon the id, or take it first. */
const idOfForm = (service: Service, email: string, form: string): string =>
  service.secrets
    .mac('sign-in form', `${form} ${email}`)
    .toString('hex', 0, 16)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')

const replaceForAgent = (tx: Tx, agentId: string, purpose: Purpose) => tx`
  update challenges set replaced_at = ${tx.now}
  where agent_id = ${agentId} and purpose = ${purpose} and replaced_at is null and used_at is null`

interface NewChallenge {
  id?: string | undefined
  purpose: Purpose
  email: string
  code: string
  handle?: string
  key?: Buffer
  agentId?: string | undefined
  secret?: string
}

async function insert(tx: Tx, service: Service, challenge: NewChallenge): Promise<SentChallenge> {
  const { purpose, email, code, handle = null, key = null, agentId = null, secret, id = tx.newId() } = challenge
  const expiresAt = after(tx.now, codeLifetime)
  await tx`
    insert into challenges (id, purpose, email, handle, encryption_public_key, agent_id, code_digest,
      confirmation_digest, created_at, expires_at)
    values (${id}, ${purpose}, ${email}, ${handle}, ${key}, ${agentId}, ${codeDigest(service, id, code)},
      ${secret === undefined ? null : sha256(secret)}, ${tx.now}, ${expiresAt})`
  return { challenge_id: id, expires_at: expiresAt }
}

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Keyed, for a plain digest of six digits is the code itself. */
const codeDigest = (service: Service, id: string, code: string): Buffer =>
  service.secrets.mac('owner code', `${id} ${code}`)
