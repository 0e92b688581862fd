// The service as its own process, as an operator runs it: for tests that kill it.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findServerProcesses } from '../src/store/embedded/leftovers.ts'
import { type Agent, agentOf, keyPair, type World } from './world.ts'

export const mainFile: string = fileURLToPath(new URL('../src/main.ts', import.meta.url))
export const operatorFile: string = fileURLToPath(new URL('../src/operator/main.ts', import.meta.url))

export interface Account {
  uid: number
  gid: number
}

const nobody: Account = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const nobodyCanRun = isRoot && spawnSync(process.execPath, ['--check', mainFile], { ...nobody, cwd: '/' }).status === 0

/** Users that this machine lets the service run as: the one of the test, and nobody where that is root. */
export const accounts: [name: string, account: Account | undefined][] = [
  [isRoot ? 'root' : 'an unprivileged user', undefined],
  ...(nobodyCanRun ? [['nobody', nobody] as [string, Account]] : []),
]

export interface Process {
  child: ChildProcess
  pid: number
  /** Where it listens. */
  url: string
  dataDir: string
  output(): string
  kill(signal: NodeJS.Signals): void
  /** How it ended: `0`, `1`, `SIGKILL`. */
  ended: Promise<number | NodeJS.Signals | null>
}

export interface ProcessOptions {
  env?: Record<string, string>
  account?: Account | undefined
}

/** Nothing of the environment of the tests but where programs are. */
const cleanEnv = (env: Record<string, string>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: tmpdir(),
  OWNER_EMAIL_GATE: 'off',
  WRITE_LIMIT_PER_MINUTE: '0',
  READ_LIMIT_PER_MINUTE: '0',
  REGISTRATION_LIMIT_PER_HOUR: '0',
  ...env,
})

/** A folder for a service, below one that the account owns. */
export async function dataFolder(account?: Account): Promise<{ dataDir: string; remove: () => Promise<void> }> {
  const parent = await mkdtemp(join(tmpdir(), 'kith-process-'))
  if (account) chownSync(parent, account.uid, account.gid)
  return { dataDir: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) }
}

const children = new Set<ChildProcess>()
// A test that failed leaves its service behind, which would keep this file from ending.
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

export function launch(dataDir: string, { env = {}, account }: ProcessOptions = {}): Omit<Process, 'url'> {
  const child = spawn(process.execPath, [mainFile], {
    cwd: '/',
    env: cleanEnv({ PORT: '0', DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => {
      children.delete(child)
      resolve(signal ?? code)
    }),
  )
  return {
    child,
    pid: child.pid as number,
    dataDir,
    output: () => output,
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

/** Starts the service and waits until it says that it is ready. */
export async function serve(dataDir: string, options?: ProcessOptions): Promise<Process> {
  const started = launch(dataDir, options)
  // A busy machine takes its time for the first start.
  for (const deadline = performance.now() + 90_000; ; await sleep(20)) {
    const found = /Kith is ready at (\S+)(?: {2}\(listening on (\S+)\))?/.exec(started.output())
    const url = found?.[2] ?? found?.[1]
    if (url !== undefined && started.output().includes('Next ')) return { ...started, url }
    assert.equal(started.child.exitCode ?? started.child.signalCode, null, `it ended: ${started.output()}`)
    assert.ok(performance.now() < deadline, `never ready: ${started.output()}`)
  }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command of the service to its end. */
export function command(
  file: string,
  args: string[],
  env: Record<string, string>,
  account?: Account,
): Promise<Finished> {
  const child = spawn(process.execPath, [file, ...args], { cwd: '/', env: cleanEnv(env), ...account })
  children.add(child)
  const out = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (out.stdout += chunk))
  child.stderr.on('data', (chunk) => (out.stderr += chunk))
  return new Promise((resolve) =>
    child.once('close', (code) => {
      children.delete(child)
      resolve({ code, ...out })
    }),
  )
}

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

/** A request to a service that may die of it: undefined where no answer came. */
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
      signal: AbortSignal.timeout(20_000),
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

/** An agent by its requests alone, wherever the service listens just then. */
export async function register(url: string, handle: string, fields: object = {}): Promise<Agent> {
  const keys = keyPair()
  const json = { handle, display_name: handle, encryption_public_key: keys.publicKey, ...fields }
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
