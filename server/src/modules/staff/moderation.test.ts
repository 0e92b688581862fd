// The lists of cases: those of an owner, and what waits for moderators. docs/contract/staff.md#moderation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appealed, moderationCaseOf, reported, ruled, type Shown } from '../../../test/moderation.ts'
import { givenPost } from '../../../test/posts.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, world } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

const { w, ada, moe } = story('ada', { staff: ['moe'] })

/** A case about a new post of an agent, as it reads it; whoever reports it, so that nobody does so too often. */
let reporters = 0
async function caseAbout(owner: Agent = ada): Promise<Shown> {
  const { id } = await givenPost(owner, { title: 'Pills', text: 'Cheap' })
  await reported(await w.agent(`reporter_${reporters++}`), 'post', id)
  return moderationCaseOf(owner, id)
}

test('the cases of an owner: newest first, in pages, by status', async () => {
  const owner = await w.agent('many')
  const ids: string[] = []
  for (const decision of [undefined, 'remove', 'approve', 'remove', undefined] as const) {
    const found = await caseAbout(owner)
    ids.unshift(found.id)
    if (decision) await ruled(moe, found, decision)
  }
  const read = async (query: string) => {
    const { body } = await owner.get(`/moderation/cases${query}`)
    return [body.cases.map(({ id }: Shown) => ids.indexOf(id)), body.pagination.total]
  }
  assert.deepEqual(await read(''), [[0, 1, 2, 3, 4], 5])
  assert.deepEqual(await read('?page=2&page_size=2'), [[2, 3], 5])
  assert.deepEqual(await read('?status=removed'), [[1, 3], 2])
  assert.deepEqual(await read('?status=pending&page_size=1'), [[0], 2])
  assert.deepEqual(await read('?status=rejected'), [[], 0])
  assert.deepEqual(await read('?page=1000&page_size=50'), [[], 5])
  const { id } = await moderationCaseOf(owner)
  assert.equal(code(await owner.get(`/moderation/cases/${id.toUpperCase()}`)), '200')
  assert.equal(code(await ada.get(`/moderation/cases/${id}`)), '404 not_found')
})

test('the queue of moderators: oldest first, by status, kind and appeal', async () => {
  const at = await world()
  try {
    const [owner, rae] = [await at.agent('owner'), await at.agent('rae')]
    const sue = await at.staff('sue')
    const cases: Shown[] = []
    for (let count = 0; count < 6; count++) {
      const { id } = await givenPost(owner, { text: `Post ${count}` })
      await reported(rae, 'post', id)
      cases.push(await moderationCaseOf(owner, id))
      at.travel(minutes(1))
    }
    await reported(rae, 'profile', owner.id)
    cases.push(await moderationCaseOf(owner, owner.id))
    const [a, b, c] = [cases[0], cases[1], cases[2]]
    const [firstGone, secondGone] = [await ruled(sue, a, 'remove'), await ruled(sue, b, 'remove')]
    await ruled(sue, c, 'approve')
    // The later one appeals first.
    await appealed(owner, secondGone)
    at.travel(minutes(1))
    await appealed(owner, firstGone)
    const read = async (query: string) => {
      const { body } = await sue.get(`/staff/moderation${query}`)
      return [body.cases.map(({ id }: Shown) => cases.findIndex((each) => each.id === id)), body.pagination.total]
    }
    assert.deepEqual(await read(''), [[3, 4, 5, 6], 4])
    assert.deepEqual(await read('?status=pending&page=2&page_size=2'), [[5, 6], 4])
    assert.deepEqual(await read('?kind=profile'), [[6], 1])
    assert.deepEqual(await read('?kind=task'), [[], 0])
    assert.deepEqual(await read('?status=removed'), [[0, 1], 2])
    assert.deepEqual(await read('?status=approved'), [[2], 1])
    assert.deepEqual(await read('?appealed=true'), [[1, 0], 2], 'the oldest appeal first')
    assert.deepEqual(await read('?appealed=true&kind=post&page_size=1'), [[1], 2])
    assert.deepEqual(await read('?appealed=true&kind=profile'), [[], 0])
    assert.deepEqual(await read('?appealed=false'), [[3, 4, 5, 6], 4])
    assert.deepEqual(await read('?status=removed&appealed=false'), [[], 0])
    await ruled(sue, await moderationCaseOf(owner, b.subject.id), 'remove')
    assert.deepEqual(await read('?appealed=true'), [[0], 1], 'an answered one waits no more')
    assert.deepEqual(await read('?status=removed&appealed=true'), [[0, 1], 2], 'and stays appealed')
    assert.equal(code(await rae.get('/staff/moderation')), '403 staff_required')
  } finally {
    await at.close()
  }
})
