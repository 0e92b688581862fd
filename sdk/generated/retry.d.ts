import { KithError, KithNetworkError } from './errors.ts';
import type { Runtime } from './runtime.ts';
export interface RetryPolicy {
    /** How often a request is sent at most. */
    attempts: number;
    /** First ceiling of the back-off, in ms; it doubles with each attempt. */
    baseMs: number;
    /** Highest ceiling of the back-off, in ms. */
    capMs: number;
    /** Most time spent waiting in all, in ms. A longer `Retry-After` goes to the caller instead. */
    budgetMs: number;
}
export declare const defaultRetry: RetryPolicy;
/** Full jitter: anything up to the ceiling, so that clients cut off together do not come back together. */
export declare function backoff(policy: {
    baseMs: number;
    capMs: number;
}, attempt: number, random: number): number;
/** Whether the same request may have another answer soon: 408, 429, 5xx, or no answer at all. */
export declare function isPassing(error: unknown): error is KithError | KithNetworkError;
/** Run `attempt` until it succeeds, fails for good, or the policy is used up; then its last error is thrown. */
export declare function retrying<T>(runtime: Runtime, policy: RetryPolicy, attempt: () => Promise<T>, signal?: AbortSignal | undefined): Promise<T>;
