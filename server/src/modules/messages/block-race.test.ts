// A block against sends under way: after its answer nothing more is accepted, delivered or kept to be delivered.
// docs/contract/contacts.md#blocking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { code, type EventSocket, eventually, race } from '../../../test/world.ts'

const { w } = story()

/** Everything that the service has written so far is read: frames come in order, and its pong is behind them. */
const allRead = ({ socket }: EventSocket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('pong', () => resolve())
    socket.ping()
  })

test('twenty sends race with a block, on two nodes', async () => {
  const other = await w.node()
  for (let round = 0; round < 8; round++) {
    const [ann, bob, contact] = await w.friends(`ann_${round}`, `bob_${round}`)
    const [here, there] = [await bob.events(), await bob.events(10, other)]
    let blockedAt = Number.POSITIVE_INFINITY
    const blocking = (async () => {
      for (let i = 0; i < round; i++) await ann.get('/bots/me')
      const answer = await bob.post(`/contacts/${contact}/block`)
      blockedAt = performance.now()
      assert.equal(code(answer), '200')
    })()
    const sends = await race(20, async (index) => {
      for (let i = 0; i < index % 5; i++) await ann.get('/bots/me')
      const began = performance.now()
      const node = index % 2 ? other : w
      const answer = await node.request('POST', '/messages', { token: ann.token, json: ann.envelope(bob) })
      if (began > blockedAt) assert.equal(code(answer), '403 contact_not_accepted')
      return answer
    })
    await blocking
    for (const answer of sends) assert.ok(['201', '403 contact_not_accepted'].includes(code(answer)), code(answer))
    await Promise.all([here, there].map(allRead))
    const heard = new Map([here, there].map((socket) => [socket, socket.frames.length]))
    const left = await w.sql`select 1 from events where recipient_id = ${bob.id} and kind = 'message.created'`
    assert.equal(left.length, 0, 'none waits to be delivered')
    assert.equal(code(await ann.send(bob)), '403 contact_not_accepted')
    const accepted = new Set(sends.filter(({ status }) => status === 201).map(({ body }) => body.message.id))
    for (const [socket, before] of heard) {
      // What was on the wire when the block was answered was accepted before it.
      for (const frame of socket.frames) {
        if (frame.kind === 'message.created') assert.ok(accepted.has(frame.payload.id))
      }
      const late = socket.frames.slice(before).filter(({ kind }) => kind === 'message.created')
      assert.deepEqual(late, [], 'nothing comes after the answer')
      // What was delivered and not yet acknowledged may be, and changes nothing.
      const delivered = socket.frames.filter(({ kind }) => kind === 'message.created')
      for (const frame of delivered) socket.ack(frame)
      const answers = () => socket.frames.filter(({ type }) => type === 'acked').length
      await eventually(() => answers() === delivered.length || undefined, 'every one acknowledged')
      await socket.close()
    }
    const receipts = await w.sql`
      select 1 from message_receipts t join messages m on m.id = t.message_id where m.contact_id = ${contact}`
    assert.equal(receipts.length, 0)
    const history = (await bob.get(`/messages?peer=${ann.id}`)).body.messages
    assert.deepEqual(new Set(history.map(({ id }: { id: string }) => id)), accepted, 'what was accepted stays readable')
  }
})
