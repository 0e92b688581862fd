// Canonical text and base64: the one form in which the service accepts and stores them.
// docs/contract/representation.md#text.

// Controls C0 and C1 and DEL; the second one allows tab and line feed. Lone surrogates have their own check.
const lineControls = /[\u0000-\u001f\u007f-\u009f]/
const multilineControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

// Characters that break a line, or reorder the text around it: a name with one changes the page that shows it. The
// direction marks (U+200E, U+200F, U+061C) affect only themselves, and Arabic and Hebrew need them.
const lineBreakers = /[\u2028\u2029]/
const turners = /[\u202a-\u202e\u2066-\u2069]/

// Characters that show nothing: white space, those that Unicode lets a renderer ignore (fillers and joiners among
// them), formats, marks without a base, and the few symbols and letters that are drawn as nothing.
const invisible =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/gu

/**
 * Text as it is stored: trimmed, CRLF made LF; controls and lone surrogates refused, and in a line anything that
 * reorders it.
 */
export function canonicalText(value: string, kind: 'line' | 'multiline'): { value: string } | { problem: string } {
  const text = kind === 'multiline' ? value.replaceAll('\r\n', '\n') : value
  if ((kind === 'line' ? lineControls : multilineControls).test(text)) return { problem: 'contains control characters' }
  if (!text.isWellFormed()) return { problem: 'contains a lone surrogate' }
  if (kind === 'line') {
    if (lineBreakers.test(text)) return { problem: 'contains a line or paragraph separator' }
    if (turners.test(text)) return { problem: 'contains a bidirectional embedding, override or isolate' }
  }
  return { value: text.trim() }
}

/** Whether anything of a text can be seen. */
export const isVisible = (text: string): boolean => text.replace(invisible, '') !== ''

/** The number of bytes that canonical base64 encodes; undefined if it is not canonical. */
export function base64Length(text: string): number | undefined {
  // The decoder accepts much more than what it would write itself, and takes a ninth of the time of a pattern.
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes.length : undefined
}

/** Whether a text has the form of a BCP 47 language. */
export const isLanguage = (text: string): boolean => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(text)
