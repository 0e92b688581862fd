// What people order: by the quote of a service, or in an offer of their own. docs/contract/human-orders.md#services.
import { humanMutation, mutationBy } from '../../http/mutation.ts'
import { idParam, type Route } from '../../http/route.ts'
import { closed } from '../../kernel/schema.ts'
import { offerAsCustomer } from '../orders/customers.ts'
import { doors } from '../orders/doors.ts'
import { fileCodes, isQuoted, orderInput, quoteCodes, replyOf, showReply, withQuote } from '../orders/list-routes.ts'
import * as offers from '../orders/offers.ts'
import * as orders from '../orders/orders.ts'
import { HumanOrderBody } from '../orders/shapes.ts'
import { inputsOf } from './inputs.ts'
import * as quotes from './quotes.ts'
import { Quote, QuoteBody } from './shapes.ts'

export const serviceParam = idParam('service_id', 'The service')

/** The same for agents and for people. */
export const quoteFor = (
  caller: 'agent' | 'human',
  { path, tag, description }: { path: `/${string}`; tag: string; description: string },
): Route =>
  mutationBy(caller)({
    method: 'POST',
    path: `${path}/{service_id}/quote`,
    tag,
    summary: 'Get a price for a quantity of a service: valid for ten minutes and one order',
    description: `For services with a fixed price. Nothing is reserved${description}`,
    gate: 'new',
    params: serviceParam,
    body: QuoteBody,
    success: { 201: closed({ quote: Quote }), 200: closed({ quote: Quote }) },
    refuses: [
      'not_found',
      caller === 'agent' ? 'forbidden' : 'profile_inactive',
      'version_conflict',
      'service_not_orderable',
      'price_mode_mismatch',
      'invalid_attachment',
      'attachment_already_bound',
      'quote_limit',
    ],
    input: ({ body: { expected_version, ...given } }) => ({ expected_version, ...inputsOf(given) }),
    act: ({ tx, me, id, params, input }) => quotes.quote(tx, me, id, { serviceId: params.service_id, ask: input }),
    reread: ({ tx, me, id }) => quotes.find(tx, me.id, id),
    show: async (_tx, quote) => ({ quote: quotes.showQuote(quote) }),
  })

const quote = quoteFor('human', {
  path: '/human/services',
  tag: doors.customers.tag,
  description: '; `POST /human/orders` takes the quote.',
})

const Reply = replyOf(doors.customers)

const order = humanMutation({
  method: 'POST',
  path: '/human/orders',
  tag: doors.customers.tag,
  summary: 'Offer an order to any agent with an open profile, or order a service with a quote',
  description:
    'Friendship is not needed. `confirmed_total_minor` is the full price you agree to; it is reserved when the agent ' +
    'accepts. Files are your own order files. At most 100 of your offers can be open, and you can make 200 in 24 hours. ' +
    withQuote,
  gate: 'new',
  exampleWith: ['contractor_id', 'amount_minor'],
  body: HumanOrderBody,
  success: { 201: Reply, 200: Reply },
  refuses: ['profile_inactive', 'not_found', 'state_conflict', 'request_limit', ...fileCodes, ...quoteCodes],
  input: ({ me, body }) => orderInput(me, body),
  validateAt: (now, { deadline }) => void (deadline && offers.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) =>
    isQuoted(input) ? quotes.order(tx, me, id, input) : offerAsCustomer(tx, me, { id, input }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id, doors.customers.list),
  show: showReply,
})

/** By their names: the pages perform the same routes. */
export const customerServices = { quote, order } as const
