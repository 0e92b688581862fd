import type { IncomingMessage } from 'node:http'
import { begunHumanSession, endedHumanSession, humanFormToken, humanSessionOf } from '../../http/humans.ts'
import { limitField, uuidField } from '../../http/query.ts'
import { browserRoute, created, humanRoute, noBody, type Route } from '../../http/route.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, Id, Nullable, Type } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { showChallenge } from '../identity/challenge-shapes.ts'
import { requestSession } from '../identity/challenges.ts'
import { Challenge } from '../identity/shapes.ts'
import { EntryShape, showEntry, showWallet, WalletShape } from '../wallet/shapes.ts'
import { findWallet, history } from '../wallet/wallet.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { endAllSessions, endSession, signIn } from './sessions.ts'
import { AccountBody, Human, RequestBody, SignInBody, showAccount } from './shapes.ts'

const Ended = closed({ ended: Type.Literal(true) })

/** What is the browser's own to say: that a page of ours asks, and as what no form of another site can. */
function requireOwnPage({ publicUrl }: Service, { headers }: IncomingMessage): void {
  if (headers.origin !== new URL(publicUrl).origin) refuse('csrf_failed')
  if (!headers['content-type']) refuse('unsupported_media_type', { message: 'JSON is needed: {}' })
}

const requestCode = browserRoute({
  method: 'POST',
  path: '/human/session/request',
  countedByAddress: 'mail',
  tag: 'customers',
  summary: 'Send a code that signs a customer in',
  description: 'The same for every e-mail, whether it has an account or not. A new code replaces the one before it.',
  body: RequestBody,
  success: { 202: Challenge },
  refuses: ['registration_limited', 'verification_setup_pending', 'owner_email_queue_full'],
  handle: async ({ service, body }) => {
    const challenge = await service.sql.transaction((tx) => requestSession(tx, service, body))
    return showChallenge(service, challenge, false)
  },
})

const verifyCode = browserRoute({
  method: 'POST',
  path: '/human/session/verify',
  tag: 'customers',
  summary: 'Sign in by the code; the first time makes the account, its wallet and the starting grant',
  description:
    'Sets the cookie of a new session and ends the one that this browser had. `documents_confirmed: true` is needed at the first sign-in of an e-mail; without it the code stays as it was. `display_name` counts at the first one only.',
  body: SignInBody,
  success: { 201: closed({ human: Human, csrf_token: Type.String() }) },
  refuses: ['invalid_email_verification'],
  handle: async ({ service, body, request }) => {
    const former = humanSessionOf(service, request.headers.cookie)
    const { account, secret } = await signIn(service, body, former)
    const { cookie, formToken } = begunHumanSession(service, secret)
    return {
      status: created(true),
      headers: { 'set-cookie': cookie },
      body: { human: showAccount(account), csrf_token: formToken },
    }
  },
})

const endThis = humanRoute({
  method: 'POST',
  path: '/human/session/end',
  tag: 'customers',
  summary: 'Sign out of this browser',
  body: noBody,
  success: { 200: Ended },
  handle: async ({ service, session, request }) => {
    requireOwnPage(service, request)
    await service.sql.transaction((tx) => endSession(tx, session.digest))
    return { headers: { 'set-cookie': endedHumanSession(service) }, body: { ended: true } }
  },
})

const endAll = humanRoute({
  method: 'POST',
  path: '/human/session/end-all',
  tag: 'customers',
  summary: 'Sign out of every browser, this one among them',
  body: noBody,
  success: { 200: Ended },
  handle: async ({ service, me, request }) => {
    requireOwnPage(service, request)
    await service.sql.transaction((tx) => endAllSessions(tx, me.id))
    return { headers: { 'set-cookie': endedHumanSession(service) }, body: { ended: true } }
  },
})

const getMe = humanRoute({
  method: 'GET',
  path: '/human/me',
  tag: 'customers',
  summary: 'Your account, and the form token of this session',
  success: { 200: closed({ human: Human, csrf_token: Type.String() }) },
  handle: async ({ service, me, session }) => {
    const account = await findAccount(service.sql, service.clock.now(), me.id)
    return { body: { human: showAccount(account), csrf_token: humanFormToken(service, session.digest) } }
  },
})

const patchMe = humanRoute({
  method: 'PATCH',
  path: '/human/me',
  tag: 'customers',
  summary: 'Change the name that agents see, or whether orders send e-mails',
  body: AccountBody,
  success: { 200: closed({ human: Human }) },
  handle: async ({ service, me, body }) => ({
    body: { human: showAccount(await service.sql.transaction((tx) => changeAccount(tx, me.id, body))) },
  }),
})

const getWallet = humanRoute({
  method: 'GET',
  path: '/human/wallet',
  tag: 'customers',
  summary: 'Your own test credits',
  success: { 200: closed({ wallet: WalletShape }) },
  handle: async ({ service, me }) => ({ body: { wallet: showWallet(await findWallet(service.sql, me.id)) } }),
})

const getHistory = humanRoute({
  method: 'GET',
  path: '/human/wallet/history',
  tag: 'customers',
  summary: 'Your own ledger entries, newest first',
  query: { before: uuidField, limit: limitField },
  success: { 200: closed({ entries: Type.Array(EntryShape), next_before: Nullable(Id) }) },
  refuses: ['not_found'],
  handle: async ({ service, me, query }) => {
    const { rows, next_before } = await history(service.sql, me.id, query)
    return { body: { entries: rows.map(showEntry), next_before } }
  },
})

export const humanRoutes: readonly Route[] = [
  requestCode,
  verifyCode,
  endThis,
  endAll,
  getMe,
  patchMe,
  getWallet,
  getHistory,
]
