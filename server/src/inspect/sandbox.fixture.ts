// A script for the sandbox's tests: once confined it does what a file that took it over might do.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { openSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { closeInherited, getReady, leave } from './confine.ts'
import { findMeans } from './means.ts'
import { type Limits, runConfined } from './sandbox.ts'

const [deed = '', port = '0'] = process.argv.slice(2)
const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''

const failure = (error: Error & { code?: string }): string => error.code ?? error.message

function outcomeOf(act: () => unknown, asked = false): string {
  try {
    const value = act()
    return asked ? String(value) : 'done'
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

closeInherited(1)
/** What it holds open once it has started. */
const openAtStart =
  process.platform === 'linux'
    ? readdirSync('/proc/self/fd').map((name) => outcomeOf(() => readlinkSync(`/proc/self/fd/${name}`), true))
    : []

/** The C library's functions by name, as native code that took a process over could call them; loaded beforehand. */
type Native = Record<string, (...values: (number | string)[]) => number>
const native: Native | undefined = await loadNative().catch(() => undefined)

async function loadNative(): Promise<Native> {
  const library = (await import('koffi')).load(null)
  const signatures: Record<string, string> = {
    ptrace: 'long long long long',
    kill: 'int int',
    open: 'text int',
    link: 'text text',
    symlink: 'text text',
    rename: 'text text',
    chmod: 'text int',
    mkdir: 'text int',
    socket: 'int int int',
    setsid: '',
    fork: '',
    pause: '',
    unshare: 'int',
    memfd_create: 'text int',
    shmget: 'int long int',
    prlimit: 'int int long long',
    execv: 'text long',
    dup: 'int',
  }
  const types: Record<string, string> = { int: 'int32', long: 'int64', text: 'str' }
  const loaded = Object.entries(signatures).map(([name, signature]) => {
    const words = signature.split(' ').filter((word) => word !== '')
    const kinds = words.map((word) => types[word] as string)
    return [name, library.func(name, 'int32', kinds)]
  })
  return Object.fromEntries(loaded)
}

/** Whether each of them was done: those against other processes, against files, and for more of its own. */
function trespass(given: string): Record<string, boolean> {
  const { pids, file, outside } = JSON.parse(given) as { pids: number[]; file: string; outside: string }
  const call = native as Native
  const done = (name: string, ...values: (number | string)[]): boolean => (call[name]?.(...values) ?? -1) >= 0
  const results: Record<string, boolean> = {}
  for (const [index, pid] of pids.entries()) {
    results[`signal ${index}`] = done('kill', pid, 0)
    results[`trace ${index}`] = done('ptrace', 16, pid, 0, 0)
    results[`open environment ${index}`] = done('open', `/proc/${pid}/environ`, 0)
    results[`open memory ${index}`] = done('open', `/proc/${pid}/mem`, 0)
    results[`limit ${index}`] = done('prlimit', pid, 0, 0, 0)
  }
  results['open file'] = done('open', file, 0)
  results['write file'] = done('open', file, 1)
  results['create file'] = done('open', `${outside}/created`, 0o101)
  results['link file'] = done('link', file, `${outside}/linked`)
  results['link name'] = done('symlink', file, `${outside}/named`)
  results['move file'] = done('rename', file, `${outside}/moved`)
  results['open up file'] = done('chmod', file, 0o777)
  results['make folder'] = done('mkdir', `${outside}/made`, 0o777)
  results['socket'] = done('socket', 2, 1, 0)
  results['local socket'] = done('socket', 1, 1, 0)
  results['new session'] = done('setsid')
  results['new namespace'] = done('unshare', 0x10000000)
  results['memory file'] = done('memfd_create', 'name', 0)
  results['shared memory'] = done('shmget', 0, 4096, 0o1600)
  results['duplicate'] = done('dup', 1)
  return results
}

const deeds: Record<string, () => unknown> = {
  async reach() {
    const capabilities = /^CapEff:\s+(\w+)/m.exec(status)?.[1]
    const isTied = /^NoNewPrivs:\s+1/m.test(status)
    const isRoot = process.getuid?.() === 0
    const environment = Object.keys(process.env).filter(
      (name) => !['GLIBC_TUNABLES', 'NODE_COMPILE_CACHE', 'PWD'].includes(name),
    )
    say({ attempts: await reachOut(), capabilities, isTied, isRoot, environment, folder: process.cwd() })
    leave(0)
  },
  spin() {
    writeSync(3, `${process.pid}\n`)
    for (;;);
  },
  escape() {
    writeSync(3, 'gone\n')
    setInterval(() => {}, 1000)
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
    leave(3)
  },
  descriptors() {
    say({ descriptors: openAtStart })
    leave(0)
  },
  trespass() {
    say(trespass(port))
    leave(0)
  },
  /** Prints nothing more if it became another program. */
  become() {
    ;(native as Native)['execv']?.('/bin/true', 0)
    say({ isItself: true })
    leave(0)
  },
  /** Each copy stays as long as it may; what they are together is said by the first. */
  multiply() {
    const call = native as Native
    let copies = 0
    for (; copies < 2000; copies++) {
      const pid = Number(call['fork']?.())
      if (pid === 0) for (;;) call['pause']?.()
      if (pid < 0) break
    }
    say({ copies })
    setInterval(() => {}, 1000)
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
  await runConfined({ script, arguments: ['spin', '', port], descriptors, limits }, await findMeans(script), signal)
}

if (deed === 'guard') await guard()
else if (deed === 'never ready') process.exit(4)
else {
  // A program in a session of its own, out of reach of a signal to the group.
  if (deed === 'escape') spawn('setsid', ['sleep', port], { detached: true, stdio: 'ignore' })
  await getReady(1)
  await deeds[deed]?.()
}
