// The signed record of an agent: a W3C Verifiable Credential 2.0 with an `eddsa-jcs-2022` proof, fetched and checked
// (docs/contract/record.md).
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { assertionKey, base58Of, type FetchOptions, fetchDidDocument, fetchPublic, isServer, momentOf } from './did.ts'
import { KithNetworkError } from './errors.ts'
import { systemRuntime } from './runtime.ts'
import { canonicalJson, isObject, isPlain, type Json, type JsonObject, readStrictly } from './strict-json.ts'
import type { UntrustedText } from './untrusted.ts'

export { fetchDidDocument } from './did.ts'

/** `valid` alone says that this is what the issuer states, and states still. */
export type RecordVerdict = 'valid' | 'altered' | 'expired' | 'unknown_key' | 'retired_key'

/** Longest text of a record, in UTF-16 units. */
export const longestRecord = 1024 * 1024

export interface RecordReview {
  rating: number
  text: UntrustedText | null
  created_at: string
  /** Null if its profile is not open; of a person the name alone. */
  author: { id: string | null; handle: string | null; display_name: UntrustedText } | null
  /** SHA-256 of `<passport_id>:<order_id>`, in hexadecimal. */
  order_digest: string
  /** Both sides have one verified owner. */
  same_owner?: true
}

/** What a server says of an agent. */
export interface RecordSubject {
  id: string
  type: 'Agent'
  passport_id: string
  handle: string
  display_name: UntrustedText
  encryption_public_key: string
  fingerprint: string
  registered_at: string
  orders_completed: number
  disputes_lost: number
  works: number
  reviews: RecordReview[]
}

export interface CheckedRecord {
  verdict: RecordVerdict
  /** Why, in words. */
  says: string
  /** SHA-256 of the canonical record in hexadecimal: what the server's page shows. Undefined if the text is not JSON. */
  fingerprint: string | undefined
  /** The `did:web` of the server that is said to have signed it: whether you trust that one is yours to decide. */
  issuer: string | undefined
  /** Only of what the issuer did sign: `valid`, `expired`, `retired_key`. */
  subject: RecordSubject | undefined
  validFrom: string | undefined
  validUntil: string | undefined
}

/** The record of an agent whose profile is open, as canonical JSON. Throws `KithError` `not_found` for any other. */
export async function fetchRecord(baseUrl: string, handle: string, options?: FetchOptions): Promise<string> {
  const found = await fetchPublic(baseUrl, `/agents/${encodeURIComponent(handle)}/record.json`, options)
  if (isPlain(found) && read(found)) return canonicalJson(found)
  throw new KithNetworkError(`${baseUrl} answered with something that is not a record`, { reason: 'foreign' })
}

/** The `did:web` that a record names as its issuer; undefined if it is no record. */
export function issuerOf(text: string): string | undefined {
  const record = text.length > longestRecord ? undefined : readStrictly(text)
  return read(record)?.issuer
}

/** However long a record says that it is valid, so long after its signature it is not: a stolen key that was retired ends with it. */
const longestLife = 90 * 86_400_000
/** How far clocks may be apart. */
const tolerance = 5 * 60_000

/**
 * Checks a record against the DID document of its issuer, without any request, at a moment in ms since 1970. Never throws,
 * whatever the text and the document are.
 */
export function verifyRecord(text: string, didDocument: unknown, now: number = Date.now()): CheckedRecord {
  const json = text.length > longestRecord ? undefined : readStrictly(text)
  const fingerprint = json === undefined ? undefined : bytesToHex(digest(json))
  const record = read(json)
  const found = { fingerprint, issuer: record?.issuer, validFrom: undefined, validUntil: undefined, subject: undefined }
  if (!record) return { ...found, verdict: 'altered', says: 'this is not a signed record' }
  const key = assertionKey(didDocument, record.issuer, record.keyId)
  if (!key) return { ...found, verdict: 'unknown_key', says: 'its issuer does not have the key that it names' }
  if (!isSigned(record, key.bytes))
    return { ...found, verdict: 'altered', says: 'the signature does not match: something in it was changed' }
  const { validFrom, validUntil, subject, created } = record
  const signed = { ...found, validFrom: validFrom.text, validUntil: validUntil.text, subject }
  if (key.revoked !== undefined && created > key.revoked)
    return { ...signed, verdict: 'retired_key', says: 'it was signed with a key that had been retired before' }
  if (now > Math.min(validUntil.at, created + longestLife) || now < validFrom.at - tolerance)
    return { ...signed, verdict: 'expired', says: 'it is not valid at this time: ask for a new one' }
  return { ...signed, verdict: 'valid', says: 'this is what its issuer signed' }
}

/**
 * The same, with the DID document from the server that the record names: `https:`, or `http:` on loopback. Throws
 * `KithNetworkError` or `KithError` if that does not give one.
 */
export async function checkRecord(text: string, options: FetchOptions = {}): Promise<CheckedRecord> {
  const issuer = issuerOf(text)
  const document = issuer !== undefined && isServer(issuer) ? await fetchDidDocument(issuer, options) : undefined
  return verifyRecord(text, document, (options.runtime ?? systemRuntime).now())
}

interface Moment {
  text: string
  at: number
}

interface Read {
  document: JsonObject
  config: JsonObject
  signature: Uint8Array
  issuer: string
  keyId: string
  created: number
  validFrom: Moment
  validUntil: Moment
  subject: RecordSubject
}

/** Takes a record apart; undefined if it is not one of ours. */
function read(json: Json | undefined): Read | undefined {
  if (!isObject(json)) return undefined
  const { proof, ...document } = json
  const { issuer, type, credentialSubject: subject } = document
  if (!isObject(proof) || typeof issuer !== 'string' || !isSubject(subject)) return undefined
  if (!Array.isArray(type) || !type.includes('VerifiableCredential') || !type.includes('AgentRecord')) return undefined
  const { proofValue, ...config } = proof
  const { verificationMethod: keyId, created: createdAt } = config
  const signature = base58Of(proofValue, 64)
  if (config['type'] !== 'DataIntegrityProof' || config['cryptosuite'] !== 'eddsa-jcs-2022') return undefined
  if (config['proofPurpose'] !== 'assertionMethod' || typeof keyId !== 'string') return undefined
  // A key of somebody else says nothing for this issuer.
  if (!keyId.startsWith(`${issuer}#`) || !signature) return undefined
  // Both have the same context, or what is signed would not be all that is read.
  if (canonicalJson(config['@context'] ?? null) !== canonicalJson(document['@context'] ?? null)) return undefined
  const created = momentOf(createdAt)
  const [validFrom, validUntil] = [namedMoment(document['validFrom']), namedMoment(document['validUntil'])]
  if (created === undefined || !validFrom || !validUntil) return undefined
  return { document, config, signature, issuer, keyId, created, validFrom, validUntil, subject }
}

function namedMoment(text: unknown): Moment | undefined {
  const at = momentOf(text)
  return at === undefined ? undefined : { text: text as string, at }
}

const digest = (json: Json): Uint8Array => sha256(new TextEncoder().encode(canonicalJson(json)))

/** The proof over a document (https://www.w3.org/TR/vc-di-eddsa/#verify-proof-eddsa-jcs-2022). */
export function isSigned(
  { document, config, signature }: Pick<Read, 'document' | 'config' | 'signature'>,
  publicKey: Uint8Array,
): boolean {
  try {
    return ed25519.verify(signature, concatBytes(digest(config), digest(document)), publicKey, { zip215: false })
  } catch {
    return false
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function isSubject(value: unknown): value is JsonObject & RecordSubject {
  if (!isObject(value) || value['type'] !== 'Agent') return false
  const { reviews, ...named } = value
  const texts = ['id', 'passport_id', 'handle', 'display_name', 'encryption_public_key', 'fingerprint', 'registered_at']
  return (
    texts.every((name) => isText(named[name])) &&
    ['orders_completed', 'disputes_lost', 'works'].every((name) => isCount(named[name])) &&
    Array.isArray(reviews) &&
    reviews.every(isReview)
  )
}

function isReview(value: unknown): boolean {
  if (!isObject(value)) return false
  const { rating, text, author, created_at, order_digest } = value
  const isNamed =
    author === null ||
    (isObject(author) &&
      isText(author['display_name']) &&
      [author['id'], author['handle']].every((name) => name === null || isText(name)))
  return isCount(rating) && (text === null || isText(text)) && isText(created_at) && isText(order_digest) && isNamed
}
