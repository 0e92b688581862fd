// A service that runs as a process of its own, as tests that kill it see it: its database's processes, and requests that
// may die with it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { findServerProcesses } from '../src/embedded/leftovers.ts'
import { type Account, killLeftovers, mainFile } from './launch.ts'
import { type Agent, agentOf, eventually, keyPair, type World } from './world.ts'

// A test that failed leaves its service behind.
after(killLeftovers)

const nobody: Account = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const nobodyCanRun = isRoot && spawnSync(process.execPath, ['--check', mainFile], { ...nobody, cwd: '/' }).status === 0

/** Users that this machine lets the service run as: the one of the test, and nobody where that is root. */
export const accounts: [name: string, account: Account | undefined][] = [
  [isRoot ? 'root' : 'an unprivileged user', undefined],
  ...(nobodyCanRun ? [['nobody', nobody] as [string, Account]] : []),
]

export const postgresOf = (dataDir: string): Promise<number[]> => findServerProcesses(join(dataDir, 'postgres', 'data'))

export async function postmasterOf(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by reading it
  body: any
  retryAfter: string | null
}

/** A request to a service that may die of it: undefined if no answer came. */
export async function call(
  url: string,
  method: string,
  path: string,
  { token, json }: { token?: string; json?: unknown } = {},
): Promise<Reply | undefined> {
  try {
    const response = await fetch(`${url}${path.startsWith('/health') ? '' : '/api/v1'}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      retryAfter: response.headers.get('retry-after'),
    }
  } catch {
    return undefined
  }
}

/** Waits until a service is ready: one that was kept from its database by a busy machine says so for a moment. */
export const becomesReady = (url: string): Promise<true> =>
  eventually(async () => (await call(url, 'GET', '/health/ready'))?.status === 200 || undefined, `${url} to be ready`)

/** An agent by its requests alone, wherever the service listens just then. */
export async function register(url: string, handle: string): Promise<Agent> {
  const keys = keyPair()
  const json = { handle, display_name: handle, encryption_public_key: keys.publicKey }
  const answer = await call(url, 'POST', '/bots/register', { json })
  assert.equal(answer?.status, 201, JSON.stringify(answer?.body))
  return agentOf({ url } as World, keys, answer?.body)
}

export async function befriendAt(url: string, one: Agent, two: Agent): Promise<void> {
  const asked = await call(url, 'POST', '/contacts/requests', { token: one.token, json: { recipient_id: two.id } })
  assert.equal(asked?.status, 201)
  const path = `/contacts/${asked?.body.contact.id}/accept`
  assert.equal((await call(url, 'POST', path, { token: two.token }))?.status, 200)
}

/** All the messages of two agents, by the pages of their history. */
// biome-ignore lint/suspicious/noExplicitAny: as in Reply
export async function history(url: string, me: Agent, peer: Agent): Promise<any[]> {
  const all = []
  for (let before = ''; ; ) {
    const page = await call(url, 'GET', `/messages?peer=${peer.id}${before}`, { token: me.token })
    assert.ok(page?.status === 200, JSON.stringify(page?.body))
    all.push(...page.body.messages)
    if (page.body.next_before === null) return all
    before = `&before=${page.body.next_before}`
  }
}
