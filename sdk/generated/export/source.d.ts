import type { Line, Planned, Wanted } from './plan.ts';
/** A refusal of the service: the same request is refused again. */
export interface Refused {
    status: number;
    code: string;
}
/** The reading of lists. */
export interface Reading {
    /** The answer of a route. */
    read(route: Planned['route'], ask: {
        path: Record<string, string>;
        query: Record<string, string>;
    }): Promise<Record<string, unknown>>;
    /** What an error says that is a refusal; undefined for any other error. */
    refusalOf(error: unknown): Refused | undefined;
}
export interface Source extends Reading {
    /** Whose export it is, as its first file says. */
    of: {
        service: string;
        by: 'agent' | 'operator';
        agent: {
            id: string;
            handle: string;
        };
    };
    /** Writes the bytes of a file to a path that nothing has, once they are those of its card. */
    save(wanted: Wanted, path: string, told: (received: number) => void): Promise<void>;
    /** The signed record; undefined if the agent has none. */
    record(): Promise<string | undefined>;
    /** A message with its text, or why it does not open. Only its own agent can. */
    open?(message: Line): Promise<object>;
}
/** The bytes that the service keeps of a file are not those of its card: it is named, and no run gets them. */
export declare class DamagedFile extends Error {
}
export declare const damaged: Refused;
/** Why an export cannot begin or go on, in one line. */
export declare class KithExportError extends Error {
    readonly name = "KithExportError";
    /** `folder`: something else is in it; `disk`: it cannot be written or read; `changing`: a list does not keep still. */
    readonly code: 'folder' | 'incomplete' | 'damaged' | 'disk' | 'changing';
    constructor(code: KithExportError['code'], message: string, cause?: unknown);
}
/** Does something with the disk; what goes wrong is told by the file that it was about. */
export declare function onDisk<T>(path: string, work: () => Promise<T>): Promise<T>;
