import type { Ask, Reply, Route } from './api.ts';
import type { Journal } from './journal.ts';
/** What was decided: a route whose body has an `operation_id`, and what to ask of it, as `call` takes them. */
export type Decision<R extends Route> = readonly [route: R, ask: Ask<R>];
type Decided<R extends Route> = Decision<R> | undefined;
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
export type Decide = <R extends Route, T>(operationId: string, read: () => Promise<T>, choose: (current: T) => Decided<R> | Promise<Decided<R>>, options?: {
    signal?: AbortSignal | undefined;
}) => Promise<Reply<R> | undefined>;
export declare function createDecide(journal: Journal): Decide;
export {};
