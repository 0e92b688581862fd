// What is particular to a folder: its names and modes, what a crash leaves in it, nodes that share it.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openLocalStorage } from './local.ts'

let base: string
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'kith-local-'))
})
after(() => rm(base, { recursive: true, force: true }))

const id = '0193a5c0-1111-7222-8333-444455556666'
const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777
const fresh = (): string => join(base, randomUUID(), 'deep', 'files')

async function incoming(folder: string, bytes = randomBytes(1000)): Promise<string> {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes, { mode: 0o644 })
  return path
}

test('files are private to this user, in folders by hour', async () => {
  const folder = fresh()
  const storage = await openLocalStorage(folder)
  await storage.put(`${id}/original`, await incoming(storage.incoming))
  await storage.close()
  assert.deepEqual((await readdir(folder)).sort(), ['.incoming', '0193a5'])
  assert.deepEqual(await readdir(join(folder, '0193a5')), [`${id}.original`])
  assert.equal(await mode(join(folder, '0193a5', `${id}.original`)), 0o600)
  for (const path of [folder, join(folder, '..'), join(folder, '0193a5'), storage.incoming]) {
    assert.equal(await mode(path), 0o700, path)
  }
})

test('an operator’s own folder keeps its mode, and other files in it are not objects', async () => {
  const folder = fresh()
  await mkdir(join(folder, '0193a5'), { recursive: true })
  await mkdir(join(folder, 'lost+found'))
  for (const alien of [
    'readme',
    '0193a5/readme',
    `0193a5/${id}.other`,
    '0193a5/ffffffff-1111-7222-8333-444455556666.original',
  ]) {
    await writeFile(join(folder, alien), 'x')
  }
  await mkdir(join(folder, '0193a5', `${id}.preview`))
  const before = await mode(folder)
  const storage = await openLocalStorage(folder)
  assert.deepEqual(await Array.fromAsync(storage.list()), [])
  assert.equal(await mode(folder), before)
  await storage.close()
})

test('a start deletes unfinished files of an earlier run, but none of another node', async () => {
  const folder = fresh()
  const first = await openLocalStorage(folder)
  const [left, fresher] = [await incoming(first.incoming), await incoming(first.incoming)]
  const threeHoursAgo = (await stat(left)).mtimeMs / 1000 - 3 * 3600
  await utimes(left, threeHoursAgo, threeHoursAgo)
  const second = await openLocalStorage(folder)
  assert.ok(!existsSync(left))
  assert.ok(existsSync(fresher))
  // Both see each other's objects.
  await first.put(`${id}/original`, fresher)
  assert.equal((await buffer(await second.open(`${id}/original`))).length, 1000)
  await second.remove(id)
  assert.deepEqual(await Array.fromAsync(first.list()), [])
  await Promise.all([first.close(), second.close()])
})

const elsewhere = ['/dev/shm', '/run/user/0', '/var/tmp'].find(
  (path) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev,
)

test('a file from another file system is copied', { skip: !elsewhere && 'there is one file system' }, async () => {
  const storage = await openLocalStorage(fresh())
  const there = await mkdtemp(join(elsewhere as string, 'kith-local-'))
  try {
    const bytes = randomBytes(3_000_000)
    const path = await incoming(there, bytes)
    await storage.put(`${id}/original`, path)
    assert.ok(!existsSync(path))
    assert.ok(bytes.equals(await buffer(await storage.open(`${id}/original`))))
    assert.deepEqual(await readdir(storage.incoming), [])
  } finally {
    await rm(there, { recursive: true })
    await storage.close()
  }
})

test('the check reports a folder that is gone, and creates one that may be created', async () => {
  const folder = fresh()
  const storage = await openLocalStorage(folder)
  await storage.put(`${id}/original`, await incoming(storage.incoming))
  await storage.check()
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file in its place')
  await assert.rejects(storage.check())
  await assert.rejects(openLocalStorage(folder))
  await rm(folder)
  await storage.check()
  await storage.put(`${id}/original`, await incoming(storage.incoming))
  assert.equal((await Array.fromAsync(storage.list())).length, 1)
  await storage.close()
})
