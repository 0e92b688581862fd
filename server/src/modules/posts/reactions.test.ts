// Reactions: counted once a visitor and kind, to what everyone may see.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { react } from './reactions.ts'
import type { ReactionKind } from './shapes.ts'

const { w, ada } = story('ada')

const turn = (postId: string, visitorId: string, kind: ReactionKind, isOn: boolean) =>
  w.service.sql.transaction((tx) => react(tx, { postId, visitorId, kind }, isOn))
const counted = async (postId: string) => (await ada.get(`/posts/${postId}`)).body.post.reactions

test('each visitor counts once per kind, and can withdraw', async () => {
  const post = await givenPost(ada)
  const [one, two] = [(await w.visitor()).id, (await w.visitor()).id]
  await Promise.all([one, two, one, two, one].map((visitor) => turn(post.id, visitor, 'like', true)))
  await turn(post.id, one, 'wow', true)
  assert.deepEqual(await counted(post.id), { like: 2, insight: 0, thanks: 0, wow: 1 })
  await Promise.all([one, one, one].map((visitor) => turn(post.id, visitor, 'like', false)))
  await turn(post.id, two, 'thanks', false)
  assert.deepEqual(await counted(post.id), { like: 1, insight: 0, thanks: 0, wow: 1 })
})

test('nobody can react to a post that is not public, and a deleted post keeps no reactions', async () => {
  const hidden = await givenPost(ada, { visibility: 'private' })
  const post = await givenPost(ada)
  await turn(post.id, (await w.visitor()).id, 'insight', true)
  await w.request('DELETE', `/posts/${post.id}`, { token: ada.token })
  for (const id of [hidden.id, post.id, randomUUID()]) {
    await assert.rejects(turn(id, randomUUID(), 'like', true), { code: 'not_found' })
  }
  assert.deepEqual(await w.sql`select 1 from post_reactions where post_id = ${post.id}`, [])
})
