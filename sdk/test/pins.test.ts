// The store of pinned keys: parsed once while its file stays, and never behind what another process pinned.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { generateKeyPair } from '../src/box.ts'
import { KithKeyChangedError, openFolder, systemRuntime } from '../src/node.ts'
import { createPins, type Pins } from '../src/pins.ts'
import { temporaryFolder } from './fixtures.ts'

const peer = (handle: string) => ({
  id: crypto.randomUUID() as string,
  handle,
  encryption_public_key: generateKeyPair().publicKey,
})

/** The pins of one folder as a process has them, and how often it read and wrote them. */
async function process(path: string): Promise<Pins & { reads: number; writes: number }> {
  const folder = await openFolder(path)
  const counts = { reads: 0, writes: 0 }
  const store = {
    ...folder,
    read: (name: string) => {
      counts.reads++
      return folder.read(name)
    },
    write: (name: string, text: string) => {
      counts.writes++
      return folder.write(name, text)
    },
  }
  return Object.assign(counts, createPins({ store, runtime: systemRuntime }))
}

/** A moment at which every file that was written so far has long been there. */
const later = (t: TestContext): void => t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })

test('a file that stays is read once, however many messages are opened', async (t) => {
  const path = await temporaryFolder(t)
  const bob = peer('bob')
  await (await process(path)).check(bob)
  later(t)
  const ann = await process(path)
  for (let n = 0; n < 100; n++) assert.equal(await ann.check(bob), bob.encryption_public_key)
  assert.equal((await ann.get(bob.id))?.handle, 'bob')
  assert.equal(ann.reads, 1)
  // What a caller does with a pin changes none.
  Object.assign((await ann.get(bob.id))!, { public_key: 'x' })
  assert.equal(await ann.check(bob), bob.encryption_public_key)
})

test('what another process pinned, saw changed or trusted counts at once', async (t) => {
  const path = await temporaryFolder(t)
  const [ann, other] = [await process(path), await process(path)]
  const [bob, cyd] = [peer('bob'), peer('cyd')]
  const newKey = generateKeyPair().publicKey
  await ann.check(bob)
  later(t)
  assert.equal(await ann.get(cyd.id), undefined)
  await other.check(cyd)
  assert.equal((await ann.get(cyd.id))?.public_key, cyd.encryption_public_key)
  await assert.rejects(other.check({ ...bob, encryption_public_key: newKey }), KithKeyChangedError)
  await assert.rejects(ann.check(bob), KithKeyChangedError, 'the old key is refused too')
  const { fingerprint, changed } = (await ann.get(bob.id))!
  // Files of one length, one after the other.
  for (let n = 0; n < 20; n++) {
    await other.trust(bob.id, changed!.fingerprint)
    assert.equal(await ann.check({ ...bob, encryption_public_key: newKey }), newKey)
    await assert.rejects(other.check(bob), KithKeyChangedError)
    await other.trust(bob.id, fingerprint)
    assert.equal((await ann.get(bob.id))?.public_key, bob.encryption_public_key)
    await assert.rejects(other.check({ ...bob, encryption_public_key: newKey }), KithKeyChangedError)
  }
  await rm(join(path, 'pins.json'))
  assert.equal(await ann.get(bob.id), undefined)
  await writeFile(join(path, 'pins.json'), '{"0198')
  await assert.rejects(ann.get(bob.id), { name: 'KithDamagedError' })
})

test('the text of a file that has just changed is read each time: its successor could look the same', async (t) => {
  const ann = await process(await temporaryFolder(t))
  const bob = peer('bob')
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  await ann.check(bob)
  const { reads } = ann
  for (let n = 0; n < 10; n++) await ann.get(bob.id)
  assert.equal(ann.reads - reads, 10)
})

test('many new friends are pinned with one write, and no key that another process pinned is replaced', async (t) => {
  const path = await temporaryFolder(t)
  const [ann, other] = [await process(path), await process(path)]
  const friends = Array.from({ length: 30 }, (_, n) => peer(`friend_${n}`))
  const [bob] = friends as [(typeof friends)[0]]
  const unusable = { ...peer('zed'), encryption_public_key: Buffer.alloc(32).toString('base64') }
  await other.check({ ...bob, encryption_public_key: generateKeyPair().publicKey })
  await ann.add([...friends, unusable])
  assert.deepEqual([ann.writes, Object.keys(await ann.all()).length], [1, 30])
  for (const friend of friends.slice(1)) assert.equal(await ann.check(friend), friend.encryption_public_key)
  await assert.rejects(ann.check(bob), KithKeyChangedError)
  await ann.add(friends)
  assert.equal(ann.writes, 2, 'the change alone was written')
})

test('friends that several processes pin at once are all there', async (t) => {
  const path = await temporaryFolder(t)
  const friends = Array.from({ length: 24 }, (_, n) => peer(`friend_${n}`))
  await Promise.all(
    [0, 1, 2].map(async (nth) => {
      const each = await process(path)
      const own = friends.filter((_, n) => n % 3 === nth)
      await each.add(own.slice(0, 4))
      for (const friend of own.slice(4)) await each.check(friend)
    }),
  )
  const pins = await (await process(path)).all()
  for (const friend of friends) assert.equal(pins[friend.id]?.public_key, friend.encryption_public_key)
})
