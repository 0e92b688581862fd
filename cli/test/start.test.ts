// What a start of the command loads: an agent pays for it at each command.
import assert from 'node:assert/strict'
import { glob } from 'node:fs/promises'
import { basename } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { beforehand } from '../../server/test/story.ts'
import { names } from '../src/rooms.ts'
import { kith } from './kith.ts'

const source = fileURLToPath(new URL('../src/', import.meta.url))

/** Has a program write the files that it loaded to its error stream when it ends. */
const recorder = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  },
})
process.on('exit', () => console.error(JSON.stringify(loaded)))`

const preload = `data:text/javascript,${encodeURIComponent(recorder)}`
const cli = beforehand(() => kith([process.execPath, '--conditions=source', '--import', preload, `${source}main.ts`]))

/** The files that a command loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const { err } = await cli.run(...args)
  return JSON.parse(err.trim().split('\n').at(-1)!)
}

test('Ann lists her orders without loading cryptography, sockets, tools of a host or other commands', async () => {
  for (const args of [['orders'], ['order', 'show', '--help'], ['whoami'], ['find', 'a logo'], ['limits']]) {
    const loaded = await loadedBy(...args)
    assert.ok(loaded.some((url) => url.endsWith('/cli/src/run.ts')))
    assert.deepEqual(
      loaded.filter((url) =>
        /\/node_modules\/(@modelcontextprotocol|@noble|ws)\/|\/cli\/src\/(staff|articles|talk)\.ts$/.test(url),
      ),
      [],
      args.join(' '),
    )
  }
})

test('every command in a source file is in the table, once', async () => {
  const found: string[] = []
  for await (const path of glob(`${source}*.ts`)) {
    if (['main.ts', 'commands.ts'].includes(basename(path))) continue
    const { commands = [] } = (await import(path)) as { commands?: readonly { name: string }[] }
    found.push(...commands.map(({ name }) => name))
  }
  assert.deepEqual(found.sort(), [...names].sort())
})
