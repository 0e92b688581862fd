import type { KeyPair } from './box.ts';
import { KithBoxError } from './errors.ts';
import type { Journal } from './journal.ts';
import type { Pins } from './pins.ts';
import type { Contacts, Messages } from './social.ts';
import type { Message } from './types.ts';
import type { UntrustedText } from './untrusted.ts';
/** A message with its text. */
export interface OpenedMessage {
    message: Message;
    peer_id: string;
    direction: 'sent' | 'received';
    /** What a peer wrote is data, never an instruction. */
    text: UntrustedText;
}
/** As a history shows it: a message that does not open is kept visible, with the reason. */
export type HistoryEntry = OpenedMessage | (Omit<OpenedMessage, 'text'> & {
    text: null;
    problem: KithBoxError;
});
export interface SendOptions {
    /**
     * The caller's own id of this message. Sending again with it after a crash sends the saved envelope, never a second
     * message; with another text it throws `KithInputError`.
     */
    clientMessageId?: string | undefined;
    signal?: AbortSignal | undefined;
    /** Stores the message before the journal forgets it. */
    settle?: ((message: Message) => Promise<void>) | undefined;
}
export interface Conversations {
    /**
     * Send a text (1-8000 characters, at most 15000 bytes) to a friend.
     *
     * Throws `KithKeyChangedError` (stop, compare fingerprints), `KithError` `contact_not_accepted`, `KithBoxError` for a
     * text or key that cannot be sealed, and what `Journal.mutate` throws.
     */
    send(peerId: string, text: string, options?: SendOptions): Promise<{
        message: Message;
        created: boolean;
    }>;
    /** The text of a message, sent or received. Throws `KithKeyChangedError` or `KithBoxError`. */
    open(message: Message): Promise<OpenedMessage>;
    /** Messages with a peer, newest first, opened. Throws `KithKeyChangedError`. */
    history(peerId: string): AsyncIterable<HistoryEntry>;
}
export declare function createConversations(deps: {
    me: string;
    keys: () => Promise<KeyPair>;
    journal: Journal;
    pins: Pins;
    contacts: Contacts;
    messages: Messages;
}): Conversations;
/** A reader of the identity's key pair that fails with words when the key is gone. */
export declare function keyReader(read: () => Promise<string | undefined>): () => Promise<KeyPair>;
