// Where a list of services goes on: signed, good for a day, and for the one who got it with the same filters alone.
// docs/contract/services.md#search.
import { hours } from '../../kernel/clock.ts'
import { invalid } from '../../kernel/refuse.ts'
import { equalBytes, type Secrets } from '../../secrets.ts'
import { contentDigest } from '../../store/once.ts'

export const cursorLifetime: number = hours(24)

const idBytes = 16
const timeBytes = 6
const macBytes = 32

/** What a cursor is good for: another reader, scope, filter, limit or fee rule is another list. */
interface CursorScope {
  readerId: string
  list: Readonly<Record<string, unknown>>
}

const bodyOf = (id: string, expires: number): Buffer => {
  const body = Buffer.alloc(idBytes + timeBytes)
  body.write(id.replaceAll('-', ''), 'hex')
  body.writeUIntBE(expires, idBytes, timeBytes)
  return body
}

const sign = ({ mac }: Secrets, body: Buffer, scope: CursorScope): Buffer =>
  mac('cursor of services', `${body.toString('hex')} ${contentDigest(scope).toString('hex')}`)

/** The cursor behind a service. */
export function cursorAfter(secrets: Secrets, now: Date, scope: CursorScope, id: string): string {
  const body = bodyOf(id, now.getTime() + cursorLifetime)
  return Buffer.concat([body, sign(secrets, body, scope)]).toString('base64url')
}

/** The service that a cursor stands behind; one that is foreign, altered or old is refused as `invalid_input`. */
export function readCursor(secrets: Secrets, now: Date, scope: CursorScope, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  const wrong = (): never => invalid({ path: 'cursor', problem: 'does not belong to this list, or has expired' })
  if (bytes.length !== idBytes + timeBytes + macBytes || bytes.toString('base64url') !== cursor) return wrong()
  const body = bytes.subarray(0, idBytes + timeBytes)
  if (!equalBytes(bytes.subarray(idBytes + timeBytes), sign(secrets, body, scope))) return wrong()
  if (body.readUIntBE(idBytes, timeBytes) <= now.getTime()) return wrong()
  return body
    .subarray(0, idBytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
