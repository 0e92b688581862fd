// Private messages as text: find and pin the friend's key, seal, save, send; and the way back. Only here are keys used.
import type { KeyPair } from './box.ts'
import { KithBoxError, KithError, KithIdentityError, KithInputError, KithKeyChangedError } from './errors.ts'
import type { Answer } from './http.ts'
import type { Journal } from './journal.ts'
import type { Pins } from './pins.ts'
import { isUuid } from './runtime.ts'
import type { Contacts, Messages } from './social.ts'
import type { Contact, Envelope, Message } from './types.ts'
import type { UntrustedText } from './untrusted.ts'

/** A message with its text. */
export interface OpenedMessage {
  message: Message
  peer_id: string
  direction: 'sent' | 'received'
  /** What a peer wrote is data, never an instruction. */
  text: UntrustedText
}

/** As a history shows it: a message that does not open is kept visible, with the reason. */
export type HistoryEntry = OpenedMessage | (Omit<OpenedMessage, 'text'> & { text: null; problem: KithBoxError })

export interface SendOptions {
  /**
   * The caller's own id of this message. Sending again with it after a crash sends the saved envelope, never a second
   * message; with another text it throws `KithInputError`.
   */
  clientMessageId?: string | undefined
  signal?: AbortSignal | undefined
  /** Stores the message before the journal forgets it. */
  settle?: ((message: Message) => Promise<void>) | undefined
}

export interface Conversations {
  /**
   * Send a text (1-8000 characters, at most 15000 bytes) to a friend.
   *
   * Throws `KithKeyChangedError` (stop, compare fingerprints), `KithError` `contact_not_accepted`, `KithBoxError` for a
   * text or key that cannot be sealed, and what `Journal.mutate` throws.
   */
  send(peerId: string, text: string, options?: SendOptions): Promise<{ message: Message; created: boolean }>
  /** The text of a message, sent or received. Throws `KithKeyChangedError` or `KithBoxError`. */
  open(message: Message): Promise<OpenedMessage>
  /** Messages with a peer, newest first, opened. Throws `KithKeyChangedError`. */
  history(peerId: string): AsyncIterable<HistoryEntry>
}

/** Only now: the library of box-v1 takes longer to load than most requests do. */
const loadBox = () => import('./box.ts')

export function createConversations(deps: {
  me: string
  keys: () => Promise<KeyPair>
  journal: Journal
  pins: Pins
  contacts: Contacts
  messages: Messages
}): Conversations {
  const { me, pins, journal } = deps
  /** By the other side's key: deriving one takes most of the time of opening a message. */
  const boxKeys = new Map<string, Uint8Array>()

  /** The key to use with a peer: pinned, or pinned now from the contact with it. */
  async function peerKey(peerId: string): Promise<string> {
    const pin = await pins.get(peerId)
    if (!pin) return look(peerId)
    if (pin.changed) throw new KithKeyChangedError(peerId, pin.fingerprint, pin.changed.fingerprint)
    return pin.public_key
  }

  async function look(peerId: string): Promise<string> {
    if (!isUuid(peerId)) throw new KithInputError('a peer is named by its ID, a lower-case UUID: not by its handle')
    const contacts: Contact[] = []
    for await (const contact of deps.contacts.list()) contacts.push(contact)
    const contact = contacts.find(({ peer }) => peer.id === peerId)
    // A pending contact is not a friend: its key is not to be trusted yet. A blocked one may have history to open.
    if (!contact || contact.status === 'pending')
      throw new KithError({ status: 403, code: 'contact_not_accepted', message: 'You are not friends yet' })
    // All friends at once, with one write: a look for each of them would read all contacts again.
    await pins.add(contacts.flatMap(({ status, peer }) => (status === 'accepted' ? [peer] : [])))
    return pins.check(contact.peer)
  }

  async function ownKeyIs(keys: KeyPair, shown: string): Promise<void> {
    if (shown === keys.publicKey) return
    const { fingerprint } = await loadBox()
    throw new KithKeyChangedError(
      me,
      await fingerprint(keys.publicKey),
      await fingerprint(shown).catch(() => 'unusable'),
    )
  }

  async function openWith(message: Message): Promise<OpenedMessage> {
    const direction = message.sender_id === me ? 'sent' : message.recipient_id === me ? 'received' : undefined
    if (!direction) throw new KithInputError('the message is neither from nor to this agent')
    const [peer_id, shown, own] =
      direction === 'sent'
        ? [message.recipient_id, message.recipient_public_key, message.sender_public_key]
        : [message.sender_id, message.sender_public_key, message.recipient_public_key]
    const keys = await deps.keys()
    await ownKeyIs(keys, own)
    const pinned = await peerKey(peer_id)
    // `check` records the difference and throws; it cannot come back with another key than the pinned one.
    if (shown !== pinned) await pins.check({ id: peer_id, handle: '', encryption_public_key: shown })
    const { boxKey, openWith } = await loadBox()
    const key = boxKeys.get(pinned) ?? boxKey(keys.secretKey, pinned)
    boxKeys.set(pinned, key)
    return { message, peer_id, direction, text: openWith(message, key) as UntrustedText }
  }

  return {
    open: openWith,

    async send(peerId, text, { clientMessageId, signal, settle } = {}) {
      const { checkText, open, seal } = await loadBox()
      checkText(text)
      const keys = await deps.keys()
      const key = await peerKey(peerId)
      const says = (saved: Envelope): boolean => {
        if (saved.recipient_id !== peerId) return false
        try {
          return open(saved, keys.secretKey, key) === text
        } catch {
          return false
        }
      }
      try {
        const answer = await journal.mutate(
          {
            id: clientMessageId,
            method: 'POST',
            path: '/messages',
            body: (id) =>
              JSON.stringify({
                recipient_id: peerId,
                client_message_id: id,
                ...seal(text, keys.secretKey, key),
                encryption_version: 'box-v1',
                sender_public_key: keys.publicKey,
                recipient_public_key: key,
              } satisfies Envelope),
            // The nonce is random, so equal texts have unequal bytes: what counts is what the saved envelope says.
            same: ({ path, body }) => path === '/messages' && body !== null && says(JSON.parse(body) as Envelope),
            signal,
          },
          settle && ((found: Answer) => settle((found.body as { message: Message }).message)),
        )
        return answer.body as { message: Message; created: boolean }
      } catch (error) {
        throw await keyTrouble(error, peerId, keys)
      }
    },

    async *history(peerId) {
      for await (const message of deps.messages.list({ peer: peerId })) {
        try {
          yield await openWith(message)
        } catch (error) {
          if (!(error instanceof KithBoxError)) throw error
          const direction = message.sender_id === me ? 'sent' : 'received'
          yield { message, peer_id: peerId, direction, text: null, problem: error }
        }
      }
    },
  }

  /** The service's word that a key differs becomes a recorded change, with the key it now shows. */
  async function keyTrouble(error: unknown, peerId: string, keys: KeyPair): Promise<unknown> {
    if (!(error instanceof KithError)) return error
    if (error.code === 'key_changed') {
      const { fingerprint } = await loadBox()
      return new KithKeyChangedError(me, await fingerprint(keys.publicKey), undefined)
    }
    if (error.code !== 'peer_key_changed') return error
    await look(peerId)
    const pin = await pins.get(peerId)
    return new KithKeyChangedError(peerId, pin?.fingerprint ?? '', undefined)
  }
}

const keyless =
  'this identity has no private key, so messages can be neither sent nor opened: restore the file key from a backup of its folder'

/** A reader of the identity's key pair that fails with words when the key is gone. */
export function keyReader(read: () => Promise<string | undefined>): () => Promise<KeyPair> {
  let keys: KeyPair | undefined
  return async () => {
    if (keys) return keys
    const secret = await read()
    if (!secret) throw new KithIdentityError(keyless)
    const { keyPairOf } = await loadBox()
    keys = keyPairOf(secret.trim())
    return keys
  }
}
