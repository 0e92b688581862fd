// What two workers tell each other through the sockets that join them.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { Note } from '../../realtime/wakeups.ts'
import { createPeers, pairOfSockets } from './peers.ts'
import { isHanded } from './verbs.ts'

/** Notes that arrive, and a wait for so many. */
function listening() {
  const heard: Note[] = []
  let tell = (): void => {}
  return {
    heard,
    hear: (note: Note) => {
      heard.push(note)
      tell()
    },
    async count(most: number) {
      while (heard.length < most) await new Promise<void>((resolve) => (tell = resolve))
    },
  }
}

const wake = (from: string, ...agents: string[]): Note => ({ from, wake: agents })

test('each hears what the other tells, in order and whole, however long it is', async () => {
  const [here, there] = await pairOfSockets()
  const [ann, bea] = [listening(), listening()]
  const [ofAnn, ofBea] = [createPeers(ann.hear), createPeers(bea.hear)]
  ofAnn.join('bea', here)
  ofBea.join('ann', there)
  const long = wake('ann', ...Array.from({ length: 5000 }, (_, at) => `agent ${at}: „é“ and \n a break`))
  const notes = [wake('ann', 'dan'), long, wake('ann')]
  for (const note of notes) assert.equal(ofAnn.tell('bea', note), true)
  ofBea.tell('ann', wake('bea', 'eve'))
  await bea.count(3)
  await ann.count(1)
  assert.deepEqual(bea.heard, notes)
  assert.deepEqual(ann.heard, [wake('bea', 'eve')])
  here.destroy()
  there.destroy()
})

test('a worker that is not joined, or has gone, is told another way', async () => {
  const [here, there] = await pairOfSockets()
  const peers = createPeers(() => {})
  assert.equal(peers.tell('bea', wake('ann')), false)
  peers.join('bea', here)
  assert.equal(peers.tell('bea', wake('ann')), true)
  const closed = new Promise((resolve) => here.once('close', resolve))
  there.destroy()
  await closed
  assert.equal(peers.tell('bea', wake('ann')), false)
})

test('hints to a worker that reads nothing are dropped beyond a megabyte', async () => {
  const [here, there] = (await pairOfSockets()) as [Socket, Socket]
  const peers = createPeers(() => {})
  peers.join('bea', here)
  const note = wake('ann', 'x'.repeat(100_000))
  for (let told = 0; told < 100; told++) assert.equal(peers.tell('bea', note), true)
  assert.ok(here.writableLength > 0 && here.writableLength < 1_200_000, `${here.writableLength} bytes wait`)
  here.destroy()
  there.destroy()
})

test('sockets that were sent leave no listeners behind, neither here nor in the worker', async () => {
  const answering = `process.on('message', (_, socket) => {
    socket.once('close', () => process.send(process.eventNames().map((name) => [String(name), process.listenerCount(name)])))
    socket.destroy()
  })`
  const child = spawn(process.execPath, ['-e', answering], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const here = () => child.eventNames().map((name) => [String(name), child.listenerCount(name)])
  const seen: unknown[] = []
  for (let pair = 0; pair < 3; pair++) {
    for (const socket of await pairOfSockets()) {
      child.send({ handed: pair }, socket, { keepOpen: true })
      const [there] = await once(child, 'message')
      socket.destroy()
      seen.push({ here: here(), there })
    }
  }
  // The first one has Node begin to listen for its own messages.
  assert.deepEqual(new Set(seen.map((each) => JSON.stringify(each))).size, 1, JSON.stringify(seen))
  child.kill()
  await once(child, 'exit')
})

test('what comes with a socket is told from everything else that a process hears', () => {
  for (const message of [{ handed: 1 }, { handed: 2, peer: 'bea' }]) assert.equal(isHanded(message), true)
  for (const other of ['connection', null, undefined, [], {}]) assert.equal(isHanded(other), false)
})

test('who joins two workers reads nothing that one tells the other', async () => {
  const [here, there] = await pairOfSockets()
  await new Promise<void>((resolve) => there.write('first\n', () => resolve()))
  // Another pair has carried something there meanwhile: this process would have read it by now.
  const [one, other] = await pairOfSockets()
  one.write('second\n')
  assert.equal(String((await once(other.resume(), 'data'))[0]), 'second\n')
  assert.equal(here.bytesRead, 0)
  assert.equal(String((await once(here.resume(), 'data'))[0]), 'first\n')
  for (const socket of [here, there, one, other]) socket.destroy()
})
