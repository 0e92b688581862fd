// keys.json: what an identity is opened with, under a passphrase. docs/export.md#keys says how anyone opens it again.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'

const format = 'kith-keys-v1'
const cipher = 'chacha20-poly1305'
const tagBytes = 16
/** 128 MiB and about half a second for each guess. */
const cost = { n: 2 ** 17, r: 8, p: 1 }
/** What a file may ask of the machine that opens it. */
const mostMemory = 1024 * 1024 * 1024

interface Sealed {
  format: typeof format
  kdf: { name: 'scrypt'; n: number; r: number; p: number; salt: string }
  cipher: typeof cipher
  nonce: string
  ciphertext: string
}

/** The files of an identity's folder that make it what it is: with them a new folder is the same identity. */
export const keyFiles = ['passport.json', 'token', 'key', 'pins.json'] as const

export type KeyFiles = Partial<Record<(typeof keyFiles)[number], string>>

export async function sealKeys(files: KeyFiles, passphrase: string): Promise<string> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const key = await keyOf(passphrase, { ...cost, salt })
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  sealing.setAAD(Buffer.from(format), { plaintextLength: Buffer.byteLength(JSON.stringify({ files })) })
  const ciphertext = Buffer.concat([sealing.update(JSON.stringify({ files }), 'utf8'), sealing.final()])
  const sealed: Sealed = {
    format,
    kdf: { name: 'scrypt', ...cost, salt: salt.toString('base64') },
    cipher,
    nonce: nonce.toString('base64'),
    ciphertext: Buffer.concat([ciphertext, sealing.getAuthTag()]).toString('base64'),
  }
  return `${JSON.stringify(sealed, null, 1)}\n`
}

/** The files again. Throws an `Error` for another passphrase or a changed file, which look the same. */
export async function openKeys(text: string, passphrase: string): Promise<KeyFiles> {
  const sealed = JSON.parse(text) as Sealed
  const { n, r, p, salt } = sealed.kdf ?? {}
  if (sealed.format !== format || sealed.cipher !== cipher || sealed.kdf.name !== 'scrypt')
    throw new Error(`this is no ${format} file`)
  const key = await keyOf(passphrase, { n, r, p, salt: Buffer.from(salt, 'base64') })
  const bytes = Buffer.from(sealed.ciphertext, 'base64')
  const nonce = Buffer.from(sealed.nonce, 'base64')
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(format), { plaintextLength: bytes.length - tagBytes })
  opening.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const plain = Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()])
    return (JSON.parse(plain.toString('utf8')) as { files: KeyFiles }).files
  } catch {
    throw new Error('another passphrase, or the file was changed')
  }
}

function keyOf(passphrase: string, { n, r, p, salt }: typeof cost & { salt: Buffer }): Promise<Buffer> {
  const options = { N: n, r, p, maxmem: mostMemory }
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key))),
  )
}
