// A new token through the owner's verified email, where the operator has RECOVERY=on. It never gives the key back.
import { KithInputError } from './errors.ts'
import type { Transport } from './http.ts'
import { defaultRetry, retrying } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { locked, readJson, type Store, writeJson } from './store.ts'
import { isStatus, saveGrant } from './tokens.ts'
import type { Bot, Challenge, TokenGrant } from './types.ts'

export interface Recovery {
  /**
   * Ask for a code to the owner's email. The answer is the same whether the passport exists or not. Throws `KithError`
   * `registration_limited` (429, `retryAfter`) within 60 seconds of the last request.
   */
  request(ask: { handle: string; email: string }): Promise<Challenge>
  /**
   * Exchange the six-digit code for a token; all earlier ones die. Token and passport are on disk when this resolves.
   * Throws `KithError` `invalid_email_verification` for a wrong, used up or expired code. When the answer is lost the
   * code is spent: ask for a new one. Once the token is here, the same call ends what was cut off.
   */
  verify(code: string): Promise<TokenGrant>
}

interface State {
  challenge_id?: string
  /** Its code has become the token that is stored. */
  exchanged?: boolean
}

export function createRecovery(deps: {
  baseUrl: string
  store: Store
  runtime: Runtime
  transport: Transport
}): Recovery {
  const { baseUrl, store, runtime, transport } = deps

  async function exchange(state: State, code: string): Promise<TokenGrant> {
    const body = JSON.stringify({ challenge_id: state.challenge_id, code })
    const answer = await transport({ method: 'POST', path: '/tokens/recover/verify', body })
    const grant = await saveGrant(store, answer.body, runtime)
    await writeJson(store, 'recovery.json', { ...state, exchanged: true })
    return grant
  }

  async function botOf({ token }: TokenGrant): Promise<Bot> {
    const me = () => transport({ method: 'GET', path: '/bots/me', token })
    return ((await retrying(runtime, defaultRetry, me)).body as { bot: Bot }).bot
  }

  return {
    request: (ask) =>
      locked(store, 'token', async () => {
        const call = { method: 'POST', path: '/tokens/recover/request', body: JSON.stringify(ask) }
        const answer = await retrying(runtime, { ...defaultRetry, budgetMs: 20_000 }, () => transport(call))
        const challenge = answer.body as Challenge
        await writeJson(store, 'recovery.json', { ...ask, challenge_id: challenge.challenge_id })
        return challenge
      }),
    verify: (code) =>
      locked(store, 'token', async () => {
        const state = await readJson<State>(store, 'recovery.json')
        if (!state?.challenge_id) throw new KithInputError('no recovery is in progress: request a code first')
        const isKnown = (await store.read('passport.json')) !== undefined
        // A run that ended before it had the passport left its token: the code is spent, but nothing is lost.
        const left = state.exchanged && !isKnown ? await readJson<TokenGrant>(store, 'token') : undefined
        const found = left && (await botOf(left).catch(unlessRefused))
        const grant = left && found ? left : await exchange(state, code)
        if (!isKnown) await writeJson(store, 'passport.json', { base_url: baseUrl, bot: found ?? (await botOf(grant)) })
        await store.remove('recovery.json')
        return grant
      }),
  }
}

function unlessRefused(error: unknown): undefined {
  if (!isStatus(error, 401)) throw error
}
