import type { Store } from '../store.ts';
export interface FolderStore extends Store {
    /** Absolute path of the folder. */
    readonly path: string;
}
/**
 * Open an identity's folder, or make it (mode 0700, files 0600). Every write is synced to disk, with its folder, before
 * it resolves. Throws `KithIdentityError` when other users can enter the folder.
 */
export declare function openFolder(path: string): Promise<FolderStore>;
