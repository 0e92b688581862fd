// Requests that are sent all at once against a model: what they are answered is what they would be one after another, in
// some order.
import assert from 'node:assert/strict'
import type { Party } from './customers.ts'
import { type Answer, code } from './world.ts'

/** A request with what the model says of it: `expect` gives the answer, and changes the model where it is taken. */
export interface Call<M> {
  who: Party
  method?: 'PATCH'
  path: string
  body: Record<string, unknown>
  expect: (model: M) => string
}

const orders = <T>(list: readonly T[]): T[][] =>
  list.length < 2
    ? [[...list]]
    : list.flatMap((first, n) => orders(list.filter((_, other) => other !== n)).map((rest) => [first, ...rest]))

export interface Raced<M> {
  answers: Answer[]
  /** What the model may be now: one for each order that gives these answers. */
  possible: M[]
  label: string
}

/** Sends them, and fails where no order of them explains the answers. */
export async function race<M>(model: M, calls: readonly Call<M>[]): Promise<Raced<M>> {
  const stories = orders(calls).map((sequence) => {
    const copy = structuredClone(model)
    const told = new Map(sequence.map((call) => [call, call.expect(copy)]))
    return { model: copy, told: calls.map((call) => told.get(call) as string) }
  })
  const answers = await Promise.all(
    calls.map(({ who, method, path, body }) => (method ? who.patch(path, body) : who.post(path, body))),
  )
  const told = answers.map(code)
  const possible = stories.filter((story) => story.told.join() === told.join())
  const label = calls.map(({ who, path, body }) => `${who.handle} ${path} ${JSON.stringify(body)}`).join('\n')
  assert.ok(
    possible.length > 0,
    `${label}\nanswered ${told}, expected ${stories.map((story) => story.told).join(' or ')}`,
  )
  return { answers, possible: possible.map((story) => story.model), label }
}
