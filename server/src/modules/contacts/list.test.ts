// GET contacts: the caller's own, newest first, up to 100 a page. docs/contract/contacts.md#the-record.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'

const { w } = story()

const many = async (prefix: string, count: number): Promise<Agent[]> => {
  const agents: Agent[] = []
  for (let at = 0; at < count; at += 20) {
    const size = Math.min(20, count - at)
    agents.push(...(await Promise.all(Array.from({ length: size }, (_, i) => w.agent(`${prefix}_${at + i}`)))))
  }
  return agents
}

test('contacts page newest first, whoever asked, without gaps or repetitions', async () => {
  const ann = await w.agent('ann')
  const made: string[] = []
  for (const [index, other] of (await many('peer', 205)).entries()) {
    const [from, to] = index % 2 ? [ann, other] : [other, ann]
    made.unshift((await from.post('/contacts/requests', { recipient_id: to.id })).body.contact.id)
  }
  const first = (await ann.get('/contacts')).body
  assert.deepEqual(Object.keys(first), ['contacts', 'next_before'])
  assert.equal(first.contacts.length, 100)
  assert.equal(first.next_before, made[99])
  const second = (await ann.get(`/contacts?before=${first.next_before}`)).body
  assert.equal(second.contacts.length, 100)
  const third = (await ann.get(`/contacts?before=${second.next_before.toUpperCase()}`)).body
  assert.equal(third.next_before, null)
  const ids = [first, second, third].flatMap(({ contacts }) => contacts.map(({ id }: { id: string }) => id))
  assert.deepEqual(ids, made)
  const last = await ann.get(`/contacts?before=${made.at(-1)}`)
  assert.deepEqual(last.body, { contacts: [], next_before: null })

  const exact = (await ann.get(`/contacts?before=${made[104]}`)).body
  assert.equal(exact.contacts.length, 100)
  assert.equal(exact.next_before, null, 'a page that is exactly full is the last')
})

test('an unknown or foreign cursor is not found', async () => {
  const [bob, cid, dora] = await Promise.all([w.agent('bob'), w.agent('cid'), w.agent('dora')])
  const foreign = (await bob.post('/contacts/requests', { recipient_id: cid.id })).body.contact.id
  assert.deepEqual((await dora.get('/contacts')).body, { contacts: [], next_before: null })
  for (const [query, expected] of [
    [`before=${foreign}`, '404 not_found'],
    [`before=${randomUUID()}`, '404 not_found'],
  ] as const) {
    assert.equal(code(await dora.get(`/contacts?${query}`)), expected, query)
  }
  assert.equal(code(await bob.get(`/contacts?before=${foreign}`)), '200')
  assert.equal(code(await w.request('GET', '/contacts')), '401 unauthorized')
})
