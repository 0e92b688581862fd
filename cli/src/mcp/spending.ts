// Intents: saved mutations that have not been sent yet, and what those that were sent may still spend. An intent counts
// from the moment before it is sent, under the lock of the limits, so neither a crash nor another process spends twice.
import { credits, type FolderClient, type FolderStore, KithBusyError, readJson } from '@kith/sdk/identity'
import { type Limits, nothing, readLimits, spendingLock } from './limits.ts'
import { refuse, type Told } from './refusal.ts'

export interface Intent {
  id: string
  action: string
  /** What it does, in words of this command. */
  says: string
  total_minor: number
  /** What of it counts against the limits. */
  counts_minor: number
  created_at: string
  expires_at: string
  /** The request: its body but for the operation ID, which is the intent's. */
  route: string
  path?: Record<string, string>
  body: object
  /** Of a service its price is fixed first, as it was seen. */
  quote?: { service_id: string; body: object }
  /** It counts, and does not expire: when it was sent, and once it is done, when that was seen. */
  sent_at?: string
  done?: true
  /** The order that it led to. */
  order_id?: string
  /** Refused for good, with nothing spent. */
  refused?: Told
}

export const lifetimeMs = 600_000
const dayMs = 86_400_000
/** What was never sent is remembered for so long, to say that it ended. */
const forgetMs = 3_600_000
const open = 'mcp-intents'
/** What is over and counts no more. */
const over = 'mcp-settled'

const isShort = /^[0-9a-f-]{36}$/

export async function readIntent(folder: FolderStore, id: string): Promise<Intent> {
  const found = isShort.test(id)
    ? ((await readJson<Intent>(folder, `${open}/${id}`)) ?? (await readJson<Intent>(folder, `${over}/${id}`)))
    : undefined
  return (
    found ??
    refuse(
      'not_found',
      'there is no such intent',
      'Call prepare again: an intent that was never sent is forgotten after an hour.',
    )
  )
}

export const writeIntent = (folder: FolderStore, intent: Intent): Promise<void> =>
  folder.write(`${open}/${intent.id}`, `${JSON.stringify(intent)}\n`)

async function intents(folder: FolderStore): Promise<Intent[]> {
  const found: Intent[] = []
  for (const id of await folder.list(open)) {
    const intent = await readJson<Intent>(folder, `${open}/${id}`)
    if (intent) found.push(intent)
  }
  return found
}

const isRecent = (at: string, now: number): boolean => now - Date.parse(at) < dayMs

/** What was spent in 24 hours, or may be spent yet: what has no outcome counts however long ago it was sent. */
export async function spentMinor(folder: FolderStore, now = Date.now()): Promise<number> {
  const counted = (await intents(folder)).filter(
    ({ sent_at, refused, done }) => sent_at && !refused && (!done || isRecent(sent_at, now)),
  )
  return counted.reduce((sum, { counts_minor }) => sum + counts_minor, 0)
}

/** One sender of an intent at a time, across all processes of a profile. */
export const commitLock = (id: string): string => `mcp-commit-${id.slice(-2)}`

/**
 * What was to be sent more than a day ago and has no outcome yet was sent later by another command, or never: what was sent
 * counts from now on.
 */
async function settle(client: FolderClient, id: string, now: number): Promise<void> {
  const { folder } = client
  const unlock = await folder.lock(commitLock(id)).catch((error) => {
    if (error instanceof KithBusyError) return undefined
    throw error
  })
  if (!unlock) return
  try {
    const intent = await readIntent(folder, id)
    const isOpen = (await client.pending()).some((entry) => entry.id === id)
    if (isOpen || intent.done || intent.refused) return
    const next = 'Call prepare again, and commit what it answers.'
    const outcome: Partial<Intent> = (await client.saved(id))
      ? { done: true, sent_at: new Date(now).toISOString() }
      : { refused: { code: 'intent_expired', message: 'this intent was not sent in time; nothing was spent', next } }
    await writeIntent(folder, { ...intent, ...outcome })
  } finally {
    await unlock()
  }
}

/** Forgets what was never sent, and puts aside what is settled and counts no more. */
export async function sweep(client: FolderClient, now = Date.now()): Promise<void> {
  const { folder } = client
  for (const intent of await intents(folder)) {
    const { id, sent_at, created_at, done, refused } = intent
    if (sent_at && !isRecent(sent_at, now) && !done && !refused) await settle(client, id, now)
    if (sent_at ? isRecent(sent_at, now) || !(done || refused) : now - Date.parse(created_at) < forgetMs) continue
    if (sent_at) await folder.write(`${over}/${id}`, `${JSON.stringify(intent)}\n`)
    await folder.remove(`${open}/${id}`)
  }
}

/** Why the limits do not allow it; undefined if they do. */
export function beyond(
  limits: Limits,
  spent: number,
  { counts_minor }: Pick<Intent, 'counts_minor'>,
): string | undefined {
  if (limits === nothing) return 'limits.json is damaged: nothing may be spent'
  if (counts_minor === 0) return undefined
  if (counts_minor > limits.order_minor)
    return `${credits(counts_minor)} credits are more than the ${credits(limits.order_minor)} that one order may cost`
  if (spent + counts_minor > limits.day_minor)
    return `${credits(spent)} credits were spent in 24 hours; with ${credits(counts_minor)} more it is over the limit of ${credits(limits.day_minor)}`
  return undefined
}

/** Refuses what its time or the limits do not allow; `raise` is the command that raises them. */
export async function checkAllowed(folder: FolderStore, intent: Intent, raise: string): Promise<void> {
  if (Date.now() > Date.parse(intent.expires_at))
    refuse('intent_expired', 'this intent is older than 10 minutes', 'Call prepare again, and commit what it answers.')
  const why = beyond(await readLimits(folder), await spentMinor(folder), intent)
  if (why !== undefined) refuse('spending_limit', why, `Only the owner can raise the limit: ${raise}`)
}

/** Counts an intent that is about to be sent, if that is allowed. */
export async function admit(folder: FolderStore, id: string, raise: string): Promise<Intent> {
  const unlock = await folder.lock(spendingLock)
  try {
    const intent = await readIntent(folder, id)
    if (intent.sent_at) return intent
    await checkAllowed(folder, intent, raise)
    const sent: Intent = { ...intent, sent_at: new Date().toISOString() }
    await writeIntent(folder, sent)
    return sent
  } finally {
    await unlock()
  }
}
