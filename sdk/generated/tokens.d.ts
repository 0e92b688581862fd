import { KithError } from './errors.ts';
import type { Transport } from './http.ts';
import { type RetryPolicy } from './retry.ts';
import type { Runtime } from './runtime.ts';
import { type Store } from './store.ts';
import type { TokenGrant } from './types.ts';
/** `token`: what the service gave, and when by the clock of this machine. */
interface StoredGrant extends TokenGrant {
    received_at?: string;
}
export interface Tokens {
    /** The token to use now; rotates it first when fewer than 7 days are left. */
    current(): Promise<TokenGrant>;
    /** What the store holds once nobody is rotating: another process may have been quicker than this one's memory. */
    reload(): Promise<TokenGrant>;
    /**
     * Exchange the token for a new one, valid about 30 days; it is on disk when this resolves. Throws
     * `KithTokenLostError` when the answer was lost and the old token is dead, `KithNetworkError` when that cannot be
     * told yet: the next use settles it.
     */
    rotate(): Promise<TokenGrant>;
    /** Revoke the token and forget it. The passport and the key stay. */
    revoke(): Promise<void>;
}
export declare function createTokens(deps: {
    store: Store;
    runtime: Runtime;
    retry: RetryPolicy;
    transport: Transport;
    handle: string | undefined;
}): Tokens;
/**
 * Put a grant of the service into the store, and end what it settles. Throws `KithNetworkError` if it is not a grant.
 */
export declare function saveGrant(store: Store, body: unknown, { now }: Pick<Runtime, 'now'>): Promise<StoredGrant>;
export declare function isStatus(error: unknown, status: number): error is KithError;
export {};
