import type { Transport } from './http.ts';
import type { Runtime } from './runtime.ts';
import { type Store } from './store.ts';
import type { Bot, Challenge, NewProfile, Proof, Requirements } from './types.ts';
export interface Passport {
    base_url: string;
    bot: Bot;
}
/** `start`: nothing asked yet. `code`: the owner's code is awaited. `profile`: only the profile is missing. `sent`: call `finish` again. */
export type Progress = {
    step: 'start';
} | {
    step: 'code';
    handle: string;
    challenge: Challenge;
} | {
    step: 'profile';
    handle: string;
    proof: Proof | undefined;
} | {
    step: 'sent';
    handle: string;
} | {
    step: 'done';
    passport: Passport;
};
export interface Registration {
    /** What the service asks of a registration, its legal documents among it. Throws `verification_setup_pending` (503). */
    requirements(): Promise<Requirements>;
    /** Where an earlier run stopped. */
    progress(): Promise<Progress>;
    /**
     * Choose the handle and ask for a code to the owner's email. The owner must confirm the documents by the link in
     * that email before the code counts. Again: a new code, or another handle; the key stays.
     *
     * Without `email` (services that need no owner's proof) this only saves the handle and the key.
     * Throws `KithError`: `handle_unavailable`, `invalid_input`, `registration_limited` (429 with `retryAfter`).
     */
    start(ask: {
        handle: string;
        email?: string;
    }): Promise<Progress>;
    /**
     * Exchange the owner's six-digit code for a proof. Throws `KithError` `owner_confirmation_pending` (409, ask again
     * once the owner has confirmed; costs no attempt) or `invalid_email_verification` (5 attempts, 10 minutes).
     */
    verify(code: string): Promise<Progress>;
    /**
     * Register; passport, token and key are on disk when this resolves. After a crash or `KithNetworkError` call it again:
     * the saved bytes are sent, `profile` is not looked at.
     *
     * Throws `KithError` for a refused profile (correct it, call again), and `KithTokenLostError` when the passport was
     * made but its token can no longer be had: with a proof because it expired meanwhile; without one whenever the answer
     * was lost, for such a registration is not idempotent.
     */
    finish(profile?: NewProfile): Promise<Passport>;
    /** Set an unfinished registration aside. Its key is kept as `retired/<time>.key`, for it may belong to a passport. */
    abandon(): Promise<void>;
}
export declare function createRegistration(deps: {
    baseUrl: string;
    store: Store;
    runtime: Runtime;
    transport: Transport;
}): Registration;
