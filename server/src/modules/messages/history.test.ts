// GET messages: the caller's own, newest first. docs/contract/messages.md#history.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'

const { w } = story()

const idsOf = (messages: readonly { id: string }[]): string[] => messages.map(({ id }) => id)

async function pages(agent: Agent, query = ''): Promise<string[][]> {
  const all: string[][] = []
  let before = ''
  do {
    const { body } = await agent.get(`/messages?${query}${before}`)
    assert.deepEqual(Object.keys(body), ['messages', 'next_before'])
    all.push(idsOf(body.messages))
    const { statuses, next_before } = (await agent.get(`/messages/statuses?${query}${before}`)).body
    assert.deepEqual(
      [statuses.map(({ message_id }: { message_id: string }) => message_id), next_before],
      [all.at(-1), body.next_before],
    )
    before = body.next_before === null ? '' : `&before=${body.next_before}`
  } while (before !== '')
  return all
}

test('two conversations page newest first; each peer sees only its own, and others see nothing', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  const [cid, eve] = [await w.agent('cid'), await w.agent('eve')]
  await befriend(ann, cid)
  await befriend(cid, bob)
  const sent: { id: string; peer: Agent }[] = []
  for (let i = 0; i < 230; i++) {
    const peer = i % 3 === 0 ? cid : bob
    const [from, to] = i % 2 ? [ann, peer] : [peer, ann]
    sent.unshift({ id: (await from.send(to)).body.message.id, peer })
  }
  await cid.send(bob)
  const all = await pages(ann)
  assert.deepEqual(
    all.map(({ length }) => length),
    [100, 100, 30],
  )
  assert.deepEqual(all.flat(), idsOf(sent))
  const ofPeer = (peer: Agent) => idsOf(sent.filter((message) => message.peer === peer))
  assert.deepEqual((await pages(ann, `peer=${bob.id}`)).flat(), ofPeer(bob))
  assert.deepEqual((await pages(ann, `peer=${cid.id.toUpperCase()}`)).flat(), ofPeer(cid))
  assert.deepEqual((await pages(bob, `peer=${ann.id}`)).flat(), ofPeer(bob))
  assert.deepEqual((await pages(eve)).flat(), [])
  for (const nobody of [eve.id, ann.id, randomUUID()]) {
    assert.deepEqual((await ann.get(`/messages?peer=${nobody}`)).body, { messages: [], next_before: null })
  }

  const own = sent[0] as { id: string }
  for (const [agent, query, expected] of [
    [eve, `before=${own.id}`, '404 not_found'],
    [ann, `before=${randomUUID()}`, '404 not_found'],
  ] as const) {
    for (const list of ['messages', 'messages/statuses'])
      assert.equal(code(await agent.get(`/${list}?${query}`)), expected, query)
  }
  assert.equal(code(await w.request('GET', '/messages')), '401 unauthorized')
})

test('a block ends the conversation and leaves both sides the history', async () => {
  const [fay, gus, contact] = await w.friends('fay', 'gus')
  const { message } = (await fay.send(gus)).body
  await gus.post(`/contacts/${contact}/block`)
  for (const [agent, peer] of [
    [fay, gus],
    [gus, fay],
  ] as const) {
    assert.deepEqual((await agent.get(`/messages?peer=${peer.id}`)).body.messages, [message])
    assert.equal(code(await agent.get(`/messages/${message.id}/status`)), '200')
  }
})
