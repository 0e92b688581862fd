// What a moderator removes: every endpoint and page treats it as if it had never existed, its owner still reads it and
// cannot bring it back, and restoring brings it back whole. Each kind has its story here or in hiding-voices.test.ts.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile, storedFile } from '../../../test/files.ts'
import { type Doors, hidingIn, toldOf, without } from '../../../test/hiding.ts'
import { offerBody, reread, step, trade } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { assertPosts, givenPost } from '../../../test/posts.ts'
import { bought, buy, onSale, reread as rereadWork } from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { story } from '../../../test/story.ts'
import { checkedValues } from '../../../test/tables.ts'
import { assertTasks, bid, bidBody, cancel, publish, selectBody } from '../../../test/tasks.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { read } from '../../../test/upload.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import { hiddenKinds } from '../moderation/hidden.ts'
import { react } from '../posts/reactions.ts'
import { subjects } from './subjects.ts'

// Mia looks at everything, and has to do with nobody.
const { w, mia, moe } = story('mia', { staff: ['moe'] })
const { behind, bytesOf, turn, did, undid, walk, gone, during, walked, pages } = hidingIn(w, { mia, moe })

test('a hidden profile counts as closed: its works, images and reviews disappear, also from search', async () => {
  const olga = await w.agent('olga', { specialty: 'Woodcuts', bio: 'Cuts quinces' })
  const cara = await w.agent('cara')
  await befriend(olga, cara)
  const avatar = await storedFile(w, olga, { purpose: 'avatar' })
  assert.equal(code(await olga.patch('/bots/me', { avatar_attachment_id: avatar, rights_confirmed: true })), '200')
  const file = await storedFile(w, olga, { file_format: 'mp3' })
  const post = await givenPost(olga, { title: 'Pomegranate', attachment_ids: [file], rights_confirmed: true })
  await givenPost(olga, { visibility: 'private', text: 'A draft' })
  const order = await trade(w, cara, olga, 'accepted')
  for (const [who, side] of [
    [cara, 'customer'],
    [olga, 'contractor'],
  ] as const) {
    assert.equal(code(await who.post(`/orders/${order.id}/reviews`, reviewBody(side))), '201')
  }
  const others = async () => ({
    ...(await behind(mia, [
      '/bots',
      '/bots?q=olga',
      '/bots?q=quinces',
      '/bots?q=pomegranate',
      '/bots?specialty=woodcuts',
      `/bots/${olga.id}`,
      `/bots/${olga.id}/reviews`,
      '/posts',
      '/posts?q=pomegranate',
      `/posts?author=${olga.id}`,
      `/posts?author=${olga.id}&q=pomegranate`,
      `/posts/${post.id}`,
      `/attachments/${avatar}`,
    ])),
    ...(await pages({
      first: '/',
      list: '/agents',
      found: '/agents?q=quinces',
      'found by a work': '/agents?q=pomegranate',
      'found by specialty': '/agents?q=woodcuts',
      profile: '/agents/olga',
      feed: '/agents/olga/feed.xml',
      'who was reviewed': '/agents/cara',
    })),
    data: (await visit(w.url, '/agents/olga.json')).status,
    // Who has to do with her finds no more than anybody.
    ...(await behind(cara, ['/bots?q=Olga', `/bots/${olga.id}?page=1`])),
    avatar: [
      (await read(w, `/attachments/${avatar}/preview`)).status,
      (await read(w, `/attachments/${avatar}/download`)).status,
    ],
    stream: (await read(w, `/attachments/${file}/stream`, { agent: mia })).status,
    ...(await pages({ works: '/posts', 'works found': '/posts?q=pomegranate', work: `/posts/${post.id}` })),
    // Her name stands under what she said of others only while she is there.
    author: (await mia.get(`/bots/${cara.id}/reviews`)).body.reviews[0].author,
  })
  const own = () =>
    behind(olga, [
      '/bots/me',
      '/posts?mine=true',
      `/posts/${post.id}`,
      `/posts?author=${olga.id}`,
      '/orders',
      '/contacts',
    ])
  assert.equal(code(await olga.patch('/bots/me', { profile_public: false })), '200')
  const nothing = await others()
  assert.equal(code(await olga.patch('/bots/me', { profile_public: true, rights_confirmed: true })), '200')

  await walk({
    kind: 'profile',
    id: olga.id,
    others,
    own,
    nothing,
    meanwhile: async () => {
      assert.equal(code(await mia.post('/contacts/requests', { recipient_id: olga.id })), '404 not_found')
      assert.equal(code(await mia.post('/orders', offerBody(w, olga))), '404 not_found')
      assert.equal(code(await olga.get(`/bots/${olga.id}`)), '404 not_found', 'as a closed one answers its owner')
      await assert.rejects(
        w.service.sql.transaction((tx) => react(tx, { postId: post.id, visitorId: randomUUID(), kind: 'like' }, true)),
        { code: 'not_found' },
      )
      // Closing, opening and being suspended in between neither shows her nor confuses a total.
      for (const profile_public of [false, true, false, true]) {
        assert.equal(code(await olga.patch('/bots/me', { profile_public, rights_confirmed: true })), '200')
      }
      for (const suspended of [true, false]) {
        await turnSuspended(w, olga.id, suspended)
      }
      const { id } = await givenPost(olga, { text: 'Written meanwhile' })
      assert.equal(code(await mia.get(`/posts/${id}`)), '404 not_found')
      assert.equal(code(await w.request('DELETE', `/posts/${id}`, { token: olga.token })), '200')
      // What she and her friend began goes on.
      assert.equal(code(await cara.send(olga)), '201')
      assert.equal((await reread(olga, order)).id, order.id)
    },
  })
})

test('only its author sees a hidden post, and can edit, republish or delete it, but not restore it', async () => {
  const paul = await w.agent('paul')
  await givenPost(paul, { visibility: 'private', text: 'A draft' })
  const { id: beside } = await givenPost(paul, { kind: 'portfolio', text: 'Another one' })
  const file = await storedFile(w, paul)
  const operation = { operation_id: randomUUID() }
  let id: string = randomUUID()
  const others = async () => ({
    ...(await behind(mia, [
      '/posts',
      '/posts?kind=update',
      '/posts?q=rhubarb',
      '/posts?page_size=1&page=2',
      `/posts?author=${paul.id}`,
      `/posts?author=${paul.id}&kind=update`,
      `/posts?author=${paul.id}&q=rhubarb`,
      '/bots?q=rhubarb',
      `/bots/${paul.id}`,
      `/attachments/${file}`,
    ])),
    ...(await pages({
      list: '/posts',
      kind: '/posts?kind=update',
      found: '/posts?q=rhubarb',
      beside: `/posts/${beside}`,
    })),
    // That it was changed meanwhile it says itself.
    page: (await visit(w.url, `/posts/${id}`)).status,
    post: code(await mia.get(`/posts/${id}`)),
    change: code(await mia.patch(`/posts/${id}`, { text: 'Mine' })),
    remove: code(await w.request('DELETE', `/posts/${id}`, { token: mia.token })),
    votes: code(await mia.get(`/posts/${id}/poll`)),
    close: code(await mia.post(`/posts/${id}/poll/close`, { operation_id: randomUUID() })),
    bytes: await bytesOf(file, mia, undefined),
  })
  const { bytes: _, ...nothing } = await others()
  const noBytes = await bytesOf(file, mia, undefined)
  id = (await givenPost(paul, { text: 'Rhubarb', attachment_ids: [file], rights_confirmed: true, ...operation })).id
  const asked = await paul.post(`/posts/${id}/poll`, {
    operation_id: randomUUID(),
    question: 'Seen?',
    options: ['Yes', 'No'],
    closes_at: later(w.now(), days(1)).toISOString(),
  })
  assert.equal(code(asked), '201')
  const own = () =>
    behind(paul, [
      '/posts',
      '/posts?page_size=1&page=1',
      '/posts?kind=update',
      '/posts?mine=true',
      '/posts?mine=true&kind=update',
      '/posts?q=rhubarb',
      `/posts?author=${paul.id}`,
      `/posts/${id}`,
      `/posts/${id}/poll`,
      '/attachments?scope=all',
    ])
  await walk({
    kind: 'post',
    id,
    others,
    own,
    nothing: { ...nothing, bytes: noBytes },
    meanwhile: async () => {
      const steps = [
        { text: 'Rhubarb again', visibility: 'private' },
        { kind: 'portfolio' },
        { visibility: 'public', rights_confirmed: true },
        { text: 'Rhubarb', kind: 'update' },
      ]
      for (const step of steps) {
        assert.equal(code(await paul.patch(`/posts/${id}`, step)), '200')
        assert.equal(code(await mia.get(`/posts/${id}`)), '404 not_found')
        await assertPosts(w.sql)
      }
      const replay = await paul.post('/posts', {
        text: 'Rhubarb',
        visibility: 'public',
        attachment_ids: [file],
        rights_confirmed: true,
        ...operation,
      })
      assert.equal(code(replay), '200', 'a replay publishes nothing')
      // Nor does opening the whole profile, while a hidden profile and a hidden post are two things.
      await did('profile', paul.id)
      await undid(paul.id)
      assert.equal(code(await mia.get(`/posts/${id}`)), '404 not_found')
      await assert.rejects(
        w.service.sql.transaction((tx) => react(tx, { postId: id, visitorId: randomUUID(), kind: 'like' }, true)),
        { code: 'not_found' },
      )
    },
  })
  await did('post', id)
  assert.equal(code(await w.request('DELETE', `/posts/${id}`, { token: paul.token })), '200')
  assert.equal(await undid(id), true)
  await assertPosts(w.sql)
  assert.equal(code(await paul.get(`/posts/${id}`)), '404 not_found', 'what was deleted stays so')
})

test('a hidden private post is restored as private, and one made public meanwhile is listed then', async () => {
  const pia = await w.agent('pia')
  const draft = await givenPost(pia, { visibility: 'private' })
  const other = await givenPost(pia, { visibility: 'private' })
  for (const { id } of [draft, other]) assert.equal(await turn('post', id, true), true)
  assert.equal((await pia.get('/posts?mine=true')).body.pagination.total, 2)
  assert.equal(code(await pia.patch(`/posts/${other.id}`, { visibility: 'public' })), '200')
  for (const { id } of [draft, other]) assert.equal(await turn('post', id, false), true)
  assert.equal(code(await mia.get(`/posts/${draft.id}`)), '404 not_found')
  assert.equal(code(await mia.get(`/posts/${other.id}`)), '200')
  await assertPosts(w.sql)
})

test('readers of a post, profile or order do not see a hidden file, and its owner does', async () => {
  const rosa = await w.agent('rosa')
  const finn = await w.agent('finn')
  await befriend(rosa, finn)
  const [picture, kept] = [await storedFile(w, rosa), await storedFile(w, rosa)]
  const post = await givenPost(rosa, { attachment_ids: [kept], rights_confirmed: true })
  const inPost = async () => {
    const { work } = await pages({ work: `/posts/${post.id}` })
    // That it was changed it says itself.
    const told = JSON.stringify(work).replace(/ <span>updated .*?<\/span>/, '')
    return { ...(await behind(mia, [`/posts/${post.id}`, `/bots/${rosa.id}`, '/posts'])), work: told }
  }
  const bytes = () => bytesOf(picture, mia, undefined)
  const nothing = { ...(await inPost()), ...(await bytes()) }
  const show = (ids: string[]) => rosa.patch(`/posts/${post.id}`, { attachment_ids: ids, rights_confirmed: true })
  assert.equal(code(await show([kept, picture])), '200')
  await walk({
    kind: 'attachment',
    id: picture,
    // A picture is not played: that door is closed in any case.
    others: async () => without(/stream/, { ...(await inPost()), ...(await bytes()) }),
    own: async () => ({
      ...(await behind(rosa, [`/posts/${post.id}`, `/attachments/${picture}`, '/attachments?scope=all'])),
      ...(await bytesOf(picture, rosa)),
    }),
    nothing: without(/stream/, nothing),
    meanwhile: async () => {
      assert.equal(code(await rosa.patch(`/posts/${post.id}`, { text: 'Some text' })), '200', 'it stays in its post')
      assert.equal(code(await show([picture, kept])), '200')
      assert.equal(code(await show([kept, picture])), '200')
    },
  })

  const avatar = await storedFile(w, rosa, { purpose: 'avatar' })
  const profile = () => behind(mia, [`/bots/${rosa.id}`, '/bots?q=rosa'])
  const bare = await profile()
  assert.equal(code(await rosa.patch('/bots/me', { avatar_attachment_id: avatar, rights_confirmed: true })), '200')
  await walk({
    kind: 'attachment',
    id: avatar,
    others: async () => without(/stream/, { ...(await profile()), ...(await bytesOf(avatar, mia, finn, undefined)) }),
    own: () => behind(rosa, ['/bots/me', `/attachments/${avatar}`]),
    nothing: without(/stream/, { ...bare, ...(await gone(avatar, mia, finn, undefined)) }),
  })

  const input = await storedFile(w, rosa, { file_format: 'mp3', purpose: 'order' })
  const progress = await givenFile(w, finn, { purpose: 'order' })
  const order = await trade(w, rosa, finn, 'funded', { input_attachment_ids: [input] })
  await step(finn, order, 'start')
  const update = await finn.post(`/orders/${order.id}/updates`, {
    operation_id: randomUUID(),
    expected_version: order.version + 1,
    text: 'Under way',
    attachment_ids: [progress],
  })
  assert.equal(code(update), '201')
  const files = async (who: Agent) => ({
    inputs: (await reread(who, order)).input_attachments,
    listed: (await who.get('/orders')).body.orders[0].input_attachments,
  })
  const updates = async (who: Agent) => ({
    list: (await who.get(`/orders/${order.id}/updates`)).body.updates[0].attachments,
    one: (await who.get(`/orders/${order.id}/updates/${update.body.update.id}`)).body.update.attachments,
  })
  await walk({
    kind: 'attachment',
    id: input,
    reporter: finn,
    others: async () => without(/preview/, { ...(await files(finn)), ...(await bytesOf(input, finn)) }),
    own: async () => ({ ...(await files(rosa)), ...(await bytesOf(input, rosa)) }),
    nothing: without(/preview/, { inputs: [], listed: [], ...(await gone(input, finn)) }),
  })
  await walk({
    kind: 'attachment',
    id: progress,
    reporter: rosa,
    others: () => updates(rosa),
    own: () => updates(finn),
    nothing: { list: [], one: [] },
  })
})

test('only its customer sees a hidden task and can end it, and nobody bids on it', async () => {
  const tara = await w.agent('tara')
  const umar = await w.agent('umar', { specialty: 'Wainwright' })
  let id: string = randomUUID()
  const others = async () => ({
    ...(await behind(undefined, ['/tasks', '/tasks?q=wainscot', '/tasks?tag=oak', '/tasks?state=open&page_size=50'])),
    ...(await behind(umar, ['/tasks?q=wainscot&page_size=5'])),
    ...(await pages({ board: '/tasks', search: '/tasks?q=WAINSCOT', tag: '/tasks?q=oak', page: `/tasks/${id}` })),
    task: code(await umar.get(`/tasks/${id}`)),
    bids: code(await umar.get(`/tasks/${id}/bids`)),
    cancelled: code(await umar.post(`/tasks/${id}/cancel`, { operation_id: randomUUID(), expected_version: 1 })),
  })
  const nothing = await others()
  const task = await publish(w, tara, { title: 'A wainscot', tags: ['Oak'] })
  id = task.id
  const made = await bid(w, umar, task)
  const bare = await publish(w, tara, { title: 'To be ended' })
  await cancel(tara, bare)
  await walk({
    kind: 'task',
    id,
    others,
    own: async () => ({
      ...(await behind(tara, [`/tasks/${id}`, '/tasks/mine', `/tasks/${id}/bids`])),
      bid: (await umar.get('/bids/mine')).body,
    }),
    nothing,
    meanwhile: async () => {
      await assertTasks(w.sql)
      assert.equal(code(await mia.post(`/tasks/${id}/bids`, bidBody(w))), '404 not_found')
      const change = { operation_id: randomUUID(), expected_version: 1, text: 'More' }
      assert.equal(code(await umar.patch(`/bids/${made.id}`, change)), '404 not_found')
      assert.equal(code(await tara.post(`/tasks/${id}/select`, selectBody(task, made))), '409 invalid_state')
      for (const profile_public of [false, true]) {
        assert.equal(code(await tara.patch('/bots/me', { profile_public })), '200')
      }
      await did('profile', tara.id)
      await undid(tara.id)
      assert.equal(code(await mia.get(`/tasks/${id}`)), '404 not_found')
    },
  })
  await did('task', id)
  assert.equal((await cancel(tara, task)).state, 'cancelled')
  assert.equal(await undid(id), true)
  assert.equal((await mia.get(`/tasks/${id}`)).body.task.state, 'cancelled')
  await assertTasks(w.sql)
})

test("a hidden review leaves the list, all totals and its order's summary", async () => {
  const [ines, karl] = await w.friends('ines', 'karl')
  const order = await trade(w, ines, karl, 'accepted')
  const file = (who: Agent, side: 'customer' | 'contractor', fields = {}) =>
    who.post(`/orders/${order.id}/reviews`, reviewBody(side, fields))
  const body = reviewBody('customer', { rating: 1 })
  const doors = [`/bots/${karl.id}/reviews`, `/bots/${karl.id}/reviews?role=contractor`, `/bots/${karl.id}`]
  const others = async () => ({
    ...(await behind(mia, doors)),
    ...(await pages({ profile: '/agents/karl', reviews: '/agents/karl?reviews=1', data: '/agents/karl.json' })),
    summary: (await reread(karl, order)).review_summary,
    own: (await karl.get('/bots/me/onboarding')).body.onboarding.steps.map(({ facts }: { facts: unknown }) => facts),
  })
  assert.equal(code(await file(karl, 'contractor', { rating: 5 })), '201')
  w.travel(days(9))
  const nothing = await others()
  const filed = await ines.post(`/orders/${order.id}/reviews`, body)
  assert.equal(code(filed), '201')
  await walk({
    kind: 'review',
    id: filed.body.review.id,
    others,
    own: async () => ({
      replay: (await ines.post(`/orders/${order.id}/reviews`, body)).body,
      form: (await ines.get(`/orders/${order.id}/review-form`)).body,
    }),
    nothing,
    meanwhile: async () => {
      assert.equal(code(await file(ines, 'customer')), '409 state_conflict', 'it cannot be written again')
    },
  })
})

test('nobody finds, quotes or buys a removed ready-made service, and existing purchases continue', async () => {
  const [pam, cal] = await w.friends('pam', 'cal')
  const work = await onSale(w, pam, cal, { service: { title: 'A quagga', tags: ['Quagga'] } })
  const { id } = work.service
  const order = await bought(mia, work)
  const buyer = await w.agent('bess')
  const others = async (): Promise<Doors> => ({
    ...(await behind(mia, [
      '/services?q=quagga',
      `/services?provider_id=${pam.id}`,
      '/services?price_mode=fixed&q=quagga',
    ])),
    ...(await behind(buyer, [`/bots/${pam.id}`])),
    card: code(await mia.get(`/services/${id}`)),
    purchase: code(await buy(buyer, work, { confirmed_total_minor: 1 })),
  })
  const shown = await others()
  await turn('service', id, true)
  const nothing = await others()
  await turn('service', id, false)
  assert.deepEqual(await others(), shown)
  assert.deepEqual([nothing['card'], nothing['purchase']], ['404 not_found', '404 not_found'])
  assert.deepEqual([shown['card'], shown['purchase']], ['200', '409 state_conflict'])
  const differing = Object.keys(shown).filter((door) => JSON.stringify(shown[door]) !== JSON.stringify(nothing[door]))
  const picked = (doors: Doors): Doors => Object.fromEntries(differing.map((door) => [door, doors[door]]))
  await walk({
    kind: 'service',
    id,
    others: async () => picked(await others()),
    own: async () => ({
      mine: (await pam.get('/services/mine')).body.items.map((each: { id: string; state: string }) => [
        each.id,
        each.state,
      ]),
      terms: (await rereadWork(cal, work)).agreement.terms,
      moderation: (await rereadWork(cal, work)).agreement.moderation,
    }),
    nothing: picked(nothing),
    meanwhile: async () => {
      assert.equal((await step(mia, order, 'complete')).state, 'closed', 'what was bought goes on')
      assert.equal(code(await buy(buyer, work)), '404 not_found')
      for (const profile_public of [false, true]) {
        assert.equal(code(await pam.patch('/bots/me', { profile_public })), '200')
      }
      const own = (await pam.get(`/services/${id}`)).body.service
      assert.deepEqual([own.state, own.can_order], ['published', false])
    },
  })
  assert.equal(code(await buy(buyer, work)), '201')
})

test('a publication while the profile or the post is being hidden reaches nobody', async () => {
  const nora = await w.agent('nora')
  const post = await givenPost(nora, { visibility: 'private' })
  const fresh = await during('hide', 'profile', nora.id, () => givenPost(nora, { text: 'New' }))
  assert.equal(code(await mia.get(`/posts/${fresh.id}`)), '404 not_found')
  await assertPosts(w.sql)
  await during('restore', 'profile', nora.id, () => nora.patch(`/posts/${fresh.id}`, { visibility: 'private' }))
  assert.equal(code(await mia.get(`/posts/${fresh.id}`)), '404 not_found')
  await assertPosts(w.sql)
  await during('hide', 'post', post.id, () => nora.patch(`/posts/${post.id}`, { visibility: 'public' }))
  assert.equal(code(await mia.get(`/posts/${post.id}`)), '404 not_found')
  await assertPosts(w.sql)
  await during('restore', 'post', post.id, () => nora.patch(`/posts/${post.id}`, { visibility: 'private' }))
  assert.equal(code(await mia.get(`/posts/${post.id}`)), '404 not_found')
  await assertPosts(w.sql)
  await during('hide', 'profile', nora.id, () => nora.patch('/bots/me', { profile_public: false }))
  await during('restore', 'profile', nora.id, () => nora.patch('/bots/me', { profile_public: true }))
  assert.equal(code(await mia.get(`/bots/${nora.id}`)), '200')
})

test('a missing thing cannot be hidden, and the database has the same kinds', async () => {
  for (const kind of ['profile', 'post', 'attachment', 'review'] as const) {
    assert.equal(await turn(kind, randomUUID(), true), false, kind)
  }
  assert.deepEqual(await checkedValues(w.sql, 'hidden_kind_check'), [...hiddenKinds].sort())
})

test('every kind has a test, here or in hiding-voices.test.ts', () => {
  assert.deepEqual([...walked].sort(), toldOf.things)
  assert.deepEqual(Object.values(toldOf).flat().sort(), Object.keys(subjects).sort())
})
