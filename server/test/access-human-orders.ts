// The rows of customers' orders in the matrix of access: at the door of the agent who works on them, and at their own.
import assert from 'node:assert/strict'
import { humansOnly } from './access-humans.ts'
import { type Answers, between, obligation, own, type Row, type Stage } from './access-terms.ts'
import { human } from './actors.ts'
import { on } from './changes.ts'
import { at, type Customer, humanOffer, humanOfferBody } from './customers.ts'
import { emptyZip, storedFile } from './files.ts'
import { reviewBody } from './reviews.ts'
import { byQuote, published, quoteBody, quoted } from './services.ts'

const reason = { reason: 'It is a dog' }
const total = { confirmed_total_minor: 1100 }

/** How far an order is: what its contractor, or its customer, has done since the offer. */
const ways = {
  offered: [],
  funded: [['contractor', 'accept', total]],
  'in progress': [
    ['contractor', 'accept', total],
    ['contractor', 'start', {}],
  ],
  delivered: [
    ['contractor', 'accept', total],
    ['contractor', 'deliver', { result_text: 'A cat' }],
  ],
  disputed: [
    ['contractor', 'accept', total],
    ['contractor', 'dispute', reason],
  ],
  'refund proposed': [
    ['contractor', 'accept', total],
    ['contractor', 'propose-refund', reason],
  ],
  accepted: [
    ['contractor', 'accept', total],
    ['contractor', 'deliver', { result_text: 'A cat' }],
    ['customer', 'complete', {}],
  ],
} as const satisfies Record<string, readonly (readonly ['contractor' | 'customer', string, object])[]>
type Condition = keyof typeof ways

/** An order of a customer with `me` as its contractor. */
async function ordered({ me }: Stage, customer: Customer, w: Stage['at'], to: Condition): Promise<string> {
  const { id } = await humanOffer(w, customer, me)
  for (const [at, [side, action, fields]] of ways[to].entries()) {
    const [who, door] = side === 'customer' ? [customer, '/human/orders'] : [me, '/human-orders']
    const answer = await who.post(`${door}/${id}/${action}`, on(at + 1, fields))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  return id
}

/** Of whoever asks as `human`. */
const ofHers =
  (to: Condition) =>
  (stage: Stage): Promise<string> =>
    ordered(stage, at(stage.at, 'Hilda', stage.customer), stage.at, to)

/** Of somebody else: agents are many, and the offers of one customer few. */
const ofSomebodys =
  (to: Condition) =>
  async (stage: Stage): Promise<string> =>
    ordered(stage, at(stage.at, 'Somebody', await human(stage.at, 'Somebody')), stage.at, to)

/** The contractor's alone: an agent that it is a friend of, or a customer of, has no part in it. */
const contractors = (answers: Answers): Answers => between(answers, '404 not_found')
const hers = (answer: string): Answers => ({ ...humansOnly(answer), otherHuman: '404 not_found' })

const doors = ['', '/updates', '/dispute-case', '/review-form'] as const
const conditionFor: Record<(typeof doors)[number], Condition> = {
  '': 'funded',
  '/updates': 'funded',
  '/dispute-case': 'disputed',
  '/review-form': 'accepted',
}

const steps = [
  ['accept', 'offered', total],
  ['reject', 'offered', {}],
  ['start', 'funded', {}],
  ['deliver', 'in progress', { result_text: 'A cat' }],
  ['propose-refund', 'delivered', reason],
  ['dispute', 'funded', reason],
  ['escalate-dispute', 'disputed', reason],
] as const
const herSteps = [
  ['cancel', 'offered', {}],
  ['complete', 'delivered', {}],
  ['dispute', 'in progress', reason],
  ['approve-refund', 'refund proposed', {}],
  ['escalate-dispute', 'disputed', reason],
] as const

const withUpdate =
  (given: (stage: Stage) => Promise<string>) =>
  async (stage: Stage): Promise<string> => {
    const id = await given(stage)
    const { body } = await stage.me.post(`/human-orders/${id}/updates`, on(2, { text: 'The ears are done' }))
    return `${id} ${body.update.id}`
  }

const herFile = ({ at: w, customer }: Stage): Promise<string> =>
  storedFile(w, customer, { purpose: 'order', file_format: 'mp3' })
const herPicture = ({ at: w, customer }: Stage): Promise<string> => storedFile(w, customer, { purpose: 'order' })
/** A file of a customer that an order with `me` holds. */
const heldFile = async ({ at: w, me }: Stage): Promise<string> => {
  const customer = at(w, 'Somebody', await human(w, 'Somebody'))
  const id = await storedFile(w, customer, { purpose: 'order', file_format: 'mp3' })
  await humanOffer(w, customer, me, { input_attachment_ids: [id] })
  return id
}

export const humanOrderRows: readonly Row[] = [
  { route: 'GET /human-orders', answers: own('200') },
  ...doors.map(
    (door): Row => ({
      route: `GET /human-orders/{order_id}${door}`,
      given: ofSomebodys(conditionFor[door]),
      answers: contractors(own('200')),
    }),
  ),
  {
    route: 'GET /human-orders/{order_id}/updates/{update_id}',
    given: withUpdate(ofSomebodys('funded')),
    answers: contractors(own('200')),
  },
  ...steps.map(
    ([action, from, fields]): Row => ({
      route: `POST /human-orders/{order_id}/${action}`,
      given: ofSomebodys(from),
      body: () => on(ways[from].length + 1, fields),
      answers: contractors(action === 'accept' ? obligation('200') : own('200')),
    }),
  ),
  {
    route: 'POST /human-orders/{order_id}/updates',
    given: ofSomebodys('funded'),
    body: () => on(2, { text: 'The ears are done' }),
    answers: contractors(own('201')),
  },
  {
    route: 'POST /human-orders/{order_id}/reviews',
    given: ofSomebodys('accepted'),
    body: () => reviewBody('contractor'),
    without: ['text'],
    answers: contractors(obligation('201')),
  },
  {
    route: 'GET /attachments/{attachment_id}/download',
    when: 'an order of a customer holds it',
    public: true,
    bytes: true,
    given: heldFile,
    answers: contractors(own('200')),
  },

  { route: 'POST /human/orders/quote', body: () => ({ amount_minor: 1000 }), answers: humansOnly('200') },
  { route: 'POST /human/orders', body: ({ at: w, me }) => humanOfferBody(w, me), answers: humansOnly('201') },
  {
    route: 'POST /human/services/{service_id}/quote',
    given: async ({ me }) => (await published(me)).id,
    body: () => quoteBody({ version: 2 }),
    answers: humansOnly('201'),
  },
  {
    route: 'POST /human/orders',
    when: 'by a quote',
    given: async ({ at: w, me, customer }) => (await quoted(at(w, 'Hilda', customer), await published(me))).id,
    body: ({ at: w, id }) => byQuote(w, { id, total_minor: 1100 }),
    answers: hers('201'),
  },
  { route: 'GET /human/orders', answers: humansOnly('200') },
  ...doors.map(
    (door): Row => ({
      route: `GET /human/orders/{order_id}${door}`,
      given: ofHers(conditionFor[door]),
      answers: hers('200'),
    }),
  ),
  {
    route: 'GET /human/orders/{order_id}/updates/{update_id}',
    given: withUpdate(ofHers('funded')),
    answers: hers('200'),
  },
  ...herSteps.map(
    ([action, from, fields]): Row => ({
      route: `POST /human/orders/{order_id}/${action}`,
      given: ofHers(from),
      body: () => on(ways[from].length + 1, fields),
      answers: hers('200'),
    }),
  ),
  {
    route: 'POST /human/orders/{order_id}/reviews',
    given: ofHers('accepted'),
    body: () => reviewBody('customer'),
    answers: hers('201'),
  },
  { route: 'POST /human/attachments', form: emptyZip, answers: humansOnly('201') },
  { route: 'GET /human/attachments', answers: humansOnly('200') },
  { route: 'GET /human/attachments/storage', answers: humansOnly('200') },
  ...(['', '/download', '/stream'] as const).map(
    (door): Row => ({
      route: `GET /human/attachments/{attachment_id}${door}`,
      given: herFile,
      ...(door !== '' && { bytes: true }),
      answers: hers('200'),
    }),
  ),
  { route: 'GET /human/attachments/{attachment_id}/preview', bytes: true, given: herPicture, answers: hers('200') },
  { route: 'DELETE /human/attachments/{attachment_id}', given: herFile, answers: hers('202') },
]
