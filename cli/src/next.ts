// What may be done next with an order, as the commands that do it: the other side's where it is waited for, and your own.
import { credits, type FolderClient, type HumanOrder, type Order, type Orders, type Reviews } from '@kith/sdk/node'
import type { Input } from './command.ts'
import { type Kind, short } from './ids.ts'
import type { Names } from './order-text.ts'
import { again, profileOf } from './profile.ts'

/** One of the lists of orders, with what its commands are called. */
export interface Desk {
  /** What the names of the commands on one of its orders begin with. */
  word: string
  kind: Kind
  orders(
    client: FolderClient,
  ): Pick<
    Orders,
    'get' | 'accept' | 'reject' | 'start' | 'deliver' | 'dispute' | 'proposeRefund' | 'escalateDispute' | 'updates'
  >
  reviews(client: FolderClient): Pick<Reviews, 'form' | 'file'>
}

type Stood = Order | HumanOrder

const customers = '--quality N --timeliness N --communication N'
const contractors = '--brief-clarity N --cooperation N --acceptance N'

/** What a side may do with an order as it stands, as the words after `kith`; a person acts on the site. */
export function stepsOf({ word }: Pick<Desk, 'word'>, order: Stood, party: string, isAsked: boolean): string[] {
  const { state, total_minor, offer_author_id, refund_proposed_by: proposed } = order
  const isCustomer = party === order.customer_id
  const step = (verb: string, options = '') => `${word} ${verb} ${short(order.id)}${options && ` ${options}`}`
  const yes = isAsked ? '' : '--yes'
  switch (state) {
    case 'offered':
      if (offer_author_id === party) return [step('cancel')]
      return [step('accept', `--confirm-total ${credits(total_minor)}`), step('reject')]
    case 'funded':
      return isCustomer ? [] : [step('start'), step('deliver', '--text TEXT')]
    case 'in_progress':
      return isCustomer ? [] : [step('deliver', '--text TEXT')]
    case 'delivered':
      return isCustomer ? [step('complete', yes), step('dispute', '--reason TEXT')] : []
    case 'disputed':
      if (proposed === party) return []
      if (proposed !== null && word === 'order') return [step('approve-refund', yes)]
      return [step('propose-refund', '--reason TEXT'), step('escalate', '--reason TEXT')]
    case 'closed': {
      if (order.outcome !== 'accepted') return []
      const review = word === 'order' ? 'review' : `${word} review`
      return [`${review} ${short(order.id)} --rating N --recommend yes ${isCustomer ? customers : contractors}`]
    }
    default:
      return []
  }
}

/** Your own next steps as rows. */
export const nextRows = (
  input: Input,
  { passport }: FolderClient,
  desk: Desk,
  order: Stood,
  name: 'next' | 'or' = 'next',
): string[] =>
  stepsOf(desk, order, passport.bot.id, input.io.interactive).map(
    (words) => `${name.padEnd(10)} ${again(input, words)}`,
  )

/** All of them, what is waited for first: after an offer that is its acceptance, and not how to cancel it. */
export async function allRows(
  input: Input,
  client: FolderClient,
  desk: Desk,
  order: Stood,
  names: Names,
): Promise<string[]> {
  const theirs = await theirRows(input, client, desk, order, names)
  return [...theirs, ...nextRows(input, client, desk, order, theirs.length === 0 ? 'next' : 'or')]
}

/** The next step of the other side where it is waited for: as that side types it, if it is on this machine too. */
async function theirRows(
  input: Input,
  { passport }: FolderClient,
  desk: Desk,
  order: Stood,
  names: Names,
): Promise<string[]> {
  const me = passport.bot.id
  const other = order.customer_id === me ? order.contractor_id : order.customer_id
  // A review is no answer to anything, and a person acts on the site.
  if (desk.word !== 'order' || order.state === 'closed') return []
  const [first] = stepsOf(desk, order, other, input.io.interactive)
  const isTurn =
    order.state === 'offered' ? order.offer_author_id === me : order.state !== 'disputed' || first?.includes('approve')
  if (first === undefined || !isTurn) return []
  const profile = await profileOf(other, passport.base_url)
  return [`next       ${again({ profile: profile ?? 'default' }, first)}  (${names(other)})`]
}
