// What peers read of a profile that is closed: its friends how it is, the pending and the blocked how it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { restore, suspend } from '../../operator/operator.ts'

const { w } = story()

const ask = async (from: Agent, to: Agent) =>
  (await from.post('/contacts/requests', { recipient_id: to.id })).body.contact

/** The name under which `who` finds `peer` among its contacts; the answer to another request says the same. */
async function nameTo(who: Agent, peer: Agent): Promise<string> {
  const { contacts } = (await who.get('/contacts')).body
  const found = contacts.filter((each: { peer: { id: string } }) => each.peer.id === peer.id)
  assert.equal(found.length, 1)
  const [{ peer: side, status }] = found
  if (status !== 'blocked') assert.equal((await ask(who, peer)).peer.display_name, side.display_name)
  return side.display_name
}

const rename = async (who: Agent, display_name: string, more: object = {}): Promise<void> =>
  assert.equal(code(await who.patch('/bots/me', { display_name, ...more })), '200')

test('Ann closes her profile and renames herself: her friend sees the new name, pending and blocked contacts do not', async () => {
  const [ann, friend, asker, asked, blocked] = (await Promise.all(
    ['ann', 'friend', 'asker', 'asked', 'blocked'].map((handle) => w.agent(handle, { display_name: `${handle} one` })),
  )) as [Agent, Agent, Agent, Agent, Agent]
  await befriend(friend, ann)
  await ask(asker, ann)
  await ask(ann, asked)
  const { id } = await ask(blocked, ann)
  await ann.post(`/contacts/${id}/block`)
  await rename(ann, 'ann two')
  for (const peer of [friend, asker, asked, blocked])
    assert.equal(await nameTo(peer, ann), 'ann two', 'while it is open')

  const names = async () => Promise.all([friend, asker, asked, blocked].map((peer) => nameTo(peer, ann)))
  await rename(ann, 'ann three', { profile_public: false })
  assert.deepEqual(await names(), ['ann three', 'ann two', 'ann two', 'ann two'], 'closed and renamed in one')
  await rename(ann, 'ann four')
  assert.deepEqual(await names(), ['ann four', 'ann two', 'ann two', 'ann two'])
  assert.equal((await ann.get('/bots/me')).body.bot.display_name, 'ann four')
  assert.equal(await nameTo(ann, asker), 'asker one', 'the other side is open')

  await ann.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await names(), Array(4).fill('ann four'))
  await ann.patch('/bots/me', { profile_public: false })
  await rename(ann, 'ann five')
  assert.deepEqual(await names(), ['ann five', 'ann four', 'ann four', 'ann four'], 'the last closing counts')
})

test('events reveal no more than the list', async () => {
  const [bea, cid, dan] = (await Promise.all(['bea', 'cid', 'dan'].map((handle) => w.agent(handle)))) as [
    Agent,
    Agent,
    Agent,
  ]
  const pending = await ask(cid, bea)
  await rename(bea, 'hidden bea', { profile_public: false })
  const [toCid, toDan] = [await cid.events(), await dan.events()]
  await ask(bea, dan)
  assert.equal((await toDan.next('contact.requested')).payload.peer.display_name, 'bea')
  await bea.post(`/contacts/${pending.id}/accept`)
  assert.equal((await toCid.next('contact.accepted')).payload.peer.display_name, 'hidden bea', 'a friend now')
  assert.equal(await nameTo(cid, bea), 'hidden bea')
  await rename(bea, 'more hidden bea')
  await bea.post(`/contacts/${pending.id}/block`)
  assert.equal((await toCid.next('contact.blocked')).payload.peer.display_name, 'bea')
  assert.equal(await nameTo(cid, bea), 'bea')
  await Promise.all([toCid.close(), toDan.close()])
})

test('strangers know a never-open profile by its first name; suspension does not change that', async () => {
  const eve = await w.agent('eve', { profile_public: false })
  const fay = await w.agent('fay')
  await ask(eve, fay)
  assert.equal(await nameTo(fay, eve), 'eve')
  await rename(eve, 'secret eve')
  assert.equal(await nameTo(fay, eve), 'eve')
  const by = (handle: string) => ({ actor: 'operator:test', handle, reason: 'A story' })
  await w.service.sql.transaction((tx) => suspend(tx, by('eve')))
  assert.equal(await nameTo(fay, eve), 'eve')
  await w.service.sql.transaction((tx) => restore(tx, by('eve')))
  assert.equal(await nameTo(fay, eve), 'eve')
  await eve.patch('/bots/me', { profile_public: true })
  assert.equal(await nameTo(fay, eve), 'secret eve')
  await w.service.sql.transaction((tx) => suspend(tx, by('eve')))
  assert.equal(code(await eve.patch('/bots/me', { profile_public: false })), '200', 'closing is still its own')
  await w.service.sql.transaction((tx) => restore(tx, by('eve')))
  await rename(eve, 'yet another eve')
  assert.equal(await nameTo(fay, eve), 'secret eve')
})

test('a removed profile is closed here too: only friends see a new name until it is restored', async () => {
  const gia = await w.agent('gia')
  const hal = await w.agent('hal')
  await ask(hal, gia)
  await turnHidden(w, 'profile', gia.id, true)
  await rename(gia, 'renamed gia')
  assert.equal(await nameTo(hal, gia), 'gia')
  await turnHidden(w, 'profile', gia.id, false)
  assert.equal(await nameTo(hal, gia), 'renamed gia')
})
