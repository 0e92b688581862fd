// Why no answer of the service came, in words that say what to look at. Node names its causes by a code; a browser tells
// nothing but that there was no answer, for a page may not learn what else is on its network.
import { KithError, KithNetworkError, type NoAnswer } from './errors.ts'

interface Cause {
  reason: NoAnswer
  /** What happened, in brackets. */
  what: string
  /** What to look at. */
  look?: string
}

const causes: Record<string, Cause> = {
  ECONNREFUSED: { reason: 'refused', what: 'connection refused', look: 'is it running?' },
  ENOTFOUND: { reason: 'name', what: 'there is no such host', look: 'is the address right?' },
  EAI_AGAIN: { reason: 'name', what: 'the name of the host cannot be looked up', look: 'is there a network?' },
  ENETUNREACH: { reason: 'unreachable', what: 'its network cannot be reached', look: 'is there a network?' },
  EHOSTUNREACH: { reason: 'unreachable', what: 'its host cannot be reached', look: 'is the address right?' },
  ETIMEDOUT: {
    reason: 'timeout',
    what: 'the connection timed out',
    look: 'is the address right, and a firewall open?',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: { reason: 'tls', what: 'it does not speak TLS', look: 'is it http?' },
  EPROTO: { reason: 'tls', what: 'TLS failed' },
  CERT_HAS_EXPIRED: { reason: 'tls', what: 'its certificate has expired' },
  CERT_NOT_YET_VALID: { reason: 'tls', what: 'its certificate is not valid yet', look: 'is the clock right?' },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: 'tls', what: 'its certificate is for another name' },
}
const timedOut = causes['ETIMEDOUT']!
for (const code of ['UND_ERR_CONNECT_TIMEOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']) causes[code] = timedOut
for (const code of [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])
  causes[code] = {
    reason: 'tls',
    what: 'its certificate is not from a trusted authority',
    look: 'name your own authority in NODE_EXTRA_CA_CERTS',
  }

/** What is known of a failed connection or a broken answer. */
function causeOf(error: unknown): Cause | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth++) {
    const { code, message } = each as Error & { code?: unknown }
    const known = typeof code === 'string' ? causes[code] : undefined
    if (known) return known
    // Of several addresses of a host each failed; the first says why.
    if (each instanceof AggregateError && each.errors.length > 0) return causeOf(each.errors[0])
    if (message === 'unexpected redirect')
      return { reason: 'redirect', what: 'it redirects elsewhere', look: 'give the address that it redirects to' }
    if (message === 'bad port')
      return { reason: 'unreachable', what: 'requests to this port are blocked', look: 'is the address right?' }
    if (typeof code === 'string' && /^ERR_(SSL|TLS)_/.test(code)) return { reason: 'tls', what: 'TLS failed' }
  }
  return undefined
}

/** No complete answer to a request: the first of the reasons that is found, or none. */
export function noAnswer(
  { origin, request, seconds }: { origin: string; request: string; seconds: number },
  cause: unknown,
): KithNetworkError {
  const known = causeOf(cause)
  if (known) {
    const { reason, what, look } = known
    return new KithNetworkError(`cannot reach ${origin} (${what})${look ? `: ${look}` : ''}`, { cause, reason })
  }
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return new KithNetworkError(`${origin} did not answer ${request} within ${seconds} seconds`, {
      cause,
      reason: 'timeout',
    })
  return new KithNetworkError(`no complete response from ${origin} to ${request}: the connection was lost`, {
    cause,
    reason: 'broken',
  })
}

/** Why a socket could not be opened, in the words of a request. */
export const unreachable = (origin: string, cause: unknown): KithNetworkError =>
  noAnswer({ origin, request: 'the event channel', seconds: 0 }, cause)

const pageOf = (response: Response): string =>
  /\bhtml\b/i.test(response.headers.get('content-type') ?? '') ? 'a web page' : 'something'

/** A success that is not the service's comes from something in between: whether the service acted is unknown. */
export const foreignSuccess = (origin: string, response: Response): KithNetworkError =>
  new KithNetworkError(
    `${origin} answered ${response.status} with ${pageOf(response)} that is not from Kith: is the address right, or is there a proxy or a login in between?`,
    { reason: 'foreign' },
  )

/** Whether something in between refused: whether the service acted, or takes the token, is unknown. */
export const isForeign = (error: unknown): boolean => error instanceof KithError && error.code === 'unexpected_answer'

/** A refusal that is not the service's, by what it comes with. */
export function foreignRefusal(
  origin: string,
  response: Response,
  facts: { requestId: string | undefined; retryAfter: number | undefined },
): KithError {
  const { status } = response
  const look = [502, 503, 504].includes(status)
    ? 'a proxy answers, but the service behind it does not: is it running?'
    : 'is the address right, or is there a proxy or a login in between?'
  const message = `${origin} answered ${status} with ${pageOf(response)} that is not from Kith: ${look}`
  return new KithError({ status, code: 'unexpected_answer', message, ...facts })
}
