// Waiting for a friendship: one request, however often the program is started again. docs/contract/contacts.md.
import { KithError, KithFriendshipError } from './errors.ts'
import type { Pins } from './pins.ts'
import { backoff, isPassing } from './retry.ts'
import type { Runtime } from './runtime.ts'
import type { Contacts } from './social.ts'
import type { Contact } from './types.ts'

export interface BefriendOptions {
  /** The longest wait in ms, counted from the request, so that a restart does not prolong it (24 hours). */
  limitMs?: number
  signal?: AbortSignal | undefined
}

/** Contacts, and the way to a new one. */
export interface Friends extends Contacts {
  befriend: Befriend
}

/**
 * Become friends: asks once, accepts if the other side has asked already, and resolves when the friendship was accepted; the
 * friend's key is pinned then. Called again after a restart it goes on waiting. While the service does not answer it waits too.
 * Throws `KithFriendshipError` if either side blocked the other, which is how a request is declined, or if nobody accepted in
 * time; the request stays open then.
 */
export type Befriend = (botId: string, options?: BefriendOptions) => Promise<Contact>

const defaultLimitMs = 86_400_000
/** Between two looks at the contact, in ms. */
const pace = { baseMs: 1_000, capMs: 30_000 }

export function createBefriend(deps: { contacts: Contacts; pins: Pins; runtime: Runtime; me: string }): Befriend {
  const { contacts, pins, runtime, me } = deps

  /** The current contact: asked for if there is none, accepted if the other side asked. */
  async function approach(peerId: string, signal?: AbortSignal): Promise<Contact> {
    const found = (await contacts.find(peerId, { signal })) ?? (await contacts.request(peerId, { signal })).contact
    return found.status === 'pending' && found.requester_id !== me ? contacts.accept(found.id, { signal }) : found
  }

  return async (peerId, { limitMs = defaultLimitMs, signal } = {}) => {
    let asked = runtime.now()
    for (let n = 0; ; n++) {
      let contact: Contact | undefined
      let cause: unknown
      try {
        contact = await approach(peerId, signal)
      } catch (error) {
        if (signal?.aborted) throw error
        // `invalid_state`: blocked between the look and the acceptance.
        const isBlocked =
          error instanceof KithError && (error.code === 'contact_blocked' || error.code === 'invalid_state')
        if (isBlocked) throw new KithFriendshipError('blocked', peerId, error)
        if (!isPassing(error)) throw error
        cause = error
      }
      if (contact?.status === 'accepted') {
        await pins.check(contact.peer)
        return contact
      }
      if (contact?.status === 'blocked') throw new KithFriendshipError('blocked', peerId)
      if (contact) asked = Math.min(asked, Date.parse(contact.created_at))
      const left = asked + limitMs - runtime.now()
      if (left <= 0) throw new KithFriendshipError('timeout', peerId, cause)
      await runtime.sleep(Math.min(left, backoff(pace, n, runtime.random())), signal)
    }
  }
}
