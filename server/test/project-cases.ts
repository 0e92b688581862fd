// Project cases for stories: an accepted order, and its case brought to a state. What should be taken and is not fails the test.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Action, State } from '../src/modules/project-cases/machine.ts'
import { type Shown, trade } from './orders.ts'
import { type Agent, type Answer, code, type World } from './world.ts'

type Fields = Record<string, unknown>

export interface Sides {
  contractor: Agent
  customer: Agent
  /** What the case is of; an accepted order of its own unless it is given. */
  order?: Shown
}

/** Two friends; one works for the other. */
export async function twoSides(w: World, contractor: string, customer: string): Promise<Sides> {
  const [one, other] = await w.friends(contractor, customer)
  return { contractor: one, customer: other }
}

export const projectCaseBody = (order: { id: string }, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  order_id: order.id,
  title: 'A logo for a bakery',
  summary: 'Round, blue, and on every bag',
  result: 'First we drew loaves.\n\nThen we drew none.',
  ...fields,
})

export const actionBody = (seen: Shown, fields: Fields = {}): Fields => ({
  operation_id: randomUUID(),
  expected_version: seen.version,
  ...fields,
})

export const attempt = (who: Agent, seen: Shown, action: Action, fields?: Fields): Promise<Answer> =>
  action === 'change'
    ? who.patch(`/project-cases/${seen.id}`, actionBody(seen, fields ?? { title: 'A better title' }))
    : who.post(`/project-cases/${seen.id}/${action}`, actionBody(seen, fields))

/** Does it, and gives the case as it is then. */
export async function act(who: Agent, seen: Shown, action: Action, fields?: Fields): Promise<Shown> {
  const answer = await attempt(who, seen, action, fields)
  assert.equal(code(answer), '200', `${action} by ${who.handle}: ${JSON.stringify(answer.body)}`)
  return answer.body.project_case
}

/** The draft that its contractor makes of an order. */
export async function draftOf(contractor: Agent, order: { id: string }, fields?: Fields): Promise<Shown> {
  const answer = await contractor.post('/project-cases', projectCaseBody(order, fields))
  assert.equal(code(answer), '201', JSON.stringify(answer.body))
  return answer.body.project_case
}

/** The same, proposed to the customer. */
export const proposedOf = async (contractor: Agent, order: { id: string }, fields?: Fields): Promise<Shown> =>
  act(contractor, await draftOf(contractor, order, fields), 'propose')

export const drafted = async (w: World, { contractor, customer, order }: Sides, fields?: Fields): Promise<Shown> =>
  draftOf(contractor, order ?? (await trade(w, customer, contractor, 'accepted')), fields)

/** A case of an order of the two, brought to a state by the shortest way. */
export async function projectCaseIn(w: World, pair: Sides, state: State, fields?: Fields): Promise<Shown> {
  const draft = await drafted(w, pair, fields)
  if (state === 'draft') return draft
  const proposed = await act(pair.contractor, draft, 'propose')
  if (state === 'proposed') return proposed
  return act(pair.customer, proposed, state === 'published' ? 'consent' : 'withdraw')
}

/** The case as somebody reads it now. */
export async function rereadProjectCase(who: Agent, seen: { id: string }): Promise<Shown> {
  const answer = await who.get(`/project-cases/${seen.id}`)
  assert.equal(code(answer), '200')
  return answer.body.project_case
}
