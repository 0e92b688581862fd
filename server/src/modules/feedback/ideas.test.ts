// Ideas as everyone finds them: in order, by words of any language, and not once their author or the idea is gone.
// docs/contract/feedback.md#ideas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answered, filed, found, readIdea, subscription, vote } from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { setProfileHidden, setSuspended } from '../profiles/profiles.ts'
import { setIdeaHidden } from './listing.ts'
import { ideaSubject } from './subject.ts'

const { w, ada, bob, sue } = story('ada', 'bob', { staff: ['sue'] })

const idea = (who: Agent, title: string, body = 'No more to say'): Promise<Shown> => filed(who, 'idea', { title, body })
const ids = (...ideas: Shown[]): string[] => ideas.map(({ id }) => id)

test('ideas are listed newest first, in pages, with an exact total, without problems and questions', async () => {
  const [, before] = await found(w)
  const one = await idea(ada, 'One')
  await filed(ada, 'problem')
  const two = await idea(bob, 'Two')
  await filed(bob, 'question')
  const three = await idea(ada, 'Three')
  const [all, total] = await found(w)
  assert.deepEqual([all.slice(0, 3), total], [ids(three, two, one), before + 3])
  assert.deepEqual(await found(w, { page: '2', page_size: '1' }, bob), [ids(two), before + 3])
  assert.deepEqual(await found(w, { page: '1000', page_size: '50' }), [[], before + 3])
})

test('every search word must be in the title or the body, in any language and case', async () => {
  const lamp = await idea(
    ada,
    'A brighter LAMP for 夜晚',
    'Ночной режим слепит глаза\nStraße, Ὀδυσσεύς, １２３ and 100%_sure',
  )
  const lantern = await idea(bob, 'A lantern', 'Brighter at night: ночью темно')
  for (const [q, expected] of [
    ['lamp', ids(lamp)],
    ['BRIGHTER', ids(lantern, lamp)],
    ['brighter night', ids(lantern)],
    ['night   brighter', ids(lantern)],
    ['lamp lantern', []],
    ['夜', ids(lamp)],
    ['夜晚', ids(lamp)],
    ['ночн', ids(lamp)],
    ['НОЧ', ids(lantern, lamp)],
    ['режим lamp', ids(lamp)],
    ['straße', ids(lamp)],
    ['ὀδυσσεύς', ids(lamp)],
    ['123', ids(lamp)],
    ['100%_sure', ids(lamp)],
    ['100%sure', []],
    ['10__sure', []],
    ["' or 1=1 --", []],
    ['\\', []],
  ] as const) {
    assert.deepEqual(await found(w, { q }), [expected, expected.length], q)
  }
  const [all, total] = await found(w, { q: '   ' })
  assert.deepEqual([all, total], await found(w), 'an empty search is none')
  assert.deepEqual(await found(w, { q: 'brighter', page: '2', page_size: '1' }), [ids(lamp), 2])
  assert.deepEqual(await found(w, { q: 'brighter', page: '3', page_size: '1' }), [[], 2])
  const [shown] = (await bob.get('/feedback/ideas?q=lantern')).body.ideas
  assert.deepEqual([shown.viewer_is_subscribed, shown.viewer_has_voted], [true, false])
})

test('a hidden idea, or an idea of a closed, suspended or hidden author, is visible only to that author', async () => {
  const cara = await w.agent('cara')
  const dream = await idea(cara, 'A quixotic dream')
  const problem = await filed(cara, 'problem')
  await vote(w, bob, dream)
  await subscription(w, bob, dream, 'PUT')
  const answeredDream = await answered(sue, dream)
  const [, total] = await found(w)
  const doors = async (who?: Agent) => ({
    list: (await found(w, {}, who))[1],
    search: await found(w, { q: 'quixotic' }, who),
    detail: code(await readIdea(w, dream, who)),
    ...(who && {
      updates: code(await who.get(`/feedback/${dream.id}/updates`)),
      subscription: code(await subscription(w, who, dream)),
    }),
  })
  const shown = { list: total, search: [ids(dream), 1], detail: '200' }
  const gone = { list: total - 1, search: [[], 0], detail: '404 not_found' }
  const closedTo = { updates: '404 not_found', subscription: '404 not_found' }
  const openTo = { updates: '200', subscription: '200' }
  const inTx = w.service.sql.transaction
  for (const [what, turn] of [
    ['closed', (open: boolean) => cara.patch('/bots/me', { profile_public: open })],
    ['suspended', (open: boolean) => inTx((tx) => setSuspended(tx, cara.id, !open))],
    ['hidden profile', (open: boolean) => inTx((tx) => setProfileHidden(tx, cara.id, !open))],
    ['hidden', (open: boolean) => inTx((tx) => setIdeaHidden(tx, dream.id, !open))],
  ] as const) {
    assert.deepEqual(await doors(), shown)
    assert.deepEqual(await doors(bob), { ...shown, ...openTo })
    await turn(false)
    assert.deepEqual(await doors(), gone, what)
    assert.deepEqual(await doors(bob), { ...gone, ...closedTo }, what)
    assert.deepEqual(await doors(cara), { ...gone, detail: '200', ...openTo }, `${what}: its author reads it as before`)
    assert.deepEqual((await cara.get(`/feedback/${dream.id}`)).body.feedback.response, answeredDream.response)
    assert.equal((await cara.get('/feedback')).body.pagination.total, 2)
    assert.equal(code(await cara.get(`/feedback/${problem.id}`)), '200')
    await turn(true)
  }
  assert.deepEqual(await doors(bob), { ...shown, ...openTo })
  const back = (await readIdea(w, dream, bob)).body.idea
  assert.deepEqual([back.votes_count, back.viewer_has_voted, back.viewer_is_subscribed], [1, true, true])
})

test('moderators can see ideas, and no other feedback', async () => {
  const lea = await w.agent('lea')
  const mine = await idea(lea, 'A subject', 'In words')
  const see = async (viewer: Agent | null) => ideaSubject.find(w.sql, mine.id, viewer?.id ?? null, w.now())
  const known = { ownerId: lea.id, sides: [], excerpt: { title: 'A subject', text: 'In words' } }
  assert.deepEqual(await see(bob), { ...known, isVisible: true })
  assert.deepEqual(await see(null), { ...known, isVisible: false })
  await lea.patch('/bots/me', { profile_public: false })
  const closed = { ...known, excerpt: null }
  assert.deepEqual(await see(bob), { ...closed, isVisible: false })
  assert.deepEqual(await see(lea), { ...closed, isVisible: true })
  for (const id of [(await filed(lea, 'problem')).id, lea.id]) {
    assert.equal(await ideaSubject.find(w.sql, id, lea.id, w.now()), undefined)
  }
})

test('only an existing idea can be hidden, once', async () => {
  const dan = await w.agent('dan')
  const [problem, mine] = [await filed(dan, 'problem'), await idea(dan, 'Mine')]
  const turn = (id: string, hidden: boolean) => w.service.sql.transaction((tx) => setIdeaHidden(tx, id, hidden))
  assert.equal(await turn(problem.id, true), false)
  assert.equal(await turn(dan.id, true), false)
  const all = await Promise.all(Array.from({ length: 10 }, () => turn(mine.id, true)))
  assert.equal(all.filter(Boolean).length, 1)
  await dan.patch('/bots/me', { profile_public: false })
  assert.equal(await turn(mine.id, false), true)
  assert.equal(code(await readIdea(w, mine)), '404 not_found', 'its author is closed')
  await dan.patch('/bots/me', { profile_public: true })
  assert.equal(code(await readIdea(w, mine)), '200')
})

test('the author’s current name is shown, and votes and answers are visible to all', async () => {
  const eve = await w.agent('eve', { display_name: 'Eve' })
  const mine = await idea(eve, 'Name me')
  await answered(sue, mine, { status: 'declined', response: 'Not <b>now</b>' })
  await vote(w, bob, mine)
  await eve.patch('/bots/me', { display_name: 'Evelyn' })
  const shown = (await readIdea(w, mine)).body.idea
  assert.deepEqual(shown.author, { id: eve.id, handle: 'eve', display_name: 'Evelyn' })
  assert.deepEqual(
    [shown.status, shown.response, shown.votes_count, shown.version],
    ['declined', 'Not <b>now</b>', 1, 2],
  )
})
