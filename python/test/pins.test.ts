// Pinned keys of one folder in Python and in the SDK at once: each keeps them parsed, and neither is behind the other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { generateKeyPair } from '../../sdk/src/box.ts'
import { KithKeyChangedError, openFolder, systemRuntime } from '../../sdk/src/node.ts'
import { createPins } from '../../sdk/src/pins.ts'
import { killLeftovers } from '../../server/test/launch.ts'
import { needing } from '../../server/test/programs.ts'
import { beforehand } from '../../server/test/story.ts'
import { folder as temporary } from './folder.ts'
import { skip, startPython } from './interpreter.ts'

const { after, test } = needing(skip)
const home = beforehand(temporary)
after(killLeftovers)

/** Answers calls of its pins a line each, with how often it has read and written the file; to it, every file is old. */
const program = `
import json, sys, time
from kith import KithKeyChangedError
from kith._folder import Folder
from kith._pins import Pins
now = time.time
time.time = lambda: now() + 60
class Counting(Folder):
    reads = writes = 0
    def read(self, name):
        self.reads += 1
        return super().read(name)
    def write(self, name, text):
        self.writes += 1
        super().write(name, text)
folder = Counting(sys.argv[1])
pins = Pins(folder)
for line in sys.stdin:
    name, *args = json.loads(line)
    try: reply = getattr(pins, name)(*args)
    except KithKeyChangedError: reply = "changed"
    print(json.dumps([reply, folder.reads, folder.writes]), flush=True)`

const peer = (handle: string) => ({
  id: crypto.randomUUID() as string,
  handle,
  encryption_public_key: generateKeyPair().publicKey,
})

test('Python and the SDK see what the other pinned, saw changed or trusted, at once', async () => {
  const path = join(home.path, 'pins')
  const sdk = createPins({ store: await openFolder(path), runtime: systemRuntime })
  const python = startPython(['-c', program, path], { input: true })
  const lines = createInterface({ input: python.child.stdout as Readable })
  const ask = async (...call: unknown[]) => {
    const line = once(lines, 'line')
    python.input.write(`${JSON.stringify(call)}\n`)
    return JSON.parse(((await line) as [string])[0]) as [reply: string | null, reads: number, writes: number]
  }
  const [bob, cyd] = [peer('bob'), peer('cyd')]
  const key = bob.encryption_public_key
  const newKey = generateKeyPair().publicKey
  await sdk.check(bob)
  const [, begun] = await ask('key_of', bob.id)
  for (let n = 0; n < 50; n++) assert.deepEqual(await ask('key_of', bob.id), [key, begun, 0])
  assert.equal((await ask('key_of', cyd.id))[0], null)
  await sdk.check(cyd)
  assert.equal((await ask('key_of', cyd.id))[0], cyd.encryption_public_key)
  const friends = Array.from({ length: 30 }, (_, n) => peer(`friend_${n}`))
  const unusable = { ...peer('zed'), encryption_public_key: Buffer.alloc(32).toString('base64') }
  assert.equal((await ask('add', [...friends, { ...bob, encryption_public_key: newKey }, unusable]))[2], 1)
  for (const friend of friends) assert.equal(await sdk.check(friend), friend.encryption_public_key)
  assert.deepEqual([(await sdk.get(bob.id))?.public_key, Object.keys(await sdk.all()).length], [key, 32])

  assert.equal((await ask('check', bob.id, 'bob', newKey))[0], 'changed')
  const { fingerprint, changed } = (await sdk.get(bob.id))!
  for (let n = 0; n < 10; n++) {
    await sdk.trust(bob.id, changed!.fingerprint)
    assert.equal((await ask('check', bob.id, 'bob', newKey))[0], newKey)
    await assert.rejects(sdk.check(bob), KithKeyChangedError)
    assert.equal((await ask('key_of', bob.id))[0], 'changed')
    await ask('trust', bob.id, fingerprint)
    assert.equal(await sdk.check(bob), key)
    assert.equal((await ask('check', bob.id, 'bob', newKey))[0], 'changed')
  }
  python.input.end()
  assert.equal(await python.ended, 0, python.output())
})
