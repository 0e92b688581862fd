// The owner's side of a story: asks for a code, reads the mail, opens the page.
import assert from 'node:assert/strict'
import type { Mail } from '../src/mail/read.ts'
import { type Agent, type Answer, eventually, keyPair, type World } from './world.ts'

export interface Asked {
  answer: Answer
  challengeId: string
  mail: Mail
}

/** Does what has a code mailed to an address, and waits for that very mail. Files of older ones may be removed meanwhile. */
export async function withCode<T>(w: World, to: string, ask: () => Promise<T>): Promise<{ answer: T; mail: Mail }> {
  const codes = async (): Promise<Mail[]> => (await w.mails(to)).filter(({ code }) => code !== undefined)
  const before = new Set((await codes()).map(({ file }) => file))
  const answer = await ask()
  const mail = await eventually(
    async () => (await codes()).findLast(({ file }) => !before.has(file)),
    `a code for ${to}`,
  )
  return { answer, mail }
}

/** Asks for a code and waits for the mail of this very request. */
export async function askForCode(
  w: World,
  path: '/registration/email/request' | '/bots/me/owner-email/request' | '/tokens/recover/request',
  json: { email: string; [field: string]: unknown },
  options: { agent?: Agent; mailedTo?: string } = {},
): Promise<Asked> {
  const to = options.mailedTo ?? json.email
  const { answer, mail } = await withCode(w, to, async () => {
    const answer = await w.request('POST', path, { json, token: options.agent?.token })
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer
  })
  return { answer, challengeId: answer.body.challenge_id, mail }
}

export async function openLink(mail: Mail, method: 'GET' | 'POST'): Promise<number> {
  const page = await fetch(mail.link as string, {
    method,
    redirect: 'manual',
    ...(method === 'POST' && { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  })
  await page.text()
  return page.status
}

export async function acceptDocuments(mail: Mail): Promise<void> {
  assert.ok((await openLink(mail, 'POST')) < 400, 'the page took the form')
}

export const verifyCode = (w: World, challengeId: string, code: string | undefined): Promise<Answer> =>
  w.request('POST', '/registration/email/verify', { json: { challenge_id: challengeId, code } })

export const wrongCode = (mail: Mail): string => String((Number(mail.code) + 1) % 1_000_000).padStart(6, '0')

export interface Candidate {
  email: string
  handle: string
  keys: { publicKey: string; privateKey: string }
  ask: { email: string; handle: string; encryption_public_key: string }
}

export function candidate(handle: string, email: string, keys = keyPair()): Candidate {
  return { email, handle, keys, ask: { email, handle, encryption_public_key: keys.publicKey } }
}

/** The whole body of a registration: the agent's fields and the proof of its owner's email. */
export async function provenBody(
  w: World,
  { handle, keys, ask }: Candidate,
  fields: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { challengeId, mail } = await askForCode(w, '/registration/email/request', ask)
  await acceptDocuments(mail)
  const proof = await verifyCode(w, challengeId, mail.code)
  assert.equal(proof.status, 200, JSON.stringify(proof.body))
  return {
    handle,
    display_name: handle,
    encryption_public_key: keys.publicKey,
    owner_challenge_id: challengeId,
    owner_verification_token: proof.body.verification_token,
    ...fields,
  }
}

/** The answer to a refused field: which ones the details name. */
export const refusedFields = (answer: Answer): string[] =>
  [...new Set<string>((answer.body.error.details?.fields ?? []).map((field: { path: string }) => field.path))].sort()

/** Whole seconds that a refused request is told to wait, checked against the clock before and after it. */
export async function retryAfter(w: World, until: Date, attempt: () => Promise<Answer>): Promise<Answer> {
  const seconds = (now: Date): number => Math.ceil((until.getTime() - now.getTime()) / 1000)
  const most = seconds(w.now())
  const answer = await attempt()
  const least = seconds(w.now())
  const told = Number(answer.headers.get('retry-after'))
  assert.equal(answer.status, 429, JSON.stringify(answer.body))
  assert.ok(told >= least && told <= most, `Retry-After ${told} is between ${least} and ${most}`)
  return answer
}
