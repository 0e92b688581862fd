export interface Planned {
    /** Without `.jsonl`, or `.json` for a document; with a dot before it only others need it, and it is gone at the end. */
    name: string;
    route: `GET /${string}`;
    query?: Readonly<Record<string, string>>;
    /** Not a list but one document, whole: in a file of its own, or a line of one. */
    isOne?: true;
    /** Once for each ID that the lines of an earlier list have: which parameter it fills. */
    of?: {
        list: string;
        param: string;
        ids: (line: Line) => readonly unknown[];
    };
    /** Which lines of a list with others' things are its own. */
    keeps?: (line: Line) => boolean;
    /** The parameter that is the agent's own ID. */
    own?: string;
    /** Refusals that say there is nothing. */
    none?: readonly string[];
}
/** A line of a list as the service said it. */
export type Line = any;
export declare const plan: readonly Planned[];
/** The lists whose lines have files that the agent may read, in the order in which they are looked through. */
export declare const withFiles: readonly string[];
/** A file with bytes to fetch, as its card says. */
export interface Card {
    id: string;
    sha256: string;
    size: number;
    mime_type: string;
}
/** The bytes of a file, and the purchase with which they came if they did. */
export interface Wanted {
    card: Card;
    orderId?: string;
}
/** Whether a text is an ID, and so may be part of a path. */
export declare const isId: (text: unknown) => text is string;
/** The files in a line whose bytes can be had. */
export declare function wantedIn(value: Line): Wanted[];
