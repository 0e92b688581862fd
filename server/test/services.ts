// Services and quotes for stories. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days } from '../src/kernel/clock.ts'
import { inTime } from './orders.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

type Fields = Record<string, unknown>

/** A price of 10 credits a logo unless told otherwise. */
export const priceBody = (fields: Fields = {}): Fields => ({
  mode: 'fixed',
  unit_label: 'logo',
  amount_minor: 1000,
  ...fields,
})

export const serviceBody = (fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'A logo',
  description: 'Round, and of any colour',
  price: priceBody(),
  delivery_description: 'A file',
  ...fields,
})

/** A form with one field of each type, none of them required. */
export const formOf = (...fields: Fields[]): Fields => ({
  version: 1,
  fields: fields.map((field, at) => ({ key: `field_${at}`, label: `Field ${at}`, ...field })),
})

export async function draft(provider: Agent, fields?: Fields): Promise<Shown> {
  const answer = await provider.post('/services', serviceBody(fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.service
}

export const move = (provider: Agent, service: Shown, action: string, fields: Fields = {}): Promise<Answer> =>
  provider.post(`/services/${service.id}/${action}`, {
    operation_id: randomUUID(),
    expected_version: service.version,
    ...fields,
  })

export async function moved(provider: Agent, service: Shown, action: string): Promise<Shown> {
  const answer = await move(provider, service, action)
  assert.equal(code(answer), '200', JSON.stringify(answer.body))
  return answer.body.service
}

/** A published service. */
export const published = async (provider: Agent, fields?: Fields): Promise<Shown> =>
  moved(provider, await draft(provider, fields), 'publish')

export const change = (provider: Agent, service: Shown, fields: Fields): Promise<Answer> =>
  provider.patch(`/services/${service.id}`, {
    operation_id: randomUUID(),
    expected_version: service.version,
    ...fields,
  })

export const quoteBody = (service: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: service.version,
  ...fields,
})

export const askQuote = (customer: Agent, service: Shown, fields?: Fields): Promise<Answer> =>
  customer.post(`/services/${service.id}/quote`, quoteBody(service, fields))

export async function quoted(customer: Agent, service: Shown, fields?: Fields): Promise<Shown> {
  const answer = await askQuote(customer, service, fields)
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.quote
}

/** The body of an order by a quote. */
export const byQuote = (w: Pick<World, 'now'>, quote: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  service_quote_id: quote.id,
  title: 'My logo',
  description: 'As in the form',
  deadline: inTime(w, days(7)),
  confirmed_total_minor: quote.total_minor,
  ...fields,
})

export const orderBy = (w: Pick<World, 'now'>, customer: Agent, quote: Shown, fields?: Fields): Promise<Answer> =>
  customer.post('/orders', byQuote(w, quote, fields))
