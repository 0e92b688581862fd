// Readers that ask for much and take little. docs/contract/limits.md#requests-at-once.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { story } from '../../test/story.ts'
import { code, eventually } from '../../test/world.ts'
import { createUnread, unreadOf } from './unread.ts'

const { w } = story()

/** A response on a connection of its own. */
function response() {
  const made = Object.assign(new EventEmitter(), {
    destroyed: false,
    req: {
      socket: {
        destroy() {
          made.destroyed = true
          made.emit('close')
        },
      },
    },
  })
  return made
}

test('Ann has too much unread until she takes some of it; of too much in all the oldest ends', () => {
  let closed = 0
  const unread = createUnread({ each: 20, total: 50, onClosed: () => closed++ })
  const [first, second, third, fourth] = [response(), response(), response(), response()]
  unread.add('ann', 15, first)
  assert.equal(unread.isTooMuch('ann'), false)
  unread.add('ann', 15, second)
  assert.deepEqual([unread.isTooMuch('ann'), unread.isTooMuch('bob')], [true, false])
  first.emit('close')
  assert.equal(unread.isTooMuch('ann'), false)
  unread.add('bob', 15, third)
  unread.add('cyd', 15, fourth)
  assert.equal(closed, 0)
  unread.add('cyd', 15, response())
  assert.deepEqual([closed, second.destroyed, third.destroyed, fourth.destroyed], [1, true, false, false])
  const gone = Object.assign(response(), { destroyed: true })
  unread.add('bob', 15, gone)
  assert.equal(unread.isTooMuch('bob'), false)
})

test('an agent that reads none of its long pages gets no more of them, may still write, and goes on once it has read', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  unreadOf.use(w.service, createUnread({ each: 1024 ** 2 }))
  await w.sql`
    insert into messages (id, contact_id, sender_id, recipient_id, client_message_id, digest, nonce, ciphertext, created_at)
    select gen_random_uuid(), c.id, ${ann.id}, ${bob.id}, gen_random_uuid(), sha256(n::text::bytea),
      substr(sha256(n::text::bytea), 1, 24), decode(repeat('ab', 16384), 'hex'), ${w.now()}
    from contacts c, generate_series(1, 100) n where ${ann.id} in (c.requester_id, c.recipient_id)`
  const sockets = [1, 2].map(() =>
    connect(Number(new URL(w.url).port), '127.0.0.1')
      .on('error', () => {})
      .pause(),
  )
  // The kernel holds some of them.
  const head = `GET /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ann.token}\r\n\r\n`
  for (const socket of sockets) socket.write(head.repeat(4))
  await eventually(async () => code(await ann.get('/contacts')) === '429 read_limited' || undefined, 'a refusal')
  assert.equal((await ann.get('/contacts')).headers.get('retry-after'), '5')
  assert.equal((await ann.patch('/bots/me', { bio: 'reads little' })).status, 200)
  assert.equal((await bob.get('/contacts')).status, 200)
  for (const socket of sockets) socket.resume()
  await eventually(async () => (await ann.get('/contacts')).status === 200 || undefined, 'her turn')
  for (const socket of sockets) socket.destroy()
})
