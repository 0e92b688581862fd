// What may be done next with an order, as the commands that do it: the other side's if the order waits for it, and your own.
import {
  credits,
  type FolderClient,
  type HistoryLine,
  type Orders,
  type OrderUpdates,
  type Reviews,
} from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { type Kind, short } from './ids.ts'
import type { AnyOrder, Names } from './order-text.ts'
import { again, profileOf } from './profile.ts'

type Acts = 'accept' | 'reject' | 'start' | 'deliver' | 'dispute' | 'proposeRefund' | 'escalateDispute'

/** What can be done with the orders of either list. */
type DeskOrders = { [A in Acts]: (...ask: Parameters<Orders[A]>) => Promise<AnyOrder> } & {
  get(orderId: string): Promise<{ order: AnyOrder; history: HistoryLine[] }>
  updates: OrderUpdates<AnyOrder>
}

/** One of the lists of orders, with what its commands are called. */
export interface Desk {
  /** What the names of the commands on one of its orders begin with. */
  word: string
  kind: Kind
  orders(client: FolderClient): DeskOrders
  reviews(client: FolderClient): Pick<Reviews, 'form' | 'file'>
}

const customers = '--quality N --timeliness N --communication N'
const contractors = '--brief-clarity N --cooperation N --acceptance N'

/** What is likely to be done in a state, of what the order lists. */
const likely: Partial<Record<AnyOrder['state'], readonly string[]>> = {
  offered: ['accept', 'reject', 'cancel'],
  funded: ['start', 'deliver'],
  in_progress: ['deliver'],
  delivered: ['complete', 'dispute'],
  disputed: ['approve-refund', 'escalate-dispute'],
}

/** An action as the words after `kith`; a person acts on the site. */
function stepOf({ word }: Pick<Desk, 'word'>, order: AnyOrder, action: string, isAsked: boolean): string {
  const yes = isAsked ? '' : ' --yes'
  const options: Record<string, string> = {
    accept: ` --confirm-total ${credits(order.total_minor)}`,
    deliver: ' --text TEXT',
    complete: yes,
    'approve-refund': yes,
    dispute: ' --reason TEXT',
    'propose-refund': ' --reason TEXT',
    'escalate-dispute': ' --reason TEXT',
  }
  const verb = action === 'escalate-dispute' ? 'escalate' : action
  return `${word} ${verb} ${short(order.id)}${options[action] ?? ''}`
}

const isLate = ({ deadline }: AnyOrder, now: number): boolean => Date.parse(deadline) <= now

/** What this side may do with an order now, the likeliest first. */
function ownSteps(desk: Pick<Desk, 'word'>, order: AnyOrder, isAsked: boolean, now: number): string[] {
  if (order.outcome === 'accepted') {
    const review = desk.word === 'order' ? 'review' : `${desk.word} review`
    const criteria = order.role === 'customer' ? customers : contractors
    return [`${review} ${short(order.id)} --rating N --recommend yes ${criteria}`]
  }
  const isOverdue = order.role === 'customer' && ['funded', 'in_progress'].includes(order.state) && isLate(order, now)
  const wanted = isOverdue ? ['propose-refund', 'dispute'] : (likely[order.state] ?? [])
  return wanted
    .filter((each) => order.actions.some(({ name }) => name === each))
    .map((each) => stepOf(desk, order, each, isAsked))
}

/** Your own next steps as rows. */
export async function nextRows(
  input: Input,
  client: FolderClient,
  desk: Desk,
  order: AnyOrder,
  name: 'next' | 'or' = 'next',
): Promise<string[]> {
  const now = await client.now()
  const steps = ownSteps(desk, order, input.io.interactive, now)
  return [...silence(order, now), ...steps.map((words) => `${name.padEnd(10)} ${again(input, words)}`)]
}

/** What it means that nothing happens, for the side that waits. */
function silence(order: AnyOrder, now: number): string[] {
  const { state, role } = order
  if (state === 'offered' && isLate(order, now))
    return ['expired    its deadline has passed: nobody can accept this offer']
  if (state === 'delivered' && role === 'contractor')
    return [
      'wait       for the customer: only its acceptance pays you, silence never does',
      'or         if it does not answer, dispute the order at any time; without an agreement support decides',
    ]
  return []
}

/** All of them, what is waited for first: after an offer that is its acceptance, and not how to cancel it. */
export async function allRows(
  input: Input,
  client: FolderClient,
  desk: Desk,
  order: AnyOrder,
  names: Names,
): Promise<string[]> {
  const theirs = await theirRows(input, client, desk, order, names)
  return [...theirs, ...(await nextRows(input, client, desk, order, theirs.length === 0 ? 'next' : 'or'))]
}

/** What the other side has to do next; undefined if it is not its turn. */
function awaited(order: AnyOrder, now: number) {
  const { state, role, offer_author_id: author, refund_proposed_by: proposer } = order
  const me = role === 'customer' ? order.customer_id : order.contractor_id
  switch (state) {
    case 'offered':
      return author === me && !isLate(order, now) ? 'accept' : undefined
    case 'funded':
      return role === 'customer' ? 'start' : undefined
    case 'in_progress':
      return role === 'customer' ? 'deliver' : undefined
    case 'delivered':
      return role === 'contractor' ? 'complete' : undefined
    case 'disputed':
      return proposer === me ? 'approve-refund' : undefined
    default:
      return undefined
  }
}

/** The next step of the other side where it is waited for: as that side types it, if it is on this machine too. */
async function theirRows(
  input: Input,
  client: FolderClient,
  desk: Desk,
  order: AnyOrder,
  names: Names,
): Promise<string[]> {
  const step = awaited(order, await client.now())
  // A person acts on the site.
  if (desk.word !== 'order' || step === undefined) return []
  const other = order.role === 'customer' ? order.contractor_id : order.customer_id
  const profile = await profileOf(other, client.passport.base_url)
  const words = stepOf(desk, order, step, input.io.interactive)
  return [`next       ${again({ profile: profile ?? 'default' }, words)}  (${names(other)})`]
}
