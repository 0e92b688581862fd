// Service requests for stories: asked for, and brought to a status. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, days, newId } from '../src/kernel/clock.ts'
import type { Action, Status } from '../src/modules/requests/machine.ts'
import { inTime } from './orders.ts'
import { priceBody, published, moved as serviceMoved } from './services.ts'
import { type Agent, type Answer, befriend, code, type World } from './world.ts'

/** A request or a service as it was answered. */
// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export type Shown = any

export { serviceMoved }

type Fields = Record<string, unknown>

/** The body of a request for a service as it was last seen. */
export const askBody = (service: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  service_id: service.id,
  expected_service_version: service.version,
  title: 'Twelve icons',
  description: 'Round, and blue',
  ...fields,
})

export async function asked(customer: Agent, service: Shown, fields?: Fields): Promise<Shown> {
  const answer = await customer.post('/service-requests', askBody(service, fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.request
}

export const moveBody = (w: World, request: Shown, action: Action, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: request.version,
  ...(action === 'offer' && {
    amount_minor: request.snapshot.service.price.amount_minor * request.quantity,
    deadline: inTime(w, days(7)),
  }),
  ...fields,
})

export const tried = (w: World, who: Agent, request: Shown, action: Action, fields?: Fields): Promise<Answer> =>
  who.post(`/service-requests/${request.id}/${action}`, moveBody(w, request, action, fields))

/** Does it, and gives the request as it is then; of an offer with its order. */
export async function moved(w: World, who: Agent, request: Shown, action: Action, fields?: Fields): Promise<Shown> {
  const answer = await tried(w, who, request, action, fields)
  assert.equal(code(answer), action === 'offer' ? '201' : '200', `${action}: ${JSON.stringify(answer.body)}`)
  return { ...answer.body.request, ...(action === 'offer' && { order: answer.body.order }) }
}

/** The request as a side of it reads it now. */
export async function requestOf(who: Agent, request: { id: string }): Promise<Shown> {
  const answer = await who.get(`/service-requests/${request.id}`)
  assert.equal(code(answer), '200')
  return answer.body.request
}

/** A published service whose price depends on the case: ten credits a unit at least, unless told otherwise. */
export const priced = (provider: Agent, fields: Fields = {}): Promise<Shown> =>
  published(provider, { title: 'Icons', price: priceBody({ mode: 'from', unit_label: 'icon' }), ...fields })

/** A new friend of a provider's. */
export async function customerOf(w: World, provider: Agent, handle: string): Promise<Agent> {
  const customer = await w.agent(handle)
  await befriend(customer, provider)
  return customer
}

/** Requests of a customer that are there already, rejected unless told otherwise, as many as the limits would let it make. */
export async function givenRequests(
  w: Pick<World, 'sql' | 'now'>,
  customer: Pick<Agent, 'id'>,
  service: Shown,
  {
    count,
    status = 'rejected',
    expiresAt = after(w.now(), days(7)),
  }: { count: number; status?: Status; expiresAt?: Date },
): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(w.now()))
  const snapshot = { service, quantity: 1, parameters: {}, input_attachment_ids: [] }
  const counts = { service_requests: count, ...(status === 'open' && { open_service_requests: count }) }
  await w.sql`
    insert into service_requests (id, service_id, service_version, customer_id, provider_id, title, description, quantity,
      snapshot, parameters, input_attachment_ids, status, created_at, updated_at, expires_at, closed_at)
    select id, ${service.id}, ${service.version}, ${customer.id}, ${service.provider_bot_id}, 'A title', 'Some work', 1,
      ${JSON.stringify(snapshot)}::json, '{}', '{}', ${status}, ${w.now()}, ${w.now()}, ${expiresAt},
      ${status === 'open' ? null : w.now()}
    from unnest(${ids}::uuid[]) as t (id)`
  for (const [name, value] of Object.entries(counts)) {
    await w.sql`
      insert into party_counts (party_id, name, value) values (${customer.id}, ${name}, ${value})
      on conflict (party_id, name) do update set value = party_counts.value + excluded.value`
    await w.sql`
      insert into counters (name, shard, value) values (${name}, 0, ${value})
      on conflict (name, shard) do update set value = counters.value + excluded.value`
  }
}
