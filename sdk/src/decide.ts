// Decide once: a decision is saved before it is sent, so a program that is killed never decides twice about what it may have sent
// already; and one that was made on an old version was made on nothing, so it is made again
// (docs/contract/representation.md#versions).
import type { Ask, Reply, Route } from './api.ts'
import { mutationOf, operations } from './call.ts'
import { KithError, KithInputError } from './errors.ts'
import type { Journal, Mutation } from './journal.ts'

/** What was decided: a route whose body has an `operation_id`, and what to ask of it, as `call` takes them. */
export type Decision<R extends Route> = readonly [route: R, ask: Ask<R>]
type Decided<R extends Route> = Decision<R> | undefined
/** The same, whatever the route. */
type AnyDecided = readonly [route: string, ask: object] | undefined

/**
 * Decide about something once. `read` gives its current state, `choose` decides what to ask of the service: it names the version
 * that it saw, and answers undefined if there is nothing to do. The decision is saved before it is sent. From then on, also in
 * the next run, the same `operationId` sends those bytes and never asks `choose`; once they were answered it gives the saved
 * answer. After `version_conflict` the decision had no effect, and `choose` is asked again with what `read` gives then, at most
 * 5 times in all.
 *
 * `stableUuid` makes an ID that the next run can name again. Callers that decide under one ID at the same time get one outcome.
 * Undefined if `choose` decided on nothing. Throws what `call`, `read` and `choose` throw.
 */
export type Decide = <R extends Route, T>(
  operationId: string,
  read: () => Promise<T>,
  choose: (current: T) => Decided<R> | Promise<Decided<R>>,
  options?: { signal?: AbortSignal | undefined },
) => Promise<Reply<R> | undefined>

const mostTimes = 5

export function createDecide(journal: Journal): Decide {
  const underWay = new Map<string, Promise<unknown>>()

  async function decide(id: string, choose: () => Promise<AnyDecided>, signal?: AbortSignal): Promise<unknown> {
    for (let left = mostTimes; ; left--) {
      const saved = await journal.saved(id)
      const decided = saved ? { ...saved, body: () => saved.body } : mutation(await choose())
      if (!decided) return undefined
      try {
        // Whatever another process saved under this ID meanwhile was decided first.
        return (await journal.mutate({ ...decided, id, same: () => true, signal })).body
      } catch (error) {
        if (left === 1 || !(error instanceof KithError) || error.code !== 'version_conflict') throw error
      }
    }
  }

  return async (operationId, read, choose, { signal } = {}) => {
    const found = underWay.get(operationId)
    const outcome = found ?? decide(operationId, async () => choose(await read()), signal)
    if (!found) underWay.set(operationId, outcome)
    try {
      return (await outcome) as never
    } finally {
      if (!found) underWay.delete(operationId)
    }
  }
}

function mutation(decided: AnyDecided): Pick<Mutation, 'method' | 'path' | 'body'> | undefined {
  if (!decided) return undefined
  const [route, ask] = decided
  if (!operations.has(route))
    throw new KithInputError(`${route} has no operation ID: nothing tells its repetition apart`)
  return mutationOf(route, ask)
}
