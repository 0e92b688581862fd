// Mutations: saved before they are sent, the same bytes each time, forgotten only once the outcome is handed over.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KithError, KithInputError, KithNetworkError } from '../src/errors.ts'
import { memoryStore, type Store } from '../src/store.ts'
import { world } from './fixtures.ts'

const id = '0198c000-0000-7000-8000-0000000000aa'
const sent = (log: string[]) => log.filter((line) => line.startsWith('POST /messages'))

/** A store that tells what happened, in order. */
function told(store: Store, events: string[]): Store {
  return {
    ...store,
    create: async (name, text) => {
      const made = await store.create(name, text)
      events.push(`create ${name.split('/')[0]}`)
      return made
    },
    remove: async (name) => {
      if (name.startsWith('journal/')) events.push('remove journal')
      await store.remove(name)
    },
  }
}

test('the bytes are saved before they are sent, and removed after the outcome is stored', async (t) => {
  const events: string[] = []
  const { client, friend, service } = await world(t, { store: told(memoryStore(), events) })
  service.server.prependListener('request', (request) => events.push(`${request.method} ${request.url}`))
  await client.conversations.send(friend.id, 'hello', { settle: async () => void events.push('settled') })
  assert.deepEqual(events.slice(-4), ['create journal', 'POST /api/v1/messages', 'settled', 'remove journal'])
})

test('a lost response is requested again with the same bytes', async (t) => {
  for (const how of ['drop', 'lose', 'half'] as const) {
    const { client, friend, service } = await world(t)
    service.fault('POST /messages', { how }, { how })
    const { created } = await client.conversations.send(friend.id, 'hello')
    assert.equal(created, how === 'drop')
    assert.equal(service.messages.size, 1)
    assert.equal(new Set(sent(service.log)).size, 1)
    assert.equal(sent(service.log).length, 3)
    assert.deepEqual(await client.pending(), [])
  }
})

test('an unknown outcome stays saved, and the next run resolves it', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  service.fault('POST /messages', { how: 'lose' }, ...Array(4).fill({ how: 'drop' }))
  const error = await client.conversations.send(friend.id, 'hello').catch((error) => error)
  assert.ok(error instanceof KithNetworkError)
  const [entry] = await client.pending()
  assert.equal(entry!.id, error.operationId)

  const again = await reopen()
  const told: string[] = []
  const [outcome] = await again.resumePending(async ({ entry }) => void told.push(entry.id))
  assert.equal((outcome!.answer!.body as { created: boolean }).created, false)
  assert.deepEqual(told, [error.operationId])
  assert.equal(service.messages.size, 1)
  assert.equal(new Set(sent(service.log)).size, 1)
  assert.deepEqual(await again.pending(), [])
})

test('an outcome that could not be stored is reported again', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  const full = async () => {
    throw new Error('disk full')
  }
  await assert.rejects(client.conversations.send(friend.id, 'hello', { settle: full }), { message: 'disk full' })
  const again = await reopen()
  await assert.rejects(again.resumePending(full), { message: 'disk full' })
  assert.equal((await again.resumePending()).length, 1)
  assert.equal(service.messages.size, 1)
})

test('a permanent refusal is thrown and forgotten; on resuming it is an outcome', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  const refuse = { how: 'refuse', status: 403, code: 'contact_not_accepted' } as const
  service.fault('POST /messages', refuse)
  await assert.rejects(client.conversations.send(friend.id, 'hello'), {
    code: 'contact_not_accepted',
    operationId: undefined,
  })
  assert.deepEqual(await client.pending(), [])

  service.fault('POST /messages', ...Array(5).fill({ how: 'drop' }), refuse)
  await assert.rejects(client.conversations.send(friend.id, 'hello'), KithNetworkError)
  const again = await reopen()
  const [outcome] = await again.resumePending()
  assert.equal(outcome!.refusal!.code, 'contact_not_accepted')
  assert.deepEqual(await again.pending(), [])
})

test('a refusal from something in between ends nothing, and deletes nothing', async (t) => {
  for (const status of [400, 403, 404, 409, 429]) {
    const { client, friend, service, reopen } = await world(t)
    service.fault(
      'POST /messages',
      ...Array(status === 429 ? 5 : 1).fill({ how: 'between', status, code: 'not_found' }),
    )
    const error = await client.conversations.send(friend.id, 'hello').catch((error) => error)
    assert.deepEqual([error.status, error.code], [status, 'unexpected_answer'])
    assert.equal((await client.pending())[0]!.id, error.operationId)
    const [outcome] = await (await reopen()).resumePending()
    assert.equal((outcome!.answer!.body as { created: boolean }).created, true)
  }
  const { client, service } = await world(t)
  const deletion = () => client.call('DELETE /posts/{post_id}', { path: { post_id: id } })
  service.fault('DELETE /posts', { how: 'lose' }, { how: 'between', status: 404, code: 'not_found' })
  await assert.rejects(deletion(), { code: 'unexpected_answer' })
  assert.equal((await client.pending()).length, 1)
  service.fault('DELETE /posts', { how: 'refuse', status: 404, code: 'not_found' })
  const [outcome] = await client.resumePending()
  assert.deepEqual(outcome!.answer!.body, { deleted: true })
})

test('the time limit ends a mutation that never arrived, but not one that may have arrived', async (t) => {
  const limited = { how: 'refuse', status: 429, code: 'write_limited', headers: { 'retry-after': '600' } } as const
  const { client, friend, service } = await world(t)
  service.fault('POST /messages', limited)
  await assert.rejects(client.conversations.send(friend.id, 'one'), { status: 429, operationId: undefined })
  assert.deepEqual(await client.pending(), [])
  service.fault('POST /messages', { how: 'lose' }, limited)
  const error = await client.conversations.send(friend.id, 'two').catch((error) => error)
  assert.ok(error instanceof KithError && error.operationId)
  assert.equal((await client.pending()).length, 1)
  await client.abandon(error.operationId)
  assert.deepEqual(await client.pending(), [])
})

test('the same ID again returns the saved response without a request', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  const first = await client.conversations.send(friend.id, 'hello', { clientMessageId: id })
  const second = await (await reopen()).conversations.send(friend.id, 'hello', { clientMessageId: id })
  assert.equal(second.message.id, first.message.id)
  assert.equal(sent(service.log).length, 1)
})

test('the same ID with other content is refused before anything is sent', async (t) => {
  const { client, friend, service } = await world(t)
  service.fault('POST /messages', ...Array(5).fill({ how: 'drop' }))
  await assert.rejects(client.conversations.send(friend.id, 'hello', { clientMessageId: id }), KithNetworkError)
  await assert.rejects(client.conversations.send(friend.id, 'other', { clientMessageId: id }), KithInputError)
  await assert.rejects(client.conversations.send(friend.id, 'hello', { clientMessageId: 'no uuid' }), KithInputError)
  await client.conversations.send(friend.id, 'hello', { clientMessageId: id })
  await assert.rejects(client.conversations.send(friend.id, 'other', { clientMessageId: id }), KithInputError)
  assert.equal(new Set(sent(service.log)).size, 1)
})

test('two simultaneous senders of one ID create one message', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  const others = await Promise.all([reopen(), reopen()])
  const replies = await Promise.all(
    [client, ...others].map((each) => each.conversations.send(friend.id, 'hello', { clientMessageId: id })),
  )
  assert.equal(new Set(replies.map(({ message }) => message.id)).size, 1)
  assert.equal(new Set(sent(service.log)).size, 1)
})

test('resuming skips requests that this process is still sending', async (t) => {
  const { client, friend, service } = await world(t)
  service.fault('POST /messages', { how: 'hang' })
  const stop = new AbortController()
  const sending = client.conversations.send(friend.id, 'hello', { signal: stop.signal })
  while (sent(service.log).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  assert.deepEqual(await client.resumePending(), [])
  stop.abort(new Error('enough'))
  await assert.rejects(sending, { message: 'enough' })
  assert.equal((await client.pending()).length, 1)
})

test('a request abandoned while others resume is not sent', async (t) => {
  const { client, friend, service, reopen } = await world(t)
  service.fault('POST /messages', ...Array(10).fill({ how: 'drop' }))
  for (const text of ['one', 'two']) await assert.rejects(client.conversations.send(friend.id, text), KithNetworkError)
  const again = await reopen()
  const before = sent(service.log).length
  const outcomes = await again.resumePending(async () => {
    for (const { id } of await again.pending()) await again.abandon(id)
  })
  assert.deepEqual([outcomes.length, sent(service.log).length - before, service.messages.size], [1, 1, 1])
  assert.deepEqual(await again.pending(), [])
})
