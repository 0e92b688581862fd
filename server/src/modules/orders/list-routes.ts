// What every door to orders has: its list, one order with its history and its dispute, and the actions of its side.
import { listRoute } from '../../http/list-route.ts'
import { type InputOf, mutationBy } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { idParam, type Route, routeBy } from '../../http/route.ts'
import type { Party } from '../../kernel/callers.ts'
import { withRows } from '../../kernel/lists.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { closed, described, Type } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'
import { alongside } from '../../store/once.ts'
import { readShared } from '../../store/shared.ts'
import type { Tx } from '../../store/sql.ts'
import { feeRule, minorPerCredit, priceOf } from '../wallet/price.ts'
import { FeeRule, MinorPerCredit, priceFields } from '../wallet/shapes.ts'
import { type Ask, act } from './actions.ts'
import { findLatest } from './disputes.ts'
import type { Door } from './doors.ts'
import { type Action, moves, states } from './machine.ts'
import * as offers from './offers.ts'
import * as orders from './orders.ts'
import { actionBodies, DisputeCase, HistoryLine, type OrderBody, type QuickBody, QuoteBody, shapeIn } from './shapes.ts'
import { show, showDisputeCase, showLine, showOne } from './show.ts'
import { besideOf, type Reader } from './sides.ts'

export const orderParam = idParam('order_id', 'The order')
export const replyOf = (door: Door) => closed({ order: shapeIn[door.list] })
export const showReply = async (tx: Tx, order: orders.Order, reader: Reader) => ({
  order: await showOne(tx, reader, tx.now, order),
})
export const fileCodes: readonly Code[] = ['invalid_attachment', 'attachment_already_bound']
export const quoteCodes: readonly Code[] = ['quote_expired', 'quote_already_used', 'service_not_orderable']
export const moveCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

export const quoteOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'POST',
    path: `${door.path}/quote`,
    tag: door.tag,
    summary: 'What an order would cost: the reward, the fee on top and the full price',
    description: 'Nothing is stored or reserved: `total_minor` is what a customer confirms.',
    gate: 'reading',
    body: QuoteBody,
    success: {
      200: closed({
        quote: described(
          closed({ ...priceFields, minor_per_credit: MinorPerCredit, fee_rule: FeeRule }),
          'What it would cost',
        ),
      }),
    },
    handle: async ({ body }) => {
      const price = priceOf(body.amount_minor)
      offers.requirePayable(price.total_minor)
      return { body: { quote: { ...price, minor_per_credit: minorPerCredit, fee_rule: feeRule } } }
    },
  })

/** An offer with its defaults spelled out; refuses `invalid_input` for terms that cannot be. */
export function offerInput(
  me: Party,
  { deadline, input_attachment_ids = [], description = '', ...rest }: OfferGiven,
): offers.Offer {
  const input = {
    ...rest,
    description,
    deadline: deadline === undefined ? undefined : (parseTime(deadline) as Date),
    input_attachment_ids,
  }
  offers.termsOf(me, input)
  return input
}

type OfferGiven = InputOf<typeof QuickBody>

export const withQuote =
  'With a quote: `service_quote_id`, `title`, `description`, `deadline` and `confirmed_total_minor`, and no other field.'

/** An order in its canonical form: by a quote, which has settled all but words and a deadline, or else an offer. */
export function orderInput(
  me: Party,
  { service_quote_id: quoteId, ...body }: InputOf<typeof OrderBody>,
): offers.Offer | offers.QuotedOffer {
  if (quoteId !== undefined) return quotedInput(quoteId, body)
  const { amount_minor, ...rest } = body
  const missing = [
    ...(me.kind === 'human' && rest.contractor_id === undefined ? ['contractor_id'] : []),
    ...(amount_minor === undefined ? ['amount_minor'] : []),
  ]
  if (amount_minor === undefined || missing.length > 0) {
    return invalid(...missing.map((path) => ({ path, problem: 'required' })))
  }
  return offerInput(me, { ...rest, amount_minor })
}

function quotedInput(quoteId: string, given: Omit<InputOf<typeof OrderBody>, 'service_quote_id'>): offers.QuotedOffer {
  const { title, description, deadline, confirmed_total_minor: total, ...settled } = given
  const [path] = Object.keys(settled)
  if (path !== undefined) invalid({ path, problem: 'cannot be combined with service_quote_id' })
  if (total === undefined) return invalid({ path: 'confirmed_total_minor', problem: 'required' })
  const due = parseTime(deadline) as Date
  return { service_quote_id: quoteId, title, description, deadline: due, confirmed_total_minor: total }
}

export const isQuoted = (input: offers.Offer | offers.QuotedOffer): input is offers.QuotedOffer =>
  'service_quote_id' in input

/** Where the caller of a door is always the same side, there is nothing to choose. */
const bySide = { role: parameter(choice(orders.roles), 'Your side of the order') }

export const listOf = (door: Door): Route =>
  listRoute({
    caller: door.caller,
    path: door.path,
    tag: door.tag,
    summary: 'Your orders, newest first',
    description: `With all fields of each order; filter by ${door.side ? '' : 'side and '}state.`,
    query: {
      ...((door.side ? {} : bySide) as Partial<typeof bySide> as typeof bySide),
      state: parameter(choice(states), 'In this state'),
    },
    items: ['orders', shapeIn[door.list], 'Your orders, newest first'],
    read: async (tx, { service, me, query }) =>
      withRows(await orders.list(tx, me.id, { ...query, role: door.side ?? query.role }, door.list), (found) =>
        show(tx, { me, service }, tx.now, found),
      ),
  })

/** What tells the callers of a door that an order has changed; people get no events. */
const eventIn = ({ caller, list }: Door): string =>
  caller === 'human' ? '' : `each \`${list === 'orders' ? 'order.changed' : 'human_order.changed'}\` and after `

export const orderOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'GET',
    path: `${door.path}/{order_id}`,
    tag: door.tag,
    summary: 'Your order and its history',
    description: `Who did what and when, along with the order. Read it again after ${eventIn(door)}a \`version_conflict\`.`,
    params: orderParam,
    success: {
      200: closed({
        order: shapeIn[door.list],
        history: described(
          Type.Array(HistoryLine),
          'One line per version, oldest first; only the last 1000 if there are more',
        ),
      }),
    },
    refuses: ['not_found'],
    confirms: true,
    handle: ({ service, me, params, confirm }) =>
      readShared(service.sql, async (tx) => {
        const found = Promise.all([
          orders.findShown(tx, me.id, params.order_id, door.list),
          orders.history(tx, params.order_id),
          besideOf(tx, me, params.order_id),
        ])
        const [order, lines, beside] = await alongside(confirm(tx), found)
        const shown = await showOne(tx, { me, service }, tx.now, { ...order, beside })
        return { body: { order: shown, history: lines.map(showLine) } }
      }),
  })

export const disputeCaseOf = (door: Door): Route =>
  routeBy(door.caller)({
    method: 'GET',
    path: `${door.path}/{order_id}/dispute-case`,
    tag: door.tag,
    summary: 'The latest dispute of your order',
    description: 'An order that was never disputed has none: 404.',
    params: orderParam,
    success: { 200: closed({ dispute_case: DisputeCase }) },
    refuses: ['not_found'],
    handle: async ({ service, me, params }) => {
      await orders.find(service.sql, me.id, params.order_id, door.list)
      return { body: { dispute_case: showDisputeCase(await findLatest(service.sql, params.order_id)) } }
    },
  })

const summaries: Record<Action, string> = {
  accept: 'Accept an offer; this reserves the full price from the customer',
  reject: 'Reject an offer',
  cancel: 'Withdraw your offer',
  start: 'Start the work',
  deliver: 'Deliver the work, once: a text, files or both',
  complete: 'Accept the work: this pays the contractor',
  dispute: 'Dispute an order; its credits stay reserved',
  'propose-refund': 'Propose to return the full price; this disputes the order at once',
  'approve-refund': 'Approve the proposed refund: the full price goes back to the customer',
  'escalate-dispute': 'Ask support to decide a dispute',
}

const descriptions: Record<Action, string> = {
  accept: 'For the side that did not make the current offer. Name the full price you agree to and nothing else.',
  reject: 'For the side that did not make the current offer. This ends the order.',
  cancel: 'For the side that made the current offer, until it is accepted. This ends the order.',
  start: 'For the contractor, once the order is funded. Optional.',
  deliver: 'For the contractor. The customer then completes the order, or disputes it.',
  complete:
    'Only for the customer: it pays the reward and cannot be undone. Nobody else can do it, and no deadline does it.',
  dispute:
    'For either side of an order that is funded, in progress or delivered. If the sides do not agree, it goes to support automatically.',
  'propose-refund':
    'For either side of an order that is funded, in progress or delivered. The other side may approve it.',
  'approve-refund': 'For the side that the refund was proposed to, until the dispute is decided.',
  'escalate-dispute': 'For either side of a disputed order, once. Support returns the price or lets the work continue.',
}

const further: Partial<Record<Action, readonly Code[]>> = {
  accept: ['friendship_required', 'state_conflict', 'insufficient_funds'],
  deliver: fileCodes,
  complete: ['state_conflict'],
  'approve-refund': ['state_conflict'],
}

const actionOf = (door: Door, action: Action): Route =>
  mutationBy(door.caller)({
    method: 'POST',
    path: `${door.path}/{order_id}/${action}`,
    tag: door.tag,
    summary: summaries[action],
    description: descriptions[action],
    gate: moves[action].gate,
    params: orderParam,
    body: actionBodies[action],
    success: { 200: replyOf(door) },
    refuses: [
      ...moveCodes,
      ...(further[action] ?? []).filter((code) => code !== 'friendship_required' || door.list === 'orders'),
    ],
    changes: 'order_id',
    input: ({ body }) => (action === 'deliver' ? delivery(body as Ask) : (body as Ask)),
    act: ({ tx, service, me, id, input }) =>
      act(tx, me, action, { orderId: id, list: door.list, ask: input, terms: service.config }),
    reread: ({ tx, me, id }) => orders.find(tx, me.id, id, door.list),
    show: showReply,
  })

/** The actions of a door's side, by their names. */
export const actionsOf = <D extends Door>(door: D): Record<D['actions'][number], Route> =>
  Object.fromEntries(door.actions.map((action) => [action, actionOf(door, action)])) as Record<
    D['actions'][number],
    Route
  >

/** A delivery with its defaults spelled out; an empty one is refused. */
function delivery({ result_text = '', result_attachment_ids = [], ...ask }: Ask): Ask {
  if (result_text === '' && result_attachment_ids.length === 0) {
    invalid({ path: 'result_text', problem: 'send a text, a file or both' })
  }
  return { ...ask, result_text, result_attachment_ids }
}
