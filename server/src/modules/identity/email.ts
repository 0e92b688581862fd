// Email addresses of owners, as they are compared: trimmed, lower case, IDNA domain; dots and plus-suffixes stay.
import { domainToASCII } from 'node:url'
import { invalid } from '../../kernel/refuse.ts'

const local = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
// What IDNA maps, and no more: domainToASCII also decodes percent signs and cuts off a path.
const hostText = /^[a-z0-9.\-\u0080-\u{10ffff}]+$/u
const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The normalised address; `invalid_input` at `email` for what is not an address (RFC 5321 sizes, dot-atom local part,
 * no IP address).
 */
export function normaliseEmail(text: string): string {
  const address = text.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const name = address.slice(0, at)
  const given = at < 0 ? '' : address.slice(at + 1)
  const host = hostText.test(given) ? domainToASCII(given) : ''
  const valid = at > 0 && name.length <= 64 && host.length <= 253 && local.test(name) && domain.test(host)
  return valid && name.length + host.length < 254
    ? `${name}@${host}`
    : invalid({ path: 'email', problem: 'not an email address' })
}
