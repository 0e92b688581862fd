// People who order from agents and have none: they sign in by a code out of an email, and come with a cookie from then on.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Book, openBook } from './book.ts'
import type { Client, Reply } from './client.ts'
import type { Actor } from './ledger.ts'
import type { Mails } from './mails.ts'
import type { Random } from './random.ts'
import { ensure } from './violation.ts'

/** Of all their addresses, and of nothing else: what reads so to anybody but themselves was given away. */
export const peoplesDomain = 'people.torture.test'

export interface Person extends Actor {
  email: string
  /** Whether its account began with the grant: the first one of its email does. */
  isGranted: boolean
}

export interface People {
  /** Those who have signed in, by their id. */
  readonly known: ReadonlyMap<string, Person>
  readonly orders: Book
  add(person: Person): void
}

export function openPeople(): People {
  const known = new Map<string, Person>()
  return { known, orders: openBook(), add: (person) => void known.set(person.id, person) }
}

/** Where they sign in. */
export interface Entrance {
  client: Client
  urls: readonly string[]
  /** What a browser says that its pages are from. */
  origin: string
  mails: Mails
  /** The longest a code may take to arrive, in milliseconds. */
  codeWithin: number
  /** Who has closed an account and when, in milliseconds of the run, and whether they were let in again. */
  left: { name: string; at: number; isBack: boolean }[]
}

/**
 * Signs somebody in; undefined if an answer was lost on the way, or the signal came: then the address has to wait longer
 * than anybody here does. A code that is sent several times at once begins one session.
 */
export async function signIn(
  { client, urls, origin, mails, codeWithin, left }: Entrance,
  name: string,
  random: Random,
  signal?: AbortSignal,
): Promise<Person | undefined> {
  const email = `${name}@${peoplesDomain}`
  const former = (await mails.to(email)).length
  const post = (path: string, json: object) => client.call(random.pick(urls), 'POST', path, { origin }, json)
  const asked = await post('/human/session/request', { email })
  if (!isAnswer(asked)) return undefined
  ensure(asked.status === 202, 'no code is sent to a person', asked)
  let code: string | undefined
  for (const deadline = performance.now() + codeWithin; code === undefined; await sleep(50)) {
    if (signal?.aborted) return undefined
    ensure(performance.now() < deadline, 'a code never came', name)
    code = (await mails.to(email)).slice(former).find((mail) => mail.code !== undefined)?.code
  }
  const json = { challenge_id: asked.body.challenge_id, code, display_name: name, documents_confirmed: true }
  const attempts = Array.from({ length: random.integer(1, 3) }, () => post('/human/session/verify', json))
  const answers = (await Promise.all(attempts)).filter(isAnswer)
  const begun = answers.filter(({ status }) => status === 201)
  ensure(begun.length <= 1, 'one code began two sessions', name, answers.length)
  const others = answers.filter((answer) => !begun.includes(answer))
  const isRefused = others.every(({ body }) => body?.error?.code === 'invalid_email_verification')
  ensure(isRefused, 'a code is refused for what is no fault of its own', name, ...others)
  const [first] = begun
  if (!first) return undefined
  const { human, csrf_token: token } = first.body
  ensure(human.email === email && first.cookie !== undefined, 'a session is not that of who signed in', human)
  const isGranted = !left.some((each) => each.name === name)
  return { id: human.id, handle: name, email, isGranted, credentials: { cookie: first.cookie, 'x-csrf-token': token } }
}

/** Closes an account that has no orders: nobody reads anything by its session from then on. */
export async function leave({ client, urls, left }: Entrance, person: Person, random: Random): Promise<void> {
  const ask = (method: string, path: string, json?: object) =>
    client.call(random.pick(urls), method, path, person.credentials, json)
  const closed = await ask('POST', '/human/close', { confirm: true })
  if (!isAnswer(closed)) return
  ensure(closed.status === 200, 'a person without orders cannot leave', closed)
  left.push({ name: person.handle, at: performance.now(), isBack: false })
  const read = await ask('GET', '/human/me')
  ensure(!isAnswer(read) || read.status === 401, 'a closed account is read by its session', person.handle, read?.body)
}

/** An email is not sent codes more often, in milliseconds; with a moment more. */
const betweenCodes = 61_000

/** Somebody who has left, and may come again: once. */
export function returner({ left }: Entrance): string | undefined {
  const found = left.find(({ at, isBack }) => !isBack && at < performance.now() - betweenCodes)
  if (found) found.isBack = true
  return found?.name
}

const isAnswer = (reply: Reply | undefined): reply is Reply => reply !== undefined && reply.status !== 503
