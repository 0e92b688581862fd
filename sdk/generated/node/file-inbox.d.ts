import type { Inbox } from '../inbox.ts';
import type { KithEvent } from '../types.ts';
/** Open the inbox in `folder`. Only one process may have it open: hold the store's lock `receiver`. */
export declare function openFileInbox(folder: string): Promise<Inbox>;
/** An event that a receiver stored; `done` once its consumer is through with it. */
export interface StoredEvent {
    event: KithEvent;
    done: boolean;
}
/** What the inbox in `folder` holds, oldest first, for a process that does not receive: it changes nothing. */
export declare function storedEvents(folder: string): Promise<StoredEvent[]>;
