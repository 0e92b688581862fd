// A program in Python may be killed at every call of the disk and the network, and in the middle of every write; a second run then
// has to end what the first began, once. What sdk/test/crash.test.ts tells of the SDK. Each run of this file takes every 5th point,
// from a start of its own; KITH_CRASH=full takes all.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { generateKeyPair, keyPairOf } from '../../sdk/src/box.ts'
import { openFolder } from '../../sdk/src/node.ts'
import { eventIds, messageId, orderId, peerId } from '../../sdk/test/scenarios.ts'
import { type Standin, startStandin } from '../../sdk/test/standin.ts'
import { attachSocket } from '../../sdk/test/standin-socket.ts'
import { killLeftovers } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
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
  await rm(root, { recursive: true, force: true })
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
async function everywhere(
  scenario: string,
  prepare: (service: Standin, folder: string) => Promise<void>,
  judge: (service: Standin, folder: string) => Promise<void>,
  /** Looks at what the killed run left. */
  witness: (folder: string) => Promise<void> = async () => {},
): Promise<number> {
  const service = await startStandin()
  const [template, folder] = [join(root, `${scenario}-template`), join(root, scenario)]
  await mkdir(template, { mode: 0o700 })
  try {
    await prepare(service, template)
    const back = service.remember()
    const place = async (): Promise<void> => {
      back()
      await rm(folder, { recursive: true, force: true })
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
        await witness(folder)
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

/** An identity that is registered already, with one friend. */
async function registered(service: Standin, folder: string): Promise<void> {
  const keys = generateKeyPair()
  const token = 'kith_0000000000000000000000000000000000000000000'
  const bot = service.addBot({ handle: 'ada', encryption_public_key: keys.publicKey }, token)
  service.contacts.push({
    id: '0198c000-0000-7000-8000-0000000000cc',
    status: 'accepted',
    peer: { id: peerId, handle: 'bob', display_name: 'Bob', encryption_public_key: generateKeyPair().publicKey },
  })
  const store = await openFolder(folder)
  await store.write('key', keys.secretKey)
  const token_expires_at = new Date(Date.now() + 20 * 86_400_000).toISOString()
  await store.write('token', JSON.stringify({ token, token_expires_at }))
  await store.write('passport.json', JSON.stringify({ base_url: service.url, bot }))
}

const tokenIn = async (folder: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, 'token'), 'utf8')).token
const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1)

test('killed anywhere, a registration in Python creates one passport and keeps its key and token', async (t) => {
  const points = await everywhere(
    'register',
    async () => {},
    async (service, folder) => {
      assert.equal(service.bots.size, 1)
      const [bot] = service.bots.values()
      assert.equal(service.tokens.get(await tokenIn(folder)), bot!.id)
      const key = (await readFile(join(folder, 'key'), 'utf8')).trim()
      assert.equal(keyPairOf(key).publicKey, bot!.encryption_public_key)
      assert.equal(JSON.parse(await readFile(join(folder, 'passport.json'), 'utf8')).bot.id, bot!.id)
    },
  )
  t.diagnostic(`${points} points`)
  assert.ok(points > 80)
})

test('killed anywhere, Python sends a message once, with the same bytes each time', async (t) => {
  const points = await everywhere('send', registered, async (service, folder) => {
    assert.deepEqual([...service.messages.keys()], [messageId])
    const sent = service.log.filter((line) => line.startsWith('POST /messages'))
    assert.equal(new Set(sent).size, 1, 'every sending had the same bytes')
    assert.deepEqual(await (await openFolder(folder)).list('journal'), [])
  })
  t.diagnostic(`${points} points`)
  assert.ok(points > 30)
})

test('killed anywhere, an operation of the contract takes effect once', async (t) => {
  const points = await everywhere(
    'accept',
    async (service, folder) => {
      await registered(service, folder)
      service.offer(orderId, {})
    },
    async (service, folder) => {
      assert.deepEqual(service.orders.get(orderId)?.version, 2, 'accepted once')
      const sent = service.log.filter((line) => line.startsWith('POST /orders/'))
      assert.equal(new Set(sent).size, 1, 'every sending had the same bytes')
      assert.deepEqual(await (await openFolder(folder)).list('journal'), [])
    },
  )
  t.diagnostic(`${points} points`)
  assert.ok(points > 30)
})

test('killed anywhere, Python uploads a file once, and its card is there before the upload is forgotten', async (t) => {
  const points = await everywhere(
    'upload',
    async (service, folder) => {
      await registered(service, folder)
      await writeFile(join(folder, 'picture'), 'a picture '.repeat(60_000))
    },
    async (service, folder) => {
      assert.equal(service.files.size, 1)
      const [file] = service.files.values()
      assert.deepEqual(new Set(await linesOf(join(folder, 'card'))), new Set([file!.id]))
      const left = await (await openFolder(folder)).list('uploads')
      assert.ok(left.every((id) => id === file!.upload_id))
    },
  )
  t.diagnostic(`${points} points`)
  assert.ok(points > 40)
})

test('killed anywhere, a rotation in Python ends with a working token, and a lost token is reported', async (t) => {
  const points = await everywhere('rotate', registered, async (service, folder) => {
    assert.ok(service.tokens.has(await tokenIn(folder)))
    const store = await openFolder(folder)
    assert.equal(await store.read('rotation.json'), undefined)
    const reason = await store.read('lost')
    assert.ok(reason === undefined || reason === 'rotation\n', `the loss was named ${reason}`)
  })
  t.diagnostic(`${points} points`)
  assert.ok(points > 50)
})

test('killed anywhere, Python loses no acknowledged event, and hands over no finished one again', async (t) => {
  let socket: ReturnType<typeof attachSocket>
  let finished: string[] = []
  let before: string[] = []
  const points = await everywhere(
    'receive',
    async (service, folder) => {
      await registered(service, folder)
      socket = attachSocket(service.server)
      const payload = { order_id: peerId, status: 'funded', version: 1 }
      const events = eventIds.map((event_id) => ({ event_id, kind: 'order.changed' as const, payload }))
      const { remember } = service
      service.remember = () => {
        const back = remember()
        return () => {
          back()
          Object.assign(socket, { events, acks: [] })
        }
      }
    },
    async (_, folder) => {
      const handled = await linesOf(join(folder, 'handled'))
      assert.deepEqual(new Set(handled), new Set(eventIds))
      const again = handled.slice(before.length)
      assert.deepEqual(
        again.filter((id) => finished.includes(id)),
        [],
      )
    },
    async (folder) => {
      before = await linesOf(join(folder, 'handled'))
      const inbox = (await linesOf(join(folder, 'inbox', 'events.ndjson'))).map((line) => JSON.parse(line))
      const stored = inbox.flatMap((line) => (line.event ? [line.event.event_id] : []))
      finished = inbox.flatMap((line) => line.done ?? [])
      assert.deepEqual(
        socket.acks.filter((id) => !stored.includes(id)),
        [],
        'acknowledged, so stored',
      )
    },
  )
  t.diagnostic(`${points} points`)
  assert.ok(points > 60)
})
