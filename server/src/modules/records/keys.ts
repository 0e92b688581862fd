// The Ed25519 keys that sign records: one in use, all former ones retired. A private key is derived from SECRET_KEY and the salt of
// its row, so every node has it, a backup carries it, and neither the database nor the key alone gives it away.
// docs/contract/record.md#keys.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { ConfigError } from '../../config.ts'
import type { Secrets } from '../../secrets.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { RecordKeysRow } from '../../store/tables.ts'
import { multibase } from './multibase.ts'

export interface SigningKey {
  publicKey: Buffer
  createdAt: Date
  sign: (bytes: Buffer) => Buffer
}

/** A key as others read it. */
export interface PublicKey {
  /** Multikey (https://www.w3.org/TR/cid-1.0/#Multikey). */
  multikey: string
  created_at: Date
  retired_at: Date | null
}

/** Before the 32 bytes of a key: that it is Ed25519 (https://github.com/multiformats/multicodec, `ed25519-pub`). */
const ed25519 = Buffer.of(0xed, 0x01)
/** DER before the 32 bytes of a private key (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

export const multikeyOf = (publicKey: Buffer): string => multibase(Buffer.concat([ed25519, publicKey]))

/** Makes the first key of an installation; does nothing if there is one. */
export async function makeFirst(sql: Query, secrets: Secrets, now: Date): Promise<void> {
  const { publicKey, salt } = fresh(secrets)
  await sql`
    insert into record_keys (public_key, salt, created_at)
    select ${publicKey}::bytea, ${salt}::bytea, ${now}::timestamptz where not exists (select 1 from record_keys where retired_at is null)
    on conflict do nothing`
}

export async function keyInUse(sql: Query, secrets: Secrets): Promise<SigningKey> {
  const [row] = await sql<Pick<RecordKeysRow, 'public_key' | 'salt' | 'created_at'>>`
    select public_key, salt, created_at from record_keys where retired_at is null`
  if (!row?.salt) throw new ConfigError('There is no key for records yet: start the service once')
  const key = privateKeyOf(secrets, row.salt)
  // Nobody could check what another key than the published one signs.
  if (!rawPublic(key).equals(row.public_key))
    throw new ConfigError('SECRET_KEY is not the one this database was set up with')
  return { publicKey: row.public_key, createdAt: row.created_at, sign: (bytes) => sign(null, bytes, key) }
}

/** Every key that ever signed, the newest first. */
export async function allKeys(sql: Query): Promise<PublicKey[]> {
  const rows = await sql<Pick<RecordKeysRow, 'public_key' | 'created_at' | 'retired_at'>>`
    select public_key, created_at, retired_at from record_keys order by retired_at is not null, created_at desc, public_key`
  return rows.map(({ public_key, ...times }) => ({ multikey: multikeyOf(public_key), ...times }))
}

/** Retires the key in use for good, and makes the next one. Two at once take turns. */
export async function rotate(tx: Tx, secrets: Secrets): Promise<{ retired: string; key: string }> {
  await tx`select pg_advisory_xact_lock(hashtextextended('record keys', 0))`
  const { publicKey: former } = await keyInUse(tx, secrets)
  const { publicKey, salt } = fresh(secrets)
  await tx`update record_keys set retired_at = ${tx.now}, salt = null where public_key = ${former}`
  await tx`insert into record_keys (public_key, salt, created_at) values (${publicKey}, ${salt}, ${tx.now})`
  return { retired: multikeyOf(former), key: multikeyOf(publicKey) }
}

function fresh(secrets: Secrets): { publicKey: Buffer; salt: Buffer } {
  const salt = randomBytes(32)
  return { publicKey: rawPublic(privateKeyOf(secrets, salt)), salt }
}

const privateKeyOf = (secrets: Secrets, salt: Buffer): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([privatePrefix, secrets.derive('record key', salt, '', 32)]),
    format: 'der',
    type: 'pkcs8',
  })

const rawPublic = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
