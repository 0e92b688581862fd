// What a confined process can not do, how it ends, and that nothing of it is left.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, chown, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { OwnLayer } from './confine.ts'
import { findMeans, type Means } from './means.ts'
import { type Ending, type Limits, runConfined } from './sandbox.ts'

const script = fileURLToPath(new URL('sandbox.fixture.ts', import.meta.url))
const means = await findMeans(script)
/** What a machine without util-linux can do. */
const bare: Means = { prefix: [], prlimit: false }
const kernelOnly = { skip: means.prlimit ? false : 'this machine has no prlimit' }

const folder = await mkdtemp(join(tmpdir(), 'kith-sandbox-'))
after(() => rm(folder, { recursive: true, force: true }))
let files = 0

interface Options {
  limits?: Partial<Limits>
  means?: Means
  signal?: AbortSignal
  argument?: string
  slot?: number
}

async function run(deed: string, options: Options = {}): Promise<Ending & { written: string }> {
  const written = join(folder, String(files++))
  const file = await open(written, 'w+')
  const limits = { cpuSeconds: 10, wallSeconds: 30, memoryBytes: 2 ** 28, fileBytes: 2 ** 20, ...options.limits }
  const confined = {
    script,
    arguments: [deed, options.argument ?? '', written],
    descriptors: [file.fd],
    limits,
    slot: options.slot ?? 1,
  }
  const signal = options.signal ?? new AbortController().signal
  try {
    return { ...(await runConfined(confined, options.means ?? means, signal)), written }
  } finally {
    await file.close()
  }
}

/** With more time, where a process that is ended by its time was kept from its deed by a busy machine. */
async function untilDone(
  deed: string,
  options: Options & { limits: { wallSeconds: number } },
  isDone: (ending: Ending & { written: string }) => boolean | Promise<boolean>,
): Promise<Ending & { written: string }> {
  const { wallSeconds } = options.limits
  const ending = await run(deed, options)
  if ((await isDone(ending)) || wallSeconds > 30) return ending
  return untilDone(deed, { ...options, limits: { ...options.limits, wallSeconds: wallSeconds * 8 } }, isDone)
}
const hasReported = ({ report }: Ending): boolean => report !== ''

/** The process that was given the path, once it has written there; by the id that it has outside its namespace. */
async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = existsSync(path) ? await readFile(path, 'utf8') : ''
    if (text.endsWith('\n'))
      return process.platform === 'linux' ? (pidsWith(process.execPath, path)[0] as number) : Number(text)
    await sleep(10)
  }
}

/** Of the programs of a name those that have this among their arguments. */
function pidsWith(program: string, argument: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [name, ...rest] = textOf(`/proc/${pid}/cmdline`).split('\0')
      return name === program && rest.includes(argument) && rest[0] !== '--conditions=source'
    })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Also one that only waits for its parent to look is no more. */
function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function ended(pid: number): Promise<void> {
  while (lives(pid)) await sleep(20)
}

test('a confined process can reach nothing', kernelOnly, async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { code, report } = await run('reach', { argument: String(port) })
  server.close()
  assert.equal(code, 0)
  const { attempts, capabilities, isTied, isRoot, environment, folder } = JSON.parse(report ?? '')
  assert.match(attempts.resolve, /^(EAI_|EMFILE|ENOTFOUND)/)
  delete attempts.resolve
  for (const [name, outcome] of Object.entries(attempts)) assert.match(outcome as string, /^(EMFILE|EPERM)$/, name)
  assert.ok(isTied)
  assert.match(capabilities, /^0+$/)
  assert.ok(!isRoot || !means.prefix.some((flag) => flag.startsWith('--reuid')))
  assert.deepEqual([environment, folder], [[], '/'])
})

test('without Linux sandboxing a process can reach as little, as far as Node enforces it', async () => {
  const { report } = await run('reach', { means: bare })
  const { attempts } = JSON.parse(report ?? '')
  // Node 22 and 24 do not refuse the network.
  const network = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['connect', 'listen', 'datagram'] : []
  for (const name of ['read', 'write', 'spawn', ...network]) {
    assert.equal(attempts[name], 'ERR_ACCESS_DENIED', name)
  }
})

test('a process that exhausts memory ends', async () => {
  for (const deed of ['buffers', 'heap']) {
    const ending = await run(deed)
    assert.ok(ending.code !== 0, deed)
    assert.equal(ending.report, '')
  }
})

test('without Linux sandboxing a process that exhausts memory ends too', async () => {
  const { overrun, signal } = await run('buffers', { means: bare })
  assert.deepEqual([overrun, signal], [true, 'SIGKILL'])
})

test('a process in an endless loop ends, and the service keeps working', kernelOnly, async () => {
  let isOver = false
  const ending = run('spin', { limits: { cpuSeconds: 1 } }).finally(() => {
    isOver = true
  })
  for (let turn = 0; turn < 5; turn++) {
    await sleep(1)
    assert.ok(!isOver)
  }
  const { signal, overrun } = await ending
  assert.match(signal ?? '', /^SIG(XCPU|KILL)$/)
  assert.equal(overrun, false)
})

test('a process that sleeps forever is killed, and is gone', async () => {
  for (const each of [means, bare]) {
    const hasWritten = async ({ written }: { written: string }) => (await stat(written)).size > 0
    const options = { limits: { wallSeconds: 0.5 }, means: each }
    const { signal, overrun, written } = await untilDone('sleep', options, hasWritten)
    assert.deepEqual([signal, overrun], ['SIGKILL', true])
    assert.match(await readFile(written, 'utf8'), /^\d+\n$/)
    if (process.platform === 'linux') assert.deepEqual(pidsWith(process.execPath, written), [])
  }
})

test('a process that writes forever ends at the limit', kernelOnly, async () => {
  const { code, written } = await run('fill')
  assert.notEqual(code, 0)
  assert.equal((await stat(written)).size, 2 ** 20)
})

test('endless output of a process is not read', async () => {
  const { report, signal } = await run('chatter')
  assert.deepEqual([report, signal], [undefined, 'SIGKILL'])
})

test('a crashed process reports its error', async () => {
  const { code, signal, overrun, report } = await run('fall')
  assert.deepEqual([code, signal, overrun, report], [3, null, false, ''])
})

test('a process that cannot start is not an outcome', async () => {
  await assert.rejects(run('never ready'), /could not be started: code 4/)
  await assert.rejects(run('reach', { means: { prefix: ['/nonexistent/setpriv'], prlimit: false } }), /ENOENT/)
  await assert.rejects(run('reach', { means: { ...means, prefix: ['true'] } }), /could not be started: code 0/)
})

test('a process ends when nobody waits for it', async () => {
  const reason = new Error('the service stops')
  await assert.rejects(run('sleep', { signal: AbortSignal.abort(reason) }), reason)
  const controller = new AbortController()
  const path = join(folder, String(files))
  const ending = run('sleep', { signal: controller.signal })
  const pid = await pidIn(path)
  controller.abort(reason)
  await assert.rejects(ending, reason)
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('a process does not outlive a killed service, even while computing', kernelOnly, async () => {
  const path = join(folder, 'guarded')
  const service = spawn(process.execPath, ['--conditions=source', script, 'guard', path], { stdio: 'ignore' })
  const pid = await pidIn(path)
  assert.ok(lives(pid))
  service.kill('SIGKILL')
  await ended(pid)
})

/** The layers of the machine, some of them left out, so that each shows what it holds by itself. */
const onlyNamespaces: Means = { ...means, own: [], prlimit: false }
const onlyOwn = (layer: OwnLayer): Means => ({
  prefix: means.sameUser ?? [],
  prlimit: false,
  ...(means.own?.includes(layer) && { own: [layer] }),
})
const lacks = (layer: string): string | false => {
  const found = means.layers?.find(({ name }) => name === layer)
  return found?.holds ? false : `${layer} does not hold on this machine: ${found?.says ?? process.platform}`
}
const isRoot = process.getuid?.() === 0

/** What an inspection that was taken over tries against the service, against a sibling and against their files. */
async function trespass(by: Means): Promise<string[]> {
  const outside = await mkdtemp(join(tmpdir(), 'kith-outside-'))
  const file = join(outside, 'upload')
  const sibling = new AbortController()
  try {
    // Open for everybody, so that nothing but what confines the process is in its way.
    await writeFile(file, 'of another inspection')
    await Promise.all([chmod(outside, 0o777), chmod(file, 0o666)])
    const path = join(folder, String(files))
    const next = run('sleep', { slot: 2, signal: sibling.signal })
    const pids = [process.pid, await pidIn(path)]
    const { report } = await run('trespass', { means: by, argument: JSON.stringify({ pids, file, outside }) })
    sibling.abort(new Error('enough'))
    await assert.rejects(next, /enough/)
    const done = Object.entries(JSON.parse(report ?? '')).filter(([, isDone]) => isDone)
    return done.map(([name]) => name)
  } finally {
    await rm(outside, { recursive: true })
  }
}

/** Against processes: the service is the first of them, a sibling the second. */
const against = (what: string[]): string[] => what.flatMap((name) => [`${name} 0`, `${name} 1`])
const onProcesses = against(['signal', 'trace', 'open environment', 'open memory', 'limit'])
const onFiles = ['open file', 'write file', 'create file', 'link file', 'link name', 'move file', 'make folder']

test('a compromised process reaches no process, no file and no new resource', { skip: lacks('seccomp') }, async () => {
  assert.deepEqual(await trespass(means), [])
})

test('namespaces alone hide all other processes', { skip: lacks('mount namespace') }, async () => {
  const done = await trespass(onlyNamespaces)
  assert.deepEqual(
    onProcesses.filter((name) => done.includes(name)),
    [],
  )
})

test('the filter alone blocks every trespass', { skip: lacks('seccomp') }, async () => {
  assert.deepEqual(await trespass(onlyOwn('seccomp')), [])
  assert.deepEqual((await run('become', { means: onlyOwn('seccomp') })).report, '{"isItself":true}\n')
})

test('Landlock alone blocks files and tracing', { skip: lacks('landlock') }, async () => {
  const done = await trespass(onlyOwn('landlock'))
  const denied = [...onFiles, ...against(['trace', 'open environment', 'open memory'])]
  assert.deepEqual(
    denied.filter((name) => done.includes(name)),
    [],
  )
})

test('each slot has its own user, who cannot open the files of another slot', {
  skip: lacks('user of its own'),
}, async () => {
  const open = await mkdtemp(join(tmpdir(), 'kith-outside-'))
  try {
    const bare: Means = { prefix: means.sameUser ?? [], prlimit: false }
    const user = async (slot: number): Promise<number> => {
      const path = join(folder, String(files))
      const ending = run('sleep', { slot, limits: { wallSeconds: 60 }, signal: stopping.signal })
      ending.catch(() => {})
      const pid = await pidIn(path)
      return Number(/^Uid:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1])
    }
    const stopping = new AbortController()
    const [one, two] = [await user(1), await user(2)]
    stopping.abort(new Error('enough'))
    assert.ok(one !== two && one > 0 && two > 0, `${one} ${two}`)
    const file = join(open, 'of slot 2')
    await writeFile(file, 'words', { mode: 0o600 })
    await Promise.all([chmod(open, 0o755), chown(file, two, two)])
    const argument = JSON.stringify({ pids: [], file, outside: open })
    const reach = async (slot: number) =>
      JSON.parse((await run('trespass', { means: bare, slot, argument })).report ?? '')
    assert.deepEqual(await reach(1).then((done) => [done['open file'], done['write file'], done['open up file']]), [
      false,
      false,
      false,
    ])
    assert.equal((await reach(2))['open file'], true, 'its own user could')
  } finally {
    await rm(open, { recursive: true })
  }
})

test('a process that left its session still ends with it', { skip: lacks('process namespace') }, async () => {
  const seconds = String(3600 + Math.floor(Math.random() * 1e6))
  const path = join(folder, String(files))
  const stopping = new AbortController()
  const ending = run('escape', { argument: seconds, signal: stopping.signal, means: { ...means, own: [] } })
  await pidIn(path)
  while (pidsWith('sleep', seconds).length === 0) await sleep(20)
  stopping.abort(new Error('enough'))
  await assert.rejects(ending, /enough/)
  assert.deepEqual(pidsWith('sleep', seconds), [])
})

test('a fork bomb ends quickly, with all of its processes', { skip: lacks('limit of processes') }, async () => {
  const limits = { wallSeconds: 3 }
  const ending = await untilDone('multiply', { limits, means: { ...means, own: [] } }, hasReported)
  const { copies } = JSON.parse(ending.report ?? '')
  assert.ok(copies > 0 && copies < (means.processes as number), `${copies}`)
  assert.deepEqual(pidsWith(process.execPath, ending.written), [])
})

test('the filter forbids all forks', { skip: lacks('seccomp') }, async () => {
  const { report } = await untilDone('multiply', { limits: { wallSeconds: 3 } }, hasReported)
  assert.deepEqual(JSON.parse(report ?? ''), { copies: 0 })
})

test('the child inherits only the descriptors it is given', { skip: process.platform !== 'linux' }, async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const secret = await open(join(folder, 'secret'), 'w+')
  const own = (await readdir('/proc/self/fd')).map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`)
    } catch {
      return ''
    }
  })
  const { report, written } = await run('descriptors')
  await secret.close()
  server.close()
  const { descriptors } = JSON.parse(report ?? '') as { descriptors: string[] }
  assert.ok(own.some((name) => name.startsWith('socket:')) && own.includes(join(folder, 'secret')))
  const shared = descriptors.filter((name) => own.includes(name) && !/^(anon_inode:|\/dev\/null$)/.test(name))
  assert.deepEqual(shared, [])
  assert.deepEqual(
    descriptors.filter((name) => name.startsWith('/') && name !== '/dev/null' && !name.startsWith('/proc/')),
    [written],
  )
})

test('a layer that worked once and now fails is not silently skipped', { skip: lacks('seccomp') }, async () => {
  const told: Means = { ...means, prefix: [...means.prefix, 'env', 'NODE_OPTIONS=--no-addons'] }
  await assert.rejects(run('reach', { means: told }), /could not be confined: seccomp/)
})

/** Where another user can read this checkout; the modules' cache must be one that it can write to. */
const asAnother = ['setpriv', '--reuid=65519', '--regid=65519', '--clear-groups', '--inh-caps=-all', '--']
const mayRead = isRoot && (await succeeds([...asAnother, 'test', '-r', script, '-a', '-x', process.execPath]))

test('a service without root confines processes too', {
  skip: mayRead ? false : 'no other user can be tried',
}, async () => {
  const own = await mkdtemp(join(tmpdir(), 'kith-unprivileged-'))
  await chown(own, 65_519, 65_519)
  const stories = '--test-name-pattern=reach nothing|taken over|alone|left its session|multiplies|inherits'
  const options = ['--conditions=source', '--test', '--test-reporter=tap', stories]
  const [command, ...rest] = [...asAnother, process.execPath, ...options, fileURLToPath(import.meta.url)]
  const child = spawn(command as string, rest, { env: { PATH: process.env['PATH'], TMPDIR: own }, cwd: '/' })
  const said = Buffer.concat(await Array.fromAsync(child.stdout as AsyncIterable<Buffer>)).toString()
  assert.match(said, /^# fail 0$/m, said)
  assert.doesNotMatch(said, /^# pass 0$/m, said)
  await rm(own, { recursive: true })
})

function succeeds([command, ...rest]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    spawn(command as string, rest, { stdio: 'ignore' })
      .once('error', () => resolve(false))
      .once('exit', (code) => resolve(code === 0))
  })
}
