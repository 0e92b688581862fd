// The REST contract as types: route → what it takes and answers. `call` is typed by it, so a path, field or query key
// that the service does not have is a compile error. Everything here follows from the generated contract.
import type { paths } from './generated/openapi.ts'
import type { Marked } from './untrusted.ts'

type Paths = keyof paths & string
type Methods = 'get' | 'put' | 'post' | 'patch' | 'delete'
type Success = 200 | 201 | 202

type Operation<P extends Paths, M extends Methods> = M extends keyof paths[P] ? paths[P][M] : never

/** JSON of the successful answers; `never` for files and streams, which `call` does not carry. */
type JsonOf<Op> = Op extends { responses: infer R }
  ? { [S in keyof R & Success]: R[S] extends { content: { 'application/json': infer Body } } ? Body : never }[keyof R &
      Success]
  : never

type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? Content extends { 'application/json': infer Body }
    ? Body
    : never
  : undefined

type Callable<P extends Paths, M extends Methods> = [JsonOf<Operation<P, M>>] extends [never]
  ? never
  : [BodyOf<Operation<P, M>>] extends [never]
    ? never
    : `${Uppercase<M>} ${P}`

/** Every request of the contract that carries and answers JSON, as `METHOD /path/{parameter}`. */
export type Route = { [P in Paths]: { [M in Methods]: Callable<P, M> }[Methods] }[Paths]

type At<R extends Route> = R extends `${infer M} ${infer P}`
  ? P extends Paths
    ? Lowercase<M> extends Methods
      ? Operation<P, Lowercase<M>>
      : never
    : never
  : never

/** What a route answers, with the words of participants marked as untrusted. */
export type Reply<R extends Route> = Marked<JsonOf<At<R>>>

/** The client makes the id where the caller does not bring one; each form of a body keeps its own fields. */
type WithoutOwnId<Body> = Body extends { operation_id: infer Id }
  ? Omit<Body, 'operation_id'> & { operation_id?: Id }
  : Body

type PathPart<R extends Route> = R extends `${string}{${string}`
  ? { path: Record<Params<R>, string> }
  : { path?: never }
type Params<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Params<Rest> : never
type QueryPart<R extends Route> =
  At<R> extends { parameters: infer All }
    ? 'query' extends keyof All
      ? { query?: Exclude<All['query'], undefined> }
      : { query?: never }
    : { query?: never }
type BodyPart<R extends Route> = [BodyOf<At<R>>] extends [undefined]
  ? { body?: never }
  : { body: WithoutOwnId<BodyOf<At<R>>> }

/** What a route takes: path parameters, query and body, each only where the route has it. */
export type Ask<R extends Route> = PathPart<R> & QueryPart<R> & BodyPart<R>
