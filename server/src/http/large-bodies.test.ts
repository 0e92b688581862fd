// Large bodies: what they may hold of the memory, and that none keeps the others waiting. docs/contract/limits.md#requests-at-once.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate as round } from 'node:timers/promises'
import { story } from '../../test/story.ts'
import { type Agent, code, eventually } from '../../test/world.ts'
import { createLargeBodies } from './large-bodies.ts'

const { w } = story()

test('one large body is parsed in each round of the event loop', async () => {
  const { inTurn } = createLargeBodies()
  const done: number[] = []
  for (const each of [1, 2, 3]) inTurn(() => void done.push(each))
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    await round()
    assert.deepEqual(done, expected)
  }
  inTurn(() => inTurn(() => void done.push(5)))
  inTurn(() => void done.push(4))
  for (let rounds = 0; rounds < 3; rounds++) await round()
  assert.deepEqual(done, [1, 2, 3, 4, 5])
})

test('what a body holds is given back once, and all callers together have a limit', () => {
  const { roomFor } = createLargeBodies({ each: 4, total: 6 })
  const hold = (key: string, ...sizes: number[]) => {
    const room = roomFor(key)
    for (const bytes of sizes) room.grow(bytes)
    return room
  }
  const refused = { code: 'service_unavailable' }
  const first = hold('ann', 1, 2, 4)
  assert.throws(() => hold('ann', 1), refused)
  const second = hold('bob', 2)
  assert.throws(() => second.grow(3), refused)
  assert.throws(() => hold('cid', 1), refused)
  first.giveBack()
  first.giveBack()
  hold('cid', 4)
  assert.throws(() => hold('ann', 1), refused)
})

const mebibyte = 1024 ** 2

/** Sends some bytes of a body, and not its end; its length is said before, or it comes in chunks. */
function begun({ token }: Agent, bytes: number, length?: number) {
  const socket = connect(Number(new URL(w.url).port), '127.0.0.1').on('error', () => {})
  const head = ['POST /api/v1/editorial/articles HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  const how = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write([...head, 'Content-Type: application/json', how, '', ''].join('\r\n'))
  const text = 'x'.repeat(bytes)
  socket.write(length === undefined ? `${bytes.toString(16)}\r\n${text}\r\n` : text)
  return socket
}

test('a caller that sends 4 MiB at once waits with further large bodies, and nobody else does', async () => {
  const [ann, bob] = [await w.agent('ann'), await w.agent('bob')]
  const long = { text: 'x'.repeat(40_000) }
  const isRead = '400 invalid_text'
  assert.equal(code(await ann.post('/posts', long)), isRead)
  const sockets = Array.from({ length: 4 }, () => begun(ann, mebibyte / 2, mebibyte))
  await eventually(async () => code(await ann.post('/posts', long)) === '503 service_unavailable', 'ann has to wait')
  const refused = await ann.post('/posts', long)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.error.message, 'Too many large bodies at once; try again')
  assert.equal((await ann.patch('/bots/me', { bio: 'short' })).status, 200)
  assert.equal(code(await bob.post('/posts', long)), isRead)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => code(await ann.post('/posts', long)) === isRead, 'ann goes on')
})

test('a body in chunks counts with what has arrived, and room for as much again', async (t) => {
  const [dot, eve] = [await w.agent('dot'), await w.agent('eve')]
  const long = { text: 'x'.repeat(40_000) }
  const few = Array.from({ length: 8 }, () => begun(dot, 40_000))
  t.after(() => {
    for (const socket of few) socket.destroy()
  })
  for (const _ of few) assert.equal(code(await dot.post('/posts', long)), '400 invalid_text')
  const many = Array.from({ length: 4 }, () => begun(eve, mebibyte))
  await eventually(async () => code(await eve.post('/posts', long)) === '503 service_unavailable', 'eve has to wait')
  for (const socket of many) socket.destroy()
})
