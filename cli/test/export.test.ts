// Everything of one's own as files: what an export has, that it goes on after any kill, and what a check of it finds.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { story } from '../../server/test/story.ts'
import { command } from './command.ts'
import { lines } from './kith.ts'

const { w } = story()
const { cli, way, sdk } = command(w, 'ann', 'bob')

test('x', async () => {
  await cli.json(0, 'add', '-p', 'ann', 'bob')
  await cli.json(0, 'accept', '-p', 'bob', 'ann')
  await cli.json(0, 'send', '-p', 'ann', 'bob', 'hello')
  await cli.json(0, 'send', '-p', 'bob', 'ann', 'hi there')
  const run = await cli.run('export', '-p', 'ann', 'out')
  console.log(run.out, run.err)
  for (const name of await readdir(join(cli.home, 'out'))) console.log(name, (await readFile(join(cli.home, 'out', name), 'utf8').catch(() => 'dir')).slice(0, 300))
  console.log(way.log.length, await cli.run('export', '--check', 'out'))
  console.log(lines, sdk)
})
