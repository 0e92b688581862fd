/** Files hold secrets: for the owner alone. */
export declare const fileMode = 384;
export declare const folderMode = 448;
/** Temporary files carry the process that writes them, so that those of a dead one can be told and removed. */
export declare function temporaryName(folder: string): string;
/** Replace or make a file. */
export declare function writeFileDurably(path: string, text: string): Promise<void>;
/** Make a file only where none is: false, and nothing changed, if there was one. */
export declare function createFileDurably(path: string, text: string): Promise<boolean>;
export declare function removeFileDurably(path: string): Promise<void>;
/** Make a folder, for the owner alone, with those above it. */
export declare function makeFolderDurably(path: string): Promise<void>;
/** A rename or new name is only safe once the folder itself is on the disk. */
export declare function syncFolder(path: string): Promise<void>;
/**
 * Identifies the content of a file: while the mark is the same, nobody has replaced it. Undefined if there is no such file, or
 * if it changed so recently that its successor could have the same mark. Synchronous: through Node's threads it would take
 * thirty times as long, for each message that is opened.
 */
export declare function markOf(path: string): string | undefined;
export declare function isCode(error: unknown, code: string): boolean;
