// The cookies of people's browsers, and the tokens that protect their forms against forgery (docs/contract/people.md).
import { timingSafeEqual } from 'node:crypto'
import { equalBytes, type Secrets, sha256 } from '../secrets.ts'

export type Person = 'human' | 'visitor' | 'operator'

const names: Readonly<Record<Person, string>> = {
  human: 'kith_session',
  visitor: 'kith_visitor',
  operator: 'kith_operator',
}

/** On HTTPS a browser sends a `__Host-` cookie only to this exact origin. */
export const cookieName = (person: Person, publicUrl: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${names[person]}` : names[person]

/** Nothing that began at another site sends an operator's cookie, not even a link. */
const sameSite: Readonly<Record<Person, 'Lax' | 'Strict'>> = { human: 'Lax', visitor: 'Lax', operator: 'Strict' }

/** The `Set-Cookie` of a session: for this origin, unreadable for scripts, and not sent by forms of other sites. */
export function setCookie(person: Person, publicUrl: string, value: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite[person]}${secure}`
  return `${cookieName(person, publicUrl)}=${value}; ${attributes}`
}

/**
 * The value of a cookie; undefined if there is none, or more than one, because nobody can tell the right one. Names are
 * compared byte by byte: a neighbour may set one that begins with a no-break space, which `trim` would turn into
 * `__Host-`.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).replace(/^[ \t]+/, '') === name ? [pair.slice(at + 1)] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** A customer's or an operator's cookie holds a random secret, stored as its digest; undefined for anything else. */
export const secretDigest = (value: string): Buffer | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(value) ? sha256(value) : undefined

/** A visitor's cookie holds its ID (16 bytes), signed. */
export function visitorCookie(secrets: Secrets, visitorId: string): string {
  return `${bytesOf(visitorId).toString('base64url')}.${secrets.mac('visitor cookie', visitorId).toString('base64url')}`
}

/** The visitor of a cookie; undefined if it was not signed here. */
export function visitorOf(secrets: Secrets, value: string): string | undefined {
  const bytes = Buffer.from(value.split('.', 1)[0] ?? '', 'base64url')
  if (bytes.length !== 16) return undefined
  const visitorId = bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  // Compared as texts: base64 has several spellings of the same bytes.
  return equalBytes(sha256(value), sha256(visitorCookie(secrets, visitorId))) ? visitorId : undefined
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** The form token of a session, readable only by pages of this origin, and valid as long as the session. */
export const csrfToken = (secrets: Secrets, person: Person, session: Buffer): string =>
  secrets.mac(`form token of a ${person}`, session.toString('hex')).toString('base64url')

export function isCsrfToken(secrets: Secrets, person: Person, session: Buffer, given: string | undefined): boolean {
  if (given === undefined) return false
  const [wanted, sent] = [csrfToken(secrets, person, session), given].map((text) => sha256(text)) as [Buffer, Buffer]
  return timingSafeEqual(wanted, sent)
}
