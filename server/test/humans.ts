// A customer's side of a story: asks for a code from a page of ours, reads the mail, signs in with a browser.
import assert from 'node:assert/strict'
import type { Mail } from '../src/mail/read.ts'
import { withCode } from './owner.ts'
import type { Answer, RequestOptions, World } from './world.ts'

type Headers = Record<string, string>

/** As a browser says that a page of ours asks. */
export const fromHere = (w: World): { origin: string } => ({ origin: w.service.publicUrl })

export const requestCode = (w: World, email: unknown, headers: Headers = {}): Promise<Answer> =>
  w.request('POST', '/human/session/request', { json: { email }, headers: { ...fromHere(w), ...headers } })

export const verifyCode = (w: World, json: object, headers: Headers = {}): Promise<Answer> =>
  w.request('POST', '/human/session/verify', { json, headers: { ...fromHere(w), ...headers } })

/** What a sign-in sends along with its code. */
interface Coded {
  challenge_id: string
  code: string
  mail: Mail
}

/** Asks for a code and waits for the mail of this very request; `mailedTo` where the email has another spelling. */
export async function askCode(w: World, email: string, mailedTo = email): Promise<Coded> {
  const { answer, mail } = await withCode(w, mailedTo, async () => {
    const answer = await requestCode(w, email)
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer
  })
  return { challenge_id: answer.body.challenge_id, code: mail.code as string, mail }
}

/** A browser that is signed in. */
export interface SignedIn {
  id: string
  answer: Answer
  /** The cookie and the form token. */
  headers: { cookie: string; 'x-csrf-token': string }
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
}

/** The `name=value` that an answer gave a browser to keep. */
export const cookieOf = (answer: Answer): string =>
  (answer.headers.getSetCookie()[0] as string).split(';', 1)[0] as string

/** Signs in by a code; documents are confirmed unless `fields` say otherwise. */
export async function signIn(w: World, email: string, fields: object = {}, headers: Headers = {}): Promise<SignedIn> {
  const { challenge_id, code } = await askCode(w, email)
  const answer = await verifyCode(w, { challenge_id, code, documents_confirmed: true, ...fields }, headers)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return signedIn(w, answer)
}

export function signedIn(w: World, answer: Answer): SignedIn {
  const headers = { cookie: cookieOf(answer), 'x-csrf-token': answer.body.csrf_token as string }
  return {
    id: answer.body.human.id,
    answer,
    headers,
    request: (method, path, options = {}) =>
      w.request(method, path, { ...options, headers: { ...headers, ...options.headers } }),
  }
}
