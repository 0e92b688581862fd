// Ada wishes, Bob complains, Cyd writes and Sue answers, on the real service, and the answer to every change gets lost: what
// was meant once happens once, each in the next run of the program.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import type { Article, FeedbackRecord, FolderClient, FollowUp, Idea, KithEvent, Subscription } from '../src/node.ts'
import { all, lost as lostAnswer, unlucky } from './lost.ts'
import { identities } from './registered.ts'

const { w } = story()
const { folderOf, ada, bob, cyd, sue } = identities(w, 'ada', 'bob', 'cyd', 'sue')
beforehand(async () => {
  await w.operator('staff', 'assign', 'sue', 'support')
  await w.operator('editorial', 'assign', 'cyd')
})

const lost = <T>(name: string, act: (client: FolderClient) => Promise<unknown>) => lostAnswer<T>(folderOf(name), act)

/** The first event of a kind that waits for an agent. */
async function heard<K extends KithEvent['kind']>(client: FolderClient, kind: K) {
  const receiver = await client.receive()
  try {
    for await (const event of receiver) {
      await receiver.done(event)
      if (event.kind === kind) return event.payload as Extract<KithEvent, { kind: K }>['payload']
    }
    throw new Error(`no ${kind} came`)
  } finally {
    await receiver.close()
  }
}

test('an idea is published, voted on and answered, and subscribers get an event', async () => {
  const words = { title: 'Quieter bells', body: 'At night.\nPlease.' }
  const input = { ...words, publication_confirmed: true as const }
  const { feedback: idea } = await lost<{ feedback: Idea }>('ada', (client) => client.ideas.create(input))
  const { id } = idea
  assert.deepEqual([idea.category, idea.visibility, idea.viewer_is_subscribed], ['idea', 'public', true])
  assert.deepEqual(
    (await all(bob.ideas.search({ q: 'bells night', page_size: 1 }))).map((each) => [each.id, each.viewer_has_voted]),
    [[id, false]],
  )
  assert.deepEqual(await all(bob.ideas.search({ q: 'trumpets' })), [])
  assert.equal((await lost<{ idea: Idea }>('bob', (client) => client.ideas.vote(id))).idea.votes_count, 1)
  assert.deepEqual([(await ada.ideas.vote(id)).votes_count, (await bob.ideas.vote(id)).votes_count], [2, 2])
  await lost('ada', (client) => client.ideas.unvote(id))
  const subscribed = await lost<{ subscription: Subscription }>('bob', (client) => client.feedback.subscribe(id))
  assert.equal(subscribed.subscription.is_active, true)

  const answer = { expected_version: 1, status: 'planned' as const, response: 'In spring.' }
  const { feedback: answered } = await lost<{ feedback: FeedbackRecord }>('sue', (client) =>
    client.staff.answer(id, answer),
  )
  assert.deepEqual([answered.status, answered.version, answered.response], ['planned', 2, 'In spring.'])
  for (const client of [ada, bob])
    assert.deepEqual(await heard(client, 'feedback.changed'), { feedback_id: id, status: 'planned', version: 2 })
  const seen = await bob.ideas.get(id)
  assert.deepEqual([seen.votes_count, seen.viewer_has_voted, seen.response], [1, true, 'In spring.'])
  assert.deepEqual(
    (await all(bob.feedback.updates(id, { page_size: 1 }))).map(({ version, status }) => [version, status]),
    [[2, 'planned']],
  )
  assert.equal((await all(bob.feedback.subscriptions()))[0]!.feedback_id, id)
  await lost('bob', (client) => client.feedback.unsubscribe(id))
  assert.deepEqual(await all(bob.feedback.subscriptions()), [])
  assert.equal((await bob.feedback.subscription(id)).is_active, false)
})

test('the last vote wins, even if an earlier one was left unfinished', async () => {
  const { id } = await ada.ideas.create({ title: 'More bells', body: 'By day', publication_confirmed: true })
  const cut = await unlucky(folderOf('bob'))
  await assert.rejects(cut.ideas.vote(id), { name: 'KithNetworkError' })
  assert.equal((await bob.pending()).length, 1)
  assert.deepEqual(
    [(await bob.ideas.unvote(id)).votes_count, (await bob.pending()).length, (await bob.resumePending()).length],
    [0, 0, 0],
  )
  await assert.rejects(cut.feedback.subscribe(id), { name: 'KithNetworkError' })
  await assert.rejects(cut.feedback.unsubscribe(id), { name: 'KithNetworkError' })
  const [open, ...more] = await bob.pending()
  assert.deepEqual([open?.method, more], ['DELETE', []])
  await bob.resumePending()
  assert.equal((await bob.feedback.subscription(id)).is_active, false)
  // The vote was not taken back: the idea is gone.
  await bob.ideas.vote(id)
  await assert.rejects(cut.ideas.unvote(id), { name: 'KithNetworkError' })
  await ada.bots.update({ profile_public: false })
  const [outcome] = await bob.resumePending()
  assert.equal(outcome?.refusal?.code, 'not_found')
  await ada.bots.update({ profile_public: true })
})

test('a problem is filed with its diagnostics, gets a follow-up, and is read by staff alone', async () => {
  const diagnostics = {
    layer: 'api' as const,
    operation: 'orders.accept',
    method: 'POST' as const,
    endpoint: '/api/v1/orders/{id}/accept',
    http_status: 409,
    error_code: 'version_conflict',
  }
  const input = { category: 'problem' as const, title: 'It fails', body: 'Each time', diagnostics }
  const wrong = { ...input, diagnostics: { ...diagnostics, endpoint: 'https://example.org/api/v1/orders' } }
  await assert.rejects(bob.feedback.create(wrong), { code: 'invalid_input' })
  const made = await lost<{ feedback: FeedbackRecord }>('bob', (client) => client.feedback.create(input))
  const { id } = made.feedback
  assert.deepEqual([made.feedback.visibility, made.feedback.diagnostics], ['private', diagnostics])
  const addition = { expected_version: 1, body: 'Today too' }
  const added = await lost<{ followup: FollowUp; feedback: FeedbackRecord }>('bob', (client) =>
    client.feedback.followUp(id, addition),
  )
  assert.deepEqual([added.followup.version, added.feedback.version, added.feedback.status], [2, 2, 'received'])
  assert.deepEqual(pluck(await all(bob.feedback.followUps(id)), 'body'), ['Today too'])
  const [first] = await all(sue.staff.feedback({ category: 'problem', status: 'received', page_size: 1 }))
  assert.equal(first?.id, id)
  const found = await sue.staff.feedbackRecord(id)
  assert.deepEqual([found.feedback.version, found.updates, found.followups.length], [2, [], 1])
  await sue.staff.answer(id, { expected_version: 2, status: 'resolved', response: 'Read again first.' })
  assert.equal((await heard(bob, 'feedback.changed')).status, 'resolved')
  assert.deepEqual(
    (await all(bob.feedback.list({ visibility: 'private', status: 'resolved' }))).map((each) => each.id),
    [id],
  )
  const guide = await ada.feedback.guide('ru')
  assert.equal(guide.lang, 'ru')
})

test('an assigned author writes, publishes, changes and withdraws an article, each once', async () => {
  const { invitation_id } = await heard(cyd, 'editorial.invitation')
  assert.equal((await cyd.editorial.invitation(invitation_id)).state, 'active')
  assert.equal((await all(cyd.editorial.invitations({ page_size: 1 }))).length, 1)
  const [status, none] = [await cyd.editorial.me(), await ada.editorial.me()]
  assert.deepEqual([status.assigned, status.eligible, status.blocked_reasons], [true, true, []])
  assert.deepEqual([none.assigned, none.blocked_reasons], [false, ['publisher_not_assigned']])
  const input = { title: 'On bells', body: 'They ring.\nAgain.', language: 'en' as const }

  const { article } = await lost<{ article: Article }>('cyd', (client) => client.editorial.create(input))
  const { id } = article
  assert.deepEqual([article.state, article.version, article.public_url], ['draft', 1, null])
  const ask = { expected_version: 1, publication_confirmed: true as const }
  const out = await lost<{ article: Article }>('cyd', (client) => client.editorial.publish(id, ask))
  assert.match(out.article.public_url!, new RegExp(`/articles/${id}$`))
  const changes = { expected_version: 2, title: 'On bells, again' }
  await lost('cyd', (client) => client.editorial.edit(id, { ...changes, publication_confirmed: true }))
  const feed = await (await fetch(`${w.url}/feed.xml`)).text()
  assert.match(feed, /On bells, again/)
  await lost('cyd', (client) => client.editorial.withdraw(id, { expected_version: 3 }))
  assert.deepEqual(
    (await all(cyd.editorial.list({ state: 'withdrawn', language: 'en' }))).map((each) => each.title),
    ['On bells, again'],
  )
  assert.equal((await cyd.editorial.get(id)).body, input.body)
})
