// The real command as child processes, for tests: runs, pipes, kills, and a proxy that dies with it at a chosen request.
import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killLeftovers, type Program, startProgram } from '../../server/test/launch.ts'
import { remove } from '../../server/test/scratch.ts'
import { latestMail, type World } from '../../server/test/world.ts'
import { resident } from './resident.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface Run {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer by reading it
  json: any
}

export interface Child extends Omit<Program, 'ended'> {
  ended: Promise<Run>
}

export interface Kith extends AsyncDisposable {
  home: string
  /** The command and interpreter, to run it from elsewhere. */
  command: string[]
  env: NodeJS.ProcessEnv
  start(...args: string[]): Child
  run(...args: string[]): Promise<Run>
  /** At a terminal, where it asks. */
  atTerminal(...args: string[]): Program
  /** With text on standard input. */
  pipe(input: string | Buffer, ...args: string[]): Promise<Run>
  /** Runs with --json; asserts the exit code and that there is exactly one JSON line. */
  json(code: number, ...args: string[]): Promise<Run['json']>
}

/** What waits for others, or serves them, is a process of its own. */
const lasting = ['listen', 'mcp']

/** The command of this checkout, or the one that words of a shell start. */
export async function kith(given?: string[]): Promise<Kith> {
  const command = given ?? [process.execPath, '--conditions=source', main]
  const isUsual = given === undefined
  const home = await mkdtemp(join(tmpdir(), 'kith-cli-'))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    KITH_HOME: join(home, 'profiles'),
    // A test starts the command often; a whole run shares what it compiled.
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(home, 'cache'),
  }
  const start = (...args: string[]): Child => {
    const program = startProgram([...command, ...args], { env, cwd: home, input: true })
    const run = async (): Promise<Run> => {
      const ending = await program.ended
      const [out, err] = [program.out(), program.err()]
      return {
        ...(typeof ending === 'string' ? { code: null, signal: ending } : { code: ending, signal: null }),
        out,
        err,
        json: jsonOf(out),
      }
    }
    return { ...program, ended: run() }
  }
  const staying = resident()
  const pipe = async (input: string | Buffer, ...args: string[]): Promise<Run> => {
    if (isUsual && staying.isIdle() && !lasting.includes(args[0] ?? '')) {
      const came = await staying.run({ args, input, env, cwd: home })
      return { ...came, signal: null, json: jsonOf(came.out) }
    }
    const child = start(...args)
    child.input.end(input)
    return child.ended
  }
  return {
    home,
    command,
    env,
    start,
    pipe,
    run: (...args) => pipe('', ...args),
    atTerminal(...args) {
      const words = [...command, ...args].map((word) => `'${word}'`).join(' ')
      return startProgram(['script', '-qec', words, '/dev/null'], { env, cwd: home, input: true })
    },
    async json(code, ...args) {
      const run = await pipe('', ...args, '--json')
      assert.equal(run.code, code, `${args.join(' ')}: ${run.out}${run.err}`)
      assert.match(run.out, /^[^\n]+\n$/, 'one line')
      assert.doesNotMatch(run.out + run.err, /kith_[A-Za-z0-9_-]{43}/, 'no token is ever shown')
      return run.json
    },
    async [Symbol.asyncDispose]() {
      killLeftovers()
      await remove(home)
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every line as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: as in Run
export function lines(out: string): any[] {
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** The owner's part: open the link, send its form, read the code. */
export async function confirmed(at: World, email: string): Promise<string> {
  const mail = await latestMail(at, email)
  const page = await fetch(mail.link!, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    redirect: 'manual',
  })
  assert.ok(page.status < 400)
  return mail.code!
}

/** Both steps of a registration, by flags. */
export async function registered(at: World, command: Kith, handle: string, ...flags: string[]): Promise<Run['json']> {
  const profile = ['--profile', handle]
  const email = `${handle}@example.org`
  const first = await command.json(
    0,
    ...['register', ...profile, '--url', at.url, '--handle', handle, '--name', handle.toUpperCase()],
    ...['--email', email, ...flags],
  )
  assert.equal(first.state, 'waiting_for_code')
  const code = await confirmed(at, email)
  const second = await command.json(0, 'register', ...profile, '--resume', '--code', code)
  assert.equal(second.state, 'registered')
  return second
}

export interface Way extends AsyncDisposable {
  url: string
  /** At the next request whose `METHOD /path` matches: `before` it is passed on, or `after` it took effect. */
  at(route: RegExp, when: 'before' | 'after', act: () => void): void
  /** Requests that were passed on. */
  log: string[]
  /** Whether searches end early, and find nothing. */
  isHurried: boolean
  /** How far the service's clock is ahead of this machine's, in ms, as its responses tell. */
  ahead: number
}

/** A way to the service on which things happen to the caller. Routes that match `lacks` are 404, as on an older service. */
export async function proxy(target: string, lacks?: RegExp): Promise<Way> {
  const traps: { route: RegExp; when: 'before' | 'after'; act: () => void }[] = []
  const log: string[] = []
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`
    const at = traps.findIndex((trap) => trap.route.test(route))
    const trap = at < 0 ? undefined : traps.splice(at, 1)[0]
    const body = await bodyOf(request)
    if (trap?.when === 'before') {
      trap.act()
      return void request.socket.destroy()
    }
    log.push(route)
    if (lacks?.test(route)) {
      const error = { code: 'not_found', message: 'Not found, or not visible to you' }
      return void response
        .writeHead(404, { 'content-type': 'application/json', 'x-request-id': 'older' })
        .end(JSON.stringify({ error }))
    }
    const { authorization, 'content-type': type } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (trap) {
      trap.act()
      return void request.socket.destroy()
    }
    const after = answer.headers.get('retry-after')
    const id = answer.headers.get('x-request-id')
    response.writeHead(answer.status, {
      date: new Date(Date.now() + way.ahead).toUTCString(),
      'content-type': answer.headers.get('content-type') ?? 'application/json',
      ...(after && { 'retry-after': after }),
      ...(id && { 'x-request-id': id }),
    })
    const isEnded = way.isHurried && route.includes('/discovery')
    response.end(isEnded ? JSON.stringify({ ...JSON.parse(String(bytes)), items: [], partial: true }) : bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const way: Way = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHurried: false,
    ahead: 0,
    at: (route, when, act) => void traps.push({ route, when, act }),
    log,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return way
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
