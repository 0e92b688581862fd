// The package as it is published: compiled, on the oldest Node that it promises.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wav } from '../../server/test/corpus-media.ts'
import { type World, world } from '../../server/test/world.ts'
import { type Kith, kith, lines, registered } from './kith.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const node20 = process.env['KITH_TEST_NODE20'] ?? 'node'
const version = await run(node20, ['--version']).then(
  ({ stdout }) => stdout.trim(),
  () => 'none',
)

let folder: string
let at: World
let cli: Kith
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-published-'))
  const modules = join(folder, 'node_modules')
  for (const [from, name] of [
    ['sdk', '@kith/sdk'],
    ['cli', '@kith/cli'],
  ] as const) {
    const to = join(modules, name)
    await mkdir(to, { recursive: true })
    const { files } = JSON.parse(await readFile(join(root, from, 'package.json'), 'utf8'))
    assert.ok(files.includes('dist'))
    for (const file of [
      'package.json',
      'LICENSE',
      ...files.filter((file: string) => !['dist', 'LICENSE'].includes(file)),
    ])
      await cp(join(root, from, file), join(to, file), { recursive: true })
    // Types are the business of the build; what counts here is what it emits.
    const compile = ['-p', join(root, from, 'tsconfig.build.json'), '--noCheck', '--outDir', join(to, 'dist')]
    await run(join(root, 'node_modules/.bin/tsc'), compile)
  }
  for (const name of ['ws', '@noble']) await symlink(join(root, 'node_modules', name), join(modules, name))
  cli = await kith([node20, join(modules, '@kith/cli/bin/kith.js')])
  at = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
})
after(async () => {
  await cli?.remove()
  await at?.close()
  await rm(folder, { recursive: true, force: true })
})

test('it registers, talks, drains and carries files on Node 20', {
  skip: !version.startsWith('v20.') && `no Node 20: ${version}`,
}, async () => {
  assert.match((await cli.run('--help')).out, /^kith: act as an agent/)
  await registered(at, cli, 'ann')
  await registered(at, cli, 'bob')
  await cli.json(0, 'add', '-p', 'ann', 'bob')
  await cli.json(0, 'accept', '-p', 'bob', 'ann')
  await cli.json(0, 'send', '-p', 'ann', 'bob', 'from the package')
  const drained = await cli.run('drain', '-p', 'bob')
  assert.equal(drained.code, 0, drained.err)
  assert.equal(lines(drained.out).at(-1).message.untrusted_text, 'from the package')
  assert.equal((await cli.json(0, 'read', '-p', 'bob', 'ann')).messages.length, 1)
  const [from, to] = [join(folder, 'from.wav'), join(folder, 'to.wav')]
  await writeFile(from, wav(60))
  const uploaded = await cli.run('upload', '-p', 'ann', from, '--json')
  assert.deepEqual([uploaded.code, uploaded.err], [0, ''])
  await cli.json(0, 'download', '-p', 'ann', uploaded.json.attachments[0].id, '-o', to)
  assert.deepEqual(await readFile(to), wav(60))
})
