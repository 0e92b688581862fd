// Sending an intent: once, whoever asks for it how often. The journal has the bytes and the answer; an intent only says that
// it was sent, so that it counts.
import { type FolderClient, KithError, type Quote, type Reply } from '@kith/sdk/identity'
import { quoteFor } from '../order-from.ts'
import { again } from '../profile.ts'
import { readLimits } from './limits.ts'
import { orderOf } from './prepare.ts'
import { Refusal, refuse, told } from './refusal.ts'
import { admit, checkAllowed, commitLock, type Intent, readIntent, writeIntent } from './spending.ts'
import type { Confirm } from './tool.ts'
import type { AnyOrder } from './views.ts'

export interface Ask {
  intent_id: string
  total_minor: number
}

/** Longer than any sending takes; a second caller then tries again. */
const turnMs = 20_000

export async function commitIntent(
  client: FolderClient,
  { intent_id, total_minor }: Ask,
  profile: { profile: string },
  confirm: Confirm | 'owner',
  signal?: AbortSignal,
): Promise<{ intent: Intent; order: AnyOrder }> {
  const { folder } = client
  const seen = await readIntent(folder, intent_id)
  if (total_minor !== seen.total_minor)
    return refuse(
      'total_mismatch',
      `the total of this intent is ${seen.total_minor}`,
      'Commit with the total_minor of prepare, if you agree to it.',
    )
  const raise = again(profile, 'limits --order CREDITS --day CREDITS')
  // Nobody is asked for what would be refused.
  if (!seen.sent_at) await checkAllowed(folder, seen, raise)
  if (!seen.sent_at && confirm !== 'owner' && (await readLimits(folder)).confirm === 'always') {
    if (!(await confirm(`${seen.says} Commit it?`)))
      return refuse(
        'confirmation_required',
        'the owner did not confirm this here',
        `The owner confirms it at a terminal: ${again(profile, `commit ${intent_id}`)}`,
      )
  }
  const unlock = await folder.lock(commitLock(intent_id), turnMs)
  try {
    const intent = await admit(folder, intent_id, raise)
    if (intent.refused) throw new Refusal(intent.refused.code, intent.refused.message, intent.refused.next)
    const order = await send(client, intent, signal)
    const sent_at = new Date().toISOString()
    if (!intent.done) await writeIntent(folder, { ...intent, done: true, sent_at, order_id: order.id })
    return { intent, order }
  } finally {
    await unlock()
  }
}

/** Sends it, or again what was sent under its ID; a refusal for good is remembered, and frees what was counted. */
async function send(client: FolderClient, intent: Intent, signal?: AbortSignal): Promise<AnyOrder> {
  const { id, route, path, order_id } = intent
  // The journal forgets the oldest answers.
  if (order_id !== undefined && !(await client.saved(id))) return (await orderOf(client, order_id)).order
  try {
    const body = await bodyOf(client, intent)
    const options = { operationId: id, signal }
    const reply = (await client.call(
      route as 'POST /orders',
      { path, body } as never,
      options,
    )) as Reply<'POST /orders'>
    return reply.order
  } catch (error) {
    if (!isFinal(error)) throw error
    const refused = told(error)
    await writeIntent(client.folder, { ...intent, refused })
    throw new Refusal(refused.code, refused.message, refused.next)
  }
}

/** The service answered, and nothing of it is open. */
const isFinal = (error: unknown): boolean =>
  error instanceof Refusal ||
  (error instanceof KithError &&
    error.operationId === undefined &&
    error.status < 500 &&
    ![401, 408, 429].includes(error.status))

async function bodyOf(client: FolderClient, intent: Intent): Promise<object> {
  const begun = await client.saved(intent.id)
  if (begun) {
    const { operation_id: _, ...body } = JSON.parse(begun.body ?? '{}') as { operation_id: string }
    return body
  }
  if (!intent.quote) return intent.body
  const { service_id, body } = intent.quote
  const quote = await quoteFor(client, intent, async (operationId) => {
    const ask = { path: { service_id }, body } as never
    return (await client.call('POST /services/{service_id}/quote', ask, { operationId })).quote as Quote
  })
  if (quote.total_minor !== intent.total_minor)
    return refuse('state_conflict', 'the price changed since prepare; nothing was spent', 'Call prepare again.')
  return { ...intent.body, service_quote_id: quote.id, confirmed_total_minor: quote.total_minor }
}
