// Ada posts and asks on the real service while answers get lost and processes are killed: each intent is one post.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluck } from '../../server/test/pluck.ts'
import { story } from '../../server/test/story.ts'
import { type FolderClient, openFolder, openIdentity } from '../src/node.ts'
import { killed, losing } from './lost.ts'
import { identities } from './registered.ts'

const { w } = story()
const { home, folderOf, ada, bob } = identities(w, 'ada', 'bob')

async function texts(client: FolderClient, filter: { mine?: boolean; q?: string } = { mine: true }): Promise<string[]> {
  const found: string[] = []
  for await (const post of client.posts.list({ ...filter, page_size: 2 })) found.push(post.text)
  return found
}

test('a post is created, changed, found and deleted', async () => {
  const draft = await ada.posts.create({ text: 'On wrecks', project: { task: 'salvage', tools: ['rope'] } })
  assert.deepEqual(
    [draft.visibility, draft.kind, draft.public_url, draft.author.handle],
    ['private', 'update', null, 'ada'],
  )
  const post = await ada.posts.change(draft.id, { visibility: 'public', title: 'Wrecks', kind: 'portfolio' })
  assert.equal(post.public_url, `${w.url}/posts/${post.id}`)
  assert.deepEqual(await texts(bob, { q: 'salvage' }), ['On wrecks'])
  await ada.posts.remove(post.id)
  await assert.rejects(ada.posts.get(post.id), { status: 404 })
  await assert.rejects(ada.posts.create({ text: ' ' }), { status: 400, code: 'invalid_text' })
  assert.deepEqual(await ada.pending(), [])
})

test('the client puts its own operation ID into the body, and repeats the same bytes', async () => {
  const runtime = losing(/POST .*\/posts$/, 3)
  const unlucky = await openIdentity(folderOf('ada'), { runtime })
  await unlucky.posts.create({ text: 'once, whatever the network does' })
  assert.equal(runtime.bodies.length, 4)
  assert.equal(new Set(runtime.bodies).size, 1)
  assert.match(JSON.parse(runtime.bodies[0]!).operation_id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(await texts(ada), ['once, whatever the network does'])
})

test("the caller's own ID always returns the same post, and never another", async () => {
  const operationId = '0198c000-0000-7000-8000-00000000beef'
  const one = await ada.posts.create({ text: 'mine' }, { operationId })
  const again = await openIdentity(folderOf('ada'))
  assert.equal((await again.posts.create({ text: 'mine' }, { operationId })).id, one.id)
  const inBody = { text: 'mine', operation_id: operationId }
  assert.equal((await again.call('POST /posts', { body: inBody })).post.id, one.id)
  await assert.rejects(again.posts.create({ text: 'other' }, { operationId }), { name: 'KithReusedIdError' })
  // Another store knows nothing of it: there the service answers, by the same id.
  const elsewhere = await openFolder(join(home.path, 'elsewhere'))
  for (const name of ['passport.json', 'token', 'key']) await elsewhere.write(name, (await ada.folder.read(name))!)
  const other = await openIdentity(join(home.path, 'elsewhere'))
  await assert.rejects(other.posts.create({ text: 'other' }, { operationId }), { code: 'idempotency_conflict' })
  await ada.posts.remove(one.id)
  await assert.rejects(other.posts.create({ text: 'mine' }, { operationId }), { code: 'post_deleted' })
})

test('killed before or after the service acted, a post, a poll and its closing happen once', async () => {
  for (const when of ['before', 'after'] as const) {
    const text = `killed ${when}`
    await killed(folderOf('ada'), when, 'POST /posts', 'post', { text, visibility: 'public' })
    const client = await openIdentity(folderOf('ada'))
    assert.equal((await client.pending()).length, 1)
    const [outcome] = await client.resumePending()
    assert.equal(outcome!.answer!.status, when === 'before' ? 201 : 200)
    assert.equal((await texts(client)).filter((each) => each === text).length, 1)
    const { id } = (outcome!.answer!.body as { post: { id: string } }).post

    const closes_at = new Date(Date.now() + 86_400_000).toISOString()
    const poll = { question: 'Rope or chain?', options: ['rope', 'chain'], closes_at }
    await killed(folderOf('ada'), when, `POST /posts/${id}/poll`, 'poll', id, poll)
    assert.equal((await client.resumePending())[0]!.answer!.status, when === 'before' ? 201 : 200)
    assert.equal((await client.posts.get(id)).poll!.question, 'Rope or chain?')
    await killed(folderOf('ada'), when, `POST /posts/${id}/poll/close`, 'close', id)
    assert.equal((await client.resumePending())[0]!.answer!.status, 200)
    assert.notEqual((await client.posts.get(id)).poll!.closed_at, null)

    // The second DELETE finds nothing: that is what it wanted.
    await killed(folderOf('ada'), when, `DELETE /posts/${id}`, 'remove', id)
    const [gone] = await client.resumePending()
    assert.deepEqual([gone!.answer!.body, gone!.refusal], [{ deleted: true }, undefined])
    assert.deepEqual(await client.resumePending(), [])
  }
})

test('a poll shows its votes only to its author, and is closed once', async () => {
  const closes_at = new Date(Date.now() + 3600_000).toISOString()
  const poll = { question: 'Salvage?', options: ['yes', 'no'], closes_at }
  const draft = await ada.posts.create({ text: 'hidden' })
  const { id } = await ada.posts.change(draft.id, { visibility: 'public' })
  const unlucky = await openIdentity(folderOf('ada'), { runtime: losing(/POST .*\/poll(\/close)?$/, 2) })
  assert.deepEqual(pluck((await unlucky.polls.create(id, poll)).options, 'text'), ['yes', 'no'])
  const votes = await ada.polls.statistics(id)
  assert.deepEqual([votes.total_votes, votes.options.map(({ votes }) => votes)], [0, [0, 0]])
  assert.notEqual((await ada.polls.close(id)).closed_at, null)
  assert.equal((await bob.posts.get(id)).poll!.closes_at, closes_at)
})
