// One typed door to the REST contract. Reads are retried; mutations go through the journal.
import type { Ask, Reply, Route } from './api.ts'
import { KithInputError } from './errors.ts'
import { withOperationId } from './generated/operations.ts'
import type { Answer, Call, Transport } from './http.ts'
import type { Journal, Mutation } from './journal.ts'
import { type RetryPolicy, retrying } from './retry.ts'
import type { Runtime } from './runtime.ts'

export interface CallOptions<R extends Route = Route> {
  /**
   * The caller's own id of this intent, for calls that may be asked again after a crash of the caller: it becomes the
   * body's `operation_id` where the route has one. Without it the client makes one.
   */
  operationId?: string | undefined
  signal?: AbortSignal | undefined
  /** Stores the answer before the journal forgets the request. */
  settle?: ((reply: Reply<R>) => Promise<void>) | undefined
}

/** Of a request that changes nothing. */
export type Options = Pick<CallOptions, 'signal'>

/**
 * `operationId`: your own id of this intent, for programs that may ask again after a crash of their own. Asked again it
 * has to say the same, `expected_version` included: `client.saved` has what was said.
 */
export type IntentOptions = Pick<CallOptions, 'operationId' | 'signal'>

/** The version that a decision was made on. */
export interface Decided {
  expected_version: number
}

/** Send a request of the contract. Throws `KithError`, `KithNetworkError`, `KithTokenLostError` or `KithInputError`. */
export type Caller = <R extends Route>(route: R, ...rest: Rest<R>) => Promise<Reply<R>>

type Rest<R extends Route> =
  Record<string, never> extends Ask<R>
    ? [ask?: Ask<R>, options?: CallOptions<R>]
    : [ask: Ask<R>, options?: CallOptions<R>]

export function createCaller(deps: {
  session: Transport
  journal: Journal
  runtime: Runtime
  retry: RetryPolicy
}): Caller {
  return async (route, ...[ask, options]) => {
    const parts = (ask ?? {}) as Parts
    const { method, path } = target(route, parts.path ?? {})
    const signal = options?.signal
    if (method === 'GET' || asking.has(route)) {
      const body = parts.body && JSON.stringify(parts.body)
      const answer = await retrying(
        deps.runtime,
        deps.retry,
        () => deps.session({ method, path, query: parts.query, body, signal }),
        signal,
      )
      return answer.body as Reply<typeof route>
    }
    const settle = options?.settle
    const answer = await deps.journal.mutate(
      { id: options?.operationId ?? ownId(route, parts.body), ...mutationOf(route, parts), signal },
      settle && ((found: Answer) => settle(found.body as Reply<typeof route>)),
    )
    return answer.body as Reply<typeof route>
  }
}

interface Parts {
  path?: Record<string, string>
  query?: Call['query']
  body?: object
}

/** A request that changes something, as the journal takes it. */
export const mutationOf = (route: string, { path = {}, body }: Parts): Pick<Mutation, 'method' | 'path' | 'body'> => ({
  ...target(route, path),
  body: (id) => bodyOf(route, body, id),
})

/** Routes whose body carries an `operation_id`. */
export const operations: ReadonlySet<string> = new Set(withOperationId)

/** What only asks, though its method is another: nothing of it needs saving. */
const asking: ReadonlySet<string> = new Set<Route>(['POST /orders/quote'])

function bodyOf(route: string, body: object | undefined, id: string): string | null {
  if (operations.has(route)) return JSON.stringify({ ...body, operation_id: id })
  return body === undefined ? null : JSON.stringify(body)
}

/** The id that the caller put into the body itself. */
function ownId(route: string, body: object | undefined): string | undefined {
  const { operation_id, client_message_id } = (body ?? {}) as { operation_id?: string; client_message_id?: string }
  return operations.has(route) ? operation_id : client_message_id
}

/** Method and path of a route with its parameters in place. */
function target(route: string, params: Record<string, string>): { method: string; path: string } {
  const [method, template] = route.split(' ') as [string, string]
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // A dot segment would name another resource once the URL is normalised.
    if (!value || value === '.' || value === '..') throw new KithInputError(`${name} is missing`)
    return encodeURIComponent(value)
  })
  return { method, path }
}
