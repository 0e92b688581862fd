// An agent's own data, as it reads it from its service.
import {
  KithBoxError,
  KithDamagedError,
  KithError,
  KithIdentityError,
  KithKeyChangedError,
  KithNetworkError,
} from '../errors.ts'
import type { FolderClient } from '../identity.ts'
import { fileMode } from '../node/disk.ts'
import { isForeign } from '../reach.ts'
import { fetchRecord } from '../record.ts'
import { defaultRetry, isPassing, retrying } from '../retry.ts'
import { type Runtime, systemRuntime } from '../runtime.ts'
import type { Contact, Message, Peer } from '../types.ts'
import { pages } from './lists.ts'
import type { Line } from './plan.ts'
import { DamagedFile, damaged, type Reading, type Source } from './source.ts'

/** So long a `Retry-After` is waited for, and so often in a row. */
const longestWait = 3600
const mostWaits = 20

interface Patience {
  /** The seconds that the service asks to wait. */
  waits?: (seconds: number) => void
  runtime?: Runtime
}

/** What an export reads of its own agent. */
export function ownSource(client: FolderClient, patience: Patience = {}): Source {
  const { passport, call, files, ready } = client
  const { id, handle } = passport.bot
  const answers = () => patiently(() => client.bots.me())
  const patiently = <T>(work: () => Promise<T>): Promise<T> => waiting(work, patience)
  const reading: Reading = {
    read: (route, ask) => patiently(() => call(route as never, ask as never)),
    refusalOf(error) {
      if (error instanceof DamagedFile) return damaged
      return error instanceof KithError && error.status !== 429 && !isForeign(error) ? error : undefined
    },
  }
  return {
    ...reading,
    of: { service: passport.base_url, by: 'agent', agent: { id, handle } },
    async save({ card, orderId }, path, told) {
      let received = 0
      const onProgress = (bytes: number) => {
        received = bytes
        told(bytes)
      }
      const options = { onProgress, mode: fileMode }
      const save = () =>
        patiently(async () => {
          if (orderId === undefined) await files.save(card.id, path, options)
          else await ready.save(orderId, card.id, path, options)
        })
      try {
        await save()
      } catch (error) {
        if (!isUnclear(error)) throw error
        await answers()
        const before = received
        await save().catch(async (again) => {
          // The way may be bad: some of the file came, and a later run gets more of it.
          if (!isUnclear(again) || (received > before && received < card.size)) throw again
          // The service answers twice, and twice it does not have these bytes: so they are damaged there.
          await answers()
          throw new DamagedFile()
        })
      }
    },
    record: () =>
      patiently(async () => {
        try {
          return await retrying(systemRuntime, defaultRetry, () => fetchRecord(passport.base_url, handle))
        } catch (error) {
          if (error instanceof KithError && error.status === 404 && !isForeign(error)) return undefined
          throw error
        }
      }),
    open: opener(client, reading),
  }
}

/** The service broke off, gave other bytes, or failed at these; silence, and what something in between says, tells nothing of them. */
const isUnclear = (error: unknown): boolean =>
  error instanceof KithNetworkError
    ? error.reason === undefined || error.reason === 'broken'
    : error instanceof KithError && error.status === 500 && !isForeign(error)

/** Waits as the service asks, where that is longer than each request waits by itself. */
async function waiting<T>(work: () => Promise<T>, { waits, runtime = systemRuntime }: Patience): Promise<T> {
  for (let waited = 0; ; waited++) {
    try {
      return await work()
    } catch (error) {
      const seconds =
        error instanceof KithError && error.status === 429 && isPassing(error) ? error.retryAfter : undefined
      if (seconds === undefined || seconds > longestWait || waited >= mostWaits) throw error
      waits?.(seconds)
      await runtime.sleep(seconds * 1000)
    }
  }
}

/** Opens messages one by one. One that does not open is named with the reason, and is no failure. */
function opener({ conversations, passport, pins }: FolderClient, reading: Reading): (message: Line) => Promise<object> {
  const me = passport.bot.id
  const pinned = new Set<string>()
  let peers: Map<string, Peer> | undefined
  // All contacts are read once, and as patiently as everything else: each look for one key would read them again.
  async function pin(id: string): Promise<void> {
    if (pinned.has(id)) return
    if (!(await pins.get(id))) {
      peers ??= await pinnedPeers()
      const peer = peers.get(id)
      if (!peer) throw new KithError({ status: 403, code: 'contact_not_accepted' })
      await pins.check(peer)
    }
    pinned.add(id)
  }
  /** Those whose keys may be trusted on first use: friends, and whoever was one and is blocked. Friends are pinned at once. */
  async function pinnedPeers(): Promise<Map<string, Peer>> {
    const trusted = (await Array.fromAsync(contactsOf(reading))).filter(({ status }) => status !== 'pending')
    await pins.add(trusted.flatMap(({ status, peer }) => (status === 'accepted' ? [peer] : [])))
    return new Map(trusted.map(({ peer }) => [peer.id, peer]))
  }
  return async (message: Message) => {
    const isSent = message.sender_id === me
    const peer_id = isSent ? message.recipient_id : message.sender_id
    const entry = {
      message_id: message.id,
      peer_id,
      direction: isSent ? 'sent' : 'received',
      created_at: message.created_at,
    }
    try {
      await pin(peer_id)
      return { ...entry, text: (await conversations.open(message)).text }
    } catch (error) {
      return { ...entry, text: null, problem: problemOf(error, me) }
    }
  }
}

async function* contactsOf(source: Reading): AsyncGenerator<Contact> {
  const planned = { name: 'contacts', route: 'GET /contacts' } as const
  for await (const { lines } of pages({ source, planned, path: {} }, undefined)) yield* lines as Contact[]
}

/** Why a message does not open; any other failure is thrown. */
function problemOf(error: unknown, me: string): string {
  if (error instanceof KithKeyChangedError) return error.botId === me ? 'own_key_changed' : 'key_changed'
  if (error instanceof KithBoxError) return error.code
  if (error instanceof KithIdentityError && !(error instanceof KithDamagedError)) return 'no_private_key'
  if (error instanceof KithError && error.code === 'contact_not_accepted') return error.code
  throw error
}
