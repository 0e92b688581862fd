// A run may end at every call of the disk and the network, and in the middle of every write; a second run then has to
// end what the first began, once. One child stands still at each of these points, and what a SIGKILL would leave there
// is kept: the folder as the kernel has it, and what the service knows. Once the child is dead, a second run starts from
// each. Other children are killed there in earnest, at a point here and there: a kill leaves nothing else behind.
// The awaits of the SDK's code are points too; each run of this file takes every 11th, from a start of its own.
// KITH_CRASH=full takes all points, and kills at each.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generateKeyPair, keyPairOf } from '../src/box.ts'
import { openFolder, openIdentity } from '../src/node.ts'
import { eventIds, messageId, orderId, peerId, scenarios, strangerId } from './scenarios.ts'
import { type Standin, startStandin } from './standin.ts'
import { attachSocket } from './standin-socket.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'kith-crash-'))
})
after(() => rm(root, { recursive: true, force: true }))

const full = process.env['KITH_CRASH'] === 'full'
const child = fileURLToPath(new URL('crash-child.ts', import.meta.url))
/** Every so many points one is looked at, and one is killed at. */
const steps = full
  ? { calls: { stop: 1, kill: 1 }, awaits: { stop: 1, kill: 1 } }
  : { calls: { stop: 1, kill: 48 }, awaits: { stop: 11, kill: 480 } }

type Where = keyof typeof steps

/** What a kill at a point leaves. */
interface Scene {
  point: number
  /** A copy of the place. */
  place: string
  /** Puts the service back to what it knew. */
  back: () => void
}

interface Child {
  /** What is written to it lets it go on. */
  pipe: Duplex
  /** The number of points that it came by on its way to the end; undefined if it was killed. */
  ended: Promise<number | undefined>
}

function startChild(scenario: string, folder: string, origin: string, ...points: (string | number)[]): Child {
  const args = ['--conditions=source', child, scenario, folder, origin, ...points.map(String)]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'cache') }
  const run = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] })
  let out = ''
  run.stdout!.on('data', (text) => {
    out += text
  })
  const ended = once(run, 'close').then(([exit, signal]) => {
    if (signal === 'SIGKILL') return undefined
    assert.ok(exit === 0 && out.startsWith('completed '), `the child ended with ${exit ?? signal}`)
    return Number(out.slice('completed '.length))
  })
  return { pipe: run.stdio[3] as Duplex, ended }
}

/** The identity's folder in a place: the first thing that a registration makes. */
const folderIn = (place: string): string => join(place, 'identity')

/** One run of the scenario: the scenes of its points and of its end, and how many points there were. */
async function watch(
  scenario: string,
  where: Where,
  service: Standin,
  place: string,
): Promise<{ scenes: Scene[]; points: number }> {
  const scenes: Scene[] = []
  const keep = (point: number): void => {
    const copy = `${place}-${point}`
    cpSync(place, copy, { recursive: true })
    keepPrivate(copy)
    scenes.push({ point, place: copy, back: service.remember() })
  }
  const step = steps[where].stop
  const first = 1 + Math.floor(Math.random() * step)
  const { pipe, ended } = startChild(scenario, folderIn(place), service.url, where, 'stop', first, step)
  for await (const _ of pipe) {
    // What was sent before is with the service already, and would be if the process had been killed.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    keep(first + scenes.length * step)
    pipe.write('.')
  }
  const points = await ended
  assert.ok(points !== undefined, 'it was not killed')
  keep(points + 1)
  return { scenes, points }
}

/** Node 24 gives copies of folders a mode of its own, and an identity that others can enter is refused. */
function keepPrivate(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700)
}

/** Ends a run at every point; after each, run again in peace and judge. */
async function everywhere(
  scenario: keyof typeof scenarios,
  where: Where,
  prepare: (service: Standin, folder: string) => Promise<void>,
  judge: (service: Standin, folder: string) => Promise<void>,
  /** Looks at the scene right after the end. */
  witness: (folder: string) => Promise<void> = async () => {},
): Promise<number> {
  async function again(service: Standin, place: string, what: string): Promise<void> {
    const folder = folderIn(place)
    try {
      await witness(folder)
      await scenarios[scenario](folder, service.url)
      await judge(service, folder)
    } catch (error) {
      throw new Error(`${what} of ${where}`, { cause: error })
    }
  }

  async function inPlace<T>(act: (service: Standin, place: string) => Promise<T>): Promise<T> {
    const place = await mkdtemp(join(root, `${scenario}-`))
    const service = await startStandin()
    try {
      await prepare(service, folderIn(place))
      return await act(service, place)
    } finally {
      await service.close()
    }
  }

  const points = await inPlace(async (service, place) => {
    const { scenes, points } = await watch(scenario, where, service, place)
    for (const scene of scenes) {
      scene.back()
      await rm(place, { recursive: true })
      await rename(scene.place, place)
      await again(service, place, `ended at point ${scene.point}`)
    }
    return points
  })

  const step = steps[where].kill
  for (let n = 1 + Math.floor(Math.random() * Math.min(step, points)); n <= points; n += step)
    await inPlace(async (service, place) => {
      const { ended } = startChild(scenario, folderIn(place), service.url, where, 'kill', n, step)
      // One that came by fewer points than the run before has ended well.
      await ended
      await again(service, place, `killed at point ${n}`)
    })
  return points
}

/** An identity that is registered already, with one friend. */
async function registered(service: Standin, folder: string): Promise<void> {
  const keys = generateKeyPair()
  const token = 'kith_0000000000000000000000000000000000000000000'
  const bot = service.addBot({ handle: 'ada', encryption_public_key: keys.publicKey }, token)
  const friend = generateKeyPair()
  service.contacts.push({
    id: '0198c000-0000-7000-8000-0000000000cc',
    status: 'accepted',
    peer: { id: peerId, handle: 'bob', display_name: 'Bob', encryption_public_key: friend.publicKey },
  })
  const store = await openFolder(folder)
  await store.write('key', keys.secretKey)
  const token_expires_at = new Date(Date.now() + 20 * 86_400_000).toISOString()
  await store.write('token', JSON.stringify({ token, token_expires_at }))
  await store.write('passport.json', JSON.stringify({ base_url: service.url, bot }))
}

async function tokenIn(folder: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, 'token'), 'utf8')).token
}

for (const where of ['calls', 'awaits'] as const) {
  test(`killed anywhere (${where}), a registration creates one passport and keeps its key and token`, async (t) => {
    const points = await everywhere(
      'register',
      where,
      async () => {},
      async (service, folder) => {
        assert.equal(service.bots.size, 1)
        const [bot] = service.bots.values()
        assert.equal(service.tokens.get(await tokenIn(folder)), bot!.id)
        assert.equal(
          keyPairOf((await readFile(join(folder, 'key'), 'utf8')).trim()).publicKey,
          bot!.encryption_public_key,
        )
        assert.equal(JSON.parse(await readFile(join(folder, 'passport.json'), 'utf8')).bot.id, bot!.id)
      },
    )
    t.diagnostic(`${points} points`)
    assert.ok(points > 80)
  })

  test(`killed anywhere (${where}), a message is sent once`, async (t) => {
    const points = await everywhere('send', where, registered, async (service, folder) => {
      assert.deepEqual([...service.messages.keys()], [messageId])
      const sent = service.log.filter((line) => line.startsWith('POST /messages'))
      assert.equal(new Set(sent).size, 1, 'every sending had the same bytes')
      assert.deepEqual(await (await openFolder(folder)).list('journal'), [])
    })
    t.diagnostic(`${points} points`)
    assert.ok(points > 30)
  })

  test(`killed anywhere (${where}), a sent decision is never decided again, and takes effect once`, async (t) => {
    const points = await everywhere(
      'decide',
      where,
      async (service, folder) => {
        await registered(service, folder)
        service.offer(orderId, { rises: [220] })
      },
      async (service, folder) => {
        const { state, version } = service.orders.get(orderId)!
        assert.deepEqual([state, version], ['funded', 3], 'repriced once, accepted once')
        const sent = service.log
          .filter((line) => line.startsWith('POST /orders/'))
          .map((line) => JSON.parse(line.slice(line.indexOf('{'))).expected_version)
        assert.deepEqual([...new Set(sent)], [1, 2])
        // A crash between a decision and its first byte on disk leaves nothing: only then is it asked again.
        const decided = (await readFile(join(folder, 'decided'), 'utf8')).split('\n').slice(0, -1)
        assert.ok(decided.length <= 3 && decided.at(-1) === '2', decided.join(' '))
        const agent = await openIdentity(folder)
        await agent.resumePending()
        assert.deepEqual([await agent.pending(), service.orders.get(orderId)!.version], [[], 3])
        await scenarios.decide(folder)
        assert.equal((await readFile(join(folder, 'decided'), 'utf8')).split('\n').length, decided.length + 1)
      },
    )
    t.diagnostic(`${points} points`)
    assert.ok(points > 30)
  })

  test(`killed anywhere (${where}), a friendship is requested once`, async (t) => {
    const points = await everywhere(
      'befriend',
      where,
      async (service, folder) => {
        await registered(service, folder)
        service.addBot({ id: strangerId, encryption_public_key: generateKeyPair().publicKey })
        // The second look finds that it was accepted.
        service.server.on('request', ({ method, url }) => {
          const asked = service.contacts.find(({ requester_id }) => requester_id !== undefined)
          if (!asked || method !== 'GET' || !url?.endsWith('/contacts')) return
          if (asked['seen']) asked['status'] = 'accepted'
          asked['seen'] = true
        })
      },
      async (service, folder) => {
        assert.equal(service.contacts.length, 2)
        const pins = JSON.parse(await readFile(join(folder, 'pins.json'), 'utf8'))
        assert.ok(pins[strangerId])
      },
    )
    t.diagnostic(`${points} points`)
    assert.ok(points > 20)
  })

  test(`killed anywhere (${where}), a rotation ends with a working token, and a lost token is reported`, async (t) => {
    let lost = 0
    const points = await everywhere('rotate', where, registered, async (service, folder) => {
      assert.ok(service.tokens.has(await tokenIn(folder)))
      const store = await openFolder(folder)
      assert.equal(await store.read('rotation.json'), undefined)
      const reason = await store.read('lost')
      if (reason) lost++
      assert.ok(reason === undefined || reason === 'rotation\n', `the loss was named ${reason}`)
    })
    t.diagnostic(`${points} points, ${lost} of them lost the token and recovered`)
    // Between the service's commit and the synced file the token is truly gone: those points must exist, and be few.
    assert.ok(lost < points && (lost > 0 || where === 'awaits'))
  })

  test(`killed anywhere (${where}), no acknowledged event is lost and no finished event comes again`, async (t) => {
    let socket: ReturnType<typeof attachSocket>
    let finished: string[] = []
    let before: string[] = []
    const lines = async (path: string) => (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1)
    const points = await everywhere(
      'receive',
      where,
      async (service, folder) => {
        await registered(service, folder)
        socket = attachSocket(service.server)
        const payload = { order_id: peerId, status: 'funded', version: 1 }
        socket.events = eventIds.map((event_id) => ({ event_id, kind: 'order.changed', payload }))
        const { remember } = service
        service.remember = () => {
          const back = remember()
          const { events, acks } = socket
          const then = structuredClone({ events, acks })
          return () => {
            back()
            Object.assign(socket, structuredClone(then))
          }
        }
      },
      async (_, folder) => {
        const handled = await lines(join(folder, 'handled'))
        assert.deepEqual(new Set(handled), new Set(eventIds))
        const again = handled.slice(before.length)
        assert.deepEqual(
          again.filter((id) => finished.includes(id)),
          [],
        )
      },
      async (folder) => {
        before = await lines(join(folder, 'handled'))
        const inbox = await lines(join(folder, 'inbox', 'events.ndjson'))
        const stored = inbox
          .map((line) => JSON.parse(line))
          .flatMap((line) => (line.event ? [line.event.event_id] : []))
        finished = inbox.flatMap((line) => JSON.parse(line).done ?? [])
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
}
