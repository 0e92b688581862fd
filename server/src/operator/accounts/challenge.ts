// What a passkey signs. A challenge is signed by the service instead of stored, so that a page that shows one changes nothing; it is
// good for five minutes, for the session that it was made for, and for one answer (operator_answers).
import { randomBytes } from 'node:crypto'
import { after, minutes } from '../../kernel/clock.ts'
import { equalBytes, type Secrets } from '../../secrets.ts'
import type { Tx } from '../../store/sql.ts'

const lifetime = minutes(5)

/** Random bytes, the end in milliseconds, and the signature over both. */
const size = { random: 16, end: 6, mac: 32 } as const
const signed = size.random + size.end

/** What a challenge is for: the sign-in, or a passkey that a session adds. */
export type Purpose = 'sign-in' | { session: Buffer }

const purposeText = (purpose: Purpose): string => (purpose === 'sign-in' ? purpose : purpose.session.toString('hex'))

const signature = (secrets: Secrets, purpose: Purpose, body: Buffer): Buffer =>
  secrets.mac('challenge of a passkey', `${purposeText(purpose)} ${body.toString('hex')}`)

export function newChallenge(secrets: Secrets, now: Date, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(signed)
  randomBytes(size.random).copy(body)
  body.writeUIntBE(after(now, lifetime).getTime(), size.random, size.end)
  return Uint8Array.from(Buffer.concat([body, signature(secrets, purpose, body)]))
}

export interface Challenge {
  bytes: Buffer
  endsAt: Date
}

/** A challenge that was made here for this purpose and is not over; undefined for any other. */
export function readChallenge(secrets: Secrets, now: Date, purpose: Purpose, given: string): Challenge | undefined {
  const bytes = Buffer.from(given, 'base64url')
  // As texts: base64 has several spellings of the same bytes.
  if (bytes.length !== signed + size.mac || bytes.toString('base64url') !== given) return undefined
  const body = bytes.subarray(0, signed)
  if (!equalBytes(bytes.subarray(signed), signature(secrets, purpose, body))) return undefined
  const endsAt = new Date(body.readUIntBE(size.random, size.end))
  return endsAt > now ? { bytes, endsAt } : undefined
}

/** Takes the one answer of a challenge; false if it was taken before. */
export async function takeAnswer(tx: Tx, { bytes, endsAt }: Challenge): Promise<boolean> {
  const taken = await tx`
    insert into operator_answers (challenge, expires_at) values (${bytes}, ${endsAt})
    on conflict (challenge) do nothing returning 1`
  return taken.length === 1
}
