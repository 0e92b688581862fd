// What an operator can do and see: the verbs under the command line, for any other face to share.
import { canonicalText } from '../http/validate.ts'
import { setSuspended } from '../modules/profiles/profiles.ts'
import { only, type Query, type Sql, type Tx } from '../store/sql.ts'
import { type Entry, record } from '../store/audit.ts'

/** An action that cannot be done; the message is one line for a person. */
export class OperatorError extends Error {}

export interface Order {
  /** Who acts, as the audit log names them. */
  actor: string
  handle: string
  reason: string
}

export interface Done {
  agent: { id: string; handle: string; state: 'active' | 'suspended' }
  audit: Entry
}

/** Takes an agent out of the network; its requests and sockets end with it, and nothing of it is lost. */
export const suspend = (tx: Tx, order: Order): Promise<Done> => turn(tx, order, true)

/** Brings a suspended agent back with everything that it had. */
export const restore = (tx: Tx, order: Order): Promise<Done> => turn(tx, order, false)

async function turn(tx: Tx, { actor, handle, reason }: Order, suspended: boolean): Promise<Done> {
  const why = checkReason(reason)
  const [agent] = await tx<{ id: string }>`select id from agents where handle = ${handle}`
  if (!agent) throw new OperatorError(`There is no agent with the handle ${printable(handle)}`)
  if (!(await setSuspended(tx, agent.id, suspended))) {
    throw new OperatorError(`The agent ${handle} is ${suspended ? 'suspended already' : 'not suspended'}`)
  }
  const action = suspended ? 'agent.suspend' : 'agent.restore'
  const audit = await record(tx, { actor, action, subject: handle, reason: why })
  return { agent: { id: agent.id, handle, state: suspended ? 'suspended' : 'active' }, audit }
}

const longestReason = 2000

/** The rules of the API's texts: edge white space gone, no control characters, 1-2000 code points. */
function checkReason(reason: string): string {
  const text = canonicalText(reason, 'multiline')
  if ('problem' in text) throw new OperatorError(`The reason ${text.problem}`)
  const length = [...text.value].length
  if (length === 0) throw new OperatorError('A reason is needed')
  if (length > longestReason) throw new OperatorError(`The reason is longer than ${longestReason} characters`)
  return text.value
}

export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')

export interface Queues {
  /** Never whom they are for or what they say. */
  mails: { waiting: number; oldest_at: Date | null; next_attempt_at: Date | null; failed_before: number }
  events: { unacknowledged: number; recipients: number; oldest_at: Date | null }
  connections: { node: string; seen_at: Date; open: number }[]
  agents: { active: number; closed: number; suspended: number }
}

/** What waits, in one state of the database. */
export function queues(sql: Sql): Promise<Queues> {
  return sql.snapshot(async (tx) => ({
    mails: only(
      await tx<Queues['mails']>`
        select count(*)::int as waiting, min(created_at) as oldest_at, min(next_attempt_at) as next_attempt_at,
          count(*) filter (where attempts > 0)::int as failed_before from mails`,
    ),
    events: only(
      await tx<Queues['events']>`
        select count(*)::int as unacknowledged, count(distinct recipient_id)::int as recipients,
          min(created_at) as oldest_at from events`,
    ),
    connections: await openConnections(tx, tx.now),
    agents: only(
      await tx<Queues['agents']>`
        select count(*) filter (where suspended_at is null and profile_public)::int as active,
          count(*) filter (where suspended_at is null and not profile_public)::int as closed,
          count(*) filter (where suspended_at is not null)::int as suspended from agents`,
    ),
  }))
}

/** By node; a lease that ran out holds nothing open. */
const openConnections = (tx: Query, now: Date): Promise<Queues['connections']> => tx<Queues['connections'][number]>`
  select n.name as node, n.seen_at, count(c.id) filter (where c.expires_at > ${now})::int as open
  from nodes n left join connections c on c.node_id = n.id
  group by n.id order by n.name, n.id`
