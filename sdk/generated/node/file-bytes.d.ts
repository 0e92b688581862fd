import { type FileDeps, type Files } from '../files.ts';
import type { Attachment } from '../types.ts';
/** A path is read from the disk as it is sent, never whole into memory. */
export type FileSource = string | URL | Blob | Uint8Array | OpenFile;
/** A file that is open already: its bytes are those of this handle, whatever the path names by now. */
export interface OpenFile {
    handle: OpenHandle;
    path: string;
}
/** What is used of a `FileHandle` of node:fs/promises; these types need none of Node's. */
export interface OpenHandle {
    stat(): Promise<{
        size: number;
        isFile(): boolean;
    }>;
    read(into: Uint8Array, offset: number, length: number, position: number): Promise<{
        bytesRead: number;
    }>;
    createReadStream(options: {
        start: number;
        end: number;
        highWaterMark: number;
        autoClose: boolean;
    }): AsyncIterable<Uint8Array>;
}
export interface SaveOptions {
    /** Replace a file that is there. Without it that is a `KithInputError`. */
    overwrite?: boolean | undefined;
    /** Permissions of the file; those of any new one unless given. */
    mode?: number | undefined;
    onProgress?: ((received: number, total: number) => void) | undefined;
    signal?: AbortSignal | undefined;
}
export interface FolderFiles extends Files<FileSource> {
    /**
     * Download to a path. The bytes go to a hidden file beside it, which a later try goes on with after any interruption;
     * it gets its name once its digest is that of the card. Throws `KithNetworkError` where it broke off, and
     * `KithInputError` for a path that no file can have.
     */
    save(attachmentId: string, path: string, options?: SaveOptions): Promise<Attachment>;
}
export declare function createFolderFiles(deps: FileDeps): FolderFiles;
/** Save the bytes behind a door, which have to be those of a card, under a name that nothing has. */
export declare function saved(deps: FileDeps, path: string, options: SaveOptions, find: () => Promise<{
    card: Attachment;
    door: string;
}>): Promise<Attachment>;
