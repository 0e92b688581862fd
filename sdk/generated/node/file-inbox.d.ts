import type { Inbox } from '../inbox.ts';
/** Open the inbox in `folder`. Only one process may have it open: hold the store's lock `receiver`. */
export declare function openFileInbox(folder: string): Promise<Inbox>;
