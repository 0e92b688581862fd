// The codes of emails, for register and recover: what has to be known before one is sent, what is said of one that was not
// right, and waiting until one may be tried or asked for.
import { uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { KithError } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import type { Io } from './io.ts'

/** A flag's text, or the answer to a question at a terminal. */
export async function need(io: Io, name: string, question: string, found: string | undefined): Promise<string> {
  for (let value = found; ; value = await io.ask(question)) {
    if (value) return value
    if (!io.interactive) throw usage(`--${name} is missing, and there is no terminal to ask at`)
  }
}

/** A code as it was meant: what is copied may have blanks around it, or between its digits. */
export const codeIn = (text: string): string => text.replace(/\s/g, '')

/** The code as it is given; `-` reads it. */
export async function givenCode(input: Input): Promise<string | undefined> {
  const code = input.text('code')
  return code === undefined ? undefined : codeIn(code.trim() === '-' ? await input.io.input() : code)
}

/** How long a code is valid, in seconds: docs/contract/identity.md#codes. */
const codeSeconds = 600

/** When a code was asked for: the uptime of this machine in seconds, and by its clock the moment when it started. */
export interface Moment {
  uptime: number
  booted: number
}

export function thisMoment(): Moment {
  const seconds = uptime()
  return { uptime: seconds, booted: Date.now() - 1000 * seconds }
}

/**
 * Whether a code has expired, by the uptime of this machine since it was asked for: its clock may be hours wrong. Where the
 * machine seems to have started at another moment, it restarted, is another machine, or its clock was corrected: then the
 * clock decides, and if no moment was saved.
 */
export function isExpired(asked: Moment | undefined, expiresAt: string): boolean {
  const now = thisMoment()
  const age = asked && Math.abs(now.booted - asked.booted) <= 60_000 ? now.uptime - asked.uptime : -1
  // A clock that begins at the same time at each start shows a restart only by the uptime.
  return age < 0 ? Date.parse(expiresAt) <= Date.now() : age >= codeSeconds
}

/** How often a code may still be tried; undefined if it was not even looked at. */
export function triesLeft(left: number | undefined): string {
  if (left === undefined)
    return 'this code is no longer valid: it was replaced by a newer one, used up, or is older than ten minutes'
  return left === 0 ? 'no attempts left' : left === 1 ? '1 attempt left' : `${left} attempts left`
}

/** What a person reads about a wrong code, and by which `word` another email is had. */
export function wrongCode(left: number | undefined, word: string): string {
  const [first, ...rest] = left === undefined ? triesLeft(left) : `wrong code: ${triesLeft(left)}`
  return `${first!.toUpperCase()}${rest.join('')}.${left ? '' : ` For another email: ${word}`}`
}

/**
 * Ask again, politely, while the answer is only that it is too early: the owner has not confirmed, or the service wants
 * a pause. A refusal for good gets the hint of its code.
 */
export async function patiently<T>(
  input: Input,
  act: () => Promise<T>,
  hints: Record<string, string | ((refusal: KithError) => string)>,
): Promise<T> {
  const deadline =
    performance.now() + 1000 * input.number('wait', input.io.interactive ? 600 : 60, { min: 0, max: 3600 })
  let told = false
  for (let n = 1; ; n++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof KithError)) throw error
      const pause = pauseAfter(error, n)
      if (pause === undefined || performance.now() + pause > deadline) {
        const hint = hints[error.code]
        if (hint === undefined) throw error
        throw new Advised(error, typeof hint === 'string' ? hint : hint(error))
      }
      if (!told) input.io.note(waitingFor(error, pause))
      told = true
      input.io.status(error.code === 'owner_confirmation_pending' ? 'waiting for the owner' : 'waiting')
      await unlessInterrupted(pause).finally(() => input.io.status(''))
    }
  }
}

/** A pause that Ctrl-C ends as it ends a question: with what goes on. */
async function unlessInterrupted(pauseMs: number): Promise<void> {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  try {
    await sleep(pauseMs, undefined, { signal: stopped.signal })
  } catch (error) {
    throw stopped.signal.aborted ? new Ended(exit.interrupted, 'interrupted', 'interrupted') : error
  } finally {
    process.off('SIGINT', stop)
  }
}

function pauseAfter(error: KithError, attempt: number): number | undefined {
  if (error.code === 'owner_confirmation_pending') return Math.min(5_000, 500 * attempt)
  if (error.code === 'registration_limited') return 1000 * (error.retryAfter ?? 60)
  return undefined
}

function waitingFor(error: KithError, pause: number): string {
  return error.code === 'owner_confirmation_pending'
    ? 'Waiting for the owner to open the link in the email and confirm …'
    : `Waiting ${Math.ceil(pause / 1000)} seconds: the service sends the next email only then …`
}
