import type { Runtime } from './runtime.ts';
export interface Clock {
    /** The service's time in ms; that of this machine until a response has told it. */
    now(): number;
    /** Whether a response has told it. */
    isKnown(): boolean;
    /** A response to a request that was sent at `sent`, by the clock of this machine. */
    hear(response: Response, sent: number): void;
}
export declare function createClock(runtime: Pick<Runtime, 'now'>): Clock;
