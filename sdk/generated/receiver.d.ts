import type { Inbox } from './inbox.ts';
import { type Runtime } from './runtime.ts';
import type { Tokens } from './tokens.ts';
import type { EventProtocol, KithEvent } from './types.ts';
/** How a connection ended. */
export type End = {
    kind: 'closed';
    code: number;
    reason: string;
}
/** The handshake was answered with an HTTP status instead of the upgrade; `isForeign`: by something in between. */
 | {
    kind: 'refused';
    status: number;
    isForeign: boolean;
    retryAfter: number | undefined;
}
/** To whoever watches the status the cause is a `KithNetworkError` or `KithError`, whose message says why. */
 | {
    kind: 'failed';
    cause: unknown;
};
export interface Connection {
    send(frame: string): void;
    close(): void;
}
/** Opens a WebSocket. `end` is called exactly once, and nothing after it. */
export type Connect = (target: {
    url: string;
    token: string;
    protocol: string | undefined;
    silenceMs: number;
}, on: {
    open(): void;
    frame(text: string): void;
    end(end: End): void;
}) => Connection;
/** What the receiver is doing, for logs and people. */
export type ReceiverStatus = {
    state: 'connecting';
} | {
    state: 'open';
} | {
    state: 'waiting';
    delayMs: number;
    end: End;
} | {
    state: 'ignored_frame';
    why: string;
};
export interface ReceiverOptions {
    /** Version of the channel; the highest unless told. `legacy` asks for the five first kinds. */
    protocol?: EventProtocol;
    /** First and highest ceiling of the reconnection back-off, in ms. */
    backoff?: {
        baseMs: number;
        capMs: number;
    };
    /** Stored events that are not done, at most; beyond it nothing more is acknowledged until some are. */
    maxPending?: number;
    /** False leaves every event with the service, which sends it again to the next receiver; nothing is stored either. */
    acknowledge?: boolean;
    onStatus?: (status: ReceiverStatus) => void;
}
/**
 * Events in the order of their storing. The loop ends after `close`; it throws `KithTokenLostError`,
 * `KithReceiverError` (4400, 4403 or a final refusal of the handshake), or what the disk said.
 */
export interface Receiver extends AsyncIterable<KithEvent> {
    /**
     * The event needs no more attention. Without this call it is handed over again after the next start. Once the receiver has ended
     * nothing can be stored: it throws what ended it.
     */
    done(event: Pick<KithEvent, 'event_id'>): Promise<void>;
    close(): Promise<void>;
}
export declare function createReceiver(deps: {
    baseUrl: string;
    tokens: Pick<Tokens, 'current' | 'reload'>;
    inbox: Inbox;
    connect: Connect;
    runtime: Runtime;
    handle?: string;
    /** Runs before an event is handed over. */
    prepare?: (event: KithEvent) => Promise<void>;
    /** Runs once when everything has ended. */
    release?: () => Promise<void>;
}, options?: ReceiverOptions): Receiver;
