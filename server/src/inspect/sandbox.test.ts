// What a confined process can not do, how it ends, and that nothing of it is left.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Ending, findMeans, type Limits, type Means, runConfined } from './sandbox.ts'

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
}

async function run(deed: string, options: Options = {}): Promise<Ending & { written: string }> {
  const written = join(folder, String(files++))
  const file = await open(written, 'w+')
  const limits = { cpuSeconds: 10, wallSeconds: 30, memoryBytes: 2 ** 28, fileBytes: 2 ** 20, ...options.limits }
  const confined = { script, arguments: [deed, options.argument ?? ''], descriptors: [file.fd], limits }
  const signal = options.signal ?? new AbortController().signal
  try {
    return { ...(await runConfined(confined, options.means ?? means, signal)), written }
  } finally {
    await file.close()
  }
}

/** The process id that the deed wrote, once it did. */
async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = existsSync(path) ? await readFile(path, 'utf8') : ''
    if (text.endsWith('\n')) return Number(text)
    await sleep(10)
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

test('once it is confined it can reach nothing', kernelOnly, async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { code, report } = await run('reach', { argument: String(port) })
  server.close()
  assert.equal(code, 0)
  const { attempts, capabilities, isTied, isRoot, environment, folder } = JSON.parse(report ?? '')
  assert.match(attempts.resolve, /^(EAI_|EMFILE|ENOTFOUND)/)
  delete attempts.resolve
  for (const [name, outcome] of Object.entries(attempts)) assert.equal(outcome, 'EMFILE', name)
  assert.ok(isTied)
  assert.match(capabilities, /^0+$/)
  assert.ok(!isRoot || !means.prefix.some((flag) => flag.startsWith('--reuid')))
  assert.deepEqual([environment, folder], [[], '/'])
})

test('without the means of Linux it can reach as little, as far as Node goes', async () => {
  const { report } = await run('reach', { means: bare })
  const { attempts } = JSON.parse(report ?? '')
  for (const name of ['read', 'write', 'connect', 'listen', 'datagram', 'spawn']) {
    assert.equal(attempts[name], 'ERR_ACCESS_DENIED', name)
  }
})

test('one that wants all the memory ends', async () => {
  for (const deed of ['buffers', 'heap']) {
    const ending = await run(deed)
    assert.ok(ending.code !== 0, deed)
    assert.equal(ending.report, '')
  }
})

test('without the means of Linux one that wants all the memory ends, too', async () => {
  const { overrun, signal } = await run('buffers', { means: bare })
  assert.deepEqual([overrun, signal], [true, 'SIGKILL'])
})

test('one that computes for ever ends, and meanwhile the service goes on', kernelOnly, async () => {
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

test('one that sleeps for ever ends, and is not there any more', async () => {
  for (const each of [means, bare]) {
    const { signal, overrun, written } = await run('sleep', { limits: { wallSeconds: 0.5 }, means: each })
    assert.deepEqual([signal, overrun], ['SIGKILL', true])
    const pid = Number(await readFile(written, 'utf8'))
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  }
})

test('one that writes for ever ends at the limit', kernelOnly, async () => {
  const { code, written } = await run('fill')
  assert.notEqual(code, 0)
  assert.equal((await stat(written)).size, 2 ** 20)
})

test('one that talks for ever is not listened to', async () => {
  const { report, signal } = await run('chatter')
  assert.deepEqual([report, signal], [undefined, 'SIGKILL'])
})

test('one that falls says with what', async () => {
  const { code, signal, overrun, report } = await run('fall')
  assert.deepEqual([code, signal, overrun, report], [3, null, false, ''])
})

test('one that can not be started is no outcome', async () => {
  await assert.rejects(run('never ready'), /could not be started: code 4/)
  await assert.rejects(run('reach', { means: { prefix: ['/nonexistent/setpriv'], prlimit: false } }), /ENOENT/)
  await assert.rejects(run('reach', { means: { ...means, prefix: ['true'] } }), /could not be started: code 0/)
})

test('when nobody wants to know any more it is ended', async () => {
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

test('it does not outlive a service that is killed, not even while it computes', kernelOnly, async () => {
  const path = join(folder, 'guarded')
  const service = spawn(process.execPath, ['--conditions=source', script, 'guard', path], { stdio: 'ignore' })
  const pid = await pidIn(path)
  assert.ok(lives(pid))
  service.kill('SIGKILL')
  await ended(pid)
})
