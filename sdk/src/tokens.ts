// The token in force: loaded, rotated in time, settled after a crash. Rotation kills the old token at once and its
// answer cannot be had again (docs/contract/identity.md#rotating-and-revoking), so the intent is on disk before the
// request leaves.
import { KithError, KithIdentityError, KithNetworkError, KithTokenLostError } from './errors.ts'
import type { Answer, Transport } from './http.ts'
import { isForeign } from './reach.ts'
import { backoff, isPassing, type RetryPolicy, retrying } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { locked, readJson, type Store, writeJson } from './store.ts'
import type { TokenGrant } from './types.ts'

const day = 24 * 3600 * 1000
/** A token with less than this left is rotated before its next use. */
const rotateWithinMs = 7 * day
/** A token this young is not rotated: if it looks old, the clock of this machine is wrong. */
const youngMs = day
/** After a rotation that the service put off, the old token serves on for this long before the next try. */
const postponeMs = 3600 * 1000
/** How often a rotation whose answer was lost, while the old token lived on, is tried again. */
const mostTries = 3

/** `token`: what the service gave, and when by the clock of this machine. */
interface StoredGrant extends TokenGrant {
  received_at?: string
}

export interface Tokens {
  /** The token to use now; rotates it first when fewer than 7 days are left. */
  current(): Promise<TokenGrant>
  /** What the store holds once nobody is rotating: another process may have been quicker than this one's memory. */
  reload(): Promise<TokenGrant>
  /**
   * Exchange the token for a new one, valid about 30 days; it is on disk when this resolves. Throws
   * `KithTokenLostError` when the answer was lost and the old token is dead, `KithNetworkError` when that cannot be
   * told yet: the next use settles it.
   */
  rotate(): Promise<TokenGrant>
  /** Revoke the token and forget it. The passport and the key stay. */
  revoke(): Promise<void>
}

export function createTokens(deps: {
  store: Store
  runtime: Runtime
  retry: RetryPolicy
  transport: Transport
  handle: string | undefined
}): Tokens {
  const { store, runtime, transport } = deps
  let held: StoredGrant | undefined
  let loading: Promise<StoredGrant> | undefined
  let rotating: Promise<StoredGrant> | undefined
  let notBefore = 0

  const due = ({ token_expires_at, received_at }: StoredGrant) => {
    const age = runtime.now() - Date.parse(received_at ?? '')
    return Date.parse(token_expires_at) - runtime.now() < rotateWithinMs && !(age >= 0 && age < youngMs)
  }
  const lost = (reason: 'rotation' | 'refused', cause?: unknown) => new KithTokenLostError(reason, deps.handle, cause)

  /** The stored grant after finishing what a killed process began. Only under the lock. */
  async function settled(): Promise<StoredGrant> {
    if (await store.read('revocation.json')) await finishRevocation()
    const grant = await readGrant(store)
    const intent = await readJson<{ from: string }>(store, 'rotation.json')
    if (!intent) return grant
    if (intent.from === (await digest(grant.token))) await probe(grant)
    await store.remove('rotation.json')
    return grant
  }

  /** Resolves if the service still takes the token; throws `KithTokenLostError` if not. */
  async function probe(grant: TokenGrant): Promise<void> {
    try {
      await retrying(runtime, deps.retry, () => transport({ method: 'GET', path: '/bots/me', token: grant.token }))
    } catch (error) {
      if (isStatus(error, 401)) throw lost('rotation', error)
      // 403 is said only to a token that is good; 429 may have been said before anyone looked at it.
      if (!(error instanceof KithError) || isForeign(error) || isPassing(error)) throw error
    }
  }

  async function exchange(grant: StoredGrant): Promise<StoredGrant> {
    for (let n = 1; ; n++) {
      const from = await digest(grant.token)
      await writeJson(store, 'rotation.json', { from, started_at: new Date(runtime.now()).toISOString() })
      let answer: Answer
      try {
        answer = await transport({ method: 'POST', path: '/tokens/rotate', token: grant.token })
      } catch (error) {
        if (isRefusal(error)) {
          if (error.status === 401 && n > 1) throw lost('rotation', error)
          await store.remove('rotation.json')
          throw error.status === 401 ? lost('refused', error) : error
        }
        await probe(grant)
        // The old token lives: the request did not arrive, or has not yet. Waiting lets a straggler show itself.
        if (n === mostTries) throw error
        await runtime.sleep(backoff(deps.retry, n, runtime.random()))
        continue
      }
      return saveGrant(store, answer.body, runtime)
    }
  }

  async function rotate(always: boolean): Promise<StoredGrant> {
    return locked(store, 'token', async () => {
      const grant = await settled()
      held = always || due(grant) ? await exchange(grant) : grant
      return held
    })
  }

  async function rotateIfDue(grant: StoredGrant): Promise<StoredGrant> {
    rotating ??= rotate(false).finally(() => {
      rotating = undefined
    })
    try {
      return await rotating
    } catch (error) {
      const alive = Date.parse(grant.token_expires_at) > runtime.now()
      if (!(error instanceof KithError) || error instanceof KithTokenLostError || !alive) throw error
      notBefore = runtime.now() + postponeMs
      return grant
    }
  }

  async function finishRevocation(): Promise<void> {
    const grant = await readJson<TokenGrant>(store, 'token')
    if (grant) {
      const call = { method: 'POST', path: '/tokens/revoke', token: grant.token }
      await retrying(runtime, deps.retry, () => transport(call)).catch((error) => {
        // A token that is refused is as good as revoked.
        if (!isStatus(error, 401)) throw error
      })
    }
    await store.remove('token')
    await store.remove('rotation.json')
    await store.remove('revocation.json')
    held = undefined
  }

  async function reload(): Promise<StoredGrant> {
    held = await locked(store, 'token', settled)
    return held
  }

  /** Once for all calls that are made at once: each would wait for the lock of the others. */
  async function load(): Promise<StoredGrant> {
    loading ??= reload().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function current(): Promise<StoredGrant> {
    const grant = held ?? (await load())
    return due(grant) && runtime.now() >= notBefore ? rotateIfDue(grant) : grant
  }

  return {
    current: async () => given(await current()),
    reload: async () => given(await reload()),
    rotate: async () => given(await rotate(true)),
    revoke: () =>
      locked(store, 'token', async () => {
        await writeJson(store, 'revocation.json', { started_at: new Date(runtime.now()).toISOString() })
        await finishRevocation()
      }),
  }
}

/** What the service gave of it. */
const given = ({ token, token_expires_at }: StoredGrant): TokenGrant => ({ token, token_expires_at })

/**
 * Put a grant of the service into the store, and end what it settles. Throws `KithNetworkError` if it is not a grant.
 */
export async function saveGrant(store: Store, body: unknown, { now }: Pick<Runtime, 'now'>): Promise<StoredGrant> {
  const { token, token_expires_at } = (body ?? {}) as Partial<TokenGrant>
  if (
    typeof token !== 'string' ||
    !/^[\x21-\x7e]{16,512}$/.test(token) ||
    Number.isNaN(Date.parse(token_expires_at ?? ''))
  )
    throw new KithNetworkError('the answer holds no token grant')
  const grant = { token, token_expires_at: token_expires_at!, received_at: new Date(now()).toISOString() }
  // Meant for the token before, which this one ended: left behind, it would revoke this one at its first use.
  await store.remove('revocation.json')
  await writeJson(store, 'token', grant)
  await store.remove('rotation.json')
  return grant
}

async function readGrant(store: Store): Promise<StoredGrant> {
  const grant = await readJson<StoredGrant>(store, 'token')
  if (!grant) throw new KithIdentityError('this identity holds no token: register, or recover access')
  return grant
}

/** The token's name in a record that is no secret. */
async function digest(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function isStatus(error: unknown, status: number): error is KithError {
  return error instanceof KithError && error.status === status && !isForeign(error)
}

/** The service said no and did nothing: not a time-out, not a 5xx, not something in between. */
function isRefusal(error: unknown): error is KithError {
  return error instanceof KithError && error.status < 500 && error.status !== 408 && !isForeign(error)
}
