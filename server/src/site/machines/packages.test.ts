// What a server hands out, as a stranger uses it: installed into an empty folder without a registry, on the machine’s own Node.
// docs/contract/site.md#packages.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PackageName, packed } from './pack.ts'
import { packedBeside } from './packages.ts'

const run = promisify(execFile)
const compiler = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url))
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((each) => !each.includes('node_modules'))
  .join(delimiter)

const program = `
import { KithError } from '@kith/sdk'
import { type FolderClient, openIdentity } from '@kith/sdk/node'
export async function greet(folder: string): Promise<string> {
  const client: FolderClient = await openIdentity(folder)
  try {
    return (await client.bots.me()).handle
  } catch (error) {
    if (error instanceof KithError) return error.code
    throw error
  }
}
`
/** What the examples of the SDK's README take for granted. */
const given = `
import type { FolderClient, NewQuickOrder } from '@kith/sdk/node'
type Node = typeof import('@kith/sdk/node')
declare global {
  const ada: FolderClient, bob: FolderClient, order: NewQuickOrder, didDocument: unknown
  const id: string, bobId: string, serviceId: string, taskId: string, taskName: string, bid_id: string
  const title: string, body: string, description: string, deadline: string, text: string
  const expected_version: number, expected_bid_version: number, confirmed_total_minor: number
  const tend: (orderId: string) => Promise<void>, answer: (...question: unknown[]) => Promise<string>
  const openFolder: Node['openFolder'], openRecovery: Node['openRecovery'], stableUuid: Node['stableUuid']
  const fillForm: Node['fillForm'], fetchRecord: Node['fetchRecord'], KithError: Node['KithError']
  const checkRecord: Node['checkRecord'], verifyRecord: Node['verifyRecord']
}
`
const options = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true, types: [], skipLibCheck: false }
/** Parses each file without running it: the command would run. */
const parsing = `
import { readdirSync, readFileSync } from 'node:fs'
import { SourceTextModule } from 'node:vm'
const folder = 'node_modules/@kith/sdk'
const paths = readdirSync(folder, { recursive: true }).filter((path) => /^(command\\/)?(dist|bin)\\/.*\\.js$/.test(path))
for (const path of paths) new SourceTextModule(readFileSync(folder + '/' + path, 'utf8').replace(/^#!.*/, ''))
console.log(paths.length)`
const imports = `
const [core, node] = [await import('@kith/sdk'), await import('@kith/sdk/node')]
console.log(typeof core.KithError, typeof node.openFolder, process.version)`

for (const name of ['kith', 'sdk'] satisfies PackageName[]) {
  describe(`${name}.tgz`, () => {
    let folder: string
    const inFolder = (command: string, ...words: string[]) =>
      run(command, words, { cwd: join(folder, 'program'), env: { PATH, HOME: folder } })
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kith-package-'))
      await mkdir(join(folder, 'program'))
      await writeFile(join(folder, 'package.tgz'), await packed(name))
      const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--registry', 'http://127.0.0.1:9/']
      await inFolder('npm', 'install', ...quiet, join(folder, 'package.tgz'))
    })
    after(() => rm(folder, { recursive: true, force: true }))

    test('can be imported where it was installed', async () => {
      const { stdout } = await inFolder('node', '--input-type=module', '--eval', imports)
      assert.match(stdout, /^function function v\d/)
      const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module']
      const parsed = await inFolder('node', ...flags, '--eval', parsing)
      assert.ok(Number(parsed.stdout) > (name === 'kith' ? 120 : 50), parsed.stdout)
    })

    test('has types for all exports, without further packages, and the examples of its README compile', async () => {
      const readme = await readFile(join(folder, 'program/node_modules/@kith/sdk/README.md'), 'utf8')
      const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => `${code}export {}\n`)
      // The compiler reads the types once for all.
      const sources = {
        'right.ts': program,
        'wrong.ts': program.replace('.handle', '.hundle'),
        ...(name === 'sdk' && { 'given.mts': given }),
        ...(name === 'sdk' && Object.fromEntries(examples.map((code, at) => [`readme-${at + 1}.mts`, code]))),
      }
      for (const [file, source] of Object.entries(sources)) await writeFile(join(folder, 'program', file), source)
      const config = { compilerOptions: options, files: Object.keys(sources) }
      await writeFile(join(folder, 'program/tsconfig.json'), JSON.stringify(config))
      const compiled = inFolder(process.execPath, compiler, '-p', '.', '--pretty', 'false')
      const errors = await compiled.then(
        () => '',
        ({ stdout }) => String(stdout),
      )
      assert.match(errors, /^wrong\.ts\S* error \S+ Property 'hundle' does not exist [^\n]*\n$/)
    })

    test(name === 'kith' ? 'has the command' : 'has no command', async () => {
      const called = inFolder('node', 'node_modules/.bin/kith', '--version')
      if (name === 'sdk') await assert.rejects(called, /Cannot find module/)
      else assert.match((await called).stdout, /^\d+\.\d+\.\d+\n$/)
    })

    test('is formatted as if no types had been written', async () => {
      const text = await readFile(join(folder, 'program/node_modules/@kith/sdk/dist/errors.js'), 'utf8')
      assert.match(text, /\/\*\* HTTP status\. \*\/\n {2}status\n/)
      assert.doesNotMatch(text, /\S {2,}\S| $/m)
    })
  })
}

test('a machine too busy to make a package in time says so', async () => {
  await assert.rejects(packedBeside('sdk', 1), { code: 'service_unavailable', status: 503, extras: { retryAfter: 60 } })
})
