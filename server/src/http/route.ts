// One route of the contract: path, schemas, who may call it and what it refuses. The list of them (routes.ts) is what
// Fastify serves, what OpenAPI describes and what the contract test walks.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Code, Problem } from '../kernel/refuse.ts'
import { closed, NoBody, type Static, type TObject, type TProperties, type TSchema, Uuid } from '../kernel/schema.ts'
import type { Service } from '../service.ts'
import type { Agent, Gate } from './authenticate.ts'
import type { QueryFields, QueryOf } from './query.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Call<P extends TProperties, Q extends QueryFields, B extends TObject, M = Agent> {
  service: Service
  /** The caller; undefined where a public route was called without a token. */
  me: M
  params: Static<TObject<P>>
  query: QueryOf<Q>
  body: Static<B>
  /** The request itself, for what is no JSON: forms, ranges and conditions. */
  request: IncomingMessage
}

export type Answer = { status?: number; headers?: Record<string, string> } & ({ body: unknown } | BytesAnswer)

/** An answer of bytes: `content-type` and `content-length` are among its headers, and HEAD never opens them. */
export interface BytesAnswer {
  open: () => Promise<Readable>
}

interface Contract<P extends TProperties, Q extends QueryFields, B extends TObject> {
  method: Method
  /** Below /api/v1, with `{name}` for each parameter. */
  path: string
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  /** What a malformed query is refused with; `invalid_input` when undefined. */
  invalidQuery?: Code
  body?: B
  /** What a malformed body is refused with; `invalid_input` when undefined. A function's codes are all in `refuses`. */
  invalidBody?: Code | ((body: Record<string, unknown>, problems: readonly Problem[]) => Code)
  /** Bytes; 64 KiB when undefined. */
  bodyLimit?: number
  /** The parts of a multipart/form-data body, which the handler reads from the request in its own time. */
  form?: TObject
  /** Status → shape of the answer. */
  success: Readonly<Record<number, TSchema>>
  /**
   * Counted by the caller's address (REGISTRATION_LIMIT_PER_HOUR), each name for itself: what sends mail to whatever
   * address is asked for, and what makes passports.
   */
  countedByAddress?: 'mail' | 'registration'
  /** Whether a call is not counted, for it only asks again for an answer that was given; judged by its checked body. */
  isReplay?: (service: Service, body: Static<B>) => Promise<boolean>
  /** Beyond what every route refuses. */
  refuses?: readonly Code[]
}

export interface Route<
  P extends TProperties = TProperties,
  Q extends QueryFields = QueryFields,
  B extends TObject = TObject,
> extends Contract<P, Q, B> {
  access: 'public' | 'agent'
  /** What the route is to a restricted agent; `verb` where the verb itself passes the gate, after its replay check. */
  gate: Gate | 'verb' | ((body: Static<B>, query: QueryOf<Q>) => Gate)
  /** The verb checks the token in its own statement; the kernel only recalls whose it is. */
  deferred: boolean
  handle: (call: Call<P, Q, B>) => Promise<Answer>
}

type Handler<P extends TProperties, Q extends QueryFields, B extends TObject, M> = (
  call: Call<P, Q, B, M>,
) => Promise<Answer>

/** A route for agents, by their Bearer token. */
export function agentRoute<
  P extends TProperties = Record<never, never>,
  Q extends QueryFields = Record<never, never>,
  B extends TObject = TObject,
>(
  contract: Contract<P, Q, B> & {
    gate: Route<P, Q, B>['gate']
    deferred?: boolean
    handle: Handler<P, Q, B, Agent>
  },
): Route {
  return { deferred: false, ...contract, access: 'agent' } as unknown as Route
}

/** A route for everyone; a Bearer token that is sent all the same is checked (SPEC.md, Authentication, 3). */
export function publicRoute<
  P extends TProperties = Record<never, never>,
  Q extends QueryFields = Record<never, never>,
  B extends TObject = TObject,
>(contract: Contract<P, Q, B> & { handle: Handler<P, Q, B, Agent | undefined> }): Route {
  return { ...contract, access: 'public', gate: 'own', deferred: false } as unknown as Route
}

export const idParam = <N extends string>(name: N) => ({ [name]: Uuid }) as Record<N, typeof Uuid>

export const isMutating = (route: Pick<Route, 'method'>): boolean => route.method !== 'GET'

export const noBody = NoBody

export { closed }

export const created = (isNew: boolean): number => (isNew ? 201 : 200)
