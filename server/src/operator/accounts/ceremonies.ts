// The two ceremonies of WebAuthn (Level 3, section 7): a new passkey, and a sign-in by one. Every answer that does not hold is
// refused alike, whatever is wrong with it.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { consoleOrigin } from '../../http/origins.ts'
import type { SiteOperator } from '../../http/page.ts'
import { minutes } from '../../kernel/clock.ts'
import { equalBytes } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import { record } from '../../store/audit.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { lockOperator, type Operator } from './accounts.ts'
import { readAuthentication, readRegistration } from './answer.ts'
import { type Challenge, newChallenge, type Purpose, readChallenge, takeAnswer } from './challenge.ts'
import { mostPasskeys, passkeyName } from './passkeys.ts'
import { relyingParty } from './place.ts'
import { isPublicKey } from './public-key.ts'
import { actorOf, beginSession, recordBegun } from './sessions.ts'

/** Loaded where somebody signs in: it takes 25 MiB, and most nodes never have an operator. */
const webAuthn = () => import('@simplewebauthn/server')

export type Server = Pick<Service, 'secrets' | 'publicUrl'>

/** Ed25519, ECDSA on P-256, RSA with PKCS #1: what authenticators have, as COSE numbers it. */
const algorithms = [-8, -7, -257]

const timeout = minutes(2)

/** The id of a relying party; where passkeys are not possible the browser refuses it. */
const partyOf = (publicUrl: string) =>
  relyingParty(publicUrl) ?? { id: new URL(publicUrl).hostname, origin: consoleOrigin(publicUrl) }

/** What a browser is asked for a sign-in. It names no operator: the passkey does. */
export async function askSignIn(
  { secrets, publicUrl }: Server,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: partyOf(publicUrl).id,
    challenge: newChallenge(secrets, now, 'sign-in'),
    userVerification: 'required',
    timeout,
  })
}

/** What a browser is asked for a new passkey. */
export async function askPasskey(
  { secrets, publicUrl }: Server,
  siteName: string,
  sql: Query,
  now: Date,
  operator: SiteOperator,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await sql<{ id: Buffer; transports: string[] }>`
    select credential_id as id, transports from operator_passkeys where operator_id = ${operator.id}
    order by id limit (select ${mostPasskeys}::int)`
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: siteName,
    rpID: partyOf(publicUrl).id,
    userName: operator.email,
    userDisplayName: operator.email,
    userID: handleOf(operator.id),
    challenge: newChallenge(secrets, now, { session: operator.session.digest }),
    attestationType: 'none',
    // A passkey is found without a name, and opens for its person alone: it is both of two factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ id, transports }) => ({ id: id.toString('base64url'), transports })),
    supportedAlgorithmIDs: algorithms,
    timeout,
  })
}

/** As an authenticator keeps an operator: the bytes of its id. */
const handleOf = (operatorId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(operatorId.replaceAll('-', ''), 'hex'))

/** The challenge of an answer, where it is one of ours for this purpose. */
function challengeIn({ secrets }: Server, now: Date, purpose: Purpose, clientDataJSON: string): Challenge | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    const { challenge } = data as { challenge?: unknown }
    return typeof challenge === 'string' ? readChallenge(secrets, now, purpose, challenge) : undefined
  } catch {
    return undefined
  }
}

/** What every answer is held against. */
function expected({ publicUrl }: Server, { bytes }: Challenge) {
  const { id, origin } = partyOf(publicUrl)
  const expectedChallenge = bytes.toString('base64url')
  return { expectedChallenge, expectedOrigin: origin, expectedRPID: id, requireUserVerification: true }
}

/** The library throws for what does not hold, and for bytes that are no such structure. */
async function verified<T extends { verified: boolean }>(work: Promise<T>): Promise<T | undefined> {
  const result = await work.catch(() => undefined)
  return result?.verified ? result : undefined
}

export interface SignedIn {
  operator: Operator
  /** Of the cookie of a session that may do everything. */
  secret: string
}

/** Whose passkey an answer names, whether it holds or not: for the limit of an account. */
export async function claimedBy(sql: Query, text: string): Promise<string | undefined> {
  const answer = readAuthentication(text)
  if (!answer) return undefined
  const [found] = await sql<{ id: string }>`
    select operator_id as id from operator_passkeys where credential_id = ${Buffer.from(answer.id, 'base64url')}`
  return found?.id
}

/** Signs in by the answer of a passkey; undefined if it does not hold. */
export async function signIn(
  tx: Tx,
  server: Server,
  text: string,
  instead: SiteOperator | undefined,
): Promise<SignedIn | undefined> {
  const answer = readAuthentication(text)
  const challenge = answer && challengeIn(server, tx.now, 'sign-in', answer.response.clientDataJSON)
  const operatorId = challenge && (await claimedBy(tx, text))
  const operator = operatorId !== undefined ? await lockOperator(tx, operatorId) : undefined
  if (!operator || !answer || !challenge) return undefined
  const credentialId = Buffer.from(answer.id, 'base64url')
  const [passkey] = await tx<{ id: string; name: string; public_key: Buffer; counter: number }>`
    select id, name, public_key, counter from operator_passkeys
    where credential_id = ${credentialId} and operator_id = ${operator.id}`
  const handle = Buffer.from(answer.response.userHandle ?? '', 'base64url')
  if (!passkey || !equalBytes(handle, Buffer.from(handleOf(operator.id)))) return undefined
  const { verifyAuthenticationResponse } = await webAuthn()
  const result = await verified(
    verifyAuthenticationResponse({
      response: answer,
      ...expected(server, challenge),
      credential: { id: answer.id, publicKey: Uint8Array.from(passkey.public_key), counter: passkey.counter },
    }),
  )
  if (!result || !(await takeAnswer(tx, challenge))) return undefined
  await tx`
    update operator_passkeys set counter = ${result.authenticationInfo.newCounter}, used_at = ${tx.now}
    where id = ${passkey.id}`
  const secret = await beginSession(tx, { operator, level: 'passkey', passkeyId: passkey.id, instead })
  await recordBegun(tx, operator, { by: 'passkey', name: passkey.name })
  return { operator, secret }
}

interface PasskeyAdded {
  /** Of a session that began by it, where the one before was that of a link. */
  secret: string | undefined
}

/** Why a new passkey was not taken. */
type PasskeyProblem = 'name' | 'answer' | 'full'

/** Adds a passkey to the operator of a session; a session that a link began becomes one that may do everything. */
export async function addPasskey(
  tx: Tx,
  server: Server,
  operator: SiteOperator,
  given: { answer: string; name: string },
): Promise<PasskeyAdded | { problem: PasskeyProblem }> {
  const name = passkeyName(given.name)
  if (name === undefined) return { problem: 'name' }
  const read = readRegistration(given.answer)
  const { answer } = read ?? {}
  const challenge =
    answer && challengeIn(server, tx.now, { session: operator.session.digest }, answer.response.clientDataJSON)
  if (!read || !answer || !challenge) return { problem: 'answer' }
  const { verifyRegistrationResponse } = await webAuthn()
  const result = await verified(
    verifyRegistrationResponse({ response: answer, ...expected(server, challenge), supportedAlgorithmIDs: algorithms }),
  )
  const made = result?.registrationInfo?.credential
  if (!made || !(await isPublicKey(made.publicKey)) || !(await lockOperator(tx, operator.id)))
    return { problem: 'answer' }
  // It may have ended while this one waited.
  const [living] =
    await tx`select 1 from operator_sessions where digest = ${operator.session.digest} and expires_at > ${tx.now}`
  if (!living || !(await takeAnswer(tx, challenge))) return { problem: 'answer' }
  const [counted] = await tx<{ count: number }>`
    select count(*)::int as count from operator_passkeys where operator_id = ${operator.id}`
  if ((counted?.count ?? 0) >= mostPasskeys) return { problem: 'full' }
  const passkeyId = tx.newId()
  const added = await tx`
    insert into operator_passkeys (id, operator_id, credential_id, public_key, counter, transports, name, created_at)
    values (${passkeyId}, ${operator.id}, ${Buffer.from(made.id, 'base64url')}, ${Buffer.from(made.publicKey)}, ${made.counter},
      ${read.transports}, ${name}, ${tx.now})
    on conflict (credential_id) do nothing returning 1`
  if (added.length === 0) return { problem: 'answer' }
  const actor = actorOf(operator)
  await record(tx, { actor, action: 'passkey.add', subject: operator.email, reason: null, details: { name } })
  if (operator.level === 'passkey') return { secret: undefined }
  return { secret: await beginSession(tx, { operator, level: 'passkey', passkeyId, instead: operator }) }
}
