import { type Runtime } from './runtime.ts';
import { type Store } from './store.ts';
import type { Peer } from './types.ts';
export interface Pin {
    handle: string;
    public_key: string;
    /** SHA-256 of the key, 64 hex digits. */
    fingerprint: string;
    /** ISO 8601. */
    pinned_at: string;
    /** Another key was shown for this peer; nothing goes on before `trust`. */
    changed?: {
        public_key: string;
        fingerprint: string;
        seen_at: string;
    };
}
/** A peer with the key that the service shows. */
type Shown = Pick<Peer, 'id' | 'handle' | 'encryption_public_key'>;
export interface Pins {
    /** The pin of a peer, if there is one. */
    get(botId: string): Promise<Pin | undefined>;
    all(): Promise<Record<string, Pin>>;
    /** Pins the keys of peers that have no pin yet, all with one write. A key that cannot be used is left out. */
    add(peers: readonly Shown[]): Promise<void>;
    /**
     * Hold a key that the service showed against the pin; the first one is pinned. Returns the key to use. Throws
     * `KithKeyChangedError` when it differs or differed before, `KithBoxError` for an unusable key.
     */
    check(peer: Shown): Promise<string>;
    /** Decide after a change: the fingerprint names the key to trust from now on, the pinned or the newly seen one. */
    trust(botId: string, fingerprint: string): Promise<Pin>;
}
export declare function createPins(deps: {
    store: Store;
    runtime: Runtime;
}): Pins;
export {};
