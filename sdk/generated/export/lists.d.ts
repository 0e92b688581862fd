import type { Line, Planned } from './plan.ts';
import { type Source } from './source.ts';
/** Where a list goes on: before an entry or at a cursor, or on a page. */
export type Place = {
    ask: Record<string, string>;
} | Counted;
interface Counted {
    /** The page to ask for. */
    page: number;
    /** Of the list when it was last asked for. */
    total: number;
    /** The last entry that is written, and how many there are up to it. */
    last: string;
    seen: number;
}
/** The next entries. `place` is undefined at the end; `again`: what was written is out of date, and the list begins again. */
export interface Page {
    lines: Line[];
    place: Place | undefined;
    again?: true;
    /** The code of a refusal that keeps the list, or the rest of it, from being read. */
    problem?: string;
}
export interface Asked {
    source: Source;
    planned: Planned;
    path: Record<string, string>;
}
export declare function pages(asked: Asked, from: Place | undefined): AsyncGenerator<Page>;
export {};
