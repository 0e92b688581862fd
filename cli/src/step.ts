// One step of what has versions (an order, a service, a task): decided on it as it is, sent with its version, and done
// once whatever happens on the way.
import { type Entry, type FolderClient, KithError } from '@kith/sdk/identity'
import { type Input, type Option, takes } from './command.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import { short } from './ids.ts'
import { type Intent, once } from './intents.ts'
import { untrusted } from './json.ts'
import { again, identity } from './profile.ts'

export const stepOptions: Record<string, Option> = {
  'expect-version': takes('N', 'only if it is still at the version that you saw'),
}

/** Your own id of what a command makes. */
export const ownId = (made: string): Option =>
  takes('UUID', `an ID of your own for this ${made}: however often you repeat it, it is made once`)

export type Body = Record<string, unknown>

export interface Versioned {
  id: string
  version: number
}

/** A kind of thing that steps change. */
export interface Subject<T extends Versioned> {
  /** Its word, which is also its key in JSON unless that is another. */
  name: string
  key?: string
  read(client: FolderClient, id: string): Promise<T>
  /** Where it stands, in a word or two. */
  state(thing: T): string
  /** All of it, for people. */
  text(client: FolderClient, thing: T, columns: number): Promise<string>
  /** The command that shows it. */
  show(id: string): string
  /** Rows of what may be done next, by either side. */
  next?(input: Input, client: FolderClient, thing: T): Promise<string[]>
  /** What a person would see change, by name. */
  facts(thing: T): Record<string, string>
}

export interface Step<T, A> {
  id: string
  /** What tells this intent from others: the same again, after a crash, is the same intent. */
  content: unknown
  /** The caller's own id of it. */
  own?: string | undefined
  /** What the command line says of it. */
  given?: Body
  /** What has to be made ready before the thing is looked at, such as files. */
  prepare?(client: FolderClient, intent: Intent): Promise<Body>
  /** Asks for confirmation if needed, showing the thing's current state. Throws if refused. */
  decide?(thing: T, client: FolderClient): Promise<Body> | Promise<void>
  send(client: FolderClient, body: Body & { expected_version: number }, options: { operationId: string }): Promise<A>
  /** The thing of an answer; left out if `show` needs none. */
  of?(answer: A): T
  /** What to print; by default what the step made of the thing. */
  show?(answer: A, thing: T, client: FolderClient): Promise<void>
}

export async function takeStep<T extends Versioned, A>(
  input: Input,
  subject: Subject<T>,
  step: Step<T, A>,
): Promise<void> {
  const { id, given = {} } = step
  const expected = input.text('expect-version')
  if (expected !== undefined && !/^[1-9]\d{0,8}$/.test(expected))
    throw usage('--expect-version must be a version number')
  const client = await identity(input)
  const look = async (): Promise<T> => {
    const thing = await subject.read(client, id)
    if (expected !== undefined && Number(expected) !== thing.version) throw moved(input, subject, thing, expected)
    return thing
  }
  await once(client, [step.content, expected], step.own, async (intent) => {
    const begun = await client.saved(intent.id)
    let seen: T | undefined
    let body: Body
    if (begun) body = { ...bodyOf(begun), ...given }
    else {
      seen = await look()
      const ready = await step.prepare?.(client, intent)
      // Making ready may have taken long.
      if (ready) seen = await look()
      const decided = await step.decide?.(seen, client)
      body = { expected_version: seen.version, ...given, ...ready, ...decided }
    }
    const answer = await step
      .send(client, body as Body & { expected_version: number }, { operationId: intent.id })
      .catch((error) => conflict(error, input, subject, client, id, seen))
    // The answer to what an earlier run sent may be an old one.
    const thing = begun && step.of ? await subject.read(client, id) : (step.of?.(answer) as T)
    if (step.show) return step.show(answer, thing, client)
    const next = input.io.json ? [] : ((await subject.next?.(input, client, thing)) ?? [])
    await input.io.show({ [keyOf(subject)]: untrusted(thing) }, () => [doneText(subject, thing), ...next].join('\n'))
  })
}

export const keyOf = ({ name, key = name }: { name: string; key?: string }): string => key

/** What was said when the intent was first sent: a repetition says the same. */
export function bodyOf({ body }: Entry): Body {
  return JSON.parse(body ?? '{}') as Body
}

/** What a step made of it. */
export const doneText = <T extends Versioned>(subject: Subject<T>, thing: T): string =>
  `${subject.name[0]!.toUpperCase()}${subject.name.slice(1)} ${short(thing.id)} is ${subject.state(thing)} (version ${thing.version}).`

const decideAgain = <T extends Versioned>(input: Input, subject: Subject<T>, id: string) =>
  `look at it again before you decide: ${again(input, subject.show(id))}`

function moved<T extends Versioned>(input: Input, subject: Subject<T>, thing: T, expected: string): Ended {
  const message = `the ${subject.name} is at version ${thing.version}, ${subject.state(thing)}, not at ${expected}`
  return new Ended(exit.refused, 'version_conflict', message, decideAgain(input, subject, thing.id), {
    [keyOf(subject)]: untrusted(thing),
  })
}

/** A stale decision is told with what changed, and never made again by itself. */
async function conflict<T extends Versioned>(
  error: unknown,
  input: Input,
  subject: Subject<T>,
  client: FolderClient,
  id: string,
  seen: T | undefined,
): Promise<never> {
  if (!(error instanceof KithError)) throw error
  if (error.code === 'invalid_state')
    throw new Advised(error, `what can be done with it: ${again(input, subject.show(id))}`)
  if (error.code !== 'version_conflict') throw error
  const now = await subject.read(client, id).catch(() => undefined)
  if (!now) throw error
  if (!input.io.json) input.io.note(await subject.text(client, now, input.io.columns))
  const changed = seen ? changesText(subject, seen, now) : `it is ${subject.state(now)} now, at version ${now.version}`
  throw new Advised(error, `changed since then: ${changed}; ${decideAgain(input, subject, id)}`, {
    [keyOf(subject)]: untrusted(now),
  })
}

/** What differs between a thing as it was seen and as it is. */
function changesText<T extends Versioned>(subject: Subject<T>, was: T, is: T): string {
  const [before, now] = [subject.facts(was), subject.facts(is)]
  return Object.keys(now)
    .filter((name) => before[name] !== now[name])
    .map((name) => `${name} ${before[name]} → ${now[name]}`)
    .join(', ')
}

/** Refused before anything is asked or sent. */
export const notNow = <T extends Versioned>(subject: Subject<T>, thing: T, message: string): Ended =>
  new Ended(exit.refused, 'invalid_state', message, undefined, { [keyOf(subject)]: untrusted(thing) })
