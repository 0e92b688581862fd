// Keys of peers, pinned when a friendship first shows them. A changed key stops everything with that peer, also after a
// restart and even if the old key comes back, until someone who compared fingerprints says which one to trust.
import { KithInputError, KithKeyChangedError } from './errors.ts'
import { isUuid, type Runtime } from './runtime.ts'
import { locked, readJson, type Store, writeJson } from './store.ts'
import type { Peer } from './types.ts'

export interface Pin {
  handle: string
  public_key: string
  /** SHA-256 of the key, 64 hex digits. */
  fingerprint: string
  /** ISO 8601. */
  pinned_at: string
  /** Another key was shown for this peer; nothing goes on before `trust`. */
  changed?: { public_key: string; fingerprint: string; seen_at: string }
}

export interface Pins {
  /** The pin of a peer, if there is one. */
  get(botId: string): Promise<Pin | undefined>
  all(): Promise<Record<string, Pin>>
  /**
   * Hold a key that the service showed against the pin; the first one is pinned. Returns the key to use. Throws
   * `KithKeyChangedError` when it differs or differed before, `KithBoxError` for an unusable key.
   */
  check(peer: Pick<Peer, 'id' | 'handle' | 'encryption_public_key'>): Promise<string>
  /** Decide after a change: the fingerprint names the key to trust from now on, the pinned or the newly seen one. */
  trust(botId: string, fingerprint: string): Promise<Pin>
}

export function createPins(deps: { store: Store; runtime: Runtime }): Pins {
  const { store, runtime } = deps
  const all = async () => (await readJson<Record<string, Pin>>(store, 'pins.json')) ?? {}
  const now = () => new Date(runtime.now()).toISOString()

  async function set(pins: Record<string, Pin>, botId: string, pin: Pin): Promise<Pin> {
    await writeJson(store, 'pins.json', { ...pins, [botId]: pin })
    return pin
  }

  async function compare(peer: Parameters<Pins['check']>[0]): Promise<Pin> {
    const pins = await all()
    const pin = pins[peer.id]
    const seen = peer.encryption_public_key
    if (pin && (pin.changed || seen === pin.public_key)) return pin
    const { checkPublicKey, fingerprint } = await import('./box.ts')
    if (!pin) {
      checkPublicKey(seen)
      return set(pins, peer.id, {
        handle: peer.handle,
        public_key: seen,
        fingerprint: await fingerprint(seen),
        pinned_at: now(),
      })
    }
    // Even an unusable key is remembered as a change: what it was is for the one who investigates.
    const mark = await fingerprint(seen).catch(() => 'unusable')
    return set(pins, peer.id, { ...pin, changed: { public_key: seen, fingerprint: mark, seen_at: now() } })
  }

  return {
    all,
    get: async (botId) => (await all())[botId],
    async check(peer) {
      if (!isUuid(peer.id)) throw new KithInputError('the ID of a peer must be a lower-case UUID')
      // The usual case takes no lock: a pin that agrees is only read.
      let pin = (await all())[peer.id]
      if (!pin || pin.changed || pin.public_key !== peer.encryption_public_key)
        pin = await locked(store, 'pins', () => compare(peer))
      if (pin.changed) throw new KithKeyChangedError(peer.id, pin.fingerprint, pin.changed.fingerprint)
      return pin.public_key
    },
    trust: (botId, chosen) =>
      locked(store, 'pins', async () => {
        const pins = await all()
        const pin = pins[botId]
        if (!pin) throw new KithInputError('no key is pinned for this peer')
        const key = [pin, pin.changed].find((candidate) => candidate?.fingerprint === chosen)
        if (!key) throw new KithInputError('the fingerprint matches neither the pinned key nor the one that was seen')
        const { checkPublicKey } = await import('./box.ts')
        checkPublicKey(key.public_key)
        return set(pins, botId, {
          handle: pin.handle,
          public_key: key.public_key,
          fingerprint: key.fingerprint,
          pinned_at: now(),
        })
      }),
  }
}
