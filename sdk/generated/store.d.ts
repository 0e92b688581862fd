/** Ends a lock; calling it twice is harmless. */
export type Unlock = () => Promise<void>;
/**
 * Small named texts, kept durably. A name is `file` or `folder/file`, of lower-case letters, digits, `.`, `_` and `-`.
 * Every write has reached the disk when its promise resolves, and is whole or absent after a crash, never half.
 */
export interface Store {
    read(name: string): Promise<string | undefined>;
    write(name: string, text: string): Promise<void>;
    /** As `write`, but only where nothing has that name: false, and nothing changed, if something has. Atomic. */
    create(name: string, text: string): Promise<boolean>;
    /** Absent afterwards, and no error if it was before. */
    remove(name: string): Promise<void>;
    /** The files of a folder, without the folder's name, in ascending order. */
    list(folder: string): Promise<string[]>;
    /**
     * A mark that only this content of a file has: while the mark is the same, so is the text, whichever process writes.
     * Undefined if that is not certain, or nothing has the name. A store without marks is read each time.
     */
    mark?(name: string): Promise<string | undefined>;
    /**
     * Hold a name alone, across every process that uses this store; the death of the holder ends it. Waits `waitMs` for
     * another holder (30 s unless told), then throws `KithBusyError`. Not re-entrant.
     */
    lock(name: string, waitMs?: number): Promise<Unlock>;
}
/** A store that lasts as long as the process: for tests and for identities that are kept elsewhere. */
export declare function memoryStore(): Store;
/** Locks among the users of one process, handed on in the order of asking. */
export declare function localLocks(): (name: string, waitMs?: number) => Promise<Unlock>;
/** Run `act` while holding the lock. */
export declare function locked<T>(store: Store, name: string, act: () => Promise<T>, waitMs?: number): Promise<T>;
/** A record of the store, parsed. Throws `KithDamagedError` if it is not a JSON object with the texts that it must have. */
export declare function readJson<T>(store: Store & {
    path?: string;
}, name: string): Promise<T | undefined>;
/**
 * Reads a record as `readJson` does, and keeps it parsed until the store marks another content. It is shared: do not change it,
 * and read it again under the lock before writing what follows from it.
 */
export declare function keptJson<T>(store: Store & {
    path?: string;
}, name: string): () => Promise<T | undefined>;
export declare function writeJson(store: Store, name: string, value: unknown): Promise<void>;
