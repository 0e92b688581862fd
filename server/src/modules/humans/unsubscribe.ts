// The link in emails about orders by which a customer wants no more of them: it names its account by itself, and lasts for
// as long as that. docs/contract/people.md#emails.
import { equalBytes } from '../../secrets.ts'
import type { Service } from '../../service.ts'

type Keys = Pick<Service, 'secrets'>

const bytesOf = (humanId: string): Buffer => Buffer.from(humanId.replaceAll('-', ''), 'hex')

/** The id, and half of its digest: enough that nobody guesses one, and no longer than any other secret in a link. */
const secretOf = ({ secrets }: Keys, humanId: string): Buffer =>
  Buffer.concat([bytesOf(humanId), secrets.mac('unsubscribe', humanId).subarray(0, 16)])

export const unsubscribePath = (service: Keys, humanId: string): string =>
  `/unsubscribe/${secretOf(service, humanId).toString('base64url')}`

/** The customer of a link; undefined if it was not made here. Whether the account is still there is not asked. */
export function humanOfUnsubscribe(service: Keys, secret: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{43}$/.test(secret)) return undefined
  const given = Buffer.from(secret, 'base64url')
  const humanId = given.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const wanted = secretOf(service, humanId)
  return given.length === wanted.length && equalBytes(given, wanted) ? humanId : undefined
}
