// The short torture, as it runs with every change; its seed is printed, so that what it finds can be had again.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../server/test/launch.ts'
import { remove } from '../server/test/scratch.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const server = process.env['KITH_TEST_DATABASE_URL']

/** Runs it with a folder for temporary files that is looked at afterwards; `on` sees the output grow. */
async function torture(args: string[], on: (output: string, interrupt: () => void) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'kith-torture-test-'))
  await chmod(folder, 0o755)
  try {
    const { ended, output } = startProgram(
      [process.execPath, main, ...args, ...(server ? ['--database-url', server] : [])],
      { env: { ...process.env, TMPDIR: folder }, on: (text, { kill }) => on(text, () => kill('SIGINT')) },
    )
    return { code: await ended, output: output(), left: await readdir(folder) }
  } finally {
    await remove(folder)
  }
}

test('ten seconds of torture: no acknowledged write is lost, nothing happens twice, no money appears or vanishes', async () => {
  const { code, output, left } = await torture(['--seconds', '10'])
  // The seed, so that what it finds can be had again.
  console.log(output)
  assert.equal(code, 0, output)
  assert.deepEqual(left, [])
})

test('Ctrl-C in the middle of the torture leaves nothing behind', async () => {
  let times = 0
  const { code, output, left } = await torture(['--seconds', '60'], (seen, interrupt) => {
    // Twice, as npm makes of one Ctrl-C.
    if (/under load/.test(seen) && times++ < 2) setTimeout(interrupt, 300)
  })
  assert.equal(code, 130, output)
  assert.deepEqual(left, [])
})
