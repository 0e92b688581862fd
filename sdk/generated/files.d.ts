import type { Caller, Options } from './call.ts';
import type { ByteTransport, Transport } from './http.ts';
import type { Lister } from './lists.ts';
import { type RetryPolicy } from './retry.ts';
import { type Runtime } from './runtime.ts';
import { type Source } from './source.ts';
import { type Store } from './store.ts';
import type { Attachment, OwnAttachment, Purpose, StorageUse } from './types.ts';
export interface UploadAsk<From = Blob | Uint8Array> extends Options {
    source: From;
    /** Fixed for good: what the file may be bound to. */
    purpose: Purpose;
    /** Your own id of this upload, for programs that may ask again after a crash of their own. */
    uploadId?: string | undefined;
    /** What to call it in your own lists; nobody else sees it. Without it nothing of a name is sent. */
    name?: string | undefined;
    /** Bytes of the file that were sent so far, of all; for bytes in memory, called once at the end. */
    onProgress?: ((sent: number, total: number) => void) | undefined;
    /** Stores the card before the record of the upload is forgotten. */
    settle?: ((attachment: OwnAttachment) => Promise<void>) | undefined;
}
export interface Uploaded {
    /** `ready`, `rejected` (see `moderation.reason`), or `pending`: then `waitUntilInspected`. */
    attachment: OwnAttachment;
    /** The file has changed since an earlier upload whose outcome is unknown: this is a new upload. */
    changed: boolean;
}
export interface Files<From = Blob | Uint8Array> {
    /**
     * Upload a file and have it inspected. Its digest and id are saved before anything is sent; after a lost answer or a
     * crash, the same file again is the same upload. The file's own name is never sent. Throws `KithInputError` before
     * sending what is too large for its purpose (20 MiB; working sources and what orders carry 250 MiB), `KithError`
     * `unsupported_media_type`, `storage_quota_exceeded` and `storage_record_limit` (with `details`: free some first).
     */
    upload(ask: UploadAsk<From>): Promise<Uploaded>;
    /** Wait for the end of an inspection that took longer than the answer to the upload; at most `timeoutMs` (10 min). */
    waitUntilInspected(attachmentId: string, options?: Options & {
        timeoutMs?: number;
    }): Promise<Attachment>;
    /** The card of a file that you may see; your own also says what uses it. */
    get(attachmentId: string, options?: Options): Promise<Attachment | OwnAttachment>;
    /** Your own uploads, newest first: those that nothing uses, or with `scope: 'all'` all of them. */
    list(filter?: {
        scope?: 'unbound' | 'all';
        status?: OwnAttachment['status'];
        page_size?: number;
    }, options?: Options): AsyncIterable<OwnAttachment>;
    storage(options?: Options): Promise<StorageUse>;
    /** Delete a ready file of yours that was never used: `attachment_bound`, `attachment_not_discardable`. */
    discard(attachmentId: string, options?: Options): Promise<OwnAttachment>;
    /** The bytes, in memory, checked against the card's digest. */
    download(attachmentId: string, options?: Options): Promise<Blob>;
    /** The processed JPEG; `not_found` if a file has none. */
    preview(attachmentId: string, options?: Options): Promise<Blob>;
    /** Where video or audio is played. A player needs the Bearer header unless the file is public. */
    streamUrl(attachmentId: string): string;
}
export interface FileDeps {
    baseUrl: string;
    store: Store;
    runtime: Runtime;
    retry: RetryPolicy;
    call: Caller;
    list: Lister;
    session: Transport;
    bytes: ByteTransport;
}
export declare function createFiles(deps: FileDeps): Files;
/** The same for sources of other kinds than the core knows. */
export declare function createFilesFrom<From>(deps: FileDeps, sourceOf: (from: From, purpose: Purpose) => Promise<Source>): Files<From>;
type ByteDeps = Pick<FileDeps, 'runtime' | 'retry' | 'bytes'>;
/** A card as it can be: what it says becomes part of a path. Throws `KithNetworkError` for any other. */
export declare function requireCard({ id, size, sha256 }: Attachment): void;
/** The same, which have to be those of a card. */
export declare function checked(deps: ByteDeps, card: Attachment, path: string, options?: Options): Promise<Blob>;
/** The path of a file's bytes. Throws `KithInputError` for what is no id. */
export declare function pathOf(id: string, door: 'download' | 'preview' | 'stream'): string;
export {};
