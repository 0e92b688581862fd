// Faults planted in what visitors do, each in a transaction of its own, and what the verification says of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Plants } from '../../test/planted.ts'
import { testPlants } from '../../test/planting.ts'
import { beforehand, story } from '../../test/story.ts'
import { asked } from '../../test/visitors.ts'
import { code } from '../../test/world.ts'
import { walks } from '../app/modules.ts'
import { visitorsWalk, voicesWalk } from '../modules/visitors/verify.ts'
import { verify } from './verify.ts'

const { w, ada } = story('ada')
const vera = beforehand(() => w.visitor())
const one = beforehand(() => asked(w, ada))
const other = beforehand(() => asked(w, ada))
beforehand(async () => {
  const vote = { json: { option_id: one.options[0] } }
  assert.equal(code(await vera.request('PUT', `/visitor/follows/${ada.id}`)), '200')
  assert.equal(code(await vera.request('PUT', `/visitor/posts/${one.postId}/reactions/like`)), '200')
  assert.equal(code(await vera.request('PUT', `/visitor/posts/${one.postId}/poll/vote`, vote)), '200')
})

const nameOf = (id: string | null): string => {
  const known = { [vera.id]: 'vera', [one.postId]: 'one', [other.postId]: 'other' }
  return known[id ?? ''] ?? String(id)
}

test('everything is looked at', async () => {
  const { seen } = await verify(w.sql, walks)
  assert.deepEqual([seen['visitors'], seen['posts']], [1, 2])
})

const plants: Plants = {
  'a follow that nobody counted': [(tx) => tx`update visitors set follows = 0`, ['visitor.follows vera']],
  'a follow that is lost': [(tx) => tx`delete from visitor_follows`, ['visitor.follows vera']],
  'a reaction that nobody counted': [(tx) => tx`delete from post_reaction_counts`, ['reaction.counted one']],
  'a reaction that is lost': [
    (tx) => tx`delete from post_reactions`,
    ['reaction.browsers one', 'reaction.counted one'],
  ],
  'a browser that nobody counted': [(tx) => tx`update post_reactors set browsers = 0`, ['reaction.browsers one']],
  'a reaction that counts as another': [
    (tx) => tx`update post_reaction_counts set kind = 'wow'`,
    ['reaction.counted one'],
  ],
  'a reaction of nobody': [
    (tx) => tx`update post_reactions set visitor_id = ${randomUUID()}`,
    ['reaction.visitor one'],
  ],
  'a vote of nobody': [(tx) => tx`update poll_votes set visitor_id = ${randomUUID()}`, ['vote.visitor one']],
  'a vote for what another poll offers': [
    (tx) => tx`update poll_votes set option_id = ${other.options[0]}`,
    ['vote.option one'],
  ],
  'a visitor who is gone, but for what it did': [
    async (tx) => {
      await tx`delete from visitor_follows`
      await tx`delete from visitors`
    },
    ['reaction.visitor one', 'vote.visitor one'],
  ],
}

testPlants(w, nameOf, plants, [visitorsWalk, voicesWalk])
