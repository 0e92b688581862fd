// An identity that needs no registration, a clock that tests turn, and a friend with keys.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { generateKeyPair, type KeyPair } from '../src/box.ts'
import { type Client, memoryStore, openClient, type Runtime, type Store, systemRuntime } from '../src/index.ts'
import { type Standin, startStandin } from './standin.ts'

export const firstToken = 'kith_0000000000000000000000000000000000000000000'
export const day = 86_400_000

/** A clock that only moves when told, or when someone sleeps; `slept` lists the waits in ms. */
export function testRuntime(): Runtime & { slept: number[]; advance(ms: number): void } {
  let at = Date.now()
  const slept: number[] = []
  return {
    ...systemRuntime,
    slept,
    advance: (ms) => {
      at += ms
    },
    now: () => at,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept.push(ms)
      at += ms
    },
  }
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-sdk-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export interface World {
  service: Standin
  store: Store
  runtime: ReturnType<typeof testRuntime>
  client: Client
  me: { id: string; keys: KeyPair }
  friend: { id: string; keys: KeyPair }
  /** The same identity as another process would open it. */
  reopen(): Promise<Client>
}

/** Ada, registered, with her accepted contact Bob. */
export async function world(t: TestContext, options: { store?: Store; tokenDays?: number } = {}): Promise<World> {
  const service = await startStandin()
  t.after(() => service.close())
  const store = options.store ?? memoryStore()
  const runtime = testRuntime()
  const [keys, friendKeys] = [generateKeyPair(), generateKeyPair()]
  const bot = service.addBot({ handle: 'ada', encryption_public_key: keys.publicKey }, firstToken)
  const friend = service.addBot({ handle: 'bob', encryption_public_key: friendKeys.publicKey })
  service.contacts.push({
    id: '0198c000-0000-7000-8000-0000000000cc',
    status: 'accepted',
    peer: { id: friend.id, handle: 'bob', display_name: 'Bob', encryption_public_key: friendKeys.publicKey },
  })
  const token_expires_at = new Date(runtime.now() + (options.tokenDays ?? 20) * day).toISOString()
  await store.write('key', keys.secretKey)
  await store.write('token', JSON.stringify({ token: firstToken, token_expires_at }))
  await store.write('passport.json', JSON.stringify({ base_url: service.url, bot }))
  const reopen = () => openClient({ store, runtime, timeoutMs: 2_000 })
  return {
    service,
    store,
    runtime,
    client: await reopen(),
    me: { id: bot.id, keys },
    friend: { id: friend.id, keys: friendKeys },
    reopen,
  }
}
