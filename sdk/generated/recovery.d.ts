import type { Transport } from './http.ts';
import type { Runtime } from './runtime.ts';
import { type Store } from './store.ts';
import type { Challenge, TokenGrant } from './types.ts';
export interface Recovery {
    /**
     * Ask for a code to the owner's email. The answer is the same whether the passport exists or not. Throws `KithError`
     * `registration_limited` (429, `retryAfter`) within 60 seconds of the last request.
     */
    request(ask: {
        handle: string;
        email: string;
    }): Promise<Challenge>;
    /**
     * Exchange the six-digit code for a token; all earlier ones die. Token and passport are on disk when this resolves.
     * Throws `KithError` `invalid_email_verification` for a wrong, used up or expired code. When the answer is lost the
     * code is spent: ask for a new one. Once the token is here, the same call ends what was cut off.
     */
    verify(code: string): Promise<TokenGrant>;
}
export declare function createRecovery(deps: {
    baseUrl: string;
    store: Store;
    runtime: Runtime;
    transport: Transport;
}): Recovery;
