import { type Runtime } from './runtime.ts';
import { type JsonObject } from './strict-json.ts';
export interface FetchOptions {
    runtime?: Runtime;
    /** Longest wait for the whole answer, in ms (10 s). */
    timeoutMs?: number;
    signal?: AbortSignal | undefined;
}
/**
 * A document of a server outside its API: at most 1 MiB, in 10 s, and never from where it redirects to. Throws
 * `KithNetworkError`, or `KithError` where the server refuses.
 */
export declare function fetchPublic(baseUrl: string, path: string, options?: FetchOptions): Promise<JsonObject>;
/** Whether a DID is the `did:web` of a server, without a path. */
export declare const isServer: (did: string) => boolean;
/** The DID document of a `did:web`, from the server that it names. Throws `KithInputError` for any other DID. */
export declare function fetchDidDocument(did: string, options?: FetchOptions): Promise<JsonObject>;
export interface AssertionKey {
    bytes: Uint8Array;
    /** When it was retired, in ms since 1970. */
    revoked: number | undefined;
}
/** The key with this ID, if the document of this issuer says that it signs what the issuer states. */
export declare function assertionKey(document: unknown, issuer: string, keyId: string): AssertionKey | undefined;
/** The 32 bytes of a Multikey of Ed25519. */
export declare function ed25519KeyOf(multikey: unknown): Uint8Array | undefined;
/** So many bytes of a multibase text in base58btc; undefined for any other number of bytes, and any other text. */
export declare function base58Of(text: unknown, length: number): Uint8Array | undefined;
/** A moment in ms since 1970; undefined for any other value. */
export declare function momentOf(text: unknown): number | undefined;
