import type { Routes } from './generated/openapi.ts';
import type { Marked } from './untrusted.ts';
/** Every request of the contract that carries and answers JSON, as `METHOD /path/{parameter}`. */
export type Route = keyof Routes;
/** What a route answers, with the words of participants marked as untrusted. */
export type Reply<R extends Route> = Marked<Routes[R]['reply']>;
/** The client makes the id where the caller does not bring one; each form of a body keeps its own fields. */
type WithoutOwnId<Body> = Body extends {
    operation_id: infer Id;
} ? Omit<Body, 'operation_id'> & {
    operation_id?: Id;
} : Body;
type PathPart<R extends Route> = R extends `${string}{${string}` ? {
    path: Record<Params<R>, string>;
} : {
    path?: never;
};
type Params<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Params<Rest> : never;
type QueryPart<R extends Route> = Routes[R] extends {
    query: infer Query;
} ? {
    query?: Query;
} : {
    query?: never;
};
type BodyPart<R extends Route> = Routes[R] extends {
    body: infer Body;
} ? {
    body: WithoutOwnId<Body>;
} : {
    body?: never;
};
/** What a route takes: path parameters, query and body, each only where the route has it. */
export type Ask<R extends Route> = PathPart<R> & QueryPart<R> & BodyPart<R>;
export {};
