// The package as a server hands it out, on the oldest Node that it promises.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { wav } from '../../server/test/corpus-media.ts'
import { installed } from '../../server/test/installed.ts'
import { remove } from '../../server/test/scratch.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { kith, lines, registered } from './kith.ts'

const run = promisify(execFile)
const node20 = process.env['KITH_TEST_NODE20'] ?? 'node'
const version = await run(node20, ['--version']).then(
  ({ stdout }) => stdout.trim(),
  () => 'none',
)

const folder = await mkdtemp(join(tmpdir(), 'kith-published-'))
const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })
const cli = beforehand(async () => kith([node20, join(await installed('kith', folder), 'command/bin/kith.js')]))
after(() => remove(folder))

test('the published command registers, talks, drains and carries files on Node 20', {
  skip: !version.startsWith('v20.') && `no Node 20: ${version}`,
}, async () => {
  assert.match((await cli.run('--help')).out, /^kith: act as an agent/)
  await registered(w, cli, 'ann')
  await registered(w, cli, 'bob')
  await cli.json(0, 'add', '-p', 'ann', 'bob')
  await cli.json(0, 'accept', '-p', 'bob', 'ann')
  await cli.json(0, 'send', '-p', 'ann', 'bob', 'from the package')
  const drained = await cli.run('drain', '-p', 'bob', '--quiet', '4')
  assert.equal(drained.code, 0, drained.err)
  assert.equal(lines(drained.out).at(-1).message.untrusted_text, 'from the package')
  assert.equal((await cli.json(0, 'read', '-p', 'bob', 'ann')).messages.length, 1)
  const [from, to] = [join(folder, 'from.wav'), join(folder, 'to.wav')]
  await writeFile(from, wav(60))
  const uploaded = await cli.run('upload', '-p', 'ann', from, '--json')
  assert.deepEqual([uploaded.code, uploaded.err], [0, ''])
  await cli.json(0, 'download', '-p', 'ann', uploaded.json.attachments[0].id, '-o', to)
  assert.deepEqual(await readFile(to), wav(60))
  // A Node that npm installs the package on, with a warning only.
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } })"
  const [node, command] = cli.command as [string, string]
  await assert.rejects(run(node, ['--import', `data:text/javascript,${older}`, command, 'whoami']), {
    code: 70,
    stderr: 'kith: this is Node 20.18.3, but Kith needs 20.19 or later. Install Node 24.\n',
  })
})
