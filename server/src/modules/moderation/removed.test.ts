// What was removed, behind doors that are open to all: nothing that its owner does brings it back, no cache keeps it, and what
// a moderator reads of it is no more than its owner shows. docs/contract/moderation.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { on } from '../../../test/changes.ts'
import { storedFile } from '../../../test/files.ts'
import { caseAbout, moderation, opened, report, reported, rule, ruled, type Shown } from '../../../test/moderation.ts'
import { asBrowser, visit } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
import { bought, onSale } from '../../../test/ready.ts'
import { orderBy, published, quoted } from '../../../test/services.ts'
import { given, someone, subjectKinds, type Thing, twoFriends } from '../../../test/subjects.ts'
import { code } from '../../../test/world.ts'

const { w, rita, mona } = moderation()

test('moderation events need version 7 of the channel', async () => {
  const thing = await given(w, 'post')
  const [newer, older] = [await thing.owner.events(7), await thing.owner.events(6)]
  const found = await opened(rita, thing.owner, thing)
  await ruled(mona, found, 'remove')
  for (const [status, version] of [
    ['pending', 1],
    ['removed', 2],
  ]) {
    assert.deepEqual((await newer.next('moderation.changed')).payload, { case_id: found.id, status, version })
  }
  assert.deepEqual(
    older.frames.filter(({ kind }) => kind === 'moderation.changed'),
    [],
  )
  await Promise.all([newer.close(), older.close()])
})

/** What an owner can do to show a thing again. */
const undoing: Partial<Record<Thing['kind'], (thing: Thing) => Promise<void>>> = {
  async post({ id, owner }) {
    for (const visibility of ['private', 'public']) {
      assert.equal(code(await owner.patch(`/posts/${id}`, { visibility, text: 'Anew' })), '200')
    }
  },
  async service({ id, owner }) {
    const version = async () => (await owner.get(`/services/${id}`)).body.service.version
    for (const action of ['pause', 'publish']) {
      assert.equal(code(await owner.post(`/services/${id}/${action}`, on(await version()))), '200')
    }
    assert.equal(code(await owner.patch(`/services/${id}`, on(await version(), { title: 'Anew' }))), '200')
    assert.ok(!JSON.stringify((await rita.get('/services?q=anew')).body).includes(id))
  },
  async article({ id, owner }) {
    const version = async () => (await owner.get(`/editorial/articles/${id}`)).body.article.version
    const path = `/editorial/articles/${id}`
    assert.equal(code(await owner.post(`${path}/withdraw`, on(await version()))), '200')
    const publish = on(await version(), { publication_confirmed: true })
    assert.equal(code(await owner.post(`${path}/publish`, publish)), '200')
    for (const page of ['/feed.xml', '/articles']) assert.ok(!(await visit(w.url, page)).text.includes(id), page)
  },
}

test('nothing that its owner does restores a removed thing', async () => {
  for (const kind of subjectKinds) {
    const thing = await given(w, kind)
    const { owner } = thing
    const removed = await ruled(mona, await opened(rita, owner, thing), 'remove')
    assert.ok(!(await thing.isSeenBy(rita)), `${kind}, removed`)
    await undoing[kind]?.(thing)
    for (const profile_public of [false, true]) {
      assert.equal(code(await owner.patch('/bots/me', { profile_public, rights_confirmed: true })), '200')
    }
    await w.operator('agent', 'suspend', owner.handle, '--reason', 'A test')
    await w.operator('agent', 'restore', owner.handle, '--reason', 'A test')
    assert.ok(!(await thing.isSeenBy(rita)), kind)
    const restored = await ruled(mona, removed, 'restore')
    assert.ok(await thing.isSeenBy(rita), `${kind}, restored`)
    await ruled(mona, restored, ['remove', 'restore'])
    assert.ok(await thing.isSeenBy(rita), `${kind}, restored again`)
  }
})

test('a removal invalidates every page or feed that a reader has cached', async () => {
  const [article, story] = [await given(w, 'article'), await given(w, 'project_case')]
  const [task, idea] = [await given(w, 'task'), await given(w, 'idea')]
  const things = [article, story, task, idea]
  const pages = [
    ...['/feed.xml', '/articles', `/articles/${article.id}`, '/cases', `/cases/${story.id}`],
    ...['/tasks', `/tasks/${task.id}`, '/ideas', `/ideas/${idea.id}`],
  ]
  const kept = new Map<string, Record<string, string>>()
  for (const page of pages) {
    const { status, headers } = await visit(w.url, page, { headers: asBrowser })
    assert.equal(status, 200, page)
    const { etag, 'last-modified': date } = headers
    kept.set(page, { ...asBrowser, 'if-none-match': etag as string })
    assert.equal((await visit(w.url, page, { headers: kept.get(page) as Record<string, string> })).status, 304, page)
    if (date) kept.set(`${page}#`, { ...asBrowser, 'if-modified-since': date })
  }
  for (const thing of things) await ruled(mona, await opened(rita, thing.owner, thing), 'remove')
  for (const [page, headers] of kept) {
    const { status, text } = await visit(w.url, page.replace('#', ''), { headers })
    assert.equal(status, /[0-9a-f-]{36}/.test(page) ? 404 : 200, page)
    for (const { id } of things) assert.ok(!text.includes(id), page)
  }
})

test('a moderator reads what its owner shows, the newest twenty reports, and their total', async () => {
  const thing = await given(w, 'post')
  const words: string[] = []
  for (let n = 0; n < 23; n++) {
    words.unshift(`No. ${n}`)
    await reported(await someone(w), thing, { text: `No. ${n}` })
    w.travel(1000)
  }
  const found = await caseAbout(thing.owner, thing)
  const { cases } = (await mona.get('/staff/moderation?kind=post&page_size=50')).body
  const entry = cases.find(({ id }: Shown) => id === found.id)
  assert.equal(entry.reports_count, 23)
  assert.deepEqual(pluck(entry.reports, 'text'), words.slice(0, 20))
  assert.equal(entry.excerpt.text, 'Some text')
  await thing.owner.patch(`/posts/${thing.id}`, { visibility: 'private', text: 'A secret draft' })
  assert.ok(!JSON.stringify((await rule(mona, found, 'approve')).body).includes('secret'))
  const profile = await given(w, 'profile')
  const waiting = await opened(rita, profile.owner, profile)
  await profile.owner.patch('/bots/me', { profile_public: false, bio: 'A secret life' })
  assert.ok(!JSON.stringify((await rule(mona, waiting, 'approve')).body).includes('secret'))
})

test('any reader of a file can report it, and an older quote cannot buy a removed file', async () => {
  const owner = await someone(w)
  const id = await storedFile(w, owner, { purpose: 'avatar' })
  assert.equal(code(await report(rita, { kind: 'attachment', id })), '404 not_found')
  assert.equal(code(await owner.patch('/bots/me', { avatar_attachment_id: id, rights_confirmed: true })), '200')
  assert.equal(code(await report(rita, { kind: 'attachment', id })), '201')
  const [provider, customer] = await twoFriends(w, 'provider', 'customer')
  const sale = await onSale(w, provider, customer)
  const file = { kind: 'attachment', id: sale.files[0] as string }
  const buyer = await someone(w)
  assert.equal(code(await report(buyer, file)), '404 not_found')
  await bought(buyer, sale)
  for (const who of [buyer, customer]) assert.equal(code(await report(who, file)), '201', who.handle)
  assert.equal(code(await report(rita, file)), '404 not_found')

  const service = await published(provider)
  const quote = await quoted(customer, service)
  await ruled(mona, await opened(rita, provider, { kind: 'service', id: service.id }), 'remove')
  assert.match(code(await orderBy(w, customer, quote)), /^(404 not_found|409 service_unavailable)$/)
})
