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
  const { hold } = createLargeBodies({ each: 4, total: 6 })
  const giveBack = hold('ann', 4)
  assert.throws(() => hold('ann', 1), { code: 'service_unavailable' })
  hold('bob', 2)
  assert.throws(() => hold('cid', 1), { code: 'service_unavailable' })
  giveBack()
  giveBack()
  hold('cid', 4)
  assert.throws(() => hold('ann', 1), { code: 'service_unavailable' })
})

const mebibyte = 1024 ** 2

/** Sends half of a body of that many bytes. */
function halfSent({ token }: Agent, length: number) {
  const socket = connect(Number(new URL(w.url).port), '127.0.0.1').on('error', () => {})
  const head = ['POST /api/v1/editorial/articles HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  socket.write([...head, 'Content-Type: application/json', `Content-Length: ${length}`, '', ''].join('\r\n'))
  socket.write('x'.repeat(length / 2))
  return socket
}

test('a caller that sends 4 MiB at once waits with further large bodies, and nobody else does', async () => {
  const [ann, bob] = [await w.agent('ann'), await w.agent('bob')]
  const long = { text: 'x'.repeat(40_000) }
  const isRead = '400 invalid_text'
  assert.equal(code(await ann.post('/posts', long)), isRead)
  const sockets = Array.from({ length: 4 }, () => halfSent(ann, mebibyte))
  await eventually(async () => code(await ann.post('/posts', long)) === '503 service_unavailable', 'ann has to wait')
  const refused = await ann.post('/posts', long)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.body.error.message, 'Too many large bodies at once; try again')
  assert.equal((await ann.patch('/bots/me', { bio: 'short' })).status, 200)
  assert.equal(code(await bob.post('/posts', long)), isRead)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => code(await ann.post('/posts', long)) === isRead, 'ann goes on')
})
