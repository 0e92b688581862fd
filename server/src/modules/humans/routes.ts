import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { begunHumanSession, endedHumanSession, humanFormToken, humanSessionOf } from '../../http/humans.ts'
import { languagesOf } from '../../http/languages.ts'
import { isOwnOrigin } from '../../http/origins.ts'
import { browserRoute, created, humanRoute, noBody, type Route } from '../../http/route.ts'
import { takeTurn } from '../../http/turns.ts'
import type { Human as Customer } from '../../kernel/callers.ts'
import { refuse } from '../../kernel/refuse.ts'
import { Bytes, closed, described, Type } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import { showChallenge } from '../identity/challenge-shapes.ts'
import { requestSession } from '../identity/challenges.ts'
import { Challenge } from '../identity/shapes.ts'
import { ownHistory, ownWallet } from '../wallet/own-routes.ts'
import { changeAccount, findAccount } from './accounts.ts'
import { closeAccount } from './closing.ts'
import { exportOf, requireFewExports } from './export.ts'
import { endAllSessions, endSession, signIn } from './sessions.ts'
import { AccountBody, CloseBody, Human, RequestBody, SignInBody, showAccount } from './shapes.ts'

const exportType = 'application/json; charset=utf-8'

const Ended = closed({ ended: described(Type.Literal(true), 'The session has ended') })

/** What is the browser's own to say: that a page of ours asks, and as what no form of another site can. */
function requireOwnPage({ publicUrl }: Service, { headers }: IncomingMessage): void {
  if (!isOwnOrigin(publicUrl, headers.origin ?? '')) refuse('csrf_failed')
  if (!headers['content-type']) refuse('unsupported_media_type', { message: 'Send a JSON body: {}' })
}

const requestCode = browserRoute({
  method: 'POST',
  path: '/human/session/request',
  countedByAddress: 'mail',
  tag: 'customers',
  summary: 'Send a code for a customer to sign in with',
  description: 'The same for every email, whether it has an account or not. A new code replaces the earlier one.',
  body: RequestBody,
  success: { 202: Challenge },
  refuses: ['registration_limited', 'verification_setup_pending', 'owner_email_queue_full'],
  handle: async ({ service, body, request }) => {
    const challenge = await service.sql.transaction((tx) => requestSession(tx, service, body, languagesOf(request)))
    return showChallenge(service, challenge, false)
  },
})

const verifyCode = browserRoute({
  method: 'POST',
  path: '/human/session/verify',
  tag: 'customers',
  summary: 'Sign in with the code; the first time creates the account, its wallet and the starting grant',
  description:
    'Sets the cookie of a new session and ends the browser’s earlier one. The first sign-in of an email needs `documents_confirmed: true`; without it the code remains valid. `display_name` only counts then.',
  body: SignInBody,
  success: {
    201: closed({
      human: Human,
      csrf_token: described(Type.String(), 'Send it in the header `X-CSRF-Token` with every change'),
    }),
  },
  refuses: ['invalid_email_verification'],
  handle: async ({ service, body, request }) => {
    const former = humanSessionOf(service, request.headers.cookie)
    const { account, secret } = await signIn(service, body, { former, languages: languagesOf(request) })
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
  description: 'Other browsers stay signed in.',
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
  summary: 'Sign out of every browser, including this one',
  description: 'For when a browser was lost.',
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
  summary: 'Your account, and the CSRF token of this session',
  description: 'Send the token in the header `X-CSRF-Token` with every change.',
  success: {
    200: closed({
      human: Human,
      csrf_token: described(Type.String(), 'Send it in the header `X-CSRF-Token` with every change'),
    }),
  },
  handle: async ({ service, me, session }) => {
    const account = await findAccount(service.sql, service.clock.now(), me.id)
    return { body: { human: showAccount(account), csrf_token: humanFormToken(service, session.digest) } }
  },
})

const patchMe = humanRoute({
  method: 'PATCH',
  path: '/human/me',
  tag: 'customers',
  summary: 'Change the name that agents see, or whether you get emails about orders',
  description: 'Fields you leave out stay.',
  body: AccountBody,
  success: { 200: closed({ human: Human }) },
  handle: async ({ service, me, body }) => ({
    body: { human: showAccount(await service.sql.transaction((tx) => changeAccount(tx, service, me.id, body))) },
  }),
})

const getWallet = humanRoute({ ...ownWallet, path: '/human/wallet', tag: 'customers' })

const getHistory = humanRoute({ ...ownHistory, path: '/human/wallet/history', tag: 'customers' })

const getExport = humanRoute({
  method: 'GET',
  path: '/human/export',
  tag: 'customers',
  summary: 'Everything stored about you, as one JSON document',
  description: 'Generated while it is sent, however long it is.',
  success: { 200: Bytes(exportType) },
  refuses: ['request_limit'],
  handle: async ({ service, me, request }) => {
    await requireFewExports(service, me.id)
    const headers = {
      'content-type': exportType,
      'content-disposition': 'attachment; filename="kith-account.json"',
      'content-security-policy': "default-src 'none'; sandbox",
    }
    return { headers, open: () => opened(service, me, request) }
  },
})

/** Written while it is read. What fails before its first piece is a refusal like any other. */
async function opened(service: Service, me: Customer, { socket }: IncomingMessage): Promise<Readable> {
  const pieces = exportOf(
    (work) => takeTurn(service, me.id, { socket, excess: 'read_limited' }, () => service.sql.snapshot(work)),
    { service, me },
  )
  const { value: first } = await pieces.next()
  const all = async function* () {
    yield first as string
    yield* pieces
  }
  return Readable.from(all(), { objectMode: false })
}

const close = humanRoute({
  method: 'POST',
  path: '/human/close',
  tag: 'customers',
  summary: 'Close your account permanently, once you have no open orders',
  description:
    'All sessions end; email and name are deleted. Orders, ledger entries and reviews stay without them. `error.details.open_orders` says how many orders have to end first.',
  body: CloseBody,
  success: { 200: closed({ closed: described(Type.Literal(true), 'The account is closed') }) },
  refuses: ['invalid_state'],
  handle: async ({ service, me }) => {
    await service.sql.transaction((tx) => closeAccount(tx, service, me.id))
    return { headers: { 'set-cookie': endedHumanSession(service) }, body: { closed: true } }
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
  getExport,
  close,
]
