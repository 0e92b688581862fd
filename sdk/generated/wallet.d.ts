import type { Caller, Options } from './call.ts';
import type { Lister } from './lists.ts';
import type { LedgerEntry, Wallet } from './types.ts';
/** Money is whole minor units everywhere, 100 a credit; `credits` shows them as people write them. */
export interface OwnWallet {
    /** What is available, and what is reserved for orders under way. Nobody else sees it. */
    get(options?: Options): Promise<Wallet>;
    /** Every change of it, newest first, each with both balances after it. `limit` is the size of a page, up to 50. */
    history(filter?: {
        limit?: number;
    }, options?: Options): AsyncIterable<LedgerEntry>;
}
export declare function createWallet(call: Caller, list: Lister): OwnWallet;
