// A run may end at every call of the disk and the network, and in the middle of every write; a second run then has to
// end what the first began, once. One child stands still at each of these points, and what a SIGKILL would leave there
// is kept: the folder as the kernel has it, and what the service knows. Once the child is dead, a second run starts from
// each. Other children are killed there in earnest, at a point here and there: a kill leaves nothing else behind.
// The awaits of the SDK's code are points too; each run of this file takes every 11th, from a start of its own.
// KITH_CRASH=full takes all points, and kills at each.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { after, before, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { remove } from '../../server/test/scratch.ts'
import { generateKeyPair } from '../src/box.ts'
import { openIdentity } from '../src/node.ts'
import { linesOf, receiving, registered, registering, rotating, type Story, sending } from './crash-stories.ts'
import { orderId, scenarios, strangerId } from './scenarios.ts'
import { type Standin, startStandin } from './standin.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'kith-crash-'))
})
after(() => remove(root))

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
    copyAtRest(place, copy)
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

/** Copies a place as it is at one moment: a call that one of the child's other threads has begun still ends. */
function copyAtRest(place: string, copy: string): void {
  for (;;) {
    try {
      const before = filesIn(place)
      cpSync(place, copy, { recursive: true })
      if (filesIn(place) === before) break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    rmSync(copy, { recursive: true, force: true })
  }
  keepPrivate(copy)
}

/** The files of a place, and when each was last changed. */
function filesIn(place: string): string {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { ino, size, ctimeNs } = lstatSync(join(place, name), { bigint: true })
      return [name, ino, size, ctimeNs].join(' ')
    })
    .join('\n')
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
  { prepare, judge, witness }: Story,
): Promise<number> {
  async function again(service: Standin, place: string, what: string): Promise<void> {
    const folder = folderIn(place)
    try {
      await witness?.(folder)
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
      await remove(place)
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

for (const where of ['calls', 'awaits'] as const) {
  test(`killed anywhere (${where}), a registration creates one passport and keeps its key and token`, async (t) => {
    const points = await everywhere('register', where, registering)
    t.diagnostic(`${points} points`)
    assert.ok(points > 80)
  })

  test(`killed anywhere (${where}), a message is sent once`, async (t) => {
    const points = await everywhere('send', where, sending)
    t.diagnostic(`${points} points`)
    assert.ok(points > 30)
  })

  test(`killed anywhere (${where}), a sent decision is never decided again, and takes effect once`, async (t) => {
    const points = await everywhere('decide', where, {
      prepare: async (service, folder) => {
        await registered(service, folder)
        service.offer(orderId, { rises: [220] })
      },
      judge: async (service, folder) => {
        const { state, version } = service.orders.get(orderId)!
        assert.deepEqual([state, version], ['funded', 3], 'repriced once, accepted once')
        const sent = service.log
          .filter((line) => line.startsWith('POST /orders/'))
          .map((line) => JSON.parse(line.slice(line.indexOf('{'))).expected_version)
        assert.deepEqual([...new Set(sent)], [1, 2])
        // A crash between a decision and its first byte on disk leaves nothing: only then is it asked again.
        const decided = await linesOf(join(folder, 'decided'))
        assert.ok(decided.length <= 3 && decided.at(-1) === '2', decided.join(' '))
        const agent = await openIdentity(folder)
        await agent.resumePending()
        assert.deepEqual([await agent.pending(), service.orders.get(orderId)!.version], [[], 3])
        await scenarios.decide(folder)
        assert.deepEqual(await linesOf(join(folder, 'decided')), decided)
      },
    })
    t.diagnostic(`${points} points`)
    assert.ok(points > 30)
  })

  test(`killed anywhere (${where}), a friendship is requested once`, async (t) => {
    const points = await everywhere('befriend', where, {
      prepare: async (service, folder) => {
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
      judge: async (service, folder) => {
        assert.equal(service.contacts.length, 2)
        const pins = JSON.parse(await readFile(join(folder, 'pins.json'), 'utf8'))
        assert.ok(pins[strangerId])
      },
    })
    t.diagnostic(`${points} points`)
    assert.ok(points > 20)
  })

  test(`killed anywhere (${where}), a rotation ends with a working token, and a lost token is reported`, async (t) => {
    let lost = 0
    const points = await everywhere(
      'rotate',
      where,
      rotating(() => lost++),
    )
    t.diagnostic(`${points} points, ${lost} of them lost the token and recovered`)
    // Between the service's commit and the synced file the token is truly gone: those points must exist, and be few.
    assert.ok(lost < points && (lost > 0 || where === 'awaits'))
  })

  test(`killed anywhere (${where}), no acknowledged event is lost and no finished event comes again`, async (t) => {
    const points = await everywhere('receive', where, receiving())
    t.diagnostic(`${points} points`)
    assert.ok(points > 60)
  })
}
