// The identity's folder: closed to others, synced in the right order, and locked so that a killed holder blocks nobody.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { tinyDisk } from '../../server/test/tiny-disk.ts'
import { KithBusyError, KithIdentityError, KithInputError } from '../src/errors.ts'
import { folderLocks } from '../src/node/locks.ts'
import { openFolder, openIdentity } from '../src/node.ts'
import { memoryStore, type Store } from '../src/store.ts'
import { temporaryFolder, world } from './fixtures.ts'

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

for (const [kind, make] of [
  ['memory', async () => memoryStore()],
  ['folder', async (root: string) => openFolder(join(root, 'ada'))],
] as [string, (root: string) => Promise<Store>][])
  test(`a ${kind} store keeps, lists, refuses and removes`, async (t) => {
    const store = await make(await temporaryFolder(t))
    assert.equal(await store.read('key'), undefined)
    assert.equal(await store.create('key', 'one'), true)
    assert.equal(await store.create('key', 'two'), false)
    assert.equal(await store.read('key'), 'one')
    await store.write('key', 'three')
    assert.equal(await store.read('key'), 'three')
    assert.deepEqual(await store.list('journal'), [])
    for (const name of ['journal/b', 'journal/a']) await store.write(name, 'x')
    assert.deepEqual(await store.list('journal'), ['a', 'b'])
    await store.remove('journal/a')
    await store.remove('journal/a')
    assert.deepEqual(await store.list('journal'), ['b'])
  })

test('only the owner can read an identity', async (t) => {
  const root = await temporaryFolder(t)
  const { store } = await world(t, { store: await openFolder(join(root, 'new', 'ada')) })
  const folder = (store as Awaited<ReturnType<typeof openFolder>>).path
  await store.write('journal/x', '{}')
  const agent = await openIdentity(folder)
  const receiver = await agent.receive()
  await receiver.close()
  assert.equal(await mode(folder), '700')
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    assert.equal(await mode(join(entry.parentPath, entry.name)), entry.isDirectory() ? '700' : '600', entry.name)
})

test('a new folder is closed to others; a used folder that others can enter is refused', async (t) => {
  const root = await temporaryFolder(t)
  await mkdir(join(root, 'empty'), { mode: 0o755 })
  await openFolder(join(root, 'empty'))
  assert.equal(await mode(join(root, 'empty')), '700')
  await writeFile(join(root, 'empty', 'key'), 'x')
  await chmod(join(root, 'empty'), 0o750)
  await assert.rejects(openFolder(join(root, 'empty')), KithIdentityError)
})

test('a folder without an identity says what is missing, and one that does not exist is not made', async (t) => {
  const root = await temporaryFolder(t)
  const path = join(root, 'ada')
  const refusal = (message: RegExp) => ({ name: 'KithIdentityError', message })
  await assert.rejects(openIdentity(path), refusal(/ada does not exist: register/))
  assert.deepEqual(await readdir(root), [])
  const store = await openFolder(path)
  await assert.rejects(openIdentity(path), refusal(/ada has no passport: register/))
  await store.write('registration.json', '{"base_url":"https://kith.example","handle":"ada"}')
  await assert.rejects(openIdentity(path), refusal(/ada has an unfinished registration of ada: finish it with /))
})

test('names stay inside the folder', async (t) => {
  const store = await openFolder(await temporaryFolder(t))
  for (const name of ['../x', '/etc/passwd', 'a/../b', 'a/b/c', '.hidden', 'a/.b', '', 'A', 'a\\b', 'a/'])
    await assert.rejects(async () => store.write(name, 'x'), KithInputError, name)
})

test('a write is synced before its name appears, and the folder before success is reported', async (t) => {
  const store = await openFolder(await temporaryFolder(t))
  await store.write('warm', 'x')
  const order: string[] = []
  const real = { ...fs.promises }
  const handle = await fs.promises.open(join(store.path, 'warm'))
  const prototype = Object.getPrototypeOf(handle) as {
    sync: () => Promise<void>
    writeFile: (data: string) => Promise<void>
  }
  await handle.close()
  const { sync, writeFile: write } = prototype
  t.after(() => {
    Object.assign(fs.promises, real)
    Object.assign(prototype, { sync, writeFile: write })
    syncBuiltinESMExports()
  })
  prototype.sync = async function () {
    order.push('sync')
    return sync.call(this)
  }
  prototype.writeFile = async function (data) {
    order.push('write')
    return write.call(this, data)
  }
  fs.promises.rename = async (...args) => {
    order.push('rename')
    return real.rename(...args)
  }
  fs.promises.link = async (...args) => {
    order.push('link')
    return real.link(...args)
  }
  fs.promises.unlink = async (...args) => {
    order.push('unlink')
    return real.unlink(...args)
  }
  syncBuiltinESMExports()
  await store.write('token', 'x')
  assert.deepEqual(order.splice(0), ['write', 'sync', 'rename', 'sync'])
  await store.create('key', 'x')
  assert.deepEqual(order.splice(0), ['write', 'sync', 'link', 'sync'])
  await store.remove('token')
  assert.deepEqual(order, ['unlink', 'sync'])
})

test('a passport, token or registration of another shape is damaged, and the error says what to do', async (t) => {
  const folder = join(await temporaryFolder(t), 'ada')
  const store = await openFolder(folder)
  const bot = { id: '0198c000-0000-7000-8000-000000000001', handle: 'ada' }
  const passport = { base_url: 'https://kith.example', bot }
  const mending = 'restore it from a backup, or delete it and recover access'
  const refused = (file: string, what: string) =>
    assert.rejects(async () => (await openIdentity(folder)).tokens.rotate(), {
      name: 'KithDamagedError',
      file,
      message: `${file} in ${folder} is damaged: ${what}`,
    })
  for (const each of [
    null,
    [],
    'ada',
    1,
    {},
    { base_url: 1, bot },
    { ...passport, bot: null },
    { ...passport, bot: {} },
  ]) {
    await store.write('passport.json', JSON.stringify(each))
    await refused('passport.json', mending)
  }
  await store.write('passport.json', JSON.stringify(passport))
  for (const each of [null, [], {}, { token: 'x' }, { token_expires_at: '2030-01-01T00:00:00Z' }]) {
    await store.write('token', JSON.stringify(each))
    await refused('token', 'recover access')
  }
  await store.remove('passport.json')
  await store.write('registration.json', '[]')
  await refused('registration.json', 'restore it from a backup')
})

test("a killed process's half-written files are removed later, a living process's are not", async (t) => {
  const root = await temporaryFolder(t)
  await openFolder(root)
  const old = new Date(Date.now() - 120_000)
  for (const pid of [2 ** 22 + 1, process.ppid]) {
    await writeFile(join(root, `.${pid}.0123456789ab.tmp`), 'half', { mode: 0o600 })
    await utimes(join(root, `.${pid}.0123456789ab.tmp`), old, old)
  }
  await openFolder(root)
  assert.deepEqual(await readdir(root), [`.${process.ppid}.0123456789ab.tmp`])
})

const holder = `
  import { folderLocks } from ${JSON.stringify(new URL('../src/node/locks.ts', import.meta.url).href)}
  await folderLocks(process.argv[1])('token')
  process.stdout.write('held')
  setInterval(() => {}, 1000)`

async function holdElsewhere(folder: string) {
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', holder, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const kill = () =>
    new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      child.kill('SIGKILL')
    })
  return { child, kill }
}

test('a lock holds between processes, and ends at once with kill -9', async (t) => {
  const folder = await temporaryFolder(t)
  const lock = folderLocks(folder)
  const { child, kill } = await holdElsewhere(folder)
  await assert.rejects(lock('token', 200), (error) => {
    assert.ok(error instanceof KithBusyError)
    assert.match(error.message, new RegExp(`process ${child.pid}`))
    return true
  })
  await (await lock('other', 0))()
  await kill()
  // A wait of none is enough.
  await (await lock('token', 0))()
})

test('a reused process ID does not hold a lock', async (t) => {
  const folder = await temporaryFolder(t)
  const lock = folderLocks(folder)
  await (await lock('token'))()
  const unlock = await lock('token')
  const [top] = (await readdir(folder)).sort().reverse()
  const record = JSON.parse(await readFile(join(folder, top!), 'utf8'))
  await unlock()
  record.holder.pid = process.ppid
  await writeFile(join(folder, 'token.3'), JSON.stringify(record))
  await (await lock('token', 200))()
})

test('a lock holder on another machine counts while it shows signs of life', async (t) => {
  const folder = await temporaryFolder(t)
  const record = { free: false, holder: { place: 'another host', pid: 1, started: '1' } }
  await writeFile(join(folder, 'token.1'), JSON.stringify(record))
  await assert.rejects(folderLocks(folder)('token', 100), KithBusyError)
  const silent = new Date(Date.now() - 30_000)
  await utimes(join(folder, 'token.1'), silent, silent)
  await (await folderLocks(folder)('token', 100))()
})

test('with many contenders one holds the lock at a time, and files do not pile up', async (t) => {
  const folder = await temporaryFolder(t)
  let inside = 0
  let most = 0
  await Promise.all(
    // Each has locks of its own, as processes have.
    Array.from({ length: 12 }, async () => {
      const lock = folderLocks(folder)
      for (let n = 0; n < 5; n++) {
        const unlock = await lock('token')
        most = Math.max(most, ++inside)
        await new Promise((resolve) => setTimeout(resolve, 1))
        inside--
        await unlock()
      }
    }),
  )
  assert.equal(most, 1)
  assert.ok((await readdir(folder)).length <= 2)
})

test('a lock ends on a full disk too', async (t) => {
  const disk = await tinyDisk(t, join(await temporaryFolder(t), 'disk'), 64)
  if (!disk) return
  try {
    const store = await openFolder(join(disk.folder, 'ada'))
    const unlock = await store.lock('token')
    const filler = join(disk.folder, 'filler')
    await assert.rejects(writeFile(filler, Buffer.alloc(1 << 20)), { code: 'ENOSPC' })
    await assert.rejects(store.lock('pins'), { code: 'ENOSPC' })
    assert.deepEqual(await readdir(join(store.path, 'locks')), ['token.1'], 'nothing half written is left')
    await unlock()
    await rm(filler)
    for (const each of [store, await openFolder(store.path)]) await (await each.lock('token', 0))()
  } finally {
    disk.end()
  }
})
