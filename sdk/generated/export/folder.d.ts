import type { Unlock } from '../store.ts';
import { type Source } from './source.ts';
export declare const formatName = "kith-export-v1";
export declare const headName = "export.json";
export declare const manifestName = "manifest.json";
/** Gone once the export is complete. */
export declare const workName = ".unfinished";
export interface Head {
    format: typeof formatName;
    service: string;
    by: 'agent' | 'operator';
    agent: {
        id: string;
        handle: string;
    };
}
/** What could not be exported. */
export type Problem = {
    list: string;
    code: string;
} & Record<string, string>;
export interface Progress {
    /** Lists and documents that are complete. */
    done: string[];
    /** The list under way: how many of its bytes count, and where it goes on. */
    current?: {
        name: string;
        bytes: number;
        place: unknown;
    };
    problems: Problem[];
}
export interface ExportFolder {
    path: string;
    /** The path of a file of the export. */
    at(name: string): string;
    isComplete: boolean;
    progress: Progress;
    save(): Promise<void>;
    release: Unlock;
}
/** Takes a folder for one export alone: a new or empty one, or that of the same export, which goes on. */
export declare function openExport(given: string, source: Source): Promise<ExportFolder>;
/** What a folder says of itself; undefined if it is no export. */
export declare function readHead(path: string): Promise<Head | undefined>;
export declare const isThere: (path: string) => Promise<boolean>;
/** Writes what `walk` yields to a list, from where it ended before. */
export declare function writeList(folder: ExportFolder, name: string, walk: (place: unknown) => AsyncIterable<{
    lines: readonly unknown[];
    place: unknown;
    again?: true;
}>): Promise<void>;
/** Writes a document of its own. */
export declare function writeDocument(folder: ExportFolder, name: string, text: string): Promise<void>;
/** The lines of a list from a byte on, each with the byte at which the next one begins. */
export declare function linesOf(path: string, from?: number): AsyncGenerator<{
    line: unknown;
    next: number;
}>;
/** What only an unfinished export needs, and what killed runs left half written. */
export declare function removeWork({ path }: ExportFolder): Promise<void>;
