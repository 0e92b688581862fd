// Ada, Bob and Eve live on the real service through this SDK: what the unit tests promise, kept by both sides together.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Mail } from '../../server/src/mail/read.ts'
import { story } from '../../server/test/story.ts'
import { eventually, latestMail } from '../../server/test/world.ts'
import {
  type FolderClient,
  fingerprint,
  type KithEvent,
  KithTokenLostError,
  openFolder,
  openIdentity,
  openRecovery,
  openRegistration,
  type Receiver,
  type Runtime,
  systemRuntime,
} from '../src/node.ts'
import { losing } from './lost.ts'
import { identities } from './registered.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', RECOVERY: 'on' } })
const { folderOf } = identities(w)
let ada: FolderClient
let bob: FolderClient

const emailOf = (handle: string) => `${handle}@example.org`

/** The code of the newest email to an agent's owner, if another one came than those. */
async function codeOf(handle: string, before: Mail[]): Promise<string> {
  return (await latestMail(w, emailOf(handle), before)).code!
}

async function register(handle: string, runtime: Runtime = systemRuntime): Promise<FolderClient> {
  const registration = openRegistration({ baseUrl: w.url, store: await openFolder(folderOf(handle)), runtime })
  const email = emailOf(handle)
  await registration.start({ handle, email })
  const { code = '', link } = await latestMail(w, email)
  await assert.rejects(registration.verify(code), { code: 'owner_confirmation_pending' })
  assert.equal((await fetch(link!, { method: 'POST' })).status, 200)
  await registration.verify(code)
  await registration.finish({ display_name: handle.toUpperCase(), specialty: 'testing' })
  return openIdentity(folderOf(handle))
}

async function nextOf<Kind extends KithEvent['kind']>(receiver: Receiver, kind: Kind) {
  for await (const event of { [Symbol.asyncIterator]: () => ({ next: receiver[Symbol.asyncIterator]().next }) }) {
    await receiver.done(event)
    if (event.kind === kind) return event as Extract<KithEvent, { kind: Kind }>
  }
  throw new Error(`no ${kind}`)
}

test('Ada registers, and keeps her key and token', async () => {
  const registration = openRegistration({ baseUrl: w.url, store: await openFolder(folderOf('ada')) })
  const requirements = await registration.requirements()
  assert.deepEqual(requirements.documents.map(({ name }) => name).sort(), ['agent-rules', 'privacy', 'terms'])
  ada = await register('ada')
  const me = await ada.bots.me()
  assert.equal(me.handle, 'ada')
  assert.equal(me.encryption_key_fingerprint, await fingerprint(me.encryption_public_key))
})

test("Bob's registration loses its responses, and still creates one passport", async () => {
  bob = await register('bob', losing(/POST .*\/bots\/register/, 2))
  const found = []
  for await (const card of bob.bots.search({ q: 'bob' })) found.push(card.id)
  assert.deepEqual(found, [bob.passport.bot.id])
})

test('a taken handle is reported before an email is sent', async () => {
  const registration = openRegistration({ baseUrl: w.url, store: await openFolder(folderOf('impostor')) })
  await assert.rejects(registration.start({ handle: 'ada', email: emailOf('impostor') }), {
    code: 'handle_unavailable',
    status: 409,
  })
  assert.deepEqual(await w.mails(emailOf('impostor')), [])
})

test('Ada and Bob become friends, and both pin the keys', async () => {
  const [events, bobEvents] = [await ada.receive(), await bob.receive()]
  const { contact, created } = await ada.contacts.request(bob.passport.bot.id)
  assert.deepEqual([contact.status, created], ['pending', true])
  await assert.rejects(ada.conversations.send(bob.passport.bot.id, 'too early'), { code: 'contact_not_accepted' })
  const asked = await nextOf(bobEvents, 'contact.requested')
  assert.equal(asked.payload.peer.handle, 'ada')
  assert.equal((await bob.contacts.accept(asked.payload.id)).status, 'accepted')
  const accepted = await nextOf(events, 'contact.accepted')
  assert.equal(accepted.payload.peer.id, bob.passport.bot.id)
  await Promise.all([events.close(), bobEvents.close()])
  for (const [one, other] of [
    [ada, bob],
    [bob, ada],
  ] as const)
    assert.equal((await one.pins.get(other.passport.bot.id))!.public_key, other.passport.bot.encryption_public_key)
})

test('a message survives lost responses, and is sent, opened, acknowledged and reported once', async () => {
  const unlucky = await openIdentity(folderOf('ada'), { runtime: losing(/POST .*\/messages$/, 3) })
  const { message, created } = await unlucky.conversations.send(bob.passport.bot.id, 'Shall we work together? 🤝')
  assert.equal(created, false)
  const receiver = await bob.receive()
  const arrived = await nextOf(receiver, 'message.created')
  assert.equal(arrived.payload.id, message.id)
  const opened = await bob.conversations.open(arrived.payload)
  assert.deepEqual([opened.direction, opened.text], ['received', 'Shall we work together? 🤝'])
  await receiver.close()

  const delivered = await eventually(async () => {
    const status = await ada.messages.status(message.id)
    return status.delivery_status === 'delivered' ? status : undefined
  }, 'its delivery')
  assert.equal(delivered.delivery_source, 'recipient_event_ack')
  assert.equal((await bob.messages.report(message.id, 'processed')).processing_status, 'processed')
  await assert.rejects(bob.messages.report(message.id, 'queued'), { code: 'processing_already_completed' })
  await assert.rejects(ada.messages.report(message.id, 'processed'), { status: 403 })
  const events = await ada.receive()
  assert.equal((await nextOf(events, 'message.status_changed')).payload.message_id, message.id)
  await events.close()

  const history = []
  for await (const entry of ada.conversations.history(bob.passport.bot.id)) history.push(entry.text)
  assert.deepEqual(history, ['Shall we work together? 🤝'])
})

test('work that a crash interrupted is finished by the next start, once', async () => {
  const cut = await openIdentity(folderOf('ada'), { runtime: losing(/POST .*\/messages$/, 99) })
  const error = await cut.conversations.send(bob.passport.bot.id, 'second').catch((error) => error)
  assert.equal(error.name, 'KithNetworkError')
  const again = await openIdentity(folderOf('ada'))
  const [outcome] = await again.resumePending()
  assert.equal(outcome!.entry.id, error.operationId)
  assert.equal((outcome!.answer!.body as { created: boolean }).created, false)
  const texts = []
  for await (const entry of bob.conversations.history(ada.passport.bot.id)) texts.push(entry.text)
  assert.deepEqual(texts, ['second', 'Shall we work together? 🤝'])
})

test('undelivered events wait, and come again until they are finished', async () => {
  for (const text of ['third', 'fourth', 'fifth']) await ada.conversations.send(bob.passport.bot.id, text)
  const first = await bob.receive()
  const seen: string[] = []
  for await (const event of first) {
    if (event.kind === 'message.created') seen.push((await bob.conversations.open(event.payload)).text)
    if (seen.includes('fifth')) break
  }
  assert.deepEqual(seen.slice(-3), ['third', 'fourth', 'fifth'])
  const again = await (await openIdentity(folderOf('bob'))).receive()
  const repeated: string[] = []
  while (!repeated.includes('fifth'))
    repeated.push((await bob.conversations.open((await nextOf(again, 'message.created')).payload)).text)
  assert.deepEqual(repeated, seen)
  await again.close()
})

test('a rotation closes the channel, and the receiver continues with the new token', async () => {
  const receiver = await ada.receive()
  const old = JSON.parse(await readFile(join(folderOf('ada'), 'token'), 'utf8'))
  await sleep(300)
  await (await openIdentity(folderOf('ada'))).tokens.rotate()
  const refused = await fetch(`${w.url}/api/v1/bots/me`, { headers: { authorization: `Bearer ${old.token}` } })
  assert.equal(refused.status, 401)
  await bob.conversations.send(ada.passport.bot.id, 'still there?')
  const event = await nextOf(receiver, 'message.created')
  assert.equal((await ada.conversations.open(event.payload)).text, 'still there?')
  await receiver.close()
})

test('a token with few days left is rotated at its next use', async () => {
  const store = await openFolder(folderOf('ada'))
  const grant = JSON.parse((await store.read('token'))!)
  const [received_at, token_expires_at] = [-29, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
  await store.write('token', JSON.stringify({ ...grant, received_at, token_expires_at }))
  await (await openIdentity(folderOf('ada'))).bots.me()
  const next = JSON.parse((await store.read('token'))!)
  assert.notEqual(next.token, grant.token)
  assert.ok(Date.parse(next.token_expires_at) > Date.now() + 29 * 86_400_000)
  await ada.bots.me()
})

test("a rotation whose response is lost ends in recovery by the owner's email", async () => {
  const unlucky = await openIdentity(folderOf('ada'), { runtime: losing(/POST .*\/tokens\/rotate/, 1) })
  await assert.rejects(
    unlucky.tokens.rotate(),
    (error) => error instanceof KithTokenLostError && error.reason === 'rotation',
  )
  const recovery = openRecovery({ baseUrl: w.url, store: await openFolder(folderOf('ada')) })
  const mails = await w.mails(emailOf('ada'))
  await recovery.request({ handle: 'ada', email: emailOf('ada') })
  await recovery.verify(await codeOf('ada', mails))
  ada = await openIdentity(folderOf('ada'))
  assert.equal((await ada.bots.me()).handle, 'ada')
  await ada.conversations.send(bob.passport.bot.id, 'back again')
})

test('lists fetch further pages automatically', async () => {
  const eve = await register('eve')
  const handles = []
  for await (const card of eve.bots.search({ page_size: 1 })) handles.push(card.handle)
  assert.deepEqual(handles, ['ada', 'bob', 'eve'])
  assert.equal((await eve.bots.get(ada.passport.bot.id)).bot.friendship.status, 'none')
  await assert.rejects(eve.bots.get('0198c000-0000-7000-8000-000000000000'), { status: 404, code: 'not_found' })
})

test('a change of the profile is a saved mutation like any other', async () => {
  const unlucky = await openIdentity(folderOf('bob'), { runtime: losing(/PATCH/, 2) })
  assert.equal((await unlucky.bots.update({ bio: 'I test.\nA lot.' })).bio, 'I test.\nA lot.')
  assert.deepEqual(await unlucky.pending(), [])
  await assert.rejects(
    unlucky.bots.update({ display_name: '' }),
    (error: { code: string; fields: { path: string }[] }) => {
      return error.code === 'invalid_input' && error.fields[0]!.path === 'display_name'
    },
  )
})

test('a block is final: no message goes either way', async () => {
  const contact = await bob.contacts.find(ada.passport.bot.id)
  await bob.contacts.block(contact!.id)
  await assert.rejects(ada.conversations.send(bob.passport.bot.id, 'why?'), {
    code: 'contact_not_accepted',
    status: 403,
  })
  const history = []
  for await (const entry of ada.conversations.history(bob.passport.bot.id)) history.push(entry.text)
  assert.equal(history[0], 'back again')
})

test('on a new machine the email restores everything but the private key, and a backup of that restores the messages', async () => {
  const carl = await register('carl')
  const store = await openFolder(folderOf('new machine'))
  const recovery = openRecovery({ baseUrl: w.url, store })
  const mails = await w.mails(emailOf('carl'))
  await recovery.request({ handle: 'carl', email: emailOf('carl') })
  await recovery.verify(await codeOf('carl', mails))
  await assert.rejects(carl.bots.me(), {
    name: 'KithTokenLostError',
    message: /openRecovery: request, then verify; .*; never register again$/,
  })
  const moved = await openIdentity(store.path)
  assert.equal((await moved.bots.me()).handle, 'carl')
  const { id } = ada.passport.bot
  await Promise.all([moved.contacts.befriend(id), ada.contacts.befriend(moved.passport.bot.id)])
  await assert.rejects(moved.conversations.send(id, 'I moved'), {
    name: 'KithIdentityError',
    message: /neither sent nor opened: restore the file key from a backup/,
  })
  await store.write('key', (await carl.folder.read('key'))!)
  const { message } = await moved.conversations.send(id, 'I moved')
  assert.equal((await ada.conversations.open(message)).text, 'I moved')
})

test('a revoked token is gone on the client and on the service', async () => {
  await bob.tokens.revoke()
  await assert.rejects(bob.bots.me(), { name: 'KithIdentityError' })
})
