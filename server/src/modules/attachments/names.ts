// What a file was called where it came from: made safe to show, and shown to its owner alone.
// docs/contract/attachments.md#its-name.
import { isVisible } from '../../kernel/text.ts'

/** In code points. */
export const longestName = 255

/** More of what was sent is not looked at. */
const mostLooked = 8 * longestName

/** What clients say that mean to say nothing. */
const neutral: readonly string[] = ['file', 'blob', '.', '..']

// Controls, formats and what turns or breaks a line; marks of direction and joiners stay, for names in many scripts need them.
const unsafe = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu

/** The name to keep of what a form says: without its folders and what a page could not show; null if nothing is left. */
export function nameToKeep(given: string | undefined): string | null {
  const said = (given ?? '').slice(-mostLooked)
  const own = said.slice(Math.max(said.lastIndexOf('/'), said.lastIndexOf('\\')) + 1)
  const safe = own.replace(unsafe, '').replace(/\s+/g, ' ').trim()
  const kept = [...safe].slice(0, longestName).join('').trimEnd()
  return isVisible(kept) && !neutral.includes(kept.toLowerCase()) ? kept : null
}
