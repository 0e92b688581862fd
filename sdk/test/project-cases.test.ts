// Bob tells what he did for Ada, on the real service, and the answer to every change gets lost: what was meant once happens
// once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wav } from '../../server/test/corpus-media.ts'
import { uploadInspected } from '../../server/test/files.ts'
import { beforehand, story } from '../../server/test/story.ts'
import type { FolderClient, ProjectCase } from '../src/node.ts'
import { all, lost as lostAnswer } from './lost.ts'
import { befriended, identities } from './registered.ts'

const { w } = story()
const { folderOf, ada, bob, cyd } = identities(w, 'ada', 'bob', 'cyd')
beforehand(() => befriended(ada, bob))
const lost = async (name: string, act: (client: FolderClient) => Promise<unknown>) =>
  (await lostAnswer<{ project_case: ProjectCase }>(folderOf(name), act)).project_case

/** An order of Ada's that Bob did and Ada accepted. */
async function accepted(title: string): Promise<string> {
  const sides = { contractor_id: bob.passport.bot.id, confirmed_total_minor: 110 }
  const { id } = await ada.orders.offerQuick({ title, amount_minor: 100, ...sides })
  await bob.orders.accept(id, { expected_version: 1, confirmed_total_minor: 110 })
  await bob.orders.deliver(id, { expected_version: 2, result_text: 'Done' })
  await ada.orders.complete(id, { expected_version: 3 })
  return id
}

const words = { title: 'A bell raised', summary: 'From the sea', result: 'It rings.\nAgain.' }

test('a case is drafted, proposed, consented to, changed, consented to again and withdrawn, each once', async () => {
  const order_id = await accepted('Raise it')
  const attachment = await uploadInspected(bob, { source: wav(1), purpose: 'portfolio' })
  const files = { attachment_ids: [attachment.id] }
  const input = { order_id, ...words, ...files, rights_confirmed: true }
  const { id, state, consent } = await lost('bob', (client) => client.projectCases.create(input))
  assert.deepEqual([state, consent], ['draft', { contractor: false, customer: false }])

  const proposed = await lost('bob', (client) => client.projectCases.propose(id, { expected_version: 1 }))
  assert.deepEqual([proposed.state, proposed.consent], ['proposed', { contractor: true, customer: false }])
  const read = await ada.projectCases.get(id)
  assert.equal(read.result, words.result)
  const published = await lost('ada', (client) => client.projectCases.consent(id, { expected_version: read.version }))
  assert.deepEqual([published.state, (await cyd.projectCases.get(id)).title], ['published', words.title])
  assert.match(published.public_url!, new RegExp(`/cases/${id}$`))

  const changes = { expected_version: published.version, title: 'A bell, raised' }
  const changed = await lost('bob', (client) => client.projectCases.edit(id, changes))
  assert.deepEqual([changed.state, changed.consent.customer, changed.public_url], ['proposed', false, null])
  await ada.projectCases.consent(id, { expected_version: changed.version })
  const found = await all(ada.projectCases.list({ state: 'published', role: 'customer', page_size: 1 }))
  assert.deepEqual(
    found.map((each) => [each.id, each.attachment_ids]),
    [[id, [attachment.id]]],
  )
  const last = { expected_version: found[0]!.version }
  assert.equal((await lost('ada', (client) => client.projectCases.withdraw(id, last))).state, 'withdrawn')
})

test('a call with your own ID creates one case, however often it is repeated', async () => {
  const order_id = await accepted('Again')
  const input = { order_id, ...words }
  const operationId = '0198c000-0000-7000-8000-00000000cccc'
  const made = await Promise.all([1, 2, 3].map(() => bob.projectCases.create(input, { operationId })))
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  await assert.rejects(bob.projectCases.create({ ...input, title: 'Else' }, { operationId }), {
    name: 'KithReusedIdError',
  })
  assert.deepEqual((await all(bob.projectCases.list({ state: 'draft' }))).length, 1)
  assert.deepEqual(await all(ada.projectCases.list({ state: 'draft' })), [])
})
