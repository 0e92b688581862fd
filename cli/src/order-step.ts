// One step of an order: decided on the order as it is, sent with its version, and done once whatever happens on the way.
import { type Entry, type FolderClient, KithError, type Order } from '@kith/sdk/node'
import type { Input, Option } from './command.ts'
import { Advised, Ended, exit, usage } from './exit.ts'
import { type Intent, once } from './intents.ts'
import { untrusted } from './json.ts'
import { changesText, doneText, namesOf, orderText, stateText } from './order-text.ts'
import { again, identity } from './profile.ts'

export const stepOptions: Record<string, Option> = {
  'expect-version': { type: 'string', value: 'N', help: 'only if the order is still at the version that you saw' },
}

type Body = Record<string, unknown>

export interface Step<T> {
  orderId: string
  /** What tells this intent from others: the same again, after a crash, is the same intent. */
  content: unknown
  /** The caller's own id of it. */
  own?: string | undefined
  /** What the command line says of it. */
  given?: Body
  /** What has to be made ready before the order is looked at, such as files. */
  prepare?(client: FolderClient, intent: Intent): Promise<Body>
  /** Has it confirmed where that is needed, on the order as it is now. Throws where it is not to be. */
  decide?(order: Order, client: FolderClient): Promise<Body> | Promise<void>
  send(client: FolderClient, body: Body & { expected_version: number }, operationId: string): Promise<T>
  /** The order of an answer. */
  orderOf(answer: T): Order
  show?(answer: T, order: Order): Promise<void>
}

export async function takeStep<T>(input: Input, step: Step<T>): Promise<void> {
  const { orderId, given = {} } = step
  const expected = input.text('expect-version')
  if (expected !== undefined && !/^[1-9]\d{0,8}$/.test(expected))
    throw usage('--expect-version is the number of a version')
  const client = await identity(input)
  const look = async (): Promise<Order> => {
    const order = await orderNow(client, orderId)
    if (expected !== undefined && Number(expected) !== order.version) throw moved(input, order, expected)
    return order
  }
  await once(client, [step.content, expected], step.own, async (intent) => {
    const begun = await client.saved(intent.id)
    let seen: Order | undefined
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
      .send(client, body as Body & { expected_version: number }, intent.id)
      .catch((error) => conflict(error, input, client, orderId, seen))
    // The answer to what a former run sent may be an old one.
    const order = begun ? await orderNow(client, orderId) : step.orderOf(answer)
    if (step.show) return step.show(answer, order)
    await input.io.show({ order: untrusted(order) }, () => doneText(order))
  })
}

const orderNow = async (client: FolderClient, orderId: string): Promise<Order> =>
  (await client.orders.get(orderId)).order

/** What was said when the intent was first sent: a repetition says the same. */
export function bodyOf({ body }: Entry): Body {
  return JSON.parse(body ?? '{}') as Body
}

const decideAgain = (input: Input, orderId: string) =>
  `look at it again before you decide: ${again(input, `order show ${orderId}`)}`

function moved(input: Input, order: Order, expected: string): Ended {
  const message = `the order is at version ${order.version}, ${stateText(order)}, and not at ${expected}`
  return new Ended(exit.refused, 'version_conflict', message, decideAgain(input, order.id), {
    order: untrusted(order),
  })
}

/** A stale decision is told with what changed, and never made again by itself. */
async function conflict(
  error: unknown,
  input: Input,
  client: FolderClient,
  orderId: string,
  seen: Order | undefined,
): Promise<never> {
  if (!(error instanceof KithError) || error.code !== 'version_conflict') throw error
  const now = await orderNow(client, orderId).catch(() => undefined)
  if (!now) throw error
  if (!input.io.json) input.io.note(orderText(now, await namesOf(client, now), input.io.columns))
  const changed = seen ? changesText(seen, now) : `it is ${stateText(now)} now, at version ${now.version}`
  throw new Advised(error, `changed since then: ${changed}; ${decideAgain(input, orderId)}`, { order: untrusted(now) })
}

/** Refused before anything is asked or sent. */
export const notNow = (order: Order, message: string): Ended =>
  new Ended(exit.refused, 'invalid_state', message, undefined, { order: untrusted(order) })
