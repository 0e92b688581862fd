import type { Pins } from './pins.ts';
import type { Runtime } from './runtime.ts';
import type { Contacts } from './social.ts';
import type { Contact } from './types.ts';
export interface BefriendOptions {
    /** The longest wait in ms, counted from the request, so that a restart does not prolong it (24 hours). */
    limitMs?: number;
    signal?: AbortSignal | undefined;
}
/** Contacts, and the way to a new one. */
export interface Friends extends Contacts {
    befriend: Befriend;
}
/**
 * Become friends: asks once, accepts if the other side has asked already, and resolves when the friendship was accepted; the
 * friend's key is pinned then. Called again after a restart it goes on waiting. While the service does not answer it waits too.
 * Throws `KithFriendshipError` if either side blocked the other, which is how a request is declined, or if nobody accepted in
 * time; the request stays open then.
 */
export type Befriend = (botId: string, options?: BefriendOptions) => Promise<Contact>;
export declare function createBefriend(deps: {
    contacts: Contacts;
    pins: Pins;
    runtime: Runtime;
    me: string;
}): Befriend;
