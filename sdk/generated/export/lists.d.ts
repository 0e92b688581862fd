import type { Line, Planned } from './plan.ts';
import { type Reading } from './source.ts';
/** Where a list goes on: before an entry or at a cursor, or on a page. */
export type Place = {
    ask: Record<string, string>;
} | Counted;
interface Counted {
    /** From the beginning of the list so many entries are written, or came meanwhile. */
    seen: number;
    /** Of the list when it was last asked for. */
    total: number;
    /** Entries a page. */
    size: number;
}
export declare const isPlace: (place: unknown) => place is Place | undefined;
/** The next entries. `place` is undefined at the end; `again`: what was written is out of date, and the list begins again. */
export interface Page {
    lines: Line[];
    place: Place | undefined;
    again?: true;
    /** The code of a refusal that keeps the list, or the rest of it, from being read. */
    problem?: string;
}
/** Throws if a list has moved too often. */
export declare function checkMoves(name: string, moves: number): void;
export interface Asked {
    source: Reading;
    planned: Planned;
    path: Record<string, string>;
    /** What is written of the list, as `keyOf` names it. */
    written?: Set<string>;
}
export declare function pages(asked: Asked, from: Place | undefined): AsyncGenerator<Page>;
/** What tells an entry from the others of its list. */
export declare const keyOf: (line: Line) => string;
export {};
