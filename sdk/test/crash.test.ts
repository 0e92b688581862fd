// The process is killed with SIGKILL at every call of the disk and the network, and in the middle of every write; a
// second run then has to end what the first began, once. The awaits of the SDK's code are killed at too: each run of
// this file takes every 11th, from a start of its own; KITH_CRASH=full takes all of them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { generateKeyPair, keyPairOf } from '../src/box.ts'
import { openFolder } from '../src/node.ts'
import { eventIds, messageId, peerId, scenarios } from './scenarios.ts'
import { type Standin, startStandin } from './standin.ts'
import { attachSocket } from './standin-socket.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'kith-crash-'))
})
after(() => rm(root, { recursive: true, force: true }))

const full = process.env['KITH_CRASH'] === 'full'
const child = fileURLToPath(new URL('crash-child.ts', import.meta.url))

/** True if the child came to its end, false if it was killed on the way. */
async function runKilled(scenario: string, folder: string, origin: string, n: number, where: string): Promise<boolean> {
  const args = ['--conditions=source', child, scenario, folder, origin, String(n), where]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'cache') }
  const run = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  run.stdout.on('data', (text) => {
    out += text
  })
  const [exit, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    run.on('close', (...how) => resolve(how)),
  )
  assert.ok(signal === 'SIGKILL' || (exit === 0 && out === 'completed'), `the child ended with ${exit ?? signal}`)
  return signal === null
}

/** Kill at every n until a run gets through; after each, run again in peace and judge. */
async function everywhere(
  scenario: keyof typeof scenarios,
  where: 'calls' | 'awaits',
  prepare: (service: Standin, folder: string) => Promise<void>,
  judge: (service: Standin, folder: string) => Promise<void>,
  /** Looks at the scene right after the kill. */
  witness: (folder: string) => Promise<void> = async () => {},
): Promise<number> {
  const step = where === 'calls' || full ? 1 : 11
  for (let n = 1 + Math.floor(Math.random() * step); ; n += step) {
    const folder = join(root, `${scenario}-${where}-${n}`)
    const service = await startStandin()
    try {
      await prepare(service, folder)
      const through = await runKilled(scenario, folder, service.url, n, where)
      await witness(folder)
      await scenarios[scenario](folder, service.url)
      await judge(service, folder).catch((error) => {
        throw new Error(`killed at point ${n} of ${where}`, { cause: error })
      })
      if (through) return n - 1
    } finally {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
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
  test(`killed anywhere (${where}), a registration makes one passport and keeps its key and token`, async (t) => {
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

  test(`killed anywhere (${where}), a rotation ends with a token that works, and a lost one is named`, async (t) => {
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

  test(`killed anywhere (${where}), no acknowledged event is lost and no finished one comes again`, async (t) => {
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
