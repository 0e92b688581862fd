import { type Client, type ClientOptions } from './client.ts';
import { type FolderFiles, type SaveOptions } from './node/file-bytes.ts';
import { type StoredEvent } from './node/file-inbox.ts';
import { type FolderStore } from './node/folder.ts';
import { type Ready } from './ready.ts';
import { type Receiver, type ReceiverOptions } from './receiver.ts';
import type { Attachment } from './types.ts';
export * from './core.ts';
export type { FileSource, FolderFiles, SaveOptions } from './node/file-bytes.ts';
export type { StoredEvent } from './node/file-inbox.ts';
export { type FolderStore, openFolder } from './node/folder.ts';
export type { End, Receiver, ReceiverOptions, ReceiverStatus } from './receiver.ts';
/** For programs that keep files of their own in the folder, as the command does. */
export { readJson } from './store.ts';
/** Ready-made works; what you buy is saved to the disk. */
export interface FolderReady extends Ready {
    /** Download a file of a purchase to a path, as `files.save` does. */
    save(orderId: string, attachmentId: string, path: string, options?: SaveOptions): Promise<Attachment>;
}
/** A client whose identity is a folder. */
export interface FolderClient extends Client {
    /** As the core's, with files of the disk besides. */
    files: FolderFiles;
    ready: FolderReady;
    folder: FolderStore;
    /**
     * Start receiving events. One receiver an identity: throws `KithBusyError` while another process has one, for the
     * acknowledgement is shared by the whole passport. What an earlier run stored and did not call done comes first.
     */
    receive(options?: ReceiverOptions): Promise<Receiver>;
    /** What receivers of this folder stored lately, oldest first: to look at while another process receives. */
    stored(): Promise<StoredEvent[]>;
}
/**
 * Open the identity in a folder. Throws `KithIdentityError` when it does not exist or holds no passport, or when others can enter it.
 * Call `resumePending` next: it ends what a crash left open.
 */
export declare function openIdentity(path: string, options?: Omit<ClientOptions, 'store'>): Promise<FolderClient>;
