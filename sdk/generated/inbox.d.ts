import type { KithEvent } from './types.ts';
export interface Inbox {
    /** Store an event; durable when it resolves. False: it was stored before, and is not to be handed over again. */
    add(event: KithEvent): Promise<boolean>;
    /** The service confirmed the acknowledgement: it will not send this event again. */
    acked(eventId: string): void;
    /** The consumer is through with an event; durable when it resolves. Unknown ids are ignored. */
    done(eventId: string): Promise<void>;
    /** Stored events that are not done, oldest first. */
    pending(): KithEvent[];
    close(): Promise<void>;
}
/** For a receiver that acknowledges nothing: what was stored before and what comes in, as long as the process lasts. */
export declare function passingInbox(stored: readonly KithEvent[]): Inbox;
