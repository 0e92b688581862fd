import { type Unlock } from '../store.ts';
/** Locks in a folder of their own, for processes and for the parts of one process alike. */
export declare function folderLocks(folder: string): (name: string, waitMs?: number) => Promise<Unlock>;
