// One route of the contract: path, schemas, who may call it and what it refuses. The list of them (app/modules.ts) is what
// Fastify serves, what OpenAPI describes and what the contract test walks.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Agent, Caller, Human, Session, Visitor } from '../kernel/callers.ts'
import type { Gate } from '../kernel/gate.ts'
import type { Code, Problem } from '../kernel/refuse.ts'
import { described, NoBody, type Static, type TObject, type TProperties, type TSchema, Uuid } from '../kernel/schema.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'
import type { QueryFields, QueryOf } from './query.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * How a route finds its caller: `agent` by a Bearer token; `anyone`, who may send one all the same, and then it is checked;
 * `human` and `visitor` by the cookie of their session, with a form token for changes; `browser` where such a session
 * begins: nobody yet, on a page of this origin.
 */
export type Strategy = 'anyone' | 'agent' | 'human' | 'visitor' | 'browser'

/** Who calls, as each strategy has it. */
export interface CallerOf {
  anyone: Agent | undefined
  agent: Agent
  human: Human
  visitor: Visitor
  browser: undefined
}

export interface Call<P extends TProperties, Q extends QueryFields, B extends TObject, M = Caller> {
  service: Service
  me: M
  /** What let the caller in. */
  session: M extends Caller ? Session : Session | undefined
  params: Static<TObject<P>>
  query: QueryOf<Q>
  body: Static<B>
  /**
   * Makes sure that the caller is still let in, where that was only recalled: for a handler that `confirms`, by a statement
   * among its first ones. Refuses `unauthorized`.
   */
  confirm: (sql: Query) => Promise<void>
  /** Where it comes from, as limits count it. */
  address: string
  /** The request itself, for what is no JSON: forms, ranges and conditions. */
  request: IncomingMessage
}

export type Answer = { status?: number; headers?: Record<string, string> } & ({ body: unknown } | BytesAnswer)

/** An answer of bytes: `content-type` and `content-length` are among its headers, and HEAD never opens them. */
export interface BytesAnswer {
  open: () => Promise<Readable>
}

export interface Contract<P extends TProperties, Q extends QueryFields, B extends TObject> {
  method: Method
  /** Below /api/v1, with `{name}` for each parameter. */
  path: string
  tag: string
  summary: string
  description?: string
  /** What HEAD is for, where the contract names it; it is answered wherever GET is. */
  head?: string
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
  /** The fields of the body that its example has, beside those that are needed. */
  exampleWith?: readonly string[]
  /** Beyond what every route refuses. */
  refuses?: readonly Code[]
}

export interface Route<
  P extends TProperties = TProperties,
  Q extends QueryFields = QueryFields,
  B extends TObject = TObject,
> extends Contract<P, Q, B> {
  caller: Strategy
  /** What the route is to a restricted agent; `verb` where it is passed later, after the check for a replay. */
  gate: Gate | 'verb' | ((body: Static<B>, query: QueryOf<Q>) => Gate)
  /** Of a `verb` what is passed then, where it is always the same. */
  passedLater?: Gate
  /** The verb checks the token in its own statement; the kernel only recalls whose it is. */
  deferred: boolean
  /** The handler asks `confirm` before it answers or changes anything: no statement of the kernel's own is needed. */
  confirms: boolean
  handle: (call: Call<P, Q, B>) => Promise<Answer>
}

type NoParams = Record<never, never>

type Given<P extends TProperties, Q extends QueryFields, B extends TObject, S extends Strategy> = Contract<P, Q, B> & {
  handle: (call: Call<P, Q, B, CallerOf[S]>) => Promise<Answer>
}

/** A route for agents, by their Bearer token. */
export function agentRoute<
  P extends TProperties = NoParams,
  Q extends QueryFields = NoParams,
  B extends TObject = TObject,
>(contract: Given<P, Q, B, 'agent'> & { gate: Route<P, Q, B>['gate']; deferred?: boolean; confirms?: boolean }): Route {
  return { deferred: false, confirms: false, ...contract, caller: 'agent' } as unknown as Route
}

/** A route that finds its caller in this way, or in one of these: what both kinds of parties do is written once. */
export const routeBy =
  <S extends Strategy>(caller: S) =>
  <P extends TProperties = NoParams, Q extends QueryFields = NoParams, B extends TObject = TObject>(
    contract: Given<P, Q, B, S> & { gate?: Route<P, Q, B>['gate'] },
  ): Route =>
    ({ gate: 'own', deferred: false, confirms: false, ...contract, caller }) as unknown as Route

/** A route for everyone; a Bearer token that is sent all the same is checked. */
export const publicRoute = routeBy('anyone')

/** A route for human customers, by the cookie of their session. */
export const humanRoute = routeBy('human')

/** A route for visitors of the site, by their cookie. */
export const visitorRoute = routeBy('visitor')

/** A route by which a browser begins a session. */
export const browserRoute = routeBy('browser')

/** A parameter that is an id, and of what. */
export const idParam = <N extends string>(name: N, description: string) =>
  ({ [name]: described(Uuid, description) }) as Record<N, typeof Uuid>

export const isMutating = (route: Pick<Route, 'method'>): boolean => route.method !== 'GET'

/** Whether it counts towards its caller's limit of changes. */
export const isLimited = (route: Pick<Route, 'method' | 'caller'>): boolean =>
  isMutating(route) && route.caller !== 'anyone' && route.caller !== 'browser'

export const noBody = NoBody

export const created = (isNew: boolean): number => (isNew ? 201 : 200)
