// A script for the sandbox's tests: once confined it does what a file that took it over might do.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { openSync, readFileSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { findMeans, type Limits, runConfined } from './sandbox.ts'

const [deed = '', port = '0'] = process.argv.slice(2)
const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''

const failure = (error: Error & { code?: string }): string => error.code ?? error.message

function outcomeOf(act: () => unknown): string {
  try {
    act()
    return 'done'
  } catch (error) {
    return failure(error as Error)
  }
}

const eventOf = (emitter: NodeJS.EventEmitter, success: string): Promise<string> =>
  new Promise((resolve) => {
    emitter.once(success, () => resolve('done')).once('error', (error) => resolve(failure(error)))
    // Some refusals come from nowhere.
    process.once('uncaughtException', (error) => resolve(failure(error)))
  })

async function reachOut(): Promise<Record<string, string>> {
  const datagrams = createSocket('udp4')
  return {
    read: outcomeOf(() => openSync('/etc/hosts', 'r')),
    write: outcomeOf(() => openSync(`/tmp/kith-${process.pid}`, 'w')),
    connect: await attempt(() => eventOf(connect(Number(port), '127.0.0.1'), 'connect')),
    listen: await attempt(() => eventOf(createServer().listen(0, '127.0.0.1'), 'listening')),
    datagram: await attempt(() => {
      const bound = eventOf(datagrams, 'listening')
      datagrams.bind(0, '127.0.0.1')
      return bound
    }),
    resolve: await lookup('localhost').then(() => 'done', failure),
    spawn: await attempt(() => eventOf(spawn('/bin/true', { stdio: 'inherit' }), 'spawn')),
  }
}

const attempt = async (act: () => Promise<string>): Promise<string> => {
  try {
    return await act()
  } catch (error) {
    return failure(error as Error)
  }
}

const deeds: Record<string, () => unknown> = {
  async reach() {
    const capabilities = /^CapEff:\s+(\w+)/m.exec(status)?.[1]
    const isTied = /^NoNewPrivs:\s+1/m.test(status)
    const isRoot = process.getuid?.() === 0
    const environment = Object.keys(process.env).filter((name) => name !== 'NODE_COMPILE_CACHE')
    say({ attempts: await reachOut(), capabilities, isTied, isRoot, environment, folder: process.cwd() })
    process.exit(0)
  },
  spin() {
    writeSync(3, `${process.pid}\n`)
    for (;;);
  },
  sleep() {
    writeSync(3, `${process.pid}\n`)
    setInterval(() => {}, 1000)
  },
  buffers() {
    const kept: Buffer[] = []
    for (;;) kept.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  heap() {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, index) => index / 3))
  },
  fill() {
    for (;;) writeSync(3, Buffer.alloc(64 * 1024))
  },
  chatter() {
    for (;;) writeSync(1, 'words\n')
  },
  fall() {
    process.exit(3)
  },
}

const say = (value: object): void => {
  writeSync(1, `${JSON.stringify(value)}\n`)
}

// As the service: it runs another one of this script, whose process id goes to the file in the second argument.
async function guard(): Promise<void> {
  const script = fileURLToPath(import.meta.url)
  const limits: Limits = { cpuSeconds: 20, wallSeconds: 30, memoryBytes: 2 ** 28, fileBytes: 1024 }
  const descriptors = [openSync(port, 'w')]
  const signal = new AbortController().signal
  await runConfined({ script, arguments: ['spin'], descriptors, limits }, await findMeans(script), signal)
}

if (deed === 'guard') await guard()
else if (deed === 'never ready') process.exit(4)
else {
  process.stdin.once('end', () => process.exit(1))
  process.permission?.drop('fs')
  say({ ready: true })
  process.stdin.once('data', () => deeds[deed]?.())
}
