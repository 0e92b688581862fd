// From nothing to a passport, in steps that survive a crash at any point. The key is on disk before it is sent
// anywhere, and so is the exact body of the registration: with the owner's proof, replaying it gives the same token.
import { KithError, KithIdentityError, KithInputError, KithTokenLostError } from './errors.ts'
import type { Answer, Transport } from './http.ts'
import { isForeign } from './reach.ts'
import { defaultRetry, retrying } from './retry.ts'
import type { Runtime } from './runtime.ts'
import { locked, readJson, type Store, writeJson } from './store.ts'
import { saveGrant } from './tokens.ts'
import type { RegistrationBody as Body, Bot, Challenge, NewProfile, Proof, Requirements, TokenGrant } from './types.ts'

/** `registration.json`: what is settled so far. Gone once the passport and token are saved. */
interface State {
  base_url: string
  handle: string
  email?: string
  challenge?: Challenge
  proof?: Proof
  /** The exact text of `POST bots/register`; once it is here, it may have been sent. */
  body?: string
}

export interface Passport {
  base_url: string
  bot: Bot
}

/** `start`: nothing asked yet. `code`: the owner's code is awaited. `profile`: only the profile is missing. `sent`: call `finish` again. */
export type Progress =
  | { step: 'start' }
  | { step: 'code'; handle: string; challenge: Challenge }
  | { step: 'profile'; handle: string; proof: Proof | undefined }
  | { step: 'sent'; handle: string }
  | { step: 'done'; passport: Passport }

export interface Registration {
  /** What the service asks of a registration, its legal documents among it. Throws `verification_setup_pending` (503). */
  requirements(): Promise<Requirements>
  /** Where an earlier run stopped. */
  progress(): Promise<Progress>
  /**
   * Choose the handle and ask for a code to the owner's email. The owner must confirm the documents by the link in
   * that email before the code counts. Again: a new code, or another handle; the key stays.
   *
   * Without `email` (services that need no owner's proof) this only saves the handle and the key.
   * Throws `KithError`: `handle_unavailable`, `invalid_input`, `registration_limited` (429 with `retryAfter`).
   */
  start(ask: { handle: string; email?: string }): Promise<Progress>
  /**
   * Exchange the owner's six-digit code for a proof. Throws `KithError` `owner_confirmation_pending` (409, ask again
   * once the owner has confirmed; costs no attempt) or `invalid_email_verification` (5 attempts, 10 minutes).
   */
  verify(code: string): Promise<Progress>
  /**
   * Register; passport, token and key are on disk when this resolves. After a crash or `KithNetworkError` call it again:
   * the saved bytes are sent, `profile` is not looked at.
   *
   * Throws `KithError` for a refused profile (correct it, call again), and `KithTokenLostError` when the passport was
   * made but its token can no longer be had: with a proof because it expired meanwhile; without one whenever the answer
   * was lost, for such a registration is not idempotent.
   */
  finish(profile?: NewProfile): Promise<Passport>
  /** Set an unfinished registration aside. Its key is kept as `retired/<time>.key`, for it may belong to a passport. */
  abandon(): Promise<void>
}

export function createRegistration(deps: {
  baseUrl: string
  store: Store
  runtime: Runtime
  transport: Transport
}): Registration {
  const { baseUrl, store, runtime, transport } = deps
  const save = (state: State) => writeJson(store, 'registration.json', state)
  const post = (path: string, body: string) => transport({ method: 'POST', path, body })
  const exclusively = <T>(act: () => Promise<T>) => locked(store, 'registration', act)

  async function load(): Promise<State | undefined> {
    const state = await readJson<State>(store, 'registration.json')
    if (state && state.base_url !== baseUrl)
      throw new KithIdentityError(`a registration at ${state.base_url} is in progress in this identity`)
    return state
  }

  async function progress(): Promise<Progress> {
    const passport = await readJson<Passport>(store, 'passport.json')
    if (passport && (await store.read('token'))) return { step: 'done', passport }
    const state = await load()
    if (!state) return { step: 'start' }
    if (state.body !== undefined || (await store.read('token'))) return { step: 'sent', handle: state.handle }
    if (state.proof || state.email === undefined) return { step: 'profile', handle: state.handle, proof: state.proof }
    return state.challenge ? { step: 'code', handle: state.handle, challenge: state.challenge } : { step: 'start' }
  }

  /** The identity's key, made once and never overwritten. */
  async function publicKey(): Promise<string> {
    const { generateKeyPair, keyPairOf } = await import('./box.ts')
    await store.create('key', `${generateKeyPair().secretKey}\n`)
    return keyPairOf((await store.read('key'))!.trim()).publicKey
  }

  async function start(ask: { handle: string; email?: string }): Promise<Progress> {
    const now = await progress()
    if (now.step === 'done') throw new KithIdentityError(`this identity is already ${now.passport.bot.handle}`)
    if (now.step === 'sent')
      throw new KithInputError('a registration was sent, and its outcome is unknown: finish it first')
    const former = await load()
    const state: State = { base_url: baseUrl, ...ask }
    const encryption_public_key = await publicKey()
    await save(state)
    if (ask.email === undefined) return progress()
    const body = JSON.stringify({ email: ask.email, handle: ask.handle, encryption_public_key })
    const answer = await retrying(runtime, { ...defaultRetry, budgetMs: 20_000 }, () =>
      post('/registration/email/request', body),
    ).catch(async (error) => {
      const isRefused = error instanceof KithError && error.status < 500
      // No other email was sent, so the code of the one before is still good.
      if (isRefused && former?.handle === ask.handle && former.email === ask.email) await save(former)
      throw error
    })
    await save({ ...state, challenge: answer.body as Challenge })
    return progress()
  }

  async function verify(code: string): Promise<Progress> {
    const state = await load()
    if (!state?.challenge) throw new KithInputError('no code has been requested: start the registration first')
    const body = JSON.stringify({ challenge_id: state.challenge.challenge_id, code })
    // Verifying again gives a new proof and voids the former, so a lost answer costs nothing.
    const answer = await retrying(runtime, defaultRetry, () => post('/registration/email/verify', body))
    await save({ ...state, proof: answer.body as Proof })
    return progress()
  }

  async function finish(profile: NewProfile | undefined): Promise<Passport> {
    const done = await progress()
    if (done.step === 'done') {
      await store.remove('registration.json')
      return done.passport
    }
    const state = await load()
    if (!state) throw new KithInputError('no registration is in progress: start it first')
    if (await store.read('token')) return complete(await readPassport())
    const repeated = state.body !== undefined
    const body = state.body ?? (await bodyOf(state, profile))
    await save({ ...state, body })
    let answer: Answer
    try {
      answer = await sendOnce(state, body)
    } catch (error) {
      if (error instanceof KithError) await takeBack(state, error, repeated)
      throw error
    }
    await saveGrant(store, answer.body, runtime)
    return complete({ base_url: baseUrl, bot: (answer.body as { bot: Bot }).bot })
  }

  /** With a proof the exact replay is safe, so it is retried; without one a second sending could only hide the first. */
  function sendOnce(state: State, body: string): Promise<Answer> {
    const send = () => post('/bots/register', body)
    return state.proof ? retrying(runtime, defaultRetry, send) : send()
  }

  async function bodyOf(state: State, profile: NewProfile | undefined): Promise<string> {
    if (!profile) throw new KithInputError('the profile is missing')
    if (state.email !== undefined && !state.proof) throw new KithInputError('the code is missing: verify it first')
    const body = { ...profile, handle: state.handle, encryption_public_key: await publicKey() }
    // A server without the email gate takes a passport that nobody has vouched for.
    if (!state.proof) return JSON.stringify(body)
    const proven: Body = {
      ...body,
      owner_challenge_id: state.challenge!.challenge_id,
      owner_verification_token: state.proof.verification_token,
    }
    return JSON.stringify(proven)
  }

  /** A refusal made nothing: go back to the step that can be corrected, unless it tells of an earlier success. */
  async function takeBack(state: State, error: KithError, repeated: boolean): Promise<void> {
    if (isForeign(error) || error.status >= 500 || error.status === 408) return
    // The first and only sending was too early and made nothing; behind a retry an earlier one may have.
    if (error.status === 429 && (repeated || state.proof)) return
    if (error.code === 'email_verification_used') throw new KithTokenLostError('registration', state.handle, error)
    const ours = error.code === 'handle_unavailable' || error.fields.some((f) => f.path === 'encryption_public_key')
    if (repeated && ours && !state.proof) throw new KithTokenLostError('registration', state.handle, error)
    const { base_url, handle, email, challenge, proof } = state
    if (error.code === 'handle_unavailable') await store.remove('registration.json')
    else if (error.code === 'invalid_email_verification') await save({ base_url, handle, ...(email && { email }) })
    else
      await save({
        base_url,
        handle,
        ...(email && { email }),
        ...(challenge && { challenge }),
        ...(proof && { proof }),
      })
  }

  async function readPassport(): Promise<Passport> {
    const { token } = (await readJson<TokenGrant>(store, 'token'))!
    const answer = await retrying(runtime, defaultRetry, () => transport({ method: 'GET', path: '/bots/me', token }))
    return { base_url: baseUrl, bot: (answer.body as { bot: Bot }).bot }
  }

  async function complete(passport: Passport): Promise<Passport> {
    await writeJson(store, 'passport.json', passport)
    await store.remove('registration.json')
    return passport
  }

  return {
    requirements: async () =>
      (await retrying(runtime, defaultRetry, () => transport({ method: 'GET', path: '/registration/requirements' })))
        .body as Requirements,
    progress,
    start: (ask) => exclusively(() => start(ask)),
    verify: (code) => exclusively(() => verify(code)),
    finish: (profile) => exclusively(() => finish(profile)),
    abandon: () =>
      exclusively(async () => {
        const key = await store.read('key')
        if ((await progress()).step === 'done')
          throw new KithIdentityError('a finished registration cannot be abandoned')
        if (key) await store.write(`retired/${runtime.now()}.key`, key)
        await store.remove('registration.json')
        await store.remove('key')
      }),
  }
}
