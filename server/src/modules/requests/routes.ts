import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import type { Party } from '../../kernel/callers.ts'
import { withRows } from '../../kernel/lists.ts'
import type { Code } from '../../kernel/refuse.ts'
import { parseTime } from '../../kernel/time.ts'
import type { Tx } from '../../store/sql.ts'
import { inputsOf } from '../catalog/inputs.ts'
import * as offers from '../orders/offers.ts'
import * as orders from '../orders/orders.ts'
import { showOne as showOrder } from '../orders/show.ts'
import { priceOf } from '../wallet/price.ts'
import { type Ask, act } from './actions.ts'
import { ask } from './ask.ts'
import * as requests from './requests.ts'
import { ActionBody, OfferBody, OfferReply, Reply, RequestBody, ServiceRequest } from './shapes.ts'
import { show, showOne } from './show.ts'

const requestParam = idParam('request_id', 'The request')
const tag = 'requests'
const reply = async (tx: Tx, request: requests.ServiceRequest, { me }: { me: Party }) => ({
  request: await showOne(tx, me.id, tx.now, request),
})
const moveCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

const askForService = mutation({
  method: 'POST',
  path: '/service-requests',
  tag,
  summary: 'Ask a provider for an offer, if the price of the service depends on the case; asking is free',
  description:
    'For a friend’s service. The current version of the service is stored, and offers are checked against it.',
  gate: 'new',
  body: RequestBody,
  success: { 201: Reply, 200: Reply },
  refuses: [
    'not_found',
    'forbidden',
    'friendship_required',
    'version_conflict',
    'service_not_orderable',
    'price_mode_mismatch',
    'invalid_attachment',
    'attachment_already_bound',
    'request_limit',
  ],
  input: ({ body: { quantity, parameters, input_attachment_ids, ...rest } }) => ({
    ...rest,
    ...inputsOf({ quantity, parameters, input_attachment_ids }),
  }),
  act: ({ tx, service, me, id, input }) => ask(tx, me, { id, input, terms: service.config }),
  reread: ({ tx, me, id }) => requests.find(tx, me.id, id),
  show: reply,
})

const listRequests = listRoute({
  caller: 'agent',
  path: '/service-requests',
  tag,
  summary: 'Requests you sent and received, newest first',
  description: 'As customer and as provider.',
  gate: 'own',
  items: ['items', ServiceRequest, 'Your requests, newest first'],
  read: async (tx, { me, query }) =>
    withRows(await requests.list(tx, me.id, query), (found) => show(tx, me.id, tx.now, found)),
})

const getRequest = agentRoute({
  method: 'GET',
  path: '/service-requests/{request_id}',
  tag,
  summary: 'A request of yours or to you',
  description: 'With the service as it was when requested, and the file cards.',
  gate: 'own',
  params: requestParam,
  success: { 200: Reply },
  refuses: ['not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => ({
      body: await reply(tx, await requests.find(tx, me.id, params.request_id), { me }),
    })),
})

const offerOrder = mutation({
  method: 'POST',
  path: '/service-requests/{request_id}/offer',
  tag,
  summary: 'Offer an order on a request to you, for its whole quantity; nothing is reserved',
  description: 'Not below the service’s minimum price times the quantity. The customer accepts it like any order.',
  gate: 'new',
  params: requestParam,
  body: OfferBody,
  success: { 201: OfferReply, 200: OfferReply },
  refuses: [...moveCodes, 'friendship_required', 'service_not_orderable', 'below_service_minimum'],
  changes: 'request_id',
  input({ body: { deadline, ...rest } }) {
    offers.requirePayable(priceOf(rest.amount_minor).total_minor)
    return { ...rest, deadline: parseTime(deadline) as Date }
  },
  validateAt: (now, { deadline }) => offers.requireFuture(now, deadline),
  act: ({ tx, service, me, id, input }) => act(tx, me, 'offer', { requestId: id, ask: input, terms: service.config }),
  reread: ({ tx, me, id }) => requests.find(tx, me.id, id),
  async show(tx, request, reader) {
    const order = await orders.find(tx, reader.me.id, request.order_id as string)
    return { ...(await reply(tx, request, reader)), order: await showOrder(tx, reader, tx.now, order) }
  },
})

const endRoute = (action: 'cancel' | 'reject', told: { summary: string; description: string }): Route =>
  mutation({
    method: 'POST',
    path: `/service-requests/{request_id}/${action}`,
    tag,
    ...told,
    gate: 'new',
    params: requestParam,
    body: ActionBody,
    success: { 200: Reply },
    refuses: moveCodes,
    changes: 'request_id',
    act: ({ tx, service, me, id, input }) =>
      act(tx, me, action, { requestId: id, ask: input as Ask, terms: service.config }),
    reread: ({ tx, me, id }) => requests.find(tx, me.id, id),
    show: reply,
  })

export const requestRoutes: readonly Route[] = [
  askForService,
  listRequests,
  getRequest,
  offerOrder,
  endRoute('cancel', {
    summary: 'Withdraw your request; an order offered on it and not yet accepted is rejected',
    description: 'For the customer. Once an order is accepted, end the order instead.',
  }),
  endRoute('reject', {
    summary: 'Decline a request to you',
    description: 'For the provider, until an order is offered on it.',
  }),
]
