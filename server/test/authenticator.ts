// An authenticator of WebAuthn in a few lines: makes passkeys on P-256 and signs with them, as told, and wrong as told.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const encoded = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')

/** What an answer says otherwise than it should. */
export interface Twist {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Instead of the next one. */
  counter?: number
  /** 0x01: somebody was there; 0x04: it was its person. */
  flags?: number
  userHandle?: string
  /** As COSE numbers it; P-256 is 1. */
  curve?: number
  /** Another key than that of the passkey. */
  key?: KeyObject
}

export interface Passkey {
  id: string
  userHandle: string
  key: KeyObject
  counter: number
}

interface Asked {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
}

const present = 0x01
const verified = 0x04
const attested = 0x40

/** CBOR of what an attestation needs: maps with small keys, texts and byte strings. */
function cbor(value: unknown): Buffer {
  const head = (major: number, size: number): Buffer =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 0xff])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

const count = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const clientData = (type: string, { challenge }: Asked, origin: string, twist: Twist): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? origin,
      crossOrigin: false,
    }),
  )

/** Makes a passkey for what a page asked; its answer, and the passkey. */
export function createPasskey(asked: Asked, origin: string, twist: Twist = {}): { answer: string; passkey: Passkey } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, twist.curve ?? 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
  const id = randomBytes(32)
  const counter = twist.counter ?? 1
  const authData = Buffer.concat([
    sha256(twist.rpId ?? asked.rp?.id ?? ''),
    Buffer.from([(twist.flags ?? present | verified) | attested]),
    count(counter),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    cbor(cose),
  ])
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
  const answer = {
    id: encoded(id),
    rawId: encoded(id),
    type: 'public-key',
    response: {
      clientDataJSON: encoded(clientData('webauthn.create', asked, origin, twist)),
      attestationObject: encoded(cbor(attestation)),
      transports: ['internal', 'of tomorrow'],
    },
  }
  const passkey = { id: encoded(id), userHandle: asked.user?.id ?? '', key: privateKey, counter }
  return { answer: JSON.stringify(answer), passkey }
}

/** Signs what a page asked; the counter goes on. */
export function usePasskey(passkey: Passkey, asked: Asked, origin: string, twist: Twist = {}): string {
  passkey.counter += 1
  const authData = Buffer.concat([
    sha256(twist.rpId ?? asked.rpId ?? ''),
    Buffer.from([twist.flags ?? present | verified]),
    count(twist.counter ?? passkey.counter),
  ])
  const data = clientData('webauthn.get', asked, origin, twist)
  const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), twist.key ?? passkey.key)
  return JSON.stringify({
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    response: {
      clientDataJSON: encoded(data),
      authenticatorData: encoded(authData),
      signature: encoded(signature),
      userHandle: twist.userHandle ?? passkey.userHandle,
    },
  })
}
