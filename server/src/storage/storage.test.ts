// What holds for every storage: each story runs with a folder and with an S3 service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noSwift, type Swift, startSwift } from '../../test/swift.ts'
import { readConfig } from '../config.ts'
import { newId } from '../kernel/clock.ts'
import { openStorage } from './open.ts'
import { ObjectMissing, type Storage } from './storage.ts'

let base: string
let swift: Swift
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'kith-storage-'))
  if (!noSwift) swift = await startSwift()
})
after(async () => {
  await swift?.stop()
  await rm(base, { recursive: true, force: true })
})

interface Place {
  env: Record<string, string>
  storage: Storage
  /** A file with these bytes, on its way. */
  incoming(bytes: Buffer): Promise<string>
  keys(after?: string): Promise<string[]>
}

let time = Date.parse('2026-03-01T10:00:00Z')
const id = (later = 0): string => {
  time += later
  return newId(new Date(time))
}
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const readAll = async (opened: Promise<Readable>): Promise<Buffer> => buffer(await opened)

function story(name: string, tell: (place: Place) => Promise<void>): void {
  const urls = {
    'a folder': { skip: false as const, url: () => `file:${join(base, randomUUID())}` },
    'an S3 service': { skip: noSwift, url: () => swift.url() },
  }
  for (const [where, { skip, url }] of Object.entries(urls)) {
    test(`${name}: ${where}`, { skip }, async (t) => {
      const env = { STORAGE_URL: url(), DATA_DIR: join(base, randomUUID()) }
      const storage = await openStorage(readConfig(env))
      t.after(() => storage.close())
      await tell({
        env,
        storage,
        async incoming(bytes) {
          const path = join(storage.incoming, randomUUID())
          await writeFile(path, bytes)
          return path
        },
        keys: async (after) => (await Array.fromAsync(storage.list(after))).map(({ key }) => key),
      })
    })
  }
}

story('Ada’s photo and its preview come back as they were', async ({ storage, incoming, keys }) => {
  const photo = id()
  const files = { original: randomBytes(300_000), preview: Buffer.alloc(0) }
  for (const [name, bytes] of Object.entries(files)) {
    const path = await incoming(bytes)
    await storage.put(`${photo}/${name}`, path)
    assert.ok(!existsSync(path), 'taken over')
  }
  for (const [name, bytes] of Object.entries(files)) {
    assert.ok(bytes.equals(await readAll(storage.open(`${photo}/${name}`))), name)
  }
  assert.deepEqual(await Array.fromAsync(storage.list()), [
    { key: `${photo}/original`, bytes: 300_000 },
    { key: `${photo}/preview`, bytes: 0 },
  ])
  const again = randomBytes(10)
  await storage.put(`${photo}/original`, await incoming(again))
  assert.ok(again.equals(await readAll(storage.open(`${photo}/original`))), 'put again after a crash')
  assert.equal((await keys()).length, 2)
  await storage.check()
  await storage.check()
  assert.deepEqual(await readdir(storage.incoming), [])
})

story('Bob plays a video from any byte to any byte', async ({ storage, incoming }) => {
  const bytes = randomBytes(1000)
  const key = `${id()}/playback`
  await storage.put(key, await incoming(bytes))
  for (const [start, end] of [
    [0, 0],
    [0, 999],
    [999, 999],
    [10, 19],
    [500, 500],
    [990, 5000],
  ] as const) {
    const part = await readAll(storage.open(key, { start, end }))
    assert.ok(bytes.subarray(start, end + 1).equals(part), `${start}-${end}`)
  }
  await assert.rejects(storage.open(key, { start: 1000, end: 1000 }), RangeError)
  const empty = `${id()}/original`
  await storage.put(empty, await incoming(Buffer.alloc(0)))
  await assert.rejects(storage.open(empty, { start: 0, end: 0 }), RangeError)
})

story('a large file goes in parts and comes back whole', async ({ storage, incoming }) => {
  const bytes = randomBytes(40 * 1024 * 1024 + 17)
  const key = `${id()}/original`
  await storage.put(key, await incoming(bytes))
  assert.equal(digest(await readAll(storage.open(key))), digest(bytes))
  const border = 8 * 1024 * 1024
  const across = await readAll(storage.open(key, { start: border - 3, end: border + 3 }))
  assert.ok(bytes.subarray(border - 3, border + 4).equals(across))
  // Exactly two parts: no third, empty one.
  const exact = `${id()}/original`
  await storage.put(exact, await incoming(bytes.subarray(0, 2 * border)))
  assert.equal((await readAll(storage.open(exact))).length, 2 * border)
})

story('what is not there is missing, and what is no key is refused', async ({ storage, incoming, keys }) => {
  const key = `${id()}/original`
  await assert.rejects(storage.open(key), ObjectMissing)
  await assert.rejects(storage.open(key, { start: 0, end: 1 }), ObjectMissing)
  const path = await incoming(Buffer.from('x'))
  const outside = [
    '../x',
    `../${key}`,
    `${id()}/other`,
    `${id()}/`,
    id(),
    `${key}/..`,
    key.toUpperCase(),
    `${key}\n`,
    '',
  ]
  for (const wrong of outside) {
    await assert.rejects(storage.put(wrong, path), TypeError)
    await assert.rejects(storage.open(wrong), TypeError)
    if (wrong.includes('/')) await assert.rejects(storage.remove(wrong), TypeError)
  }
  await assert.rejects(storage.put(key, join(storage.incoming, 'none')), { code: 'ENOENT' })
  assert.deepEqual(await keys(), [])
})

story('removing takes all of an attachment, nothing of another, and may be repeated', async (place) => {
  const { storage, incoming, keys } = place
  const [ada, bob] = [id(), id()]
  for (const key of [`${ada}/original`, `${ada}/playback`, `${ada}/preview`, `${bob}/original`]) {
    await storage.put(key, await incoming(Buffer.from(key)))
  }
  await storage.put(`${ada}/original`, await incoming(randomBytes(9 * 1024 * 1024)))
  for (let round = 0; round < 2; round++) {
    await storage.remove(ada)
    assert.deepEqual(await keys(), [`${bob}/original`])
  }
  await assert.rejects(storage.open(`${ada}/preview`), ObjectMissing)
  await storage.remove(id())
})

story('a list goes by ids, over hours and years, and on from any of them', async ({ storage, incoming, keys }) => {
  const ids = [0, 1, 1, 20_000_000, 0, 5, 40_000_000_000, 1].map(id)
  const expected = ids.flatMap((each) => [`${each}/original`, `${each}/preview`])
  await Promise.all(expected.toReversed().map(async (key) => storage.put(key, await incoming(Buffer.from(key)))))
  assert.deepEqual(await keys(), expected)
  for (const [at, each] of ids.entries()) assert.deepEqual(await keys(each), expected.slice(2 * at + 2))
  assert.deepEqual(await keys('00000000-0000-7000-8000-000000000000'), expected)
  // An entry that is gone is as good a place to go on from.
  await storage.remove(ids[3] as string)
  assert.deepEqual(await keys(ids[3]), expected.slice(8))
  // Who stops in the middle leaves nothing open.
  for await (const { key } of storage.list()) {
    assert.equal(key, expected[0])
    break
  }
})

story('a process killed in the middle of a put leaves a whole object or none', async ({ env, storage, incoming }) => {
  const bytes = randomBytes(17 * 1024 * 1024)
  const killed = await Promise.all(
    [0, 40, 150].map(async (patience) => {
      const key = `${id()}/original`
      const fixture = fileURLToPath(new URL('storage.fixture.ts', import.meta.url))
      const child = spawn(process.execPath, [fixture, key, await incoming(bytes)], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
      })
      const ended = once(child, 'exit')
      await Promise.race([once(child.stdout, 'data'), ended])
      await sleep(patience)
      child.kill('SIGKILL')
      await ended
      return { key, acknowledged: output.includes('put\n') }
    }),
  )
  const there = new Map((await Array.fromAsync(storage.list())).map((object) => [object.key, object.bytes]))
  for (const { key, acknowledged } of killed) {
    if (acknowledged) assert.ok(there.has(key), 'what was acknowledged is there')
    // A service that heard all of it may take it later than the list was made.
    const found = await readAll(storage.open(key)).catch((error) => error)
    if (there.has(key) || !(found instanceof ObjectMissing)) assert.equal(digest(found), digest(bytes))
    await storage.put(key, await incoming(bytes))
    assert.equal(digest(await readAll(storage.open(key))), digest(bytes), 'and the next one is taken')
  }
})

story('many put and read at once', async ({ storage, incoming, keys }) => {
  const agents = Array.from({ length: 10 }, (_, at) => ({
    key: `${id()}/original`,
    bytes: randomBytes(1 + at * 150_000),
  }))
  await Promise.all(
    agents.map(async ({ key, bytes }) => {
      const reading = readAll(storage.open(key)).catch((error) => error)
      await storage.put(key, await incoming(bytes))
      const early = await reading
      assert.ok(early instanceof ObjectMissing || bytes.equals(early), 'nothing or everything')
      const reads = await Promise.all([1, 2, 3].map(() => readAll(storage.open(key))))
      for (const read of reads) assert.ok(bytes.equals(read))
    }),
  )
  assert.deepEqual(await keys(), agents.map(({ key }) => key).sort())
})

story('readers that go away take their descriptors with them', async ({ storage, incoming }) => {
  const key = `${id()}/playback`
  await storage.put(key, await incoming(randomBytes(4 * 1024 * 1024)))
  const open = async (): Promise<number> => {
    return (await readdir('/dev/fd')).length
  }
  const leave = async (): Promise<void> => {
    const reader = await storage.open(key)
    await once(reader, 'readable')
    assert.ok(reader.read(1))
    const closed = once(reader, 'close')
    reader.destroy()
    await closed
  }
  await leave()
  const before = await open()
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 20 }, leave))
  // Longer than anything takes on a machine whose cores are all busy.
  const deadline = performance.now() + 240_000
  while ((await open()) > before + 2 && performance.now() < deadline) await sleep(50)
  assert.ok((await open()) <= before + 2, 'descriptors are left open')
  assert.equal((await readAll(storage.open(key))).length, 4 * 1024 * 1024)
})
