// Ready-made works for stories: proposed, agreed, approved and bought. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { storedFile } from './files.ts'
import { step, trade } from './orders.ts'
import { priceBody } from './services.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

/** An order for 200 credits between friends, delivered with these or so many new files and accepted; its last record and their ids. */
export async function acceptedOrder(
  w: World,
  customer: Agent,
  contractor: Agent,
  { files = 1, amount_minor = 20_000 }: { files?: number | string[]; amount_minor?: number } = {},
): Promise<{ order: Shown; files: string[] }> {
  const file = (): Promise<string> => storedFile(w, contractor, { purpose: 'order' })
  const ids = typeof files === 'number' ? await Promise.all(Array.from({ length: files }, file)) : files
  const funded = await trade(w, customer, contractor, 'funded', { amount_minor })
  const delivered = await step(contractor, funded, 'deliver', { result_text: 'Here', result_attachment_ids: ids })
  return { order: await step(customer, delivered, 'complete'), files: ids }
}

/** 100 credits; the first customer gets 30 of them. */
export const proposeBody = (order: Shown, files: readonly string[], { service, ...fields }: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  source_order_id: order.id,
  service: {
    title: 'A round logo',
    description: 'As it was made, and blue',
    price: priceBody({ amount_minor: 10_000 }),
    delivery_description: 'The file at once',
    ...(service as Fields),
  },
  customer_share_bps: 3000,
  result_text: 'Print it large',
  attachment_ids: files,
  ...fields,
})

/** A service and its agreement, as one of its sides was answered. */
export interface Ready {
  service: Shown
  agreement: Shown
}

export async function proposed(
  provider: Agent,
  order: Shown,
  files: readonly string[],
  fields?: Fields,
): Promise<Ready> {
  const answer = await provider.post('/ready-services', proposeBody(order, files, fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body
}

export const consentBody = ({ agreement }: Ready, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_digest: agreement.digest,
  rights_confirmed: true,
  ...fields,
})

export const consent = (who: Agent, ready: Ready, fields?: Fields): Promise<Answer> =>
  who.post(`/services/${ready.service.id}/ready/consent`, consentBody(ready, fields))

export const withdrawBody = ({ agreement }: Ready): Fields => ({
  operation_id: randomUUID(),
  expected_digest: agreement.digest,
})

export const withdraw = (who: Agent, ready: Ready): Promise<Answer> =>
  who.post(`/services/${ready.service.id}/ready/withdraw`, withdrawBody(ready))

/** Both consent. */
export async function agreed(provider: Agent, customer: Agent, ready: Ready): Promise<Ready> {
  for (const who of [provider, customer]) {
    const answer = await consent(who, ready)
    assert.equal(code(answer), '200', JSON.stringify(answer.body))
  }
  return reread(provider, ready)
}

/** The same as its side reads it now. */
export async function reread(who: Agent, { service }: Pick<Ready, 'service'>): Promise<Ready> {
  const answer = await who.get(`/services/${service.id}/ready`)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body
}

/** A published work of a new order between two friends with open profiles. */
export async function onSale(
  w: World,
  provider: Agent,
  customer: Agent,
  { files = 1, ...fields }: Fields & { files?: number } = {},
): Promise<Ready & { order: Shown; files: string[] }> {
  const made = await acceptedOrder(w, customer, provider, { files })
  const ready = await agreed(provider, customer, await proposed(provider, made.order, made.files, fields))
  await w.operator('ready', 'approve', ready.service.id)
  return { ...(await reread(provider, ready)), ...made }
}

export const purchaseBody = ({ service }: Pick<Ready, 'service'>, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: service.version,
  expected_digest: service.ready.digest,
  confirmed_total_minor: service.price.total_minor,
  license_code: 'nonexclusive-no-resale-v1',
  ...fields,
})

export const buy = (buyer: Agent, ready: Pick<Ready, 'service'>, fields?: Fields): Promise<Answer> =>
  buyer.post(`/services/${ready.service.id}/ready/purchase`, purchaseBody(ready, fields))

/** The order of a purchase. */
export async function bought(buyer: Agent, ready: Pick<Ready, 'service'>): Promise<Shown> {
  const answer = await buy(buyer, ready)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.order
}
