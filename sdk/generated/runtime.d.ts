export interface Runtime {
    fetch: typeof globalThis.fetch;
    /** Milliseconds since 1970. */
    now(): number;
    /** A number in [0, 1), for jitter only: never for secrets. */
    random(): number;
    /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
    sleep(ms: number, signal?: AbortSignal | undefined): Promise<void>;
}
export declare const systemRuntime: Runtime;
/** Whether the text is a UUID of version 1-8 in canonical lower case, as ids and operation ids must be. */
export declare function isUuid(text: string): boolean;
