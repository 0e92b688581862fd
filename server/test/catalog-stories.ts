// Services, quotes and requests for stories: bodies as a client writes them, and what comes of them. What should be taken and
// is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { days } from '../src/kernel/clock.ts'
import { inTime, type Shown } from './orders.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

type Fields = Record<string, unknown>

/** The body of a new service at a fixed price of 10 credits, with what is needed only. */
export const serviceBody = (fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  title: 'Round logos',
  description: 'A logo, round and blue',
  delivery_description: 'One SVG file',
  price: { mode: 'fixed', unit_label: 'logo', amount_minor: 1000 },
  ...fields,
})

export const fixed = (amount_minor: number, unit_label = 'logo'): Fields => ({
  mode: 'fixed',
  unit_label,
  amount_minor,
})
export const from = (amount_minor: number, unit_label = 'logo'): Fields => ({ mode: 'from', unit_label, amount_minor })

/** A form of these fields, each a short text with its key as the label unless it says otherwise. */
export const form = (...fields: Fields[]): Fields => ({
  version: 1,
  fields: fields.map((field) => ({ type: 'short_text', label: String(field['key']), ...field })),
})

async function shown(sent: Promise<Answer>, status: string, name: string): Promise<Shown> {
  const answer = await sent
  assert.equal(code(answer), status, JSON.stringify(answer.body))
  return answer.body[name]
}

/** What each action that changes a thing carries. */
export const changing = (thing: { version: number }, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: thing.version,
  ...fields,
})

export const draft = (provider: Agent, fields?: Fields): Promise<Shown> =>
  shown(provider.post('/services', serviceBody(fields)), '201', 'service')

export const tell = (who: Agent, service: Shown, action: 'publish' | 'pause' | 'archive'): Promise<Answer> =>
  who.post(`/services/${service.id}/${action}`, changing(service))

export const told = (who: Agent, service: Shown, action: 'publish' | 'pause' | 'archive'): Promise<Shown> =>
  shown(tell(who, service, action), '200', 'service')

export const edit = (who: Agent, service: Shown, fields: Fields): Promise<Answer> =>
  who.patch(`/services/${service.id}`, changing(service, fields))

export const edited = (who: Agent, service: Shown, fields: Fields): Promise<Shown> =>
  shown(edit(who, service, fields), '200', 'service')

export const published = async (provider: Agent, fields?: Fields): Promise<Shown> =>
  told(provider, await draft(provider, fields), 'publish')

export type ServiceState = 'draft' | 'published' | 'paused' | 'archived'

export async function serviceIn(state: ServiceState, provider: Agent, fields?: Fields): Promise<Shown> {
  const service = await draft(provider, fields)
  if (state === 'draft') return service
  if (state === 'archived') return told(provider, service, 'archive')
  const open = await told(provider, service, 'publish')
  return state === 'paused' ? told(provider, open, 'pause') : open
}

export const quoteBody = (service: Shown, fields: Fields = {}): Fields =>
  changing(service, { quantity: 1, parameters: {}, input_attachment_ids: [], ...fields })

export const ask = (customer: Agent, service: Shown, fields?: Fields): Promise<Answer> =>
  customer.post(`/services/${service.id}/quote`, quoteBody(service, fields))

export const quoted = (customer: Agent, service: Shown, fields?: Fields): Promise<Shown> =>
  shown(ask(customer, service, fields), '201', 'quote')

export const orderBody = (w: Pick<World, 'now'>, quote: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  service_quote_id: quote.id,
  title: 'A logo',
  description: 'As quoted',
  deadline: inTime(w, days(40)),
  confirmed_total_minor: quote.total_minor,
  ...fields,
})

export const order = (w: Pick<World, 'now'>, customer: Agent, quote: Shown, fields?: Fields): Promise<Answer> =>
  customer.post('/orders', orderBody(w, quote, fields))

export const ordered = (w: Pick<World, 'now'>, customer: Agent, quote: Shown, fields?: Fields): Promise<Shown> =>
  shown(order(w, customer, quote, fields), '201', 'order')

export const requestBody = (service: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  service_id: service.id,
  expected_service_version: service.version,
  title: 'A special logo',
  description: 'Square, if you can',
  quantity: 1,
  parameters: {},
  input_attachment_ids: [],
  ...fields,
})

export const wish = (customer: Agent, service: Shown, fields?: Fields): Promise<Answer> =>
  customer.post('/service-requests', requestBody(service, fields))

export const requested = (customer: Agent, service: Shown, fields?: Fields): Promise<Shown> =>
  shown(wish(customer, service, fields), '201', 'request')

export const offerBody = (w: Pick<World, 'now'>, request: Shown, fields: Fields = {}): Fields =>
  changing(request, { amount_minor: 1000, deadline: inTime(w, days(40)), ...fields })

export const propose = (w: Pick<World, 'now'>, provider: Agent, request: Shown, fields?: Fields): Promise<Answer> =>
  provider.post(`/service-requests/${request.id}/offer`, offerBody(w, request, fields))

/** Offers; the request and its order as they are then. */
export async function proposed(
  w: Pick<World, 'now'>,
  provider: Agent,
  request: Shown,
  fields?: Fields,
): Promise<{ request: Shown; order: Shown }> {
  const answer = await propose(w, provider, request, fields)
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

export const end = (who: Agent, request: Shown, action: 'cancel' | 'reject', fields?: Fields): Promise<Answer> =>
  who.post(`/service-requests/${request.id}/${action}`, changing(request, fields))

export const ended = (who: Agent, request: Shown, action: 'cancel' | 'reject'): Promise<Shown> =>
  shown(end(who, request, action), '200', 'request')

export const requestSeen = (who: Agent, { id }: { id: string }): Promise<Shown> =>
  shown(who.get(`/service-requests/${id}`), '200', 'request')

export const serviceSeen = (who: Agent, { id }: { id: string }): Promise<Shown> =>
  shown(who.get(`/services/${id}`), '200', 'service')

/** Time goes by, and these agents keep tokens that are good. */
export async function wait(w: Pick<World, 'travel'>, milliseconds: number, ...agents: Agent[]): Promise<void> {
  // A token lives thirty days.
  for (let left = milliseconds; left > 0; left -= days(29)) {
    for (const agent of agents) agent.token = (await agent.post('/tokens/rotate')).body.token
    w.travel(Math.min(left, days(29)))
  }
}

/** Every item of a list that goes on by cursor. */
export async function walkedAll(who: Agent, path: string, limit = 50): Promise<Shown[]> {
  const items: Shown[] = []
  let cursor: string | null = null
  do {
    const { status, body } = await who.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(body.items.length <= limit)
    items.push(...body.items)
    cursor = body.next_cursor
  } while (cursor !== null)
  return items
}
