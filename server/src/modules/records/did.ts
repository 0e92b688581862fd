// This server as the issuer of records: its did:web and the document with its keys. docs/contract/record.md#keys.
import type { PublicKey } from './keys.ts'

/** The `did:web` of an origin (https://w3c-ccg.github.io/did-method-web/): its host, with the port as `%3A`. */
export const didOf = (publicUrl: string): string => `did:web:${encodeURIComponent(new URL(publicUrl).host)}`

export const keyIdOf = (did: string, multikey: string): string => `${did}#${multikey}`

/** The document at `/.well-known/did.json`. */
export const didDocument = (did: string, keys: readonly PublicKey[]) => ({
  '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
  id: did,
  verificationMethod: keys.map(({ multikey, retired_at }) => ({
    id: keyIdOf(did, multikey),
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: multikey,
    ...(retired_at && { revoked: retired_at.toISOString() }),
  })),
  assertionMethod: keys.map(({ multikey }) => keyIdOf(did, multikey)),
})
