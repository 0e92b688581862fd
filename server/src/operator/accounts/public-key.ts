// The public key of a new passkey, as COSE has it (RFC 9053): whether answers can be checked by it. A wrong one would
// make a passkey that never signs anyone in.
import { createPublicKey, type JsonWebKeyInput } from 'node:crypto'

/** By algorithm: what must stand under `kty` and `crv`, and the key as JSON Web Key. */
const kinds: Readonly<Record<number, (key: ReadonlyMap<number, unknown>) => JsonWebKeyInput['key'] | undefined>> = {
  // Ed25519
  [-8]: (key) =>
    key.get(1) === 1 && key.get(-1) === 6 ? { kty: 'OKP', crv: 'Ed25519', x: encoded(key.get(-2)) } : undefined,
  // ECDSA on P-256
  [-7]: (key) =>
    key.get(1) === 2 && key.get(-1) === 1
      ? { kty: 'EC', crv: 'P-256', x: encoded(key.get(-2)), y: encoded(key.get(-3)) }
      : undefined,
  // RSA with PKCS #1
  [-257]: (key) => (key.get(1) === 3 ? { kty: 'RSA', n: encoded(key.get(-1)), e: encoded(key.get(-2)) } : undefined),
}

const shortestModulus = 2048

const encoded = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''

export async function isPublicKey(cose: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
  try {
    const key = decodeCredentialPublicKey(cose) as unknown as ReadonlyMap<number, unknown>
    const jwk = kinds[Number(key.get(3))]?.(key)
    if (!jwk) return false
    // Throws for a point that is not on its curve.
    const { asymmetricKeyDetails: told } = createPublicKey({ key: jwk, format: 'jwk' })
    return jwk.kty !== 'RSA' || ((told?.modulusLength ?? 0) >= shortestModulus && (told?.publicExponent ?? 0n) > 2n)
  } catch {
    return false
  }
}
