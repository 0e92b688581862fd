// The bytes of one message: its text, the same as a document, and nothing that a recipient or a subject could inject.
import { ConfigError } from '../config.ts'

export interface Sender {
  name: string
  address: string
}

export interface Message {
  /** A UUID; the same one gives the same Message-ID, so that a repeat can be told. */
  id: string
  from: Sender
  to: string
  subject: string
  body: string
  /** The same as a document, for mail programs that show one. */
  html?: string | undefined
  /** Null of a mail that cannot be declined. */
  unsubscribeUrl?: string | null
  date: Date
  /** Host of PUBLIC_URL, for the Message-ID. */
  host: string
  /** It is written to a file, where no server on the way needs seven bits: any text stays readable as it is. */
  isFile?: boolean
}

/** A message that cannot be written, whatever the transport: not worth another attempt. */
export class MessageError extends Error {}

const localPart = /^[^\s\p{Cc}\p{Cs}<>()[\]\\,;:@"]{1,64}$/u
const domain = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/

/**
 * Whether mail can go to this text: exactly one bare address, without quotes, comments, literals or white space, its
 * domain in ASCII (IDNA is the caller's). Anything else could mean more than one recipient, or a header of its own.
 */
export function isMailAddress(text: string): boolean {
  if (Buffer.byteLength(text) > 254) return false
  const at = text.lastIndexOf('@')
  return at > 0 && localPart.test(text.slice(0, at)) && domain.test(text.slice(at + 1))
}

/** Reads MAIL_FROM, `Name <address>` or `address`; throws a {@link ConfigError} for anything else. */
export function parseSender(text: string): Sender {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const unquoted = name.trim().replace(/^"(.*)"$/, '$1')
  if (!isMailAddress(address.trim()) || /\p{Cc}/u.test(unquoted)) {
    throw new ConfigError('Malformed setting MAIL_FROM: expected Name <address> or an address')
  }
  return { name: unquoted, address: address.trim() }
}

/**
 * Writes the message: headers and a text in UTF-8, lines ended by CRLF. A text that is ASCII with lines of at most 998
 * characters stays as it is (7bit), so a link or a code in it is never broken; so does any other text with such lines in a file (8bit).
 * Else it is quoted-printable.
 */
export function composeMessage({
  id,
  from,
  to,
  subject,
  body,
  html,
  unsubscribeUrl,
  date,
  host,
  isFile = false,
}: Message): Buffer {
  if (!isMailAddress(to)) throw new MessageError('the recipient is no address')
  const lines = linesOf(body)
  const isShort = lines.every((line) => Buffer.byteLength(line) <= 998)
  const isAscii = lines.every((line) => /^[\x09\x20-\x7e]*$/.test(line))
  const encoding = isShort && isAscii ? '7bit' : isShort && isFile ? '8bit' : 'quoted-printable'
  const head = [
    `From: ${from.name === '' ? '' : `${phrase(from.name)} `}<${from.address}>`,
    `To: <${to}>`,
    `Subject: ${unstructured(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${letters(id)}@${host}>`,
    'Auto-Submitted: auto-generated',
    ...unsubscribing(unsubscribeUrl ?? null),
    'MIME-Version: 1.0',
  ]
  const text = partOf('text/plain', encoding, lines)
  if (html === undefined) return Buffer.from(`${[...head, ...text].join('\r\n')}\r\n`)
  // Who writes a text does not know the id.
  const boundary = `=_${letters(id)}`
  const parts = [
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...text,
    `--${boundary}`,
    ...partOf('text/html', 'quoted-printable', linesOf(html)),
    `--${boundary}--`,
  ]
  return Buffer.from(`${[...head, ...parts].join('\r\n')}\r\n`)
}

const linesOf = (text: string): string[] =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .replace(/\n*$/, '')
    .split('\n')

const partOf = (type: string, encoding: string, lines: readonly string[]): string[] => [
  `Content-Type: ${type}; charset=utf-8`,
  `Content-Transfer-Encoding: ${encoding}`,
  '',
  ...(encoding === 'quoted-printable' ? lines.map(quotedPrintable) : lines),
]

/** How a mailbox offers to end such mails, at once where the address is safe on its way (RFC 2369, RFC 8058). */
function unsubscribing(url: string | null): string[] {
  if (url === null) return []
  if (!/^https?:\/\/[\x21-\x3b=\x3f-\x7e]+$/.test(url))
    throw new MessageError('the address to unsubscribe is not a web address')
  const oneClick = url.startsWith('https:') ? ['List-Unsubscribe-Post: List-Unsubscribe=One-Click'] : []
  return [`List-Unsubscribe: <${url}>`, ...oneClick]
}

/** The id as letters alone: nothing in the headers may look like a six-digit code. */
const letters = (id: string): string =>
  `kith.${id.replaceAll('-', '').replace(/[0-9a-f]/gi, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))}`

/** A header's text on one line; what is not ASCII becomes encoded words (RFC 2047). */
function unstructured(text: string): string {
  const line = [
    ...text
      .toWellFormed()
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, 200)
    .join('')
  // A text that looks like an encoded word itself would be decoded by the reader.
  if (/^[\x20-\x7e]*$/.test(line) && !line.includes('=?')) return line
  const words: string[] = []
  let word = ''
  for (const character of line) {
    // 45 bytes make 60 characters of base64: within the 75 of an encoded word.
    if (Buffer.byteLength(word + character) > 45) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')
}

/** A display name: as it is, in quotes, or as encoded words. */
function phrase(name: string): string {
  const text = unstructured(name)
  if (text.startsWith('=?') || /^[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]+$/.test(text)) return text
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** One line as quoted-printable (RFC 2045): at most 76 characters a line, soft breaks between characters only. */
function quotedPrintable(line: string): string {
  let text = ''
  let width = 0
  const characters = [...line]
  characters.forEach((character, i) => {
    const last = i === characters.length - 1
    const literal = /^[\x21-\x3c\x3e-\x7e]$/.test(character) || (/^[\t ]$/.test(character) && !last)
    const piece = literal
      ? character
      : [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    if (width + piece.length > (last ? 76 : 75)) {
      text += '=\r\n'
      width = 0
    }
    text += piece
    width += piece.length
  })
  return text
}
