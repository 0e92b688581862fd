// One route of the contract: path, schemas, who may call it and what it refuses. Fastify serves the list of them
// (app/modules.ts), OpenAPI describes it and the contract test tries it.
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
 * How a route finds its caller: `agent` by a Bearer token; `anyone`, who may still send one, which is then checked;
 * `human` and `visitor` by the cookie of their session, with a form token for changes; `browser` if such a session
 * starts: nobody yet, on a page of this origin.
 */
export type Strategy = 'anyone' | 'agent' | 'human' | 'visitor' | 'browser'

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
  /** How the caller was let in. */
  session: M extends Caller ? Session : Session | undefined
  params: Static<TObject<P>>
  query: QueryOf<Q>
  body: Static<B>
  /**
   * Makes sure that the caller still has access, if that was only remembered: for a handler that `confirms`, with a
   * statement among its first ones. Refuses `unauthorized`.
   */
  confirm: (sql: Query) => Promise<void>
  /** The client's address, as limits count it. */
  address: string
  /** The request itself, for everything that is not JSON: forms, ranges and conditions. */
  request: IncomingMessage
}

export type Answer = { status?: number; headers?: Record<string, string> } & (
  | { body: unknown }
  | JsonAnswer
  | BytesAnswer
)

/** A response whose JSON was made already, for something else too. */
interface JsonAnswer {
  json: string
}

/** A response of bytes: `content-type` is among its headers, and `content-length` if it is known. HEAD never opens them. */
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
  /** The purpose of HEAD, if the contract names it; HEAD works wherever GET does. */
  head?: string
  params?: P
  query?: Q
  /** The refusal of a malformed query; `invalid_input` by default. */
  invalidQuery?: Code
  body?: B
  /** The refusal of a malformed body; `invalid_input` by default. A function's codes are all in `refuses`. */
  invalidBody?: Code | ((body: Record<string, unknown>, problems: readonly Problem[]) => Code)
  /** Bytes; {@link bodyLimit} by default. */
  bodyLimit?: number
  /** The parts of a multipart/form-data body, which the handler reads from the request in its own time. */
  form?: TObject
  /** Status → shape of the response. */
  success: Readonly<Record<number, TSchema>>
  /**
   * Counted by the caller's address (REGISTRATION_LIMIT_PER_HOUR), each name separately: routes that send mail to any
   * given address, and those that create passports.
   */
  countedByAddress?: 'mail' | 'registration'
  /** Whether a call is not counted, because it only repeats an answered one; decided from its checked body. */
  isReplay?: (service: Service, body: Static<B>) => Promise<boolean>
  /** The body's optional fields in its example. */
  exampleWith?: readonly string[]
  /** Beyond the refusals of every route. */
  refuses?: readonly Code[]
}

export interface Route<
  P extends TProperties = TProperties,
  Q extends QueryFields = QueryFields,
  B extends TObject = TObject,
> extends Contract<P, Q, B> {
  caller: Strategy
  /** The shape of its response with `view=brief`, of a list that has one. */
  brief?: TSchema
  /** What the route means to a restricted agent; `verb` if the gate is passed later, after the check for a replay. */
  gate: Gate | 'verb' | ((body: Static<B>, query: QueryOf<Q>) => Gate)
  /** For a `verb`: what is passed then, if it is always the same. */
  passedLater?: Gate
  /** The verb checks the token in its own statement; the kernel only remembers whose it is. */
  deferred: boolean
  /** The handler calls `confirm` before it responds or changes anything: the kernel needs no statement of its own. */
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

/** A route that finds its caller by this strategy, or by one of these: for what both kinds of parties do. */
export const routeBy =
  <S extends Strategy>(caller: S) =>
  <P extends TProperties = NoParams, Q extends QueryFields = NoParams, B extends TObject = TObject>(
    contract: Given<P, Q, B, S> & { gate?: Route<P, Q, B>['gate']; confirms?: boolean },
  ): Route =>
    ({ gate: 'own', deferred: false, confirms: false, ...contract, caller }) as unknown as Route

/** A route for everyone; a Bearer token, if sent, is checked. */
export const publicRoute = routeBy('anyone')

/** A route for human customers, by the cookie of their session. */
export const humanRoute = routeBy('human')

/** A route for visitors of the site, by their cookie. */
export const visitorRoute = routeBy('visitor')

/** A route with which a browser starts a session. */
export const browserRoute = routeBy('browser')

/** A parameter that is an ID, and of what. */
export const idParam = <N extends string>(name: N, description: string) =>
  ({ [name]: described(Uuid, description) }) as Record<N, typeof Uuid>

/** Bytes that a JSON body may have, unless its route says otherwise. */
export const bodyLimit: number = 64 * 1024

export const isMutating = (route: Pick<Route, 'method'>): boolean => route.method !== 'GET'

/** Whether it counts towards its caller's limit of changes. */
export const isLimited = (route: Pick<Route, 'method' | 'caller'>): boolean =>
  isMutating(route) && route.caller !== 'anyone' && route.caller !== 'browser'

export const noBody = NoBody

export const created = (isNew: boolean): number => (isNew ? 201 : 200)
