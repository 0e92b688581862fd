// What a form says, and whether a browser says that it is ours. docs/contract/site.md#forms.
import type { FastifyRequest } from 'fastify'
import { isOwnOrigin } from '../http/origins.ts'
import type { Form } from '../http/page.ts'
import { invalid, refuse } from '../kernel/refuse.ts'
import { equalBytes, sha256 } from '../secrets.ts'

/** JSON that the API's parser has read is not a form. */
function sentIn(body: unknown): URLSearchParams {
  if (typeof body === 'object' && body !== null) refuse('unsupported_media_type')
  return new URLSearchParams(typeof body === 'string' ? body : '')
}

/** The fields of a form that its page reads; one that comes twice is `invalid_input`. */
export function fieldsOf({ fields }: Pick<Form, 'fields'>, body: unknown): Record<string, string> {
  const given = sentIn(body)
  const read = fields.flatMap((name): [string, string][] => {
    const [value, second] = given.getAll(name)
    if (second !== undefined) invalid({ path: name, problem: 'is there twice' })
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(read)
}

export function listsOf({ lists = [] }: Pick<Form, 'lists'>, body: unknown): Record<string, string[]> {
  const given = sentIn(body)
  return Object.fromEntries(lists.map((name) => [name, given.getAll(name)]))
}

/**
 * Whether a form was sent from this site, as far as the browser says. Under `no-referrer` it sends `Origin: null` for
 * our own page too, so then `Sec-Fetch-Site` decides; the secret in the address is the credential in any case.
 */
export function isFromHere(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  return origin === undefined || origin === 'null' || isOwnOrigin(publicUrl, origin)
}

/**
 * Whether the browser says that a page of this site sent it: what changes something for a session that its cookie names. Where it
 * says nothing at all, nobody vouches.
 */
export function isVouchedFor({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (headers.origin !== undefined && !isOwnOrigin(publicUrl, headers.origin)) return false
  return site === undefined ? headers.origin !== undefined : site === 'same-origin'
}

/** Whether a form has the token of the session whose page it is on; in a time that tells nothing of it. */
export const isSameToken = (given = '', wanted: string): boolean => equalBytes(sha256(given), sha256(wanted))
