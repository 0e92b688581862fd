// How a customer comes in and goes: by a code to their email, and a session of 30 days in that browser.
// docs/contract/people.md#signing-in.
import { randomBytes } from 'node:crypto'
import { currentDocuments } from '../../documents.ts'
import { humanSessionLifetime } from '../../kernel/callers.ts'
import { after } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/refuse.ts'
import { sha256 } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import type { Tx } from '../../store/sql.ts'
import { acceptGuess, type Guess, guess, markUsed } from '../identity/challenges.ts'
import { noteOwner } from '../reputation/owners.ts'
import { openWallet } from '../wallet/wallet.ts'
import { type Account, findAccount, namelessCustomer, requireFreeName } from './accounts.ts'
import { inheritSuspension } from './suspension.ts'

interface SignIn {
  challenge_id: string
  code: string
  /** Only of the first one. */
  display_name?: string
  documents_confirmed?: boolean
}

export interface SignedIn {
  account: Account
  /** What the cookie holds; only its digest is kept. */
  secret: string
  /** Whether the account was made by it. */
  isFirst: boolean
}

type Outcome = Guess<SignedIn>

/**
 * Begins a session by the code of an email, which makes its account at the first time. The session that this browser had
 * before ends. Refuses `invalid_email_verification`, and `invalid_input` if the documents are still to be confirmed,
 * or the name claims to speak for the server, which leaves the code as it was. `secret` is one that nobody else can know.
 */
export async function signIn(service: Service, ask: SignIn, browser: Partial<Browser> = {}): Promise<SignedIn> {
  const outcome = await service.sql.transaction((tx) => attempt(tx, service, ask, browser))
  service.metrics.customers.inc({ outcome: labelOf(outcome) })
  if (outcome.outcome === 'unconfirmed') {
    return invalid({ path: 'documents_confirmed', problem: 'must be true at the first sign-in' })
  }
  return acceptGuess(outcome)
}

function labelOf(outcome: Outcome): string {
  if (outcome.outcome === 'right') return outcome.value.isFirst ? 'first' : 'again'
  return outcome.outcome === 'wrong' ? 'refused' : 'unconfirmed'
}

/** In which browser somebody signs in. */
interface Browser {
  /** Of the session that begins. */
  secret: string
  /** The session that it had. */
  former: Buffer | undefined
  /** What its reader wants to read, the preferred one first; none if it does not say. */
  languages: readonly string[]
}

const newSecret = (): string => randomBytes(32).toString('base64url')

/** The same in a transaction of its caller's, who refuses what the outcome says: a wrong guess must be committed. */
export async function attempt(
  tx: Tx,
  service: Service,
  ask: SignIn,
  { secret = newSecret(), former, languages = [] }: Partial<Browser> = {},
): Promise<Outcome> {
  const guessed = await guess(tx, service, 'session', ask)
  if (guessed.outcome !== 'right') return guessed
  const { id: challengeId, email } = guessed.value
  // Whoever closes it, or ends its sessions, at this moment comes before or after, and not between.
  const [known] = await tx<{ id: string }>`select id from humans where email = ${email} for no key update`
  if (!known && ask.documents_confirmed !== true) return { outcome: 'unconfirmed' }
  if (!known && ask.display_name !== undefined) await requireFreeName(tx, service.config, ask.display_name)
  await markUsed(tx, challengeId)
  const humanId = known?.id ?? (await join(tx, service, { email, displayName: ask.display_name }))
  await begin(tx, humanId, { secret, former })
  // Emails that come later are written in it.
  if (languages.length > 0) {
    await tx`update humans set language = ${service.speak(languages).language} where id = ${humanId}`
  }
  const account = await findAccount(tx, tx.now, humanId)
  return { outcome: 'right', value: { account, secret, isFirst: !known } }
}

/** Makes the account of an email that has none, with the documents of this moment confirmed, and gives its id. */
export async function join(
  tx: Tx,
  { documents, secrets }: Pick<Service, 'documents' | 'secrets'>,
  { email, displayName = namelessCustomer }: { email: string; displayName?: string | undefined },
): Promise<string> {
  const id = tx.newId()
  const confirmed = currentDocuments(documents).map(({ name, version, sha256 }) => ({ name, version, sha256 }))
  const digest = secrets.mac('customer grant', email)
  const isGranted = await tx`
    insert into customer_grants (email_digest, created_at) values (${digest}, ${tx.now})
    on conflict do nothing returning 1 as given`
  await tx`insert into parties (id, kind, created_at) values (${id}, 'human', ${tx.now})`
  await tx`
    insert into humans (id, display_name, email, grant_digest, confirmed_documents, documents_confirmed_at, created_at)
    values (${id}, ${displayName}, ${email}, ${digest}, ${JSON.stringify(confirmed)}, ${tx.now}, ${tx.now})`
  await noteOwner(tx, id, email)
  await openWallet(tx, id, isGranted.length > 0)
  await inheritSuspension(tx, id)
  return id
}

/** Begins a session under a new secret, always: one that somebody else may have put into this browser is worth nothing. */
async function begin(tx: Tx, humanId: string, { secret, former }: Pick<Browser, 'secret' | 'former'>): Promise<void> {
  if (former) await endSession(tx, former)
  await tx`
    insert into human_sessions (digest, human_id, created_at, expires_at)
    values (${sha256(secret)}, ${humanId}, ${tx.now}, ${after(tx.now, humanSessionLifetime)})`
}

/** Ends one session, by its digest; again changes nothing. */
export async function endSession(tx: Tx, digest: Buffer): Promise<void> {
  await tx`update human_sessions set ended_at = ${tx.now} where digest = ${digest} and ended_at is null`
}

/** Ends all sessions of a customer, in whatever browser; one that begins at this moment is ended too, or comes after. */
export async function endAllSessions(tx: Tx, humanId: string): Promise<void> {
  await tx`select 1 from humans where id = ${humanId} for no key update`
  await tx`update human_sessions set ended_at = ${tx.now} where human_id = ${humanId} and ended_at is null`
}
