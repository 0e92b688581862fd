// Test credits as people write them. Everywhere else money is a whole number of minor units.
import { KithInputError } from './errors.ts'

const minorPerCredit = 100

/** Minor units as credits: 11006 → `110.06`. Exact for every sum of the contract. */
export function credits(minor: number): string {
  if (!Number.isSafeInteger(minor)) throw new KithInputError(`${minor} is not a whole number of minor units`)
  const size = Math.abs(minor)
  const rest = String(size % minorPerCredit).padStart(2, '0')
  return `${minor < 0 ? '-' : ''}${Math.trunc(size / minorPerCredit)}.${rest}`
}

/** Credits as minor units: `110.06` → 11006, `12` → 1200. Exact. Throws `KithInputError` for anything else. */
export function minorOf(text: string): number {
  const [, whole, part = ''] = /^(\d{1,20})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) throw new KithInputError(`credits are written like 12 or 12.50${mistakenIn(text)}`)
  const minor = Number(whole + part.padEnd(2, '0'))
  if (!Number.isSafeInteger(minor)) throw new KithInputError('there are not that many credits')
  return minor
}

/** What is not as it should be, where that is plain. */
function mistakenIn(text: string): string {
  if (/^\d+,\d+$/.test(text)) return ', with a point'
  if (/^\d+\.\d{3,}$/.test(text)) return ', with two digits behind the point'
  return ''
}
