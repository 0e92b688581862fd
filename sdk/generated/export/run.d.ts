import { type Totals } from './manifest.ts';
import { type Source } from './source.ts';
export interface ExportOptions {
    /** What is being exported. */
    told?: (what: string, received?: number, size?: number) => void;
    /** Before this run reads anything; not for an export that is complete. */
    begin?: () => Promise<void>;
    /** A document that its maker adds at the end, by name. */
    last?: () => Promise<readonly [name: string, text: string] | undefined>;
    signal?: AbortSignal;
}
export interface Exported extends Totals {
    path: string;
    /** What could not be exported: the lines of problems.jsonl. */
    problems: number;
    /** It was complete before. */
    was: boolean;
}
export declare const keysName = "keys.json";
/** Exports to a folder. Killed at any moment, the same again goes on; once it is complete, it changes nothing more. */
export declare function exportTo(path: string, source: Source, options?: ExportOptions): Promise<Exported>;
