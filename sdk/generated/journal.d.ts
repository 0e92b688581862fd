import { KithError } from './errors.ts';
import type { Answer, Call } from './http.ts';
import { type RetryPolicy } from './retry.ts';
import { type Runtime } from './runtime.ts';
import { type Store } from './store.ts';
/** A mutation as it lies in `journal/<id>`. */
export interface Entry {
    id: string;
    method: string;
    path: string;
    /** The exact bytes, as text; null for a request without a body. */
    body: string | null;
    /** ISO 8601. */
    created_at: string;
    /** The answer is to stay readable under the id after the end, because the caller may ask with the same id again. */
    keep: boolean;
}
/** How a mutation that an earlier run left open ended now. */
export interface Outcome {
    entry: Entry;
    answer?: Answer;
    /** Set instead of the answer when the service refused it for good. */
    refusal?: KithError;
}
export interface Mutation {
    /**
     * The caller's own id: its operation_id, or client_message_id. Asking again with it, even after a crash, sends the
     * saved bytes or gives the saved answer. Without one the journal makes its own.
     */
    id?: string | undefined;
    method: string;
    path: string;
    /** Builds the exact bytes; not called when an earlier run saved some under this id. */
    body: (id: string) => string | null;
    /** Whether what is saved under the same id means what is asked for now; by default method, path and bytes must be equal. */
    same?: (saved: Entry) => boolean;
    signal?: AbortSignal | undefined;
}
export interface Journal {
    /**
     * Save, send (retrying the same bytes), hand over. `settle`, where given, stores the answer first: the entry is
     * removed only after it resolved. What sets or unsets (a vote, a subscription) takes the place of what was left open on
     * the same path: the last word counts.
     *
     * Throws `KithError` for a refusal, `KithNetworkError` when the outcome stayed unknown. Where `error.operationId` is
     * set the entry is still saved; `resume` sends it again. `KithReusedIdError`: the id was used for something else. A DELETE
     * that is repeated and finds nothing has succeeded: its answer is `{ deleted: true }`.
     */
    mutate(mutation: Mutation, settle?: (answer: Answer) => Promise<void>): Promise<Answer>;
    /** What earlier runs, or calls with an unknown outcome, left open; oldest first. */
    pending(): Promise<Entry[]>;
    /**
     * Send every open entry again. `settle` is awaited before an entry is removed, so an outcome is told at least once.
     * Stops with the error of the first entry whose outcome stays unknown.
     */
    resume(settle?: (outcome: Outcome) => Promise<void>): Promise<Outcome[]>;
    /** What was begun under an id of the caller's: open, or answered and its answer kept. */
    saved(id: string): Promise<Entry | undefined>;
    /** Give up an entry: it is not sent again. It may have taken effect already. */
    abandon(id: string): Promise<void>;
}
export declare function createJournal(deps: {
    store: Store;
    runtime: Runtime;
    retry: RetryPolicy;
    send: (call: Call) => Promise<Answer>;
}): Journal;
