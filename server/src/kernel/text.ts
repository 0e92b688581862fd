// Canonical text and base64: the one form in which the service takes and stores them.
// docs/contract/representation.md#text.

// Controls C0 and C1 (tab and line feed stay in the second) and DEL; a lone surrogate has its own check.
const lineControls = /[\u0000-\u001f\u007f-\u009f]/
const multilineControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

// What breaks one line in two, or turns what stands around it: a name that holds one changes the page that shows it.
// The marks of direction (U+200E, U+200F, U+061C) turn nothing beyond themselves, and Arabic and Hebrew need them.
const lineBreakers = /[\u2028\u2029]/
const turners = /[\u202a-\u202e\u2066-\u2069]/

// What shows nothing by itself: white space, what Unicode lets a renderer ignore (fillers and joiners among it), formats,
// marks without what they mark, and the few symbols and letters that are drawn as nothing.
const invisible =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/gu

/** Text as it is stored: edge white space gone, CRLF made LF; controls, lone surrogates and in a line what turns it refused. */
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

/** The number of bytes that canonical base64 stands for; undefined where it is not canonical. */
export function base64Length(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (padding > 0) {
    // The bits after the last byte must be zero.
    const last = alphabet.indexOf(text[text.length - padding - 1] as string)
    if ((last & (padding === 1 ? 0b11 : 0b1111)) !== 0) return undefined
  }
  return (text.length / 4) * 3 - padding
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Whether a text is written as a language of BCP 47. */
export const isLanguage = (text: string): boolean => /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/.test(text)
