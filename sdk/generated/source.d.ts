import type { Purpose } from './types.ts';
export interface Source {
    size: number;
    /** SHA-256, as hex. */
    sha256: string;
    /** What names these bytes again after a crash. */
    key: string;
    /** The bytes between a head and a tail, for one sending. */
    between(head: Uint8Array<ArrayBuffer>, tail: Uint8Array<ArrayBuffer>, heard: {
        onProgress?: ((sent: number, total: number) => void) | undefined;
        /** Why a stream broke off, for what reads it tells of it in words of its own. */
        onFault: (error: unknown) => void;
    }): Blob | ReadableStream<Uint8Array>;
}
/** Of any purpose. */
export declare const largestFile: number;
/** Enough of a file to tell what is converted from what is kept as it is. */
export declare const headBytes = 12;
/** Throws `KithInputError` for what the service would refuse for its size (docs/contract/attachments.md#formats). */
export declare function checkSize(size: number, head: Uint8Array, purpose: Purpose): void;
/** Bytes in memory, or a file that a browser holds. The digest is made of the whole of it at once. */
export declare function blobSource(blob: Blob, purpose: Purpose): Promise<Source>;
/** SHA-256 as 64 hex digits. */
export declare function hexDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
