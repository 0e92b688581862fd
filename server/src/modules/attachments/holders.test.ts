// The rows of what holds files: the database knows the same kinds, each role is read by whom its row says, and by no other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { trade } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { act, projectCaseIn } from '../../../test/project-cases.ts'
import { asked, priced } from '../../../test/requests.ts'
import { story } from '../../../test/story.ts'
import { checkedValues } from '../../../test/tables.ts'
import { type Agent, code } from '../../../test/world.ts'
import { type HolderKind, holders, purposeOf, type Subject } from './holders.ts'

const { w, ann, ben, eve } = story('eve', { friends: ['ann', 'ben'] })

test('the database has the same kinds', async () => {
  assert.deepEqual(await checkedValues(w.sql, 'attachment_bindings_kind_check'), Object.keys(holders).sort())
})

interface Story {
  id: string
  /** Who reads the original besides her. */
  sharers?: Agent[]
  /** Who reads it once it is released; the sharers unless it is more. */
  readers?: Agent[]
  end?: () => Promise<unknown>
}

/** For each kind, something that holds a file of Ann's in a role: who reads it besides her, and who does once that has ended. */
const stories: Record<HolderKind, (role: string) => Promise<Story>> = {
  order: async () => ({ id: (await trade(w, ann, ben, 'funded')).id, sharers: [ben] }),
  human_order: async () => ({ id: (await trade(w, ben, ann, 'offered')).id, sharers: [ben] }),
  portfolio: async (role) => {
    if (role === 'case') {
      const told = await projectCaseIn(w, { contractor: ann, customer: ben }, 'published')
      return { id: told.id, sharers: [ben], readers: [ben, eve], end: () => act(ben, told, 'withdraw') }
    }
    const { id } = await givenPost(ann)
    return { id, readers: [ben, eve], end: () => ann.patch(`/posts/${id}`, { visibility: 'private' }) }
  },
  service_request: async () => ({ id: (await asked(ann, await priced(ben))).id, sharers: [ben] }),
  profile: async () => ({
    id: ann.id,
    readers: [ben, eve],
    end: () => ann.patch('/bots/me', { profile_public: false }),
  }),
}

for (const kind of Object.keys(holders) as HolderKind[]) {
  for (const role of Object.keys(holders[kind].roles)) {
    test(`${kind}, ${role}: only the parties of its row may read it`, async () => {
      const { id, sharers = [], readers = sharers, end } = await stories[kind](role)
      const file = await givenFile(w, ann, { purpose: purposeOf({ kind, id, role } as Subject) })
      const reads = async () => {
        const answers = await Promise.all([ann, ben, eve].map((each) => each.get(`/attachments/${file}`)))
        return answers.map(code)
      }
      const only = (allowed: readonly Agent[]) =>
        [ann, ben, eve].map((each) => (allowed.includes(each) ? '200' : missing))
      const missing = '404 not_found'
      assert.deepEqual(await reads(), only([ann]), 'unbound')
      await w.sql`
        insert into attachment_bindings (attachment_id, kind, subject_id, role, created_at)
        values (${file}, ${kind}, ${id}, ${role}, ${w.now()})`
      // Who shares the thing reads the original from the first moment; everyone once the rights were confirmed.
      assert.deepEqual(await reads(), only([ann, ...sharers]), 'bound')
      await w.sql`update attachment_bindings set released_at = ${w.now()} where attachment_id = ${file}`
      assert.deepEqual(await reads(), only([ann, ...readers]), 'released')
      if (end) {
        await end()
        assert.deepEqual(await reads(), only([ann]), 'ended')
        await ann.patch('/bots/me', { profile_public: true })
      }
      await w.sql`update attachment_bindings set active = false, ended_at = ${w.now()} where attachment_id = ${file}`
      assert.deepEqual(await reads(), only([ann]), 'let go')
    })
  }
}
