// The keys that a server signs with, as its DID document names them (docs/contract/record.md#keys).
import { KithInputError } from './errors.ts'
import { createTransport } from './http.ts'
import { type Runtime, systemRuntime } from './runtime.ts'
import { isObject, type JsonObject } from './strict-json.ts'

export interface FetchOptions {
  runtime?: Runtime
  /** Longest wait for the whole answer, in ms (10 s). */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}

/** Of anything that is fetched for a record. */
const mostBytes = 1024 * 1024

/**
 * A document of a server outside its API: at most 1 MiB, in 10 s, and never from where it redirects to. Throws
 * `KithNetworkError`, or `KithError` where the server refuses.
 */
export async function fetchPublic(baseUrl: string, path: string, options: FetchOptions = {}): Promise<JsonObject> {
  const { runtime = systemRuntime, timeoutMs = 10_000, signal } = options
  const transport = createTransport({ baseUrl, runtime, timeoutMs, maxAnswerBytes: mostBytes, below: '' })
  return (await transport({ method: 'GET', path, signal })).body as JsonObject
}

/** What a `did:web` of a server alone has after its name: a host or an address in brackets, and a port. */
const ofServer = /^did:web:((?:[a-z0-9.-]{1,253}|%5B[0-9a-f.]*(?:%3A[0-9a-f.]*)+%5D)(?:%3A\d{1,5})?)$/

/** The origin that a `did:web` of a server names: `https:`, or `http:` on loopback. */
function originOf(did: string): string | undefined {
  const [, host] = ofServer.exec(did) ?? []
  if (host === undefined) return undefined
  const authority = decodeURIComponent(host)
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(authority)
  const url = `${isLoopback ? 'http' : 'https'}://${authority}`
  return URL.canParse(url) ? url : undefined
}

/** Whether a DID is the `did:web` of a server, without a path. */
export const isServer = (did: string): boolean => originOf(did) !== undefined

/** The DID document of a `did:web`, from the server that it names. Throws `KithInputError` for any other DID. */
export async function fetchDidDocument(did: string, options?: FetchOptions): Promise<JsonObject> {
  const origin = originOf(did)
  if (origin === undefined) throw new KithInputError('this is not the did:web of a server')
  return fetchPublic(origin, '/.well-known/did.json', options)
}

export interface AssertionKey {
  bytes: Uint8Array
  /** When it was retired, in ms since 1970. */
  revoked: number | undefined
}

/** The key with this ID, if the document of this issuer says that it signs what the issuer states. */
export function assertionKey(document: unknown, issuer: string, keyId: string): AssertionKey | undefined {
  if (!isObject(document) || document['id'] !== issuer) return undefined
  const { verificationMethod: methods, assertionMethod: permitted } = document
  if (!Array.isArray(methods) || !Array.isArray(permitted) || !permitted.includes(keyId)) return undefined
  const method = methods.find((each): each is JsonObject => isObject(each) && each['id'] === keyId)
  if (method?.['type'] !== 'Multikey' || method['controller'] !== issuer) return undefined
  const bytes = ed25519KeyOf(method['publicKeyMultibase'])
  const { revoked: at } = method
  const revoked = at === undefined ? undefined : momentOf(at)
  // A key whose end nobody can read is not used.
  return bytes && (at === undefined || revoked !== undefined) ? { bytes, revoked } : undefined
}

/** The 32 bytes of a Multikey of Ed25519. */
export function ed25519KeyOf(multikey: unknown): Uint8Array | undefined {
  const bytes = base58Of(multikey, 34)
  return bytes?.[0] === 0xed && bytes[1] === 0x01 ? bytes.subarray(2) : undefined
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** So many bytes of a multibase text in base58btc; undefined for any other number of bytes, and any other text. */
export function base58Of(text: unknown, length: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > 2 * length || !/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined
  const digits = text.slice(1)
  let value = 0n
  for (const digit of digits) value = value * 58n + BigInt(alphabet.indexOf(digit))
  // Leading zeros are written one by one.
  const zeros = /^1*/.exec(digits)![0].length
  const hex = value === 0n ? '' : value.toString(16)
  const rest = hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? []
  return zeros + rest.length === length
    ? Uint8Array.from([...Array<number>(zeros).fill(0), ...rest.map((byte) => Number.parseInt(byte, 16))])
    : undefined
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** A moment in ms since 1970; undefined for any other value. */
export function momentOf(text: unknown): number | undefined {
  const at = typeof text === 'string' && moment.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
