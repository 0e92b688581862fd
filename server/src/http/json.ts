// JSON by the rules of docs/contract/representation.md#json: one object, valid UTF-8, no repeated key, at most 32
// levels and 32,768 values.
import { isUtf8 } from 'node:buffer'
import { refuse } from '../kernel/refuse.ts'

const maxDepth = 32
/** As many as 64 KiB can have. Parsing and checking a body takes time by its values, not by its bytes. */
const maxValues = 32_768

const invalidJson = (problem: string): never => refuse('invalid_json', { message: `Invalid JSON: ${problem}` })

/** Parses the bytes of a body; anything but one strict object is refused as `invalid_json`. */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) return invalidJson('not UTF-8')
  const text = bytes.toString('utf8')
  checkStructure(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return invalidJson(problemOf(text, error as SyntaxError))
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return invalidJson('not an object')
  return value as Record<string, unknown>
}

/** The engine's words, without what they quote of the body; of a character beyond U+FFFF it would tell a half. */
function problemOf(text: string, { message }: SyntaxError): string {
  if (text.startsWith('\u{feff}')) return 'a byte order mark precedes it'
  const said = message
    .split(/(?:^|, )(?:\.\.\.)?"/)[0]
    ?.replace(' in JSON', '')
    .toWellFormed()
  return said ? said[0]?.toLowerCase() + said.slice(1) : 'malformed'
}

/**
 * `JSON.parse` keeps the last of two equal keys and has no limit of depth or values: so this walks the text before it, and leaves
 * what is malformed to it. Strings are skipped by `indexOf`, so a long ciphertext costs next to nothing.
 */
function checkStructure(text: string): void {
  const keysOf: (Set<string> | null)[] = []
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x7b || char === 0x5b) {
      keysOf.push(char === 0x7b ? new Set() : null)
      if (keysOf.length > maxDepth) invalidJson(`nested deeper than ${maxDepth}`)
      const isEmpty = text.charCodeAt(afterSpace(text, i + 1)) === char + 2
      if (!isEmpty) values += 1
    } else if (char === 0x2c) {
      values += 1
    } else if (char === 0x7d || char === 0x5d) {
      keysOf.pop()
    } else if (char === 0x22) {
      const end = endOfString(text, i)
      if (end === -1) return
      const keys = keysOf.at(-1)
      if (keys && text.charCodeAt(afterSpace(text, end + 1)) === 0x3a) {
        const key = keyOf(text.slice(i + 1, end))
        if (key === undefined) return
        if (keys.has(key)) invalidJson(`the key ${JSON.stringify(key.slice(0, 60))} is repeated`)
        keys.add(key)
      }
      i = end
    }
    if (values > maxValues) invalidJson(`more than ${maxValues} values`)
  }
}

/** Undefined if it is malformed. */
function keyOf(raw: string): string | undefined {
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return undefined
  }
}

function afterSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

const isSpace = (char: number): boolean => char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09

/** -1 if it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    if (end === -1) return end
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
  }
}
