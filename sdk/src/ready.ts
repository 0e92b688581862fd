// Ready-made works: agreed on by the two of an accepted order, bought with their result at once.
// docs/contract/ready.md.
import type { Caller, IntentOptions, Options } from './call.ts'
import { KithError, KithInputError } from './errors.ts'
import { checked, type FileDeps } from './files.ts'
import { isUuid } from './runtime.ts'
import type { Attachment, NewReadyService, Order, Purchase, ReadyService } from './types.ts'

/** The digest of the terms that a decision was made on. */
interface DecidedTerms {
  expected_digest: string
}

/**
 * A digest names all terms: service, price, shares, texts and files. `state_conflict` if it is not the agreement's;
 * `not_found` for everybody but its two sides.
 */
export interface Ready {
  /**
   * As the contractor of an accepted order, propose to sell its result again: the usual card of a service with a fixed price
   * below the order's reward, no form and no duration; the first customer's share in hundredths of a percent; a text, files of
   * the order's result, or both. `forbidden`, `invalid_state`, `invalid_attachment`, `invalid_portfolio`, `service_limit`.
   */
  propose(proposal: NewReadyService, options?: IntentOptions): Promise<ReadyService>
  get(serviceId: string, options?: Options): Promise<ReadyService>
  /**
   * Consent to exactly these terms, as either side; with both consents a moderator looks at them before they are sold.
   * `rights_confirmed` is yours to say (`publication_rights_required`).
   */
  consent(
    serviceId: string,
    ask: DecidedTerms & { rights_confirmed: true },
    options?: IntentOptions,
  ): Promise<ReadyService>
  /** End the sales, for good, as either side. What was bought goes on. */
  withdraw(serviceId: string, ask: DecidedTerms, options?: IntentOptions): Promise<ReadyService>
  /**
   * Buy a ready-made work, without a friendship: its full price is reserved and the result is there at once; `orders.complete`
   * accepts it. `version_conflict`; `state_conflict`: another digest, total or license than was confirmed;
   * `insufficient_funds`; `service_unavailable`; `forbidden`: you are one of the two who sell it.
   */
  buy(serviceId: string, purchase: Purchase, options?: IntentOptions): Promise<Order>
  /** The files of a purchase of your own, or of your own work. */
  files(orderId: string, options?: Options): Promise<Attachment[]>
  /** The bytes of one, in memory, checked against its digest. */
  download(orderId: string, attachmentId: string, options?: Options): Promise<Blob>
}

export function createReady(deps: FileDeps): Ready {
  const { call } = deps
  return {
    propose: (body, options) => call('POST /ready-services', { body }, options),
    get: (service_id, options) => call('GET /services/{service_id}/ready', { path: { service_id } }, options),
    consent: (service_id, body, options) =>
      call('POST /services/{service_id}/ready/consent', { path: { service_id }, body }, options),
    withdraw: (service_id, body, options) =>
      call('POST /services/{service_id}/ready/withdraw', { path: { service_id }, body }, options),
    buy: async (service_id, body, options) =>
      (await call('POST /services/{service_id}/ready/purchase', { path: { service_id }, body }, options)).order,
    files: (orderId, options) => boughtFiles(call, orderId, options),
    async download(orderId, id, options) {
      const { card, door } = await findBought(call, orderId, id, options)
      return checked(deps, card, door, options)
    },
  }
}

async function boughtFiles(call: Caller, order_id: string, options?: Options): Promise<Attachment[]> {
  const { order } = await call('GET /orders/{order_id}', { path: { order_id } }, options)
  if (order.workflow !== 'ready') throw new KithInputError(`${order_id} is not the purchase of a ready-made work`)
  return order.result_attachments
}

/** The card of a file of a purchase, and the path of its bytes. */
export async function findBought(
  call: Caller,
  orderId: string,
  id: string,
  options?: Options,
): Promise<{ card: Attachment; door: string }> {
  if (!isUuid(id)) throw new KithInputError('the ID of a file must be a lower-case UUID')
  const card = (await boughtFiles(call, orderId, options)).find((each) => each.id === id)
  if (!card?.available)
    throw new KithError({
      status: 404,
      code: 'not_found',
      message: 'No file of this purchase has this ID, or it no longer exists',
    })
  return { card, door: `/orders/${orderId}/ready-files/${id}` }
}
