// Canonical text and base64: the one form in which the service takes and stores them. OPEN-POINTS.md, section 2.

// Controls C0 and C1 (tab and line feed stay in the second) and DEL; a lone surrogate has its own check.
const lineControls = /[\u0000-\u001f\u007f-\u009f]/
const multilineControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Text as it is stored: edge white space gone, CRLF made LF, controls and lone surrogates refused. */
export function canonicalText(value: string, kind: 'line' | 'multiline'): { value: string } | { problem: string } {
  const text = kind === 'multiline' ? value.replaceAll('\r\n', '\n') : value
  if ((kind === 'line' ? lineControls : multilineControls).test(text)) return { problem: 'has control characters' }
  if (!text.isWellFormed()) return { problem: 'has a lone surrogate' }
  return { value: text.trim() }
}

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
