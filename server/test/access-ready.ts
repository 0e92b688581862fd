// The rows of ready-made services in the matrix of access.
import { randomUUID } from 'node:crypto'
import { orderFrom } from './access-orders.ts'
import { befriend, between, obligation, own, type Row, type Stage } from './access-terms.ts'
import { bought, consentBody, onSale, proposeBody, proposed, purchaseBody, type Ready, withdrawBody } from './ready.ts'

/** What was proposed or is for sale, by the id of its service. */
const works = new Map<string, Ready>()
/** Where a row's form alone is looked at there is none, and its bodies are of any. */
const unknown: Ready = {
  service: { version: 1, ready: { digest: 'none' }, price: { total_minor: 1 } },
  agreement: { digest: 'none' },
}
const workOf = ({ id }: Stage): Ready => works.get(id) ?? unknown

function remembered(work: Ready): string {
  works.set(work.service.id, work)
  return work.service.id
}

/** A work of `me`, whose first customer is `peer`, with neither's consent. */
async function proposal(stage: Stage): Promise<string> {
  const id = await orderFrom('accepted')(stage)
  const service = { price: { mode: 'fixed', amount_minor: 100 } }
  return remembered(await proposed(stage.me, { id }, [], { service }))
}

/** A work for sale of `peer`, whose first customer is `stranger`. */
async function forSale({ at, peer, stranger }: Stage, files = 0) {
  await befriend(peer, stranger)
  return onSale(at, peer, stranger, { files })
}

export const readyRows: readonly Row[] = [
  {
    route: 'POST /ready-services',
    given: orderFrom('accepted'),
    body: ({ id }) =>
      proposeBody({ id: id || randomUUID() }, [], { service: { price: { mode: 'fixed', amount_minor: 100 } } }),
    answers: between(obligation('201'), '403 forbidden'),
  },
  { route: 'GET /services/{service_id}/ready', given: proposal, answers: between(own('200'), '200') },
  {
    route: 'POST /services/{service_id}/ready/consent',
    given: proposal,
    body: (stage) => consentBody(workOf(stage)),
    answers: between(obligation('200'), '200'),
  },
  {
    route: 'POST /services/{service_id}/ready/withdraw',
    given: proposal,
    body: (stage) => withdrawBody(workOf(stage)),
    answers: between(obligation('200'), '200'),
  },
  {
    route: 'POST /services/{service_id}/ready/purchase',
    alone: true,
    given: async (stage) => remembered(await forSale(stage)),
    body: (stage) => purchaseBody(workOf(stage)),
    answers: obligation('201', { other: '403 forbidden', stranger: '403 forbidden', staff: '201' }),
  },
  {
    route: 'POST /services/{service_id}/ready/purchase',
    when: 'its provider is closed',
    alone: true,
    given: async (stage) => {
      const work = await forSale(stage)
      await stage.peer.patch('/bots/me', { profile_public: false })
      return remembered(work)
    },
    body: (stage) => purchaseBody(workOf(stage)),
    answers: obligation('404 not_found', { other: '403 forbidden', stranger: '403 forbidden', staff: '404 not_found' }),
  },
  {
    route: 'GET /orders/{order_id}/ready-files/{attachment_id}',
    alone: true,
    given: async (stage) => {
      const work = await forSale(stage, 1)
      return `${(await bought(stage.me, work)).id} ${work.files[0]}`
    },
    bytes: true,
    answers: between(own('200'), '200'),
  },
]
