// Keys of peers, pinned when a friendship first shows them. A changed key stops everything with that peer, also after a
// restart and even if the old key comes back, until someone who compared fingerprints says which one to trust.
import { KithBoxError, KithInputError, KithKeyChangedError } from './errors.ts'
import { isUuid, type Runtime } from './runtime.ts'
import { keptJson, locked, readJson, type Store, writeJson } from './store.ts'
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

/** A peer with the key that the service shows. */
type Shown = Pick<Peer, 'id' | 'handle' | 'encryption_public_key'>

export interface Pins {
  /** The pin of a peer, if there is one. */
  get(botId: string): Promise<Pin | undefined>
  all(): Promise<Record<string, Pin>>
  /** Pins the keys of peers that have no pin yet, all with one write. A key that cannot be used is left out. */
  add(peers: readonly Shown[]): Promise<void>
  /**
   * Hold a key that the service showed against the pin; the first one is pinned. Returns the key to use. Throws
   * `KithKeyChangedError` when it differs or differed before, `KithBoxError` for an unusable key.
   */
  check(peer: Shown): Promise<string>
  /** Decide after a change: the fingerprint names the key to trust from now on, the pinned or the newly seen one. */
  trust(botId: string, fingerprint: string): Promise<Pin>
}

export function createPins(deps: { store: Store; runtime: Runtime }): Pins {
  const { store, runtime } = deps
  const all = async () => (await readJson<Record<string, Pin>>(store, 'pins.json')) ?? {}
  const kept = keptJson<Record<string, Pin>>(store, 'pins.json')
  const keptPin = async (botId: string) => (await kept())?.[botId]
  const now = () => new Date(runtime.now()).toISOString()

  async function set(pins: Record<string, Pin>, botId: string, pin: Pin): Promise<Pin> {
    await writeJson(store, 'pins.json', { ...pins, [botId]: pin })
    return pin
  }

  async function first({ handle, encryption_public_key: public_key }: Shown): Promise<Pin> {
    const { checkPublicKey, fingerprint } = await import('./box.ts')
    checkPublicKey(public_key)
    return { handle, public_key, fingerprint: await fingerprint(public_key), pinned_at: now() }
  }

  async function compare(peer: Shown): Promise<Pin> {
    const pins = await all()
    const pin = pins[peer.id]
    const seen = peer.encryption_public_key
    if (!pin) return set(pins, peer.id, await first(peer))
    if (pin.changed || seen === pin.public_key) return pin
    const { fingerprint } = await import('./box.ts')
    // Even an unusable key is remembered as a change: what it was is for the one who investigates.
    const mark = await fingerprint(seen).catch(() => 'unusable')
    return set(pins, peer.id, { ...pin, changed: { public_key: seen, fingerprint: mark, seen_at: now() } })
  }

  return {
    all,
    async get(botId) {
      const pin = await keptPin(botId)
      return pin && structuredClone(pin)
    },
    async add(peers) {
      const known = (await kept()) ?? {}
      const fresh: [string, Pin][] = []
      for (const peer of peers.filter(({ id }) => isUuid(id) && !known[id])) {
        const pin = await first(peer).catch((error) => {
          if (!(error instanceof KithBoxError)) throw error
        })
        if (pin) fresh.push([peer.id, pin])
      }
      if (fresh.length === 0) return
      await locked(store, 'pins', async () => {
        // A pin that another process made meanwhile stays: `check` holds the key against it.
        const pins = await all()
        const missing = fresh.filter(([id]) => !pins[id])
        await writeJson(store, 'pins.json', { ...pins, ...Object.fromEntries(missing) })
      })
    },
    async check(peer) {
      if (!isUuid(peer.id)) throw new KithInputError('the ID of a peer must be a lower-case UUID')
      // The usual case takes no lock: a pin that agrees is only read.
      let pin = await keptPin(peer.id)
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
