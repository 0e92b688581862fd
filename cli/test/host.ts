// A host of agents, for tests: the official client, which starts the real `kith mcp` and speaks with it over its pipes, or
// speaks with the same server in this process.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { basename } from 'node:path'
import { openIdentity, type Runtime } from '@kith/sdk/identity'
import type { Client, Transport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { speak } from '../src/mcp/serve.ts'
import { createSession, type Settings } from '../src/mcp/session.ts'
import { toolsets } from '../src/mcp/toolsets.ts'
import type { Kith } from './kith.ts'

// A package of the client has a condition of the same name as this checkout's, for TypeScript that Node does not run there.
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('eventsource')
      ? next(name, { ...context, conditions: context.conditions.filter((each) => each !== 'source') })
      : next(name, context),
})
const official = await import('@modelcontextprotocol/client')
const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
hooks.deregister()

/** Both eras of the protocol. */
type Era = 'modern' | 'initialize'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by reading it
type Any = any

export interface Host extends AsyncDisposable {
  client: Client
  pid: number
  /** What a tool answers; checked against what every answer has to be. */
  tool(name: string, args?: object): Promise<Any>
  /** The refusal of a tool. */
  refused(name: string, args?: object): Promise<{ code: string; message: string; next: string }>
  /** Notes for the owner. */
  notes(): string
}

interface HostOptions {
  era?: Era
  flags?: readonly string[]
  /** How the user of the host answers a question; without it the host cannot ask. */
  ask?: (message: string) => { action: string; content?: object } | Promise<never>
}

/** A host that starts `kith mcp` for a profile, and speaks with it over a pipe. */
export async function host(cli: Kith, profile: string, options: HostOptions = {}): Promise<Host> {
  const [command, ...before] = cli.command as [string, ...string[]]
  const transport = new StdioClientTransport({
    command,
    args: [...before, 'mcp', '--profile', profile, ...(options.flags ?? [])],
    env: cli.env as Record<string, string>,
    cwd: cli.home,
    stderr: 'pipe',
  })
  let notes = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    notes += chunk
  })
  const client = await connected(transport, options)
  return { ...speaking(client), pid: transport.pid!, notes: () => notes, [Symbol.asyncDispose]: () => client.close() }
}

interface Within {
  settings?: Partial<Settings>
  /** How the server is reached. */
  runtime?: Runtime
  /** Longest that a call may take. */
  answerMs?: number
}

/** The same server for the identity of a folder in this process: where the pipe and the process are not the subject. */
export async function hostWithin(
  folder: string,
  { settings, runtime, answerMs, ...options }: Omit<HostOptions, 'flags'> & Within = {},
): Promise<Host> {
  let notes = ''
  const note = (text: string) => {
    notes += `${text}\n`
  }
  const end = new AbortController()
  const all: Settings = { profile: basename(folder), toolsets, readOnly: false, from: 'all', ...settings }
  const session = createSession(all, note, end.signal, () => openIdentity(folder, runtime && { runtime }), answerMs)
  const [near, far] = InMemoryTransport.createLinkedPair()
  // What a host reads has been text.
  const { send } = far
  far.send = (message, more) => send.call(far, JSON.parse(JSON.stringify(message)), more)
  const serving = await speak(session, '0', far)
  const client = await connected(near, options)
  return {
    ...speaking(client),
    pid: process.pid,
    notes: () => notes,
    async [Symbol.asyncDispose]() {
      end.abort()
      await client.close()
      await serving.close()
      await session.settled()
    },
  }
}

async function connected(transport: Transport, { era = 'modern', ask }: HostOptions): Promise<Client> {
  const client = new official.Client(
    { name: 'test', version: '1' },
    {
      capabilities: ask ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  )
  if (ask) client.setRequestHandler('elicitation/create', ({ params }) => ask(params.message) as never)
  await client.connect(transport)
  return client
}

function speaking(client: Client): Pick<Host, 'client' | 'tool' | 'refused'> {
  const call = (name: string, args: object = {}) =>
    client.callTool({ name, arguments: args as Record<string, unknown> }) as Promise<Any>
  return {
    client,
    async tool(name, args) {
      const { content, structuredContent, isError } = await call(name, args)
      assert.ok(!isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(content)}`)
      assert.equal(content.length, 1)
      assert.deepEqual(JSON.parse(content[0].text), structuredContent)
      assert.ok(Buffer.byteLength(content[0].text) <= 16_000, `${name}: ${content[0].text.length} bytes`)
      return structuredContent
    },
    async refused(name, args) {
      const { content, structuredContent, isError } = await call(name, args)
      assert.ok(isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(structuredContent)}`)
      assert.equal(structuredContent, undefined)
      const told = JSON.parse(content[0].text)
      assert.deepEqual(Object.keys(told), ['code', 'message', 'next'])
      assert.doesNotMatch(content[0].text, /\n {4}at |untrusted/)
      assert.ok(told.next.length > 0)
      return told
    },
  }
}
