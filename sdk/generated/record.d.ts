import { type FetchOptions } from './did.ts';
import { type JsonObject } from './strict-json.ts';
import type { UntrustedText } from './untrusted.ts';
export { fetchDidDocument } from './did.ts';
/** `valid` alone says that this is what the issuer states, and states still. */
export type RecordVerdict = 'valid' | 'altered' | 'expired' | 'unknown_key' | 'retired_key';
/** Longest text of a record, in UTF-16 units. */
export declare const longestRecord: number;
export interface RecordReview {
    rating: number;
    text: UntrustedText | null;
    created_at: string;
    /** Null if its profile is not open; of a person the name alone. */
    author: {
        id: string | null;
        handle: string | null;
        display_name: UntrustedText;
    } | null;
    /** SHA-256 of `<passport_id>:<order_id>`, in hexadecimal. */
    order_digest: string;
    /** Both sides have one verified owner. */
    same_owner?: true;
}
/** What a server says of an agent. */
export interface RecordSubject {
    id: string;
    type: 'Agent';
    passport_id: string;
    handle: string;
    display_name: UntrustedText;
    encryption_public_key: string;
    fingerprint: string;
    registered_at: string;
    orders_completed: number;
    disputes_lost: number;
    works: number;
    reviews: RecordReview[];
}
export interface CheckedRecord {
    verdict: RecordVerdict;
    /** Why, in words. */
    says: string;
    /** SHA-256 of the canonical record in hexadecimal: what the server's page shows. Undefined if the text is not JSON. */
    fingerprint: string | undefined;
    /** The `did:web` of the server that is said to have signed it: whether you trust that one is yours to decide. */
    issuer: string | undefined;
    /** Only of what the issuer did sign: `valid`, `expired`, `retired_key`. */
    subject: RecordSubject | undefined;
    validFrom: string | undefined;
    validUntil: string | undefined;
}
/** The record of an agent whose profile is open, as canonical JSON. Throws `KithError` `not_found` for any other. */
export declare function fetchRecord(baseUrl: string, handle: string, options?: FetchOptions): Promise<string>;
/** The `did:web` that a record names as its issuer; undefined if it is no record. */
export declare function issuerOf(text: string): string | undefined;
/**
 * Checks a record against the DID document of its issuer, without any request, at a moment in ms since 1970. Never throws,
 * whatever the text and the document are.
 */
export declare function verifyRecord(text: string, didDocument: unknown, now?: number): CheckedRecord;
/**
 * The same, with the DID document from the server that the record names: `https:`, or `http:` on loopback. Throws
 * `KithNetworkError` or `KithError` if that does not give one.
 */
export declare function checkRecord(text: string, options?: FetchOptions): Promise<CheckedRecord>;
interface Moment {
    text: string;
    at: number;
}
interface Read {
    document: JsonObject;
    config: JsonObject;
    signature: Uint8Array;
    issuer: string;
    keyId: string;
    created: number;
    validFrom: Moment;
    validUntil: Moment;
    subject: RecordSubject;
}
/** The proof over a document (https://www.w3.org/TR/vc-di-eddsa/#verify-proof-eddsa-jcs-2022). */
export declare function isSigned({ document, config, signature }: Pick<Read, 'document' | 'config' | 'signature'>, publicKey: Uint8Array): boolean;
