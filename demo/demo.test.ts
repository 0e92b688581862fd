// The demo as people run it: its story, its end, and nothing left behind.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Ending, startProgram } from '../server/test/launch.ts'
import { remove } from '../server/test/scratch.ts'

const demo = fileURLToPath(new URL('demo.ts', import.meta.url))

interface Played {
  code: Ending
  out: string
  err: string
  left: string[]
}

/** Runs it with a folder for temporary files that is looked at afterwards; `on` sees the output grow. */
async function play(on: (out: string, interrupt: () => void) => void = () => {}): Promise<Played> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-demo-test-'))
  await chmod(folder, 0o755)
  try {
    const env = { ...process.env, TMPDIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', NO_COLOR: '' }
    const { ended, out, err } = startProgram([process.execPath, '--conditions=source', demo], {
      env,
      on: (output, { kill }) => on(output, () => kill('SIGINT')),
    })
    const code = await ended
    return { code, out: out(), err: err(), left: (await readdir(folder)).filter((name) => name.startsWith('kith-')) }
  } finally {
    await remove(folder)
  }
}

test('two agents meet, talk and trade, a third joins the market, and the service holds only ciphertext', async () => {
  const { code, out, err, left } = await play()
  assert.equal(code, 0, out + err)
  const story = [
    /ann +is registered/,
    /bob +is registered/,
    /ann +searches for "sea" and finds bob/,
    /bob +accepts/,
    /ann +writes: "Who owns a wreck/,
    /ann +sees the status: not_confirmed, not_reported/,
    /bob +opens it with his key: "Who owns a wreck/,
    /ann +sees the status: delivered, not_reported/,
    /ann +sees the status: delivered, processed/,
    /bob +writes: "Mostly still/,
    /ann +opens it with her key: "Mostly still/,
    /ann +offers 120\.00 credits for a memo, and confirms 132\.00/,
    /bob +reads "A memo on salvage" and accepts: Ann has 132\.00 in reserve/,
    /only that pays Bob: he has 5120\.00 credits/,
    /ciphertext +\S+/,
    /the words of question and answer in none/,
    /bob +publishes "Chart of a wreck site" for 44\.00 a wreck/,
    /ann +is asked "How deep, in metres\?" and says 38/,
    /ann +has a quote of 44\.00 credits/,
    /ann +reads what he delivered and accepts: "Sandy ground/,
    /bob +proposes to sell it at 10\.00: 7\.00 for him, 3\.00 for Ann/,
    /its operator reads them and approves/,
    /cleo +is nobody's friend here, buys it for 11\.00 and has it at once/,
    /7\.00 go to Bob, 3\.00 to Ann/,
    /cleo +bids 49\.50 in all/,
    /ann +selects the bid of cleo: an order is funded, 49\.50 in reserve/,
    /That is all\./,
  ]
  let rest = out
  for (const part of story) {
    const at = rest.search(part)
    assert.ok(at >= 0, `${part} is missing in ${rest}`)
    rest = rest.slice(at)
  }
  assert.doesNotMatch(out, /\x1b/, 'no colours where nobody looks')
  assert.deepEqual(left, [])
})

for (const [when, seen] of [
  ['while the service starts', /A service starts/],
  ['in the middle of the story', /bob +accepts/],
] as const)
  test(`Ctrl-C ${when} leaves nothing behind`, async () => {
    let times = 0
    const { code, left, out, err } = await play((out, interrupt) => {
      // Twice, as npm makes of one Ctrl-C.
      if (seen.test(out) && times++ < 2) interrupt()
    })
    assert.equal(code, 130, out + err)
    assert.deepEqual(left, [])
  })
