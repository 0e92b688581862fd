import { mutation } from '../../http/mutation.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { isWorkingSource } from '../../inspect/formats.ts'
import type { Party } from '../../kernel/callers.ts'
import { type Code, refuse } from '../../kernel/refuse.ts'
import { Bytes, closed } from '../../kernel/schema.ts'
import type { Tx } from '../../store/sql.ts'
import { answerBytes, downloadTypes } from '../attachments/bytes.ts'
import { downloadOf } from '../attachments/cards.ts'
import { canonicalCard } from '../catalog/services.ts'
import { find as findOrder, type Order as OrderRow } from '../orders/orders.ts'
import { Order } from '../orders/shapes.ts'
import { showOne } from '../orders/show.ts'
import { type Agreement, find, propose, requireForm } from './agreements.ts'
import { consent, withdraw } from './consent.ts'
import { findPurchased } from './files.ts'
import { purchase } from './purchase.ts'
import { AgreementReply, ConsentBody, ProposeBody, PurchaseBody, WithdrawBody } from './shapes.ts'
import { show } from './show.ts'

const serviceParam = idParam('service_id', 'The service')
const reply = (tx: Tx, agreement: Agreement, { me }: { me: Party }) => show(tx, me.id, agreement)
const stepCodes: readonly Code[] = ['not_found', 'state_conflict', 'invalid_state']

const proposeService = mutation({
  method: 'POST',
  path: '/ready-services',
  tag: 'ready',
  summary: 'Propose to sell the result of an accepted order again',
  description:
    'For its contractor; the service stays a draft until both sides of the order have consented and a moderator has approved.',
  gate: 'new',
  exampleWith: ['result_text'],
  body: ProposeBody,
  success: { 201: AgreementReply, 200: AgreementReply },
  refuses: ['not_found', 'forbidden', 'invalid_state', 'invalid_attachment', 'invalid_portfolio', 'service_limit'],
  input({ body: { service, result_text = '', attachment_ids = [], ...rest } }) {
    const input = { ...rest, service: canonicalCard(service), result_text, attachment_ids }
    requireForm(input)
    return input
  },
  act: ({ tx, me, id, input }) => propose(tx, me, id, input),
  reread: ({ tx, me, id }) => find(tx, me.id, id),
  show: reply,
})

const getAgreement = agentRoute({
  method: 'GET',
  path: '/services/{service_id}/ready',
  tag: 'ready',
  summary: 'The agreement of a ready-made service, for its two sides',
  description: 'With the terms and their digest, who has consented, and what accepted sales have earned.',
  gate: 'own',
  params: serviceParam,
  success: { 200: AgreementReply },
  refuses: ['not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => ({ body: await show(tx, me.id, await find(tx, me.id, params.service_id)) })),
})

const consentToIt = mutation({
  method: 'POST',
  path: '/services/{service_id}/ready/consent',
  tag: 'ready',
  summary: 'Consent to the exact terms; once both have consented, they go to a moderator',
  description:
    'Each side consents for itself: proposing is not consenting. Send the digest of the terms that you read.',
  gate: 'new',
  params: serviceParam,
  exampleWith: ['rights_confirmed'],
  body: ConsentBody,
  success: { 200: AgreementReply },
  refuses: [...stepCodes, 'publication_rights_required', 'public_profile_required', 'service_unavailable'],
  changes: 'service_id',
  input({ body }) {
    if (body.rights_confirmed !== true) refuse('publication_rights_required')
    return body
  },
  act: ({ tx, service, me, id, input }) =>
    consent(tx, me, {
      serviceId: id,
      expected_digest: input.expected_digest,
      storage: service.storage,
      fileRetentionDays: service.config.fileRetentionDays,
    }),
  reread: ({ tx, me, id }) => find(tx, me.id, id),
  show: reply,
})

const withdrawIt = mutation({
  method: 'POST',
  path: '/services/{service_id}/ready/withdraw',
  tag: 'ready',
  summary: 'End the sales permanently, as either side; past purchases stay valid',
  description: 'In any state; the service is archived.',
  gate: 'new',
  params: serviceParam,
  body: WithdrawBody,
  success: { 200: AgreementReply },
  refuses: stepCodes,
  changes: 'service_id',
  act: ({ tx, me, id, input }) => withdraw(tx, me, { serviceId: id, ...input }),
  reread: ({ tx, me, id }) => find(tx, me.id, id),
  show: reply,
})

const OrderReply = closed({ order: Order })

const purchaseIt = mutation({
  method: 'POST',
  path: '/services/{service_id}/ready/purchase',
  tag: 'ready',
  summary: 'Buy a ready-made work: this reserves its price and hands over its result at once',
  description:
    'Names the version, the digest, the license and the full price. The order is `delivered`; completing it pays, and a dispute may return the price.',
  gate: 'new',
  params: serviceParam,
  body: PurchaseBody,
  success: { 201: OrderReply, 200: OrderReply },
  refuses: [
    'not_found',
    'forbidden',
    'version_conflict',
    'service_not_orderable',
    'state_conflict',
    'insufficient_funds',
  ],
  act: ({ tx, me, id, params, input }) => purchase(tx, me, { id, serviceId: params.service_id, input }),
  reread: ({ tx, me, id }) => findOrder(tx, me.id, id),
  show: async (tx, order: OrderRow, reader) => ({ order: await showOne(tx, reader, tx.now, order) }),
})

const getFile = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}/ready-files/{attachment_id}',
  tag: 'ready',
  summary: 'The original of a purchased file, for the two sides of that order',
  description: 'While the order is open, and then as long as files of orders are kept. Accepts `Range`.',
  gate: 'own',
  params: { ...idParam('order_id', 'The order'), ...idParam('attachment_id', 'The file') },
  success: { 200: Bytes(...downloadTypes), 206: Bytes(...downloadTypes) },
  refuses: ['not_found', 'range_not_satisfiable'],
  handle: async ({ service, me, params: { order_id: orderId, attachment_id: attachmentId }, request }) => {
    const file = await findPurchased(service.sql, me.id, { orderId, attachmentId, now: service.clock.now() })
    return answerBytes(service, request, { file, reader: 'original' }, downloadOf(file, 'original'), {
      isInline: false,
      isOpaque: isWorkingSource(file.file_format, file.purpose),
      takesRange: true,
    })
  },
})

export const readyRoutes: readonly Route[] = [
  proposeService,
  getAgreement,
  consentToIt,
  withdrawIt,
  purchaseIt,
  getFile,
]
