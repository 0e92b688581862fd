// Texts between friends: sealed, opened, and stopped hard when a key is not the pinned one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprint, generateKeyPair, open, seal } from '../src/box.ts'
import { KithBoxError, KithIdentityError, KithInputError, KithKeyChangedError } from '../src/errors.ts'
import { ownSource } from '../src/export/client.ts'
import type { Line } from '../src/export/plan.ts'
import type { FolderClient } from '../src/node.ts'
import type { Contact, Envelope, Message } from '../src/types.ts'
import { type World, world } from './fixtures.ts'

/** A message that Bob sealed for Ada. */
function fromFriend({ me, friend }: World, text: string, change: Partial<Message> = {}): Message {
  return {
    id: crypto.randomUUID(),
    sender_id: friend.id,
    recipient_id: me.id,
    client_message_id: crypto.randomUUID(),
    ...seal(text, friend.keys.secretKey, me.keys.publicKey),
    encryption_version: 'box-v1',
    sender_public_key: friend.keys.publicKey,
    recipient_public_key: me.keys.publicKey,
    created_at: new Date().toISOString(),
    ...change,
  }
}

function showKey({ service }: World, key: string): void {
  const contact = service.contacts[0] as unknown as Contact
  contact.peer.encryption_public_key = key
}

test('only ciphertext is sent, and the friend can open it', async (t) => {
  const { client, service, me, friend } = await world(t)
  const { message, created } = await client.conversations.send(friend.id, 'our secret')
  assert.equal(created, true)
  assert.ok(!service.log.join('\n').includes('our secret'))
  const [body] = service.log.filter((line) => line.startsWith('POST /messages ')).map((line) => line.slice(15))
  const envelope = JSON.parse(body!) as Envelope
  assert.deepEqual(Object.keys(envelope).sort(), [
    'ciphertext',
    'client_message_id',
    'encryption_version',
    'nonce',
    'recipient_id',
    'recipient_public_key',
    'sender_public_key',
  ])
  assert.equal(open(envelope, friend.keys.secretKey, me.keys.publicKey), 'our secret')
  const opened = await client.conversations.open(message)
  assert.deepEqual([opened.direction, opened.peer_id, opened.text], ['sent', friend.id, 'our secret'])
})

test('a received message opens, and the history is in order', async (t) => {
  const here = await world(t)
  const { client, service, friend } = here
  for (const text of ['one', 'two', 'three']) {
    const message = fromFriend(here, text)
    service.messages.set(message.id, message as never)
  }
  const texts: (string | null)[] = []
  for await (const entry of client.conversations.history(friend.id)) texts.push(entry.text)
  assert.deepEqual(texts, ['three', 'two', 'one'])
})

test('a message that does not open stays visible in the history', async (t) => {
  const here = await world(t)
  const broken = fromFriend(here, 'x', { nonce: Buffer.alloc(24).toString('base64') })
  here.service.messages.set(broken.id, broken as never)
  for await (const entry of here.client.conversations.history(here.friend.id)) {
    assert.equal(entry.text, null)
    assert.ok('problem' in entry && entry.problem instanceof KithBoxError)
  }
})

test('the first key is pinned at friendship, and used without asking again', async (t) => {
  const { client, service, friend } = await world(t)
  await client.conversations.send(friend.id, 'one')
  await client.conversations.send(friend.id, 'two')
  assert.equal(service.counts['GET /contacts'], 1)
  const pin = await client.pins.get(friend.id)
  assert.equal(pin!.public_key, friend.keys.publicKey)
  assert.equal(pin!.fingerprint, await fingerprint(friend.keys.publicKey))
})

test('a stranger or a pending contact has no key to seal for', async (t) => {
  const here = await world(t)
  await assert.rejects(here.client.conversations.send(crypto.randomUUID(), 'x'), { code: 'contact_not_accepted' })
  here.service.contacts[0]!['status'] = 'pending'
  await assert.rejects(here.client.conversations.send(here.friend.id, 'x'), { code: 'contact_not_accepted' })
  assert.equal(here.service.counts['POST /messages'], undefined)
})

test('a changed key stops sending and opening, even after a restart or if the old key returns', async (t) => {
  const here = await world(t)
  const { client, service, friend, reopen } = here
  const received = fromFriend(here, 'before')
  await client.conversations.open(received)
  const other = generateKeyPair()
  showKey(here, other.publicKey)
  service.fault('POST /messages', { how: 'refuse', status: 409, code: 'peer_key_changed' })
  await assert.rejects(client.conversations.send(friend.id, 'x'), (error) => {
    assert.ok(error instanceof KithKeyChangedError)
    assert.equal(error.botId, friend.id)
    return true
  })
  showKey(here, friend.keys.publicKey)
  const again = await reopen()
  await assert.rejects(again.conversations.send(friend.id, 'x'), KithKeyChangedError)
  await assert.rejects(again.conversations.open(received), KithKeyChangedError)
  await assert.rejects(again.contacts.accept('0198c000-0000-7000-8000-0000000000cc'), KithKeyChangedError)
  assert.equal(service.counts['POST /messages'], 1)
  assert.equal((await again.pins.get(friend.id))!.public_key, friend.keys.publicKey)
})

test('a message under another key is never opened, and its key is remembered', async (t) => {
  const here = await world(t)
  await here.client.conversations.open(fromFriend(here, 'before'))
  const other = generateKeyPair()
  const forged = fromFriend(here, 'x', {
    ...seal('pay me', other.secretKey, here.me.keys.publicKey),
    sender_public_key: other.publicKey,
  })
  await assert.rejects(here.client.conversations.open(forged), KithKeyChangedError)
  await assert.rejects(here.client.conversations.send(here.friend.id, 'x'), KithKeyChangedError)
})

test('only a fingerprint that was actually seen can be trusted', async (t) => {
  const here = await world(t)
  const { client, friend } = here
  const other = generateKeyPair()
  await client.conversations.open(fromFriend(here, 'before'))
  const peer = { id: friend.id, handle: 'bob', encryption_public_key: other.publicKey }
  await assert.rejects(client.pins.check(peer), KithKeyChangedError)
  const stranger = await fingerprint(generateKeyPair().publicKey)
  await assert.rejects(client.pins.trust(friend.id, stranger), KithInputError)
  await client.pins.trust(friend.id, await fingerprint(other.publicKey))
  assert.equal(await client.pins.check(peer), other.publicKey)
})

test('a changed key of small order counts as a change and cannot be trusted', async (t) => {
  const { client, friend } = await world(t)
  await client.pins.check({ id: friend.id, handle: 'bob', encryption_public_key: friend.keys.publicKey })
  const zero = Buffer.alloc(32).toString('base64')
  await assert.rejects(
    client.pins.check({ id: friend.id, handle: 'bob', encryption_public_key: zero }),
    KithKeyChangedError,
  )
  await assert.rejects(client.pins.trust(friend.id, await fingerprint(zero)), KithBoxError)
  await assert.rejects(
    client.pins.check({ id: crypto.randomUUID(), handle: 'eve', encryption_public_key: zero }),
    KithBoxError,
  )
})

test('your own key is compared with the key that the service shows', async (t) => {
  const here = await world(t)
  const wrong = fromFriend(here, 'x', { recipient_public_key: generateKeyPair().publicKey })
  await assert.rejects(here.client.conversations.open(wrong), (error) => {
    return error instanceof KithKeyChangedError && error.botId === here.me.id
  })
  here.service.fault('POST /messages', { how: 'refuse', status: 409, code: 'key_changed' })
  await assert.rejects(here.client.conversations.send(here.friend.id, 'x'), (error) => {
    return error instanceof KithKeyChangedError && error.botId === here.me.id
  })
})

test('an invalid text or a missing key stops before the journal', async (t) => {
  const { client, store, friend, reopen } = await world(t)
  await assert.rejects(client.conversations.send(friend.id, ''), { code: 'bad_text' })
  await assert.rejects(client.conversations.send('ann', 'x'), KithInputError)
  await store.remove('key')
  await assert.rejects((await reopen()).conversations.send(friend.id, 'x'), KithIdentityError)
  assert.deepEqual(await client.pending(), [])
})

test('an export names a private key that is missing, and stops at a damaged file', async (t) => {
  const here = await world(t)
  const opened = async () =>
    ownSource((await here.reopen()) as FolderClient).open!(fromFriend(here, 'kept') as unknown as Line)
  await here.store.remove('key')
  assert.partialDeepStrictEqual(await opened(), { text: null, problem: 'no_private_key' })
  await here.store.write('key', here.me.keys.secretKey)
  await here.store.write('pins.json', '{"0198')
  const message = 'pins.json is damaged: restore it from a backup'
  const damaged = { name: 'KithDamagedError', file: 'pins.json', message }
  await assert.rejects(opened(), damaged)
})

test('IDs cannot address another resource', async (t) => {
  const { client, service } = await world(t)
  await assert.rejects(client.contacts.block('..'), KithInputError)
  await assert.rejects(client.contacts.block(''), KithInputError)
  await assert.rejects(client.contacts.block('../tokens/revoke?x='), { code: 'not_found' })
  assert.equal(service.counts['POST /tokens/revoke'], undefined)
})
