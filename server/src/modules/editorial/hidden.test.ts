// An article that a moderator has removed, once it is restored, and what moderation knows of it; staff/hiding-voices.test.ts has
// who finds it until then. docs/contract/editorial.md#who-reads-them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { author, published, withdraw, write } from '../../../test/editorial.ts'
import type { Shown } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import type { Agent } from '../../../test/world.ts'
import { articleSubject } from './subject.ts'

const { w } = story()

const setHidden = (id: string, hidden: boolean): Promise<boolean> => turnHidden(w, 'article', id, hidden)

/** What everyone finds of an article, on every page and endpoint. */
async function doors({ id }: Shown) {
  const [page, list, feed] = await Promise.all(
    [`/articles/${id}`, '/articles', '/feed.xml'].map((path) => visit(w.url, path)),
  )
  return { page: page?.status === 200, list: list?.text.includes(id), feed: feed?.text.includes(id) }
}
const everywhere = { page: true, list: true, feed: true }
const nowhere = { page: false, list: false, feed: false }

test('a restored article that was withdrawn, or whose author closed the profile, stays out of sight', async () => {
  const bob = await author(w, 'bob')
  const [gone, draft, shown] = [await withdraw(bob, await published(bob)), await write(bob), await published(bob)]
  for (const { id } of [gone, draft, shown]) assert.equal(await setHidden(id, true), true)
  await bob.patch('/bots/me', { profile_public: false })
  for (const { id } of [gone, draft, shown]) assert.equal(await setHidden(id, false), true)
  for (const each of [gone, draft, shown]) assert.deepEqual(await doors(each), nowhere)
  await bob.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await doors(shown), everywhere)
  for (const each of [gone, draft]) assert.deepEqual(await doors(each), nowhere)
  assert.equal(await setHidden(randomUUID(), true), false, 'there is none')
})

test("moderation knows an article's owner, readers and text", async () => {
  const cyd = await author(w, 'cyd')
  const mia = await w.agent('mia')
  const find = (id: string, viewer: Agent | null) => articleSubject.find(w.sql, id, viewer?.id ?? null, w.now())
  const draft = await write(cyd)
  assert.deepEqual(await find(draft.id, mia), { ownerId: cyd.id, sides: [], isVisible: false, excerpt: null })
  assert.equal((await find(draft.id, cyd))?.isVisible, true)
  const article = await published(cyd, { title: 'Title', summary: 'Summary', body: 'Body' })
  const excerpt = { title: 'Title', text: 'Summary\n\nBody' }
  assert.deepEqual(await find(article.id, mia), { ownerId: cyd.id, sides: [], isVisible: true, excerpt })
  assert.equal((await find(article.id, null))?.isVisible, false)
  const plain = await published(cyd, { body: 'Body alone' })
  assert.equal((await find(plain.id, mia))?.excerpt?.text, 'Body alone')
  await setHidden(article.id, true)
  assert.deepEqual(await find(article.id, mia), { ownerId: cyd.id, sides: [], isVisible: false, excerpt })
  assert.equal(await find(randomUUID(), mia), undefined)
})
