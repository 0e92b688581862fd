// Orders between friends: offer, work, acceptance, dispute. Each is one saved mutation. docs/contract/orders.md.
import type { Ask } from './api.ts'
import type { Caller, IntentOptions, Options } from './call.ts'
import type { Lister } from './lists.ts'
import type {
  DisputeCase,
  HistoryLine,
  NewOrder,
  NewOrderUpdate,
  NewQuickOrder,
  NewQuotedOrder,
  Order,
  OrderState,
  OrderUpdate,
  Price,
} from './types.ts'

type ActionRoute =
  | 'POST /orders/{order_id}/accept'
  | 'POST /orders/{order_id}/reject'
  | 'POST /orders/{order_id}/cancel'
  | 'POST /orders/{order_id}/reprice'
  | 'POST /orders/{order_id}/start'
  | 'POST /orders/{order_id}/deliver'
  | 'POST /orders/{order_id}/complete'
  | 'POST /orders/{order_id}/dispute'
  | 'POST /orders/{order_id}/propose-refund'
  | 'POST /orders/{order_id}/approve-refund'
  | 'POST /orders/{order_id}/escalate-dispute'

/** An action of one side, decided on the version of the order that was read; answers the order as it is then. */
type Act<R extends ActionRoute> = (
  orderId: string,
  ask: Omit<Ask<R>['body'], 'operation_id'>,
  options?: IntentOptions,
) => Promise<Order>

/**
 * Money is whole minor units everywhere, 100 a credit; `credits` shows them. Nothing here is decided by itself: each
 * action names the order's version that it was decided on, and whoever pays confirms the full price.
 *
 * Every action may be refused with `version_conflict` (the order changed since it was read: read it again, decide again,
 * and ask with the new version), `invalid_state` (its state does not allow it), `forbidden` (it is for the other side to
 * do) and `not_found`. A refused action had no effect, and an answer that was lost is had again by `resumePending`.
 */
export interface Orders {
  /** What a reward of `amountMinor` costs the customer: the fee comes on top. */
  quote(amountMinor: number, options?: Options): Promise<Price>
  /**
   * Offer an order to a friend, as its customer or its contractor. Nothing is reserved yet. `friendship_required`;
   * `state_conflict`: the confirmed total is not the full price, so quote again and confirm what it says;
   * `invalid_attachment`, `attachment_already_bound`: files are your own, ready, of purpose `order` and bound nowhere.
   */
  offer(order: NewOrder, options?: IntentOptions): Promise<Order>
  /** The same with less to say: due in 24 hours unless told, and either side may `reprice` it. */
  offerQuick(order: NewQuickOrder, options?: IntentOptions): Promise<Order>
  /**
   * Order what was quoted (`quotes.create`) of a friend's service, once for each quote. Its files go along and are held by
   * the order; nothing is reserved yet. `quote_expired`, `quote_already_used`; `state_conflict`: the confirmed total is not
   * the quote's; `service_unavailable`: it was paused or taken away since; `friendship_required`.
   */
  fromQuote(order: NewQuotedOrder, options?: IntentOptions): Promise<Order>
  /** Your own orders, newest first. */
  list(
    filter?: { role?: 'customer' | 'contractor'; state?: OrderState; page_size?: number },
    options?: Options,
  ): AsyncIterable<Order>
  get(orderId: string, options?: Options): Promise<{ order: Order; history: HistoryLine[] }>
  /**
   * Accept the standing offer of the other side: the full price is reserved from the customer, whichever side accepts.
   * `state_conflict`: the confirmed total is not the order's. `insufficient_funds`: the customer lacks the credits.
   * `invalid_state` also once the deadline has passed, `friendship_required` after a block.
   */
  accept: Act<'POST /orders/{order_id}/accept'>
  /** Decline the standing offer of the other side. */
  reject: Act<'POST /orders/{order_id}/reject'>
  /** Take your own standing offer back. */
  cancel: Act<'POST /orders/{order_id}/cancel'>
  /**
   * Offer a quick order at another price, from either side: it is your own standing offer then, and the other side may
   * accept it. The customer confirms the new total.
   */
  reprice: Act<'POST /orders/{order_id}/reprice'>
  /** The contractor begins. */
  start: Act<'POST /orders/{order_id}/start'>
  /** The contractor delivers a text of up to 8000 characters, up to 10 files, or both; once. */
  deliver: Act<'POST /orders/{order_id}/deliver'>
  /** The customer accepts the work: the contractor is paid, for good. Silence never is acceptance. */
  complete: Act<'POST /orders/{order_id}/complete'>
  /** Dispute an order under way; the reserve stays until the two agree or support decides. */
  dispute: Act<'POST /orders/{order_id}/dispute'>
  /** Propose to return the full price, fee included. The order is disputed at once. */
  proposeRefund: Act<'POST /orders/{order_id}/propose-refund'>
  /** Agree to the refund that the other side proposed: the customer gets the full price back, for good. */
  approveRefund: Act<'POST /orders/{order_id}/approve-refund'>
  /** Ask support to decide a dispute; the platform asks by itself after the response period. */
  escalateDispute: Act<'POST /orders/{order_id}/escalate-dispute'>
  /** The latest dispute of an order; `not_found` if there was none. */
  disputeCase(orderId: string, options?: Options): Promise<DisputeCase>
  /** What the two sides tell each other about the work: a log that is only added to. */
  updates: OrderUpdates<Order>
}

export interface OrderUpdates<O = Order> {
  /** Newest first. `limit` is the size of a page, up to 50. */
  list(orderId: string, filter?: { limit?: number }, options?: Options): AsyncIterable<OrderUpdate>
  get(orderId: string, updateId: string, options?: Options): Promise<OrderUpdate>
  /**
   * Add a text of up to 8000 characters, up to 10 files, or both, while the work is under way or disputed, and for 30
   * days after its acceptance. It raises the order's version and changes nothing else. `version_conflict`: read what was
   * said since; `closed_order_update_window_expired`; `update_limit`, `progress_attachment_limit`: the order has 200
   * updates, or 100 files in them, for good; `invalid_attachment`, `attachment_already_bound`.
   */
  add(orderId: string, update: NewOrderUpdate, options?: IntentOptions): Promise<{ order: O; update: OrderUpdate }>
}

export function createOrders(call: Caller, list: Lister): Orders {
  const act =
    <R extends ActionRoute>(route: R): Act<R> =>
    async (order_id, body, options) =>
      (await call<ActionRoute>(route, { path: { order_id }, body } as never, options)).order
  return {
    quote: async (amount_minor, options) =>
      (await call('POST /orders/quote', { body: { amount_minor } }, options)).quote,
    offer: async (body, options) => (await call('POST /orders', { body }, options)).order,
    fromQuote: async (body, options) => (await call('POST /orders', { body }, options)).order,
    offerQuick: async (body, options) => (await call('POST /orders/quick', { body }, options)).order,
    list: (filter = {}, options) => list('GET /orders', { query: filter }, options),
    get: (order_id, options) => call('GET /orders/{order_id}', { path: { order_id } }, options),
    accept: act('POST /orders/{order_id}/accept'),
    reject: act('POST /orders/{order_id}/reject'),
    cancel: act('POST /orders/{order_id}/cancel'),
    reprice: act('POST /orders/{order_id}/reprice'),
    start: act('POST /orders/{order_id}/start'),
    deliver: act('POST /orders/{order_id}/deliver'),
    complete: act('POST /orders/{order_id}/complete'),
    dispute: act('POST /orders/{order_id}/dispute'),
    proposeRefund: act('POST /orders/{order_id}/propose-refund'),
    approveRefund: act('POST /orders/{order_id}/approve-refund'),
    escalateDispute: act('POST /orders/{order_id}/escalate-dispute'),
    disputeCase: async (order_id, options) =>
      (await call('GET /orders/{order_id}/dispute-case', { path: { order_id } }, options)).dispute_case,
    updates: {
      list: (order_id, filter = {}, options) =>
        list('GET /orders/{order_id}/updates', { path: { order_id }, query: filter }, options),
      get: async (order_id, update_id, options) =>
        (await call('GET /orders/{order_id}/updates/{update_id}', { path: { order_id, update_id } }, options)).update,
      add: (order_id, body, options) => call('POST /orders/{order_id}/updates', { path: { order_id }, body }, options),
    },
  }
}
