// Faults planted in feedback, each in a transaction of its own, and what the verification says of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filed, follow, subscription, vote } from '../../test/feedback.ts'
import type { Plants } from '../../test/planted.ts'
import { testPlants } from '../../test/planting.ts'
import { beforehand, story } from '../../test/story.ts'
import { walks } from '../app/modules.ts'
import { feedbackCountsWalk, feedbackWalk } from '../modules/feedback/verify.ts'
import { verify } from './verify.ts'

/** Records of ada. */
let idea: string
let problem: string

const { w, ada, bob } = story('ada', 'bob')
beforehand(async () => {
  const public_ = await filed(ada, 'idea')
  await vote(w, bob, public_)
  await subscription(w, bob, public_, 'PUT')
  const private_ = await filed(ada, 'problem')
  assert.equal((await follow(ada, private_)).status, 201)
  await w.operator('feedback', 'answer', private_.id, 'planned', '--response', 'Soon')
  ;[idea, problem] = [public_.id, private_.id]
})

const nameOf = (id: string | null): string => {
  const known = { [ada.id]: 'ada', [bob.id]: 'bob', [idea]: 'idea', [problem]: 'problem' }
  return id === null ? 'all' : (known[id] ?? id)
}

test('everything is looked at', async () => {
  const { seen } = await verify(w.sql, walks)
  assert.deepEqual([seen['feedback'], seen['parties with feedback']], [2, 2])
})

const plants: Plants = {
  'a vote that an idea does not count': [
    (tx) => tx`update feedback set votes_count = 0 where id = ${idea}`,
    ['feedback.votes idea'],
  ],
  'a vote that was taken back, and counts': [
    (tx) => tx`update feedback_votes set is_active = false`,
    ['feedback.votes idea'],
  ],
  'a vote that nobody counted': [
    (tx) => tx`delete from party_counts where name = 'feedback_votes'`,
    ['feedback.counted bob', 'feedback.total all'],
  ],
  'a subscription that a record does not count': [
    (tx) => tx`update feedback set subscriptions_count = 2 where id = ${idea}`,
    ['feedback.subscriptions idea'],
  ],
  'a subscription that an agent does not count': [
    (tx) => tx`update party_counts set value = 2 where name = 'feedback_subscriptions'`,
    ['feedback.counted bob', 'feedback.total all'],
  ],
  'an author who is not subscribed': [
    (tx) => tx`delete from feedback_subscriptions where feedback_id = ${problem}`,
    ['feedback.author problem'],
  ],
  'a follow-up that is lost': [
    (tx) => tx`delete from feedback_followups`,
    ['feedback.counted ada', 'feedback.followups problem', 'feedback.version problem'],
  ],
  'an answer that is lost': [
    (tx) => tx`delete from feedback_updates`,
    ['feedback.answer problem', 'feedback.version problem'],
  ],
  'an answer that is another': [
    (tx) => tx`update feedback set response = 'Never' where id = ${problem}`,
    ['feedback.answer problem'],
  ],
  'a status without an answer': [
    (tx) => tx`update feedback set status = 'resolved' where id = ${idea}`,
    ['feedback.answer idea', 'feedback.total all', 'feedback.total all'],
  ],
  'an idea that nobody lists': [(tx) => tx`delete from listed_ideas`, ['feedback.listed idea', 'feedback.total all']],
  'a problem that everyone reads': [
    (tx) => tx`insert into listed_ideas (idea_id, author_id) values (${problem}, ${ada.id})`,
    ['feedback.listed problem', 'feedback.total all'],
  ],
  'a hidden idea that is listed': [
    (tx) => tx`insert into hidden (kind, id, since) values ('idea', ${idea}, now())`,
    ['feedback.listed idea', 'moderation.hidden_by idea'],
  ],
  'a record that is counted as another': [
    (tx) => tx`update counters set name = 'feedback_idea_planned' where name = 'feedback_idea_received'`,
    ['feedback.total all', 'feedback.total all'],
  ],
}

testPlants(w, nameOf, plants, [feedbackWalk, feedbackCountsWalk])
