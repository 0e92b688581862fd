// SECRET_KEY and what is derived from it. Nothing here is ever logged or stored in the clear but in its own file.
import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { makeFolders, writeWhole } from './kernel/durable.ts'

export interface Secrets {
  /** What a database remembers of the key, so that a node with another one stops. */
  readonly fingerprint: string
  /** HMAC-SHA-256 under a key of its own for each purpose. */
  readonly mac: (purpose: string, text: string) => Buffer
  /** `bytes` bytes of HKDF-SHA-256 from the key, the input and the salt. */
  readonly derive: (purpose: string, input: Buffer, salt: string, bytes: number) => Buffer
}

export function deriveSecrets(secretKey: string): Secrets {
  const subkey = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', `kith ${purpose}`, 32))
  const keys = new Map<string, Buffer>()
  const key = (purpose: string): Buffer => {
    const known = keys.get(purpose) ?? subkey(purpose)
    keys.set(purpose, known)
    return known
  }
  return {
    fingerprint: subkey('fingerprint').toString('hex'),
    mac: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest(),
    derive: (purpose, input, salt, bytes) =>
      Buffer.from(hkdfSync('sha256', Buffer.concat([key(purpose), input]), salt, `kith ${purpose}`, bytes)),
  }
}

/** Those of a process with these settings. */
export const secretsOf = async ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Secrets> =>
  deriveSecrets(secretKey ?? (await generatedSecretKey(dataDir)))

/** The key that the service generates once into its data folder, mode 0600, when no SECRET_KEY is set. */
export async function generatedSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key')
  const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    const reason = error.code === 'EACCES' ? 'this user may not read it' : error.message
    throw new ConfigError(`Cannot read the secret key ${path}: ${reason}`, { cause: error })
  })
  if (existing !== undefined) {
    const secretKey = existing.trim()
    if (secretKey.length >= 32) return secretKey
    throw new ConfigError(`The secret key ${path} is damaged: it has fewer than 32 characters`)
  }
  await makeFolders(dataDir)
  const secretKey = randomBytes(32).toString('base64url')
  await writeSecretKey(dataDir, secretKey)
  return secretKey
}

/** Writes the key durably: to a temporary name, synced, renamed, the folder synced. */
export async function writeSecretKey(dataDir: string, secretKey: string): Promise<void> {
  await writeWhole(join(dataDir, 'secret-key'), `${secretKey}\n`)
}

export const sha256 = (value: string | Buffer): Buffer => hash('sha256', value, 'buffer')

export const equalBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** A new API token: `kith_` and 43 base64url characters (docs/contract/authentication.md#tokens). */
export const tokenFrom = (bytes: Buffer): string => `kith_${bytes.toString('base64url')}`

export const tokenPattern: RegExp = /^kith_[A-Za-z0-9_-]{43}$/
