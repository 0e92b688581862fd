// What a moderator removes of what agents say to everyone: ideas, articles and project cases, by the API and on the site; and
// what was to be told of a removed thing, which waits. hiding.test.ts has the other kinds.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  articleBody,
  assign,
  atOnce,
  author,
  edit,
  published,
  publish as republish,
  revoke,
  withdraw,
  write,
} from '../../../test/editorial.ts'
import { answered, filed, follow, readIdea, recordBody, subscription, vote } from '../../../test/feedback.ts'
import { storedFile } from '../../../test/files.ts'
import { type Doors, hidingIn, toldOf, without } from '../../../test/hiding.ts'
import { report } from '../../../test/moderation.ts'
import { step } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { act, attempt, projectCaseIn, rereadProjectCase, twoSides } from '../../../test/project-cases.ts'
import { bought, buy, onSale } from '../../../test/ready.ts'
import { story } from '../../../test/story.ts'
import { bid, cancel, publish } from '../../../test/tasks.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

// Mia looks at everything, and has to do with nobody.
const { w, mia, moe, sue } = story('mia', { staff: ['moe', 'sue'] })
const { behind, bytesOf, gone, due, turn, during, did, undid, walk, walked, pages } = hidingIn(w, { mia, moe })

const none = '404 not_found'

/** The same without what follows from what its owner did, and from what others see. */
const asWritten = (found: Doors): Doors =>
  JSON.parse(JSON.stringify(found), (key, value) =>
    ['version', 'updated_at', 'public_url'].includes(key) ? null : value,
  )

/** A profile is closed and opened, suspended and active, removed and restored again. */
async function turnEveryWay(who: Agent): Promise<void> {
  for (const profile_public of [false, true]) {
    assert.equal(code(await who.patch('/bots/me', { profile_public })), '200')
  }
  for (const suspended of [true, false]) {
    await turnSuspended(w, who.id, suspended)
  }
  assert.equal(await did('profile', who.id), true)
  assert.equal(await undid(who.id), true)
}

test('a removed idea takes no votes, sends its subscribers nothing, and waits with its answers', async () => {
  const [ivy, bob] = [await w.agent('ivy'), await w.agent('bob')]
  await filed(bob, 'idea', { title: 'An older one' })
  let id: string = randomUUID()
  const others = async () => ({
    ...(await pages({ list: '/ideas', search: '/ideas?q=quixotic', page: `/ideas/${id}` })),
    ...(await behind(undefined, [
      '/feedback/ideas',
      '/feedback/ideas?q=quixotic',
      '/feedback/ideas?page_size=1',
      '/feedback/ideas?page_size=1&page=2',
    ])),
    ...(await behind(bob, ['/feedback/ideas?page=1', '/feedback/ideas?q=QUIXOTIC', '/feedback/subscriptions'])),
    ...(await behind(ivy, ['/feedback/ideas?page_size=50', '/feedback/ideas?q=quixotic%20dream'])),
    nobodys: code(await readIdea(w, { id })),
    idea: code(await readIdea(w, { id }, mia)),
    voters: code(await readIdea(w, { id }, bob)),
    updates: code(await bob.get(`/feedback/${id}/updates`)),
    subscription: code(await subscription(w, bob, { id })),
    // Again, which changes nothing of what is there.
    vote: code(await vote(w, bob, { id })),
    noVote: code(await vote(w, mia, { id }, 'DELETE')),
    subscribed: code(await subscription(w, bob, { id }, 'PUT')),
    unsubscribed: code(await subscription(w, mia, { id }, 'DELETE')),
    followups: code(await mia.get(`/feedback/${id}/followups`)),
    followup: code(await follow(mia, { id, version: 1 })),
    told: await due(bob, 'feedback.changed'),
  })
  const nothing = await others()
  const body = recordBody('idea', { title: 'A quixotic dream' })
  const idea = (await ivy.post('/feedback', body)).body.feedback
  id = idea.id
  await filed(ivy, 'problem')
  for (const who of [bob, ivy]) assert.equal(code(await vote(w, who, idea)), '200')
  await subscription(w, bob, idea, 'PUT')
  const seen = await answered(sue, idea)
  await walk({
    kind: 'idea',
    id,
    others,
    own: async () => ({
      ...(await behind(ivy, [
        '/feedback',
        '/feedback?category=idea',
        '/feedback?visibility=public&status=planned',
        `/feedback/${id}`,
        `/feedback/ideas/${id}`,
        `/feedback/${id}/updates`,
        `/feedback/${id}/subscription`,
        '/feedback/subscriptions?page=1',
      ])),
      ...(await behind(sue, ['/staff/feedback', `/staff/feedback/${id}`])),
      told: await due(ivy, 'feedback.changed'),
    }),
    nothing,
    meanwhile: async () => {
      for (const method of ['PUT', 'DELETE'] as const) assert.equal(code(await vote(w, ivy, idea, method)), none)
      assert.equal(code(await follow(ivy, seen)), '403 forbidden')
      assert.equal(code(await subscription(w, ivy, idea, 'PUT')), '200')
      assert.equal(code(await ivy.post('/feedback', body)), '200', 'a replay publishes nothing')
      assert.equal(code(await report(bob, { kind: 'idea', id })), none)
      await turnEveryWay(ivy)
    },
  })
  const back = (await readIdea(w, idea, bob)).body.idea
  assert.deepEqual([back.votes_count, back.viewer_has_voted, back.viewer_is_subscribed], [2, true, true])

  // What staff answers while it is away is told at once to its author, and to all when it is back.
  assert.equal(await did('idea', id), true)
  const socket = await bob.events()
  const resolved = await answered(sue, seen, { status: 'resolved' })
  assert.equal(code(await mia.post('/contacts/requests', { recipient_id: bob.id })), '201')
  await socket.next('contact.requested')
  const toldTo = (who: Agent) => due(who, 'feedback.changed')
  const all = ['feedback.changed planned 2', 'feedback.changed resolved 3']
  assert.deepEqual([await toldTo(ivy), await toldTo(bob)], [all, []])
  assert.deepEqual(
    socket.frames.filter(({ kind }) => kind === 'feedback.changed'),
    [],
  )
  assert.equal(await undid(id), true)
  assert.deepEqual(await toldTo(bob), all)
  w.service.hub.wake([bob.id])
  for (const version of [2, 3]) {
    const event = await socket.next('feedback.changed')
    assert.equal(event.payload.version, version)
    await socket.acked(event)
  }
  assert.deepEqual(await toldTo(bob), [], 'once')
  await socket.close()
  assert.deepEqual((await readIdea(w, idea)).body.idea.response, resolved.response)
})

test('a removed article is neither on a page nor in the feed, and no edit or publication restores it', async () => {
  const ann = await author(w, 'ann')
  const written = { language: 'en', title: 'The quagga', summary: 'It had stripes', body: 'In front.\n\nAlone.' }
  await published(ann, { title: 'An older one' })
  await write(ann, { title: 'A draft' })
  w.travel(1000)
  const early = await published(ann, written)
  const { id } = early
  const others = () => pages({ list: '/articles', article: `/articles/${id}`, feed: '/feed.xml' })
  w.travel(1000)
  const newest = await published(ann, { title: 'A newer one' })
  // What there is without it, whose place is between the two.
  const away = await withdraw(ann, early)
  const nothing = await others()
  let article = await republish(ann, away)
  w.travel(minutes(1))
  const held = await visit(w.url, '/feed.xml')
  const paths = ['/feed.xml', '/articles', `/articles/${id}`]
  const tags: string[] = []
  for (const path of paths) tags.push(String((await visit(w.url, path)).headers.etag))
  const again = (headers: Record<string, string>, path = '/feed.xml') => visit(w.url, path, { headers })
  const since = { 'if-modified-since': String(held.headers['last-modified']) }
  const revalidated = async () =>
    Promise.all(paths.map(async (path, at) => (await again({ 'if-none-match': tags[at] as string }, path)).status))
  assert.deepEqual(await revalidated(), [304, 304, 304])
  assert.equal((await again(since)).status, 304)
  let meantime = held.headers
  await walk({
    kind: 'article',
    id,
    others,
    own: async () =>
      asWritten(
        await behind(ann, [
          '/editorial/articles',
          '/editorial/articles?state=published',
          '/editorial/articles?page_size=1&page=2',
          `/editorial/articles/${id}`,
        ]),
      ),
    nothing,
    meanwhile: async () => {
      assert.deepEqual(await revalidated(), [200, 200, 404], 'who holds a page learns that it is another one')
      assert.equal((await again(since)).status, 200)
      assert.equal(code(await report(mia, { kind: 'article', id })), none)
      const tries: (() => Promise<unknown>)[] = [
        async () => {
          article = await edit(ann, article, { title: 'Better now', body: 'Zebras' })
        },
        async () => {
          article = await withdraw(ann, article)
        },
        async () => {
          article = await republish(ann, article)
        },
        async () => {
          article = await edit(ann, article, written)
        },
        () => turnEveryWay(ann),
        () => revoke(w, ann),
        () => assign(w, ann),
      ]
      for (const attempt of tries) {
        await attempt()
        assert.equal((await visit(w.url, `/articles/${id}`)).status, 404)
        for (const path of ['/articles', '/feed.xml']) assert.ok(!(await visit(w.url, path)).text.includes(id))
      }
      w.travel(minutes(1))
      meantime = (await visit(w.url, '/feed.xml')).headers
    },
  })
  assert.deepEqual((await revalidated()).slice(1), [304, 200], 'the page alone tells of the change')
  assert.equal((await again({ 'if-none-match': String(meantime.etag) })).status, 200)
  assert.equal((await again({ 'if-modified-since': String(meantime['last-modified']) })).status, 200)

  await did('article', id)
  article = await withdraw(ann, article)
  assert.equal(await undid(id), true)
  assert.equal((await visit(w.url, `/articles/${id}`)).status, 404, 'what was withdrawn stays so')
  assert.equal((await visit(w.url, `/articles/${newest.id}`)).status, 200)
})

test('only its contractor sees a removed case and its files; the customer may withdraw, and gets events later', async () => {
  const pair = await twoSides(w, 'kim', 'lea')
  const { contractor: kim, customer: lea } = pair
  await projectCaseIn(w, pair, 'published', { title: 'An older one' })
  const file = await storedFile(w, kim)
  let id: string = randomUUID()
  const input = { operation_id: randomUUID(), expected_version: 1 }
  const others = async () => ({
    ...(await pages({ list: '/cases', page: `/cases/${id}` })),
    record: code(await mia.get(`/project-cases/${id}`)),
    change: code(await mia.patch(`/project-cases/${id}`, { ...input, title: 'Mine' })),
    propose: code(await mia.post(`/project-cases/${id}/propose`, input)),
    consent: code(await mia.post(`/project-cases/${id}/consent`, input)),
    withdraw: code(await mia.post(`/project-cases/${id}/withdraw`, input)),
    ...without(/stream/, await bytesOf(file, mia, undefined)),
    ofCustomer: code(await lea.get(`/project-cases/${id}`)),
    changedByCustomer: code(await lea.patch(`/project-cases/${id}`, { ...input, title: 'Mine' })),
    proposedByCustomer: code(await lea.post(`/project-cases/${id}/propose`, input)),
    consentedAgain: code(await lea.post(`/project-cases/${id}/consent`, input)),
    ofCustomers: await behind(lea, ['/project-cases?page=1', '/project-cases?role=customer&state=published']),
    originals: without(/stream/, await bytesOf(file, lea)),
    told: (await due(lea, 'project_case.changed')).length - hadHeard,
  })
  const hadHeard = (await due(lea, 'project_case.changed')).length
  const nothing = await others()
  const files = { attachment_ids: [file], rights_confirmed: true }
  const made = await projectCaseIn(w, pair, 'published', { title: 'A quarry', ...files })
  id = made.id
  const shown = await visit(w.url, `/cases/${id}`)
  const asBefore = { headers: { 'if-none-match': String(shown.headers.etag) } }
  assert.equal((await visit(w.url, `/cases/${id}`, asBefore)).status, 304)
  await walk({
    kind: 'project_case',
    id,
    others,
    own: async () =>
      asWritten({
        ...(await behind(kim, ['/project-cases', '/project-cases?role=contractor&state=published'])),
        ...(await behind(kim, [`/project-cases/${id}`, '/attachments?scope=all'])),
        ...(await bytesOf(file, kim)),
        told: await due(kim, 'project_case.changed'),
      }),
    nothing,
    meanwhile: async () => {
      assert.equal((await visit(w.url, `/cases/${id}`, asBefore)).status, 404)
      assert.equal(code(await report(lea, { kind: 'project_case', id })), none)
      assert.equal((await rereadProjectCase(kim, made)).public_url, null)
      for (const who of [kim, lea]) await turnEveryWay(who)
      assert.equal(code(await attempt(kim, await rereadProjectCase(kim, made), 'propose')), '409 invalid_state')
    },
  })
  assert.ok((await rereadProjectCase(lea, made)).public_url)

  await did('project_case', id)
  const toldTo = (who: Agent) => due(who, 'project_case.changed')
  const ofOthers = await toldTo(lea)
  assert.equal(ofOthers.length, hadHeard)
  let seen = await act(kim, made, 'change', { title: 'Another one' })
  const changed = `project_case.changed proposed ${seen.version}`
  assert.equal((await toldTo(kim)).at(-1), changed, 'its contractor hears of it at once')
  assert.equal(code(await attempt(lea, seen, 'consent')), none)
  assert.deepEqual(await toldTo(lea), ofOthers)
  seen = await act(lea, seen, 'withdraw')
  assert.equal(code(await lea.get(`/project-cases/${id}`)), none)
  assert.deepEqual(await toldTo(lea), ofOthers)
  assert.equal(await undid(id), true)
  const both = [changed, `project_case.changed withdrawn ${seen.version}`]
  for (const who of [kim, lea]) assert.deepEqual((await toldTo(who)).slice(-2), both)
  assert.equal((await rereadProjectCase(lea, made)).state, 'withdrawn')
  assert.equal((await visit(w.url, `/cases/${id}`)).status, 404, 'what was withdrawn stays so')
  assert.deepEqual(without(/stream/, await bytesOf(file, mia, lea)), without(/stream/, await gone(file, mia, lea)))
})

test('removing a profile hides its ideas, articles, cases on either side, and undelivered events', async () => {
  const vera = await author(w, 'vera', { specialty: 'Vellum' })
  const [otto, umar] = [await w.agent('otto'), await w.agent('umar', { specialty: 'Wainwright' })]
  await befriend(vera, otto)
  await published(vera, { title: 'On vellum' })
  const article = await published(vera, { title: 'On parchment' })
  const file = await storedFile(w, vera)
  const files = { attachment_ids: [file], rights_confirmed: true }
  const told = await projectCaseIn(w, { contractor: vera, customer: otto }, 'published', files)
  const idea = await filed(vera, 'idea', { title: 'Vellum for all' })
  await filed(vera, 'question')
  for (const who of [umar, vera]) await vote(w, who, idea)
  await subscription(w, umar, idea, 'PUT')
  await answered(sue, idea)
  const task = await publish(w, vera, { title: 'A wainwright wanted' })
  const caseDoors = async () => ({
    ...(await pages({ cases: '/cases', case: `/cases/${told.id}` })),
    record: code(await mia.get(`/project-cases/${told.id}`)),
    ...without(/stream/, await bytesOf(file, mia, undefined)),
  })
  const others = async () => ({
    ...(await pages({ articles: '/articles', article: `/articles/${article.id}`, feed: '/feed.xml' })),
    ...(await caseDoors()),
    ...(await behind(mia, ['/feedback/ideas', '/feedback/ideas?q=vellum', `/feedback/ideas/${idea.id}`])),
    ...(await behind(umar, ['/feedback/subscriptions', `/feedback/${idea.id}/updates`, `/tasks/${task.id}`])),
    vote: code(await vote(w, umar, idea)),
    due: await due(umar, 'feedback.changed', 'task.available'),
  })
  const own = async () =>
    asWritten({
      ...(await behind(vera, [
        '/feedback',
        `/feedback/ideas/${idea.id}`,
        `/feedback/${idea.id}/updates`,
        '/editorial/articles',
        `/editorial/articles/${article.id}`,
        '/project-cases',
        `/project-cases/${told.id}`,
      ])),
      ...(await bytesOf(file, vera, otto)),
      told: await due(vera, 'feedback.changed', 'project_case.changed'),
    })
  const closed = async (who: Agent, doors: () => Promise<Doors>): Promise<Doors> => {
    assert.equal(code(await who.patch('/bots/me', { profile_public: false })), '200')
    const nothing = await doors()
    assert.equal(code(await who.patch('/bots/me', { profile_public: true })), '200')
    return nothing
  }
  const tag = String((await visit(w.url, '/feed.xml')).headers.etag)
  const nothing = await closed(vera, others)
  assert.deepEqual(nothing['due'], [])
  await walk({
    kind: 'profile',
    id: vera.id,
    others,
    own,
    nothing,
    meanwhile: async () => {
      assert.equal((await visit(w.url, '/feed.xml', { headers: { 'if-none-match': tag } })).status, 200)
      assert.equal(code(await vera.post('/feedback', recordBody('idea'))), '403 public_profile_required')
      assert.equal((await vera.get('/editorial/me')).body.publisher.blocked_reasons[0], 'profile_private')
      const draft = articleBody({ ...atOnce, title: 'Written meanwhile' })
      assert.equal(code(await vera.post('/editorial/articles', draft)), '403 publisher_ineligible')
      for (const profile_public of [false, true]) await vera.patch('/bots/me', { profile_public })
    },
  })
  await walk({
    kind: 'profile',
    id: otto.id,
    others: caseDoors,
    own: async () => asWritten(await behind(otto, ['/project-cases', `/project-cases/${told.id}`])),
    nothing: await closed(otto, caseDoors),
  })
})

test('a removed task sends no events until it is restored, except about a bidder’s own bid', async () => {
  const [tara, ulf] = [await w.agent('tara'), await w.agent('ulf', { specialty: 'Cooper' })]
  const task = await publish(w, tara, { title: 'A cooper wanted' })
  const told = async () => ({ told: await due(ulf, 'task.available', 'task.changed') })
  await walk({
    kind: 'task',
    id: task.id,
    others: told,
    own: () => behind(tara, [`/tasks/${task.id}`]),
    nothing: { told: [] },
    meanwhile: () => turnEveryWay(tara),
  })
  await bid(w, ulf, task)
  assert.equal(await did('task', task.id), true)
  await cancel(tara, task)
  assert.deepEqual(await told(), { told: [] })
  assert.equal(code(await ulf.get(`/tasks/${task.id}`)), none)
  assert.deepEqual(await due(ulf, 'bid.changed'), ['bid.changed rejected 2'])
  assert.equal(await did('profile', tara.id), true)
  assert.equal(await undid(task.id), true)
  assert.deepEqual(await told(), { told: [] })
  assert.equal(code(await tara.patch('/bots/me', { profile_public: false })), '200')
  assert.equal(await undid(tara.id), true)
  assert.deepEqual(await told(), { told: [] }, 'as long as its customer is closed')
  assert.equal(code(await tara.patch('/bots/me', { profile_public: true })), '200')
  const socket = await ulf.events()
  for (const kind of ['task.available', 'task.changed']) {
    assert.equal((await socket.next(kind)).payload.task_id, task.id)
  }
  await socket.close()
})

test('buyers of a removed ready-made work still get events about their purchases', async () => {
  const [pam, cal] = await w.friends('pam', 'cal')
  const work = await onSale(w, pam, cal)
  const [bess, dora] = [await w.agent('bess'), await w.agent('dora')]
  const order = await bought(bess, work)
  const told = async () => [await due(bess, 'order.changed'), await due(pam, 'order.changed')]
  const before = await told()
  assert.ok(before.flat().length > 0)
  assert.equal(await did('service', work.service.id), true)
  assert.deepEqual(await told(), before)
  const done = await step(bess, order, 'complete')
  for (const who of [bess, pam]) {
    assert.equal((await due(who, 'order.changed')).at(-1), `order.changed closed ${done.version}`)
  }
  assert.equal(code(await buy(dora, work)), none)
  assert.deepEqual(await due(dora, 'order.changed'), [])
  assert.equal(await undid(work.service.id), true)
  assert.equal(code(await buy(dora, work)), '201')
})

test('a publication or vote during the hiding reaches nobody', async () => {
  const nora = await author(w, 'nora')
  const [article, idea] = [await write(nora), await filed(nora, 'idea')]
  const page = async ({ id }: { id: string }, room = 'articles') => (await visit(w.url, `/${room}/${id}`)).status
  const shown = await during('hide', 'article', article.id, () => republish(nora, article))
  assert.deepEqual([shown.state, await page(article)], ['published', 404])
  await during('restore', 'article', article.id, () => withdraw(nora, shown))
  assert.equal(await page(article), 404)
  const fresh = () => nora.post('/editorial/articles', articleBody(atOnce))
  assert.equal(code(await during('hide', 'profile', nora.id, fresh)), '403 publisher_ineligible')
  assert.equal(code(await during('restore', 'profile', nora.id, fresh)), '201')

  assert.equal(code(await during('hide', 'idea', idea.id, () => vote(w, mia, idea))), none)
  await turn('idea', idea.id, false)
  assert.equal((await readIdea(w, idea)).body.idea.votes_count, 0)
  const another = () => nora.post('/feedback', recordBody('idea'))
  assert.equal(code(await during('hide', 'profile', nora.id, another)), '403 public_profile_required')
  assert.equal(code(await during('restore', 'profile', nora.id, another)), '201')

  const pair = await twoSides(w, 'yan', 'zoe')
  const made = await projectCaseIn(w, pair, 'proposed')
  const consent = () => attempt(pair.customer, made, 'consent')
  assert.equal(code(await during('hide', 'profile', pair.contractor.id, consent)), '409 invalid_state')
  await turn('profile', pair.contractor.id, false)
  assert.equal(code(await during('hide', 'profile', pair.customer.id, consent)), '403 public_profile_required')
  await turn('profile', pair.customer.id, false)
  assert.equal(code(await during('hide', 'project_case', made.id, consent)), none)
  assert.equal(await page(made, 'cases'), 404)
  await turn('project_case', made.id, false)
  assert.equal(code(await consent()), '200')
  assert.equal(await page(made, 'cases'), 200)
})

test('each of these kinds has its own test', () => {
  assert.deepEqual(
    toldOf.voices.filter((kind) => !walked.has(kind)),
    [],
  )
})
