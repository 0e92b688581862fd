// A program in Python may be killed at every call of the disk and the network, and in the middle of every write; a second run then
// has to end what the first began, once. What sdk/test/crash.test.ts tells of the SDK. Each run of this file takes every 5th point,
// from a start of its own; KITH_CRASH=full takes all.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openFolder } from '../../sdk/src/node.ts'
import {
  linesOf,
  receiving,
  registered,
  registering,
  rotating,
  type Story,
  sending,
} from '../../sdk/test/crash-stories.ts'
import { orderId } from '../../sdk/test/scenarios.ts'
import { startStandin } from '../../sdk/test/standin.ts'
import { killLeftovers } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { remove } from '../../server/test/scratch.ts'
import { skip, startPython } from './interpreter.ts'

const { after, before, test } = needing(skip)

const step = process.env['KITH_CRASH'] === 'full' ? 1 : 5
let root: string
let runs: ReturnType<typeof startRuns>
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'kith-python-crash-'))
  runs = startRuns()
})
after(async () => {
  killLeftovers()
  await remove(root)
})

interface Ending {
  ended: 'killed' | 'done' | 'failed'
  points?: number
  why?: string
}

function startRuns() {
  const program = startPython([fileURLToPath(new URL('killed.py', import.meta.url))], { input: true })
  const lines = createInterface({ input: program.child.stdout as Readable })
  return async (scenario: string, folder: string, origin: string, kill: number): Promise<Ending> => {
    const line = once(lines, 'line')
    program.input.write(`${JSON.stringify([scenario, folder, origin, kill])}\n`)
    const [text] = (await line) as [string]
    const ending = JSON.parse(text) as Ending
    assert.notEqual(ending.ended, 'failed', ending.why ?? '')
    return ending
  }
}

/** Ends a run at many points; after each, runs again in peace and judges. */
async function everywhere(scenario: string, { prepare, judge, witness }: Story): Promise<number> {
  const service = await startStandin()
  const [template, folder] = [join(root, `${scenario}-template`), join(root, scenario)]
  await mkdir(template, { mode: 0o700 })
  try {
    await prepare(service, template)
    const back = service.remember()
    const place = async (): Promise<void> => {
      back()
      await remove(folder)
      await cp(template, folder, { recursive: true })
      // Copies of folders may get a mode of their own, and an identity that others can enter is refused.
      await openFolder(template)
    }
    await place()
    const { points = 0 } = await runs(scenario, folder, service.url, 0)
    for (let n = 1 + Math.floor(Math.random() * step); n <= points; n += step) {
      await place()
      try {
        // One that came by fewer points than the run before has ended well.
        await runs(scenario, folder, service.url, n)
        await witness?.(folder)
        await runs(scenario, folder, service.url, 0)
        await judge(service, folder)
      } catch (error) {
        throw new Error(`killed at point ${n} of ${points}`, { cause: error })
      }
    }
    return points
  } finally {
    await service.close()
  }
}

test('killed anywhere, a registration in Python creates one passport and keeps its key and token', async (t) => {
  const points = await everywhere('register', registering)
  t.diagnostic(`${points} points`)
  assert.ok(points > 80)
})

test('killed anywhere, Python sends a message once, with the same bytes each time', async (t) => {
  const points = await everywhere('send', sending)
  t.diagnostic(`${points} points`)
  assert.ok(points > 30)
})

test('killed anywhere, an operation of the contract takes effect once', async (t) => {
  const points = await everywhere('accept', {
    prepare: async (service, folder) => {
      await registered(service, folder)
      service.offer(orderId, {})
    },
    judge: async (service, folder) => {
      assert.deepEqual(service.orders.get(orderId)?.version, 2, 'accepted once')
      const sent = service.log.filter((line) => line.startsWith('POST /orders/'))
      assert.equal(new Set(sent).size, 1, 'every sending had the same bytes')
      assert.deepEqual(await (await openFolder(folder)).list('journal'), [])
    },
  })
  t.diagnostic(`${points} points`)
  assert.ok(points > 30)
})

test('killed anywhere, Python uploads a file once, and its card is there before the upload is forgotten', async (t) => {
  const points = await everywhere('upload', {
    prepare: async (service, folder) => {
      await registered(service, folder)
      await writeFile(join(folder, 'picture'), 'a picture '.repeat(60_000))
    },
    judge: async (service, folder) => {
      assert.equal(service.files.size, 1)
      const [file] = service.files.values()
      assert.deepEqual(new Set(await linesOf(join(folder, 'card'))), new Set([file!.id]))
      const left = await (await openFolder(folder)).list('uploads')
      assert.ok(left.every((id) => id === file!.upload_id))
    },
  })
  t.diagnostic(`${points} points`)
  assert.ok(points > 40)
})

test('killed anywhere, a rotation in Python ends with a working token, and a lost token is reported', async (t) => {
  const points = await everywhere('rotate', rotating())
  t.diagnostic(`${points} points`)
  assert.ok(points > 50)
})

test('killed anywhere, Python loses no acknowledged event, and hands over no finished one again', async (t) => {
  const points = await everywhere('receive', receiving())
  t.diagnostic(`${points} points`)
  assert.ok(points > 60)
})
