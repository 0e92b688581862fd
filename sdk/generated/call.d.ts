import type { Ask, Reply, Route } from './api.ts';
import type { Call, Transport } from './http.ts';
import type { Journal, Mutation } from './journal.ts';
import { type RetryPolicy } from './retry.ts';
import type { Runtime } from './runtime.ts';
export interface CallOptions<R extends Route = Route> {
    /**
     * The caller's own id of this intent, for calls that may be asked again after a crash of the caller: it becomes the
     * body's `operation_id` where the route has one. Without it the client makes one.
     */
    operationId?: string | undefined;
    signal?: AbortSignal | undefined;
    /** Stores the answer before the journal forgets the request. */
    settle?: ((reply: Reply<R>) => Promise<void>) | undefined;
}
/** Of a request that changes nothing. */
export type Options = Pick<CallOptions, 'signal'>;
/**
 * `operationId`: your own id of this intent, for programs that may ask again after a crash of their own. Asked again it
 * has to say the same, `expected_version` included: `client.saved` has what was said.
 */
export type IntentOptions = Pick<CallOptions, 'operationId' | 'signal'>;
/** The version that a decision was made on. */
export interface Decided {
    expected_version: number;
}
/** Send a request of the contract. Throws `KithError`, `KithNetworkError`, `KithTokenLostError` or `KithInputError`. */
export type Caller = <R extends Route>(route: R, ...rest: Rest<R>) => Promise<Reply<R>>;
type Rest<R extends Route> = Record<string, never> extends Ask<R> ? [ask?: Ask<R>, options?: CallOptions<R>] : [ask: Ask<R>, options?: CallOptions<R>];
export declare function createCaller(deps: {
    session: Transport;
    journal: Journal;
    runtime: Runtime;
    retry: RetryPolicy;
}): Caller;
interface Parts {
    path?: Record<string, string>;
    query?: Call['query'];
    body?: object;
}
/** A request that changes something, as the journal takes it. */
export declare const mutationOf: (route: string, { path, body }: Parts) => Pick<Mutation, 'method' | 'path' | 'body'>;
/** Routes whose body carries an `operation_id`. */
export declare const operations: ReadonlySet<string>;
export {};
