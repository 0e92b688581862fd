// What a browser sends of a passkey, as JSON in a field of a form: only what is asked of it, and nothing that is of another shape.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** Characters of the whole field. */
export const longestAnswer = 16_384

const base64url = /^[A-Za-z0-9_-]+$/

type Raw = Readonly<Record<string, unknown>>

function rawOf(text: string): { id: string; response: Raw } | undefined {
  if (text.length > longestAnswer) return undefined
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(raw)) return undefined
  const { id, rawId, type, response } = raw
  if (!isBase64url(id) || rawId !== id || type !== 'public-key' || !isRecord(response)) return undefined
  return { id, response }
}

const isRecord = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value)

const isBase64url = (value: unknown): value is string => typeof value === 'string' && base64url.test(value)

const common = (id: string) => ({ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} })

/** The answer of a sign-in; it names its operator, for nobody else does. */
export function readAuthentication(text: string): AuthenticationResponseJSON | undefined {
  const raw = rawOf(text)
  if (!raw) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle } = raw.response
  if (!isBase64url(clientDataJSON) || !isBase64url(authenticatorData)) return undefined
  if (!isBase64url(signature) || !isBase64url(userHandle)) return undefined
  return { ...common(raw.id), response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

type Transport = (typeof knownTransports)[number]

/** The answer of a new passkey. */
export function readRegistration(
  text: string,
): { answer: RegistrationResponseJSON; transports: Transport[] } | undefined {
  const raw = rawOf(text)
  if (!raw) return undefined
  const { clientDataJSON, attestationObject, transports } = raw.response
  if (!isBase64url(clientDataJSON) || !isBase64url(attestationObject)) return undefined
  const told: unknown[] = Array.isArray(transports) ? transports : []
  return {
    answer: { ...common(raw.id), response: { clientDataJSON, attestationObject } },
    transports: knownTransports.filter((known) => told.includes(known)),
  }
}
