// Ann and Bob trade through tools alone what mcp.test.ts leaves out: a finished work that is sold again, orders of a person,
// refunds and disputes, pictures, and calls whose answer was lost. docs/mcp.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { systemRuntime } from '@kith/sdk/identity'
import { befriended, registered } from '../../sdk/test/registered.ts'
import { jpeg } from '../../server/test/corpus.ts'
import { customer, humanOffer } from '../../server/test/customers.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { eventually } from '../../server/test/world.ts'
import { command } from './command.ts'
import { type Host, hostWithin } from './host.ts'

const { w } = story()
const { cli, way, folderOf } = command(w)
const annSdk = beforehand(() => registered(w.url, folderOf('ann'), 'ann'))
const bobSdk = beforehand(() => registered(way.url, folderOf('bob'), 'bob'))
beforehand(() => registered(w.url, folderOf('cyd'), 'cyd'))
beforehand(() => befriended(annSdk, bobSdk))
const shared = beforehand(async () => {
  const path = join(cli.home, 'shared')
  await mkdir(path)
  await writeFile(join(path, 'logo.jpg'), await jpeg({ width: 40 }))
  return { path }
})
const ann = beforehand(() => hostWithin(folderOf('ann')))
const bob = beforehand(() => hostWithin(folderOf('bob'), { settings: { files: shared.path } }))
const buyer = beforehand(() => hostWithin(folderOf('cyd'), { era: 'initialize' }))
const hilda = beforehand(() => customer(w, 'Hilda'))

// biome-ignore lint/suspicious/noExplicitAny: as in host.ts
type Any = any

const deadline = new Date(Date.now() + 86_400_000).toISOString()

/** Prepares and commits, and answers with the order. */
async function spend(who: Host, ask: object): Promise<Any> {
  const { intent_id, total_minor, allowed, why_not } = await who.tool('prepare', ask)
  assert.ok(allowed, why_not)
  return (await who.tool('commit', { intent_id, total_minor })).order
}

async function begun(title: string): Promise<string> {
  const ask = { action: 'order', to: 'bob', title, description: title, deadline, amount_minor: 2_000 }
  const { order_id } = await spend(ann, ask)
  await spend(bob, { action: 'accept', order_id })
  await bob.tool('act', { order_id, action: 'start' })
  return order_id
}

/** Runs the command that a result names for its files, and has the file afterwards. */
async function savedBy(says: string, file_id: string): Promise<void> {
  const [, words = ''] = /ask your owner to: kith (.*?)\. What is in it is data/.exec(says) ?? assert.fail(says)
  const folder = await mkdtemp(join(shared.path, 'saved-'))
  const args = words.split(' ').map((word) => ({ FILE_ID: file_id, FOLDER: folder })[word] ?? word)
  await cli.json(0, ...args, ...(args.includes('-o') ? [] : ['-o', folder]))
  assert.deepEqual(await readdir(folder), [`${file_id}.jpg`])
}

const one = async (who: Host, order_id: string): Promise<Any> => (await who.tool('orders', { order_id })).orders[0]

test('a result is delivered with a file, proposed to be sold again, agreed on by both, bought and withdrawn', async () => {
  for (const who of [ann, bob]) await who.tool('profile', { profile_public: true })
  const order_id = await begun('A logo')
  const { file_id } = await bob.tool('upload', { path: 'logo.jpg', purpose: 'order' })
  const delivered = (await bob.tool('act', { order_id, action: 'deliver', text: 'Here', files: [file_id] })).order
  assert.match(delivered.open_files, / kith download FILE_ID --profile bob\. /)
  await savedBy((await one(ann, order_id)).open_files, file_id)
  assert.equal((await spend(ann, { action: 'complete', order_id })).outcome, 'accepted')
  const card = { title: 'A round logo', description: 'Blue', delivery_description: 'At once', amount_minor: 1_000 }
  const proposal = { source_order_id: order_id, customer_share_bps: 3000, result_text: 'Print it', files: [file_id] }
  const proposed = (await bob.tool('services', { action: 'propose', ...card, ...proposal })).item
  const { service_id, digest } = proposed
  assert.deepEqual(
    [proposed.customer_share_minor, proposed.provider_share_minor, proposed.consent],
    [300, 700, { provider: false, customer: false }],
  )
  const [seen] = (await one(ann, order_id)).ready
  assert.deepEqual([seen.service_id, seen.digest], [service_id, digest])
  const terms = (await ann.tool('services', { action: 'show', service_id })).item
  assert.match(terms.result_text, /from @bob: result\]\nPrint it\n/)
  const consent = { action: 'consent', service_id, expected_digest: digest }
  assert.equal((await ann.refused('services', consent)).code, 'publication_rights_required')
  const other = { ...consent, expected_digest: '0'.repeat(64), rights: true }
  assert.equal((await ann.refused('services', other)).code, 'state_conflict')
  for (const who of [ann, bob]) await who.tool('services', { ...consent, rights: true })
  await w.operator('ready', 'approve', service_id)
  assert.equal((await buyer.refused('prepare', { action: 'service_order', service_id })).code, 'price_mode_mismatch')
  const bought = await spend(buyer, { action: 'purchase', service_id })
  assert.deepEqual([bought.state, bought.total_minor, bought.origin], ['delivered', 1_100, 'ready'])
  const purchase = await one(buyer, bought.order_id)
  assert.match(purchase.result_text, /from @bob: result\]\nPrint it\n/)
  await savedBy(purchase.open_files, purchase.result_files[0].file_id)
  await spend(buyer, { action: 'complete', order_id: bought.order_id })
  assert.equal((await ann.tool('services', { action: 'show', service_id })).item.received.customer_minor, 300)
  const late = await buyer.tool('prepare', { action: 'purchase', service_id })
  const ended = (await ann.tool('services', { action: 'withdraw', service_id, expected_digest: digest })).item
  assert.deepEqual([ended.withdrawn, ended.state], [true, 'archived'])
  const { intent_id, total_minor } = late
  const { code } = await buyer.refused('commit', { intent_id, total_minor })
  assert.deepEqual([code, (await buyer.refused('commit', { intent_id, total_minor })).code], [code, code])
  assert.match(code, /not_found|version_conflict|service_unavailable/)
})

test('a picture that only an answer in a form names is sent along, in an order and in a request', async () => {
  await bob.tool('profile', { profile_public: true })
  const fields = [{ key: 'sketch', label: 'A sketch', type: 'attachment', media_types: ['image/jpeg'], required: true }]
  const make = { action: 'create', title: 'A portrait', description: 'Oil', delivery_description: 'A scan' }
  for (const price_mode of ['fixed', 'from']) {
    const input_schema = { version: 1, fields }
    const { item } = await ann.tool('services', { ...make, price_mode, amount_minor: 500, input_schema })
    const { service_id } = item
    await ann.tool('services', { action: 'publish', service_id })
    const { file_id } = await bob.tool('upload', { path: 'logo.jpg', purpose: 'order' })
    const asked = { service_id, parameters: { sketch: file_id } }
    if (price_mode === 'fixed') {
      const { order_id } = await spend(bob, { action: 'service_order', ...asked })
      assert.equal((await one(ann, order_id)).input_files[0].file_id, file_id)
    } else {
      const request = await bob.tool('requests', { action: 'create', title: 'Me', description: 'Old', ...asked })
      assert.equal(request.item.files[0].file_id, file_id)
      const { request_id } = request.item
      await savedBy((await ann.tool('requests', { action: 'show', request_id })).item.open_files, file_id)
    }
  }
})

test('a refund is proposed and approved, and a dispute goes to support', async () => {
  const [refunded, disputed] = [await begun('Too late'), await begun('Unclear')]
  assert.match((await ann.refused('act', { order_id: refunded, action: 'dispute' })).message, /^reason /)
  await bob.tool('act', { order_id: refunded, action: 'propose_refund', reason: 'I was ill' })
  const seen = await one(ann, refunded)
  assert.deepEqual([seen.state, seen.refund_proposed_by], ['disputed', 'bob'])
  assert.deepEqual(seen.may, ['approve_refund', 'escalate'], 'as act takes them')
  assert.match(JSON.stringify(seen.history), /from @bob: reason\]\\nI was ill\\n/)
  const approved = (await ann.tool('act', { order_id: refunded, action: 'approve_refund' })).order
  assert.deepEqual([approved.state, approved.outcome], ['closed', 'refunded'])
  await ann.tool('act', { order_id: disputed, action: 'dispute', reason: 'Nothing came' })
  const escalated = (await bob.tool('act', { order_id: disputed, action: 'escalate', reason: 'It did' })).order
  assert.equal(escalated.state, 'disputed')
  const again = await bob.refused('act', { order_id: disputed, action: 'escalate', reason: 'It did so' })
  assert.match(again.code, /invalid_state|state_conflict/)
  assert.deepEqual((await one(ann, disputed)).history.at(-1).action, 'escalate-dispute')
})

test('orders of a person come after those of agents, and are accepted, worked on and reviewed by the same tools', async () => {
  const { bot } = bobSdk.passport
  const offers = []
  for (const title of ['A portrait', 'A second one'])
    offers.push((await humanOffer(w, hilda, { id: bot.id }, { title })).id)
  const found: string[] = []
  let after: string | null = null
  do {
    const ask: object = after === null ? {} : { after }
    const { orders, next }: { orders: Any[]; next: string | null } = await bob.tool('orders', ask)
    found.push(...orders.map(({ order_id }) => order_id))
    after = next
  } while (after !== null)
  assert.deepEqual([found.slice(-2), new Set(found).size], [offers.reverse(), found.length])
  const [order_id, other] = offers as [string, string]
  const offer = await one(bob, order_id)
  assert.match(offer.title, /^\[untrusted \w+ from a person: title\]\nA second one\n/)
  assert.equal(offer.customer, null)
  const accepting = await bob.tool('prepare', { action: 'accept', order_id })
  assert.deepEqual([accepting.total_minor, accepting.allowed], [0, true])
  assert.match(accepting.says, /of a person, who pays 11\.00 credits/)
  await bob.tool('commit', { intent_id: accepting.intent_id, total_minor: 0 })
  await bob.tool('act', { order_id, action: 'start' })
  await bob.tool('act', { order_id, action: 'update', text: 'A sketch' })
  const delivered = (await bob.tool('act', { order_id, action: 'deliver', text: 'There' })).order
  assert.deepEqual([delivered.state, (await one(bob, order_id)).updates.length], ['delivered', 1])
  const ask = { operation_id: randomUUID(), expected_version: delivered.version }
  assert.equal((await hilda.post(`/human/orders/${order_id}/complete`, ask)).status, 200)
  const criteria = { brief_clarity: 5, cooperation: 5, acceptance: 4 }
  const review = { action: 'review', order_id, review: { rating: 5, recommend: true, criteria } }
  await bob.tool('act', review)
  assert.equal((await bob.tool('act', { order_id: other, action: 'reject' })).order.state, 'rejected')
  const states = (await bob.tool('orders', { state: 'rejected' })).orders.map((each: Any) => each.order_id)
  assert.deepEqual(states, [other])
})

test('a picture is uploaded and shown in the profile, with rights alone', async () => {
  const picture = { path: 'logo.jpg', purpose: 'avatar', rights: true }
  const { file_id } = await bob.tool('upload', picture)
  const { code } = await bob.refused('profile', { avatar_attachment_id: file_id })
  assert.equal(code, 'publication_rights_required')
  const { agent } = await bob.tool('profile', { avatar_attachment_id: file_id, rights: true, bio: 'I dive', city: '' })
  assert.deepEqual([agent.handle, agent.bio, agent.place], ['bob', 'I dive', null])
  const { file_id: work } = await bob.tool('upload', { path: 'logo.jpg', purpose: 'portfolio' })
  const open = { text: 'Look', kind: 'portfolio', files: [work], visibility: 'public' }
  assert.equal((await bob.refused('post', open)).code, 'rights_required')
  const { post_id } = await bob.tool('post', { ...open, rights: true })
  const [shown] = (await ann.tool('feed', { post_id })).items
  assert.deepEqual(shown.files[0].file_id, work)
  await savedBy(shown.open_files, work)
})

test('a call whose answer was lost goes on with what it began when it is made again', async () => {
  const order_id = await begun('Lost')
  const said: [string, RegExp, object][] = [
    ['post', /^POST .*\/posts$/, { text: 'Once', visibility: 'public' }],
    ['send', /^POST .*\/messages$/, { to: 'ann', text: 'Once' }],
    ['act', /^POST .*\/updates$/, { order_id, action: 'update', text: 'Once' }],
    ['act', /^POST .*\/deliver$/, { order_id, action: 'deliver', text: 'Once' }],
    ['feedback', /^POST .*\/feedback$/, { action: 'create', category: 'question', title: 'Once', body: 'Once' }],
    ['services', /^POST .*\/services$/, card('Once')],
    ['tasks', /^POST .*\/tasks$/, { action: 'create', title: 'Once', description: 'Once', deadline }],
    ['upload', /^POST .*\/attachments$/, { path: 'logo.jpg', purpose: 'order' }],
  ]
  const uploads = async () => (await Array.fromAsync(bobSdk.files.list({ scope: 'all' }))).length
  const uploaded = await uploads()
  for (const [tool, route, args] of said) {
    // As often as it is sent.
    for (let n = 0; n < 5; n++) way.at(route, 'after', () => {})
    const { code, next } = await bob.refused(tool, args)
    assert.deepEqual([code, /same arguments/.test(next)], ['no_answer', true], tool)
    // Another call sends what is open.
    if (tool === 'send') await bob.tool('profile', { bio: 'Painter' })
    await bob.tool(tool, args)
  }
  for (let n = 0; n < 5; n++) way.at(/^POST .*\/messages$/, 'after', () => {})
  await cli.json(3, 'send', '-p', 'bob', 'ann', 'Typed')
  await bob.tool('send', { to: 'ann', text: 'Typed' })
  const { messages } = await bob.tool('read', { with: 'ann' })
  for (const said of ['Once', 'Typed']) assert.equal(messages.filter(({ text }: Any) => text === said).length, 1, said)
  assert.equal(await uploads(), uploaded + 1)
  const { updates, state } = await one(bob, order_id)
  assert.deepEqual([updates.length, state], [1, 'delivered'])
  const counts = [
    (await bob.tool('feed', { author: 'bob', q: 'Once' })).items,
    (await bob.tool('feedback', { action: 'list' })).items,
    (await bob.tool('services', { action: 'list', mine: true })).items.filter(({ ready }: Any) => !ready),
    (await bob.tool('tasks', { action: 'list', mine: 'tasks' })).items,
  ].map(({ length }) => length)
  assert.deepEqual(counts, [1, 1, 1, 1])
})

test('a call that took too long to be answered is the same call when it is made again', async (t) => {
  const gate = Promise.withResolvers<void>()
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (init?.method !== 'GET') await gate.promise
    return globalThis.fetch(url, init)
  }
  const slow = await hostWithin(folderOf('bob'), {
    settings: { files: shared.path },
    runtime: { ...systemRuntime, fetch },
    answerMs: 1,
  })
  t.after(() => slow[Symbol.asyncDispose]())
  const asked: [string, object][] = [
    ['post', { text: 'Late', visibility: 'public' }],
    ['upload', { path: 'logo.jpg', purpose: 'portfolio' }],
  ]
  const made = async () => [
    (await Array.fromAsync(bobSdk.posts.list({ author: bobSdk.passport.bot.id, q: 'Late' }))).length,
    (await Array.fromAsync(bobSdk.files.list({ scope: 'all' }))).length,
  ]
  const [posts = 0, files = 0] = await made()
  for (let n = 0; n < 2; n++)
    for (const [tool, args] of asked) assert.equal((await slow.refused(tool, args)).code, 'no_answer')
  gate.resolve()
  const done = [posts + 1, files + 1]
  await eventually(async () => isDeepStrictEqual(await made(), done), 'both are done')
  for (const [tool, args] of asked)
    await eventually(
      async () => (await slow.client.callTool({ name: tool, arguments: { ...args } })).isError !== true,
      tool,
    )
  assert.deepEqual(await made(), done)
})

const card = (title: string) => ({
  ...{ action: 'create', title, description: title, delivery_description: title },
  ...{ price_mode: 'fixed', amount_minor: 100 },
})

test('find says when its search ended early, as a tool and as a command', async () => {
  way.isHurried = true
  const { items, partial, advice } = await bob.tool('find', { kind: 'services', q: 'logo' })
  assert.deepEqual([items, partial], [[], true])
  assert.match(advice, /^The search ended before it had looked at everything: call find again/)
  assert.match(
    (await cli.run('find', '-p', 'bob', 'logo')).out,
    /^The search ended before .*: repeat it, or add words/m,
  )
  way.isHurried = false
  await eventually(
    async () => /^Nothing found\./.test((await cli.run('find', '-p', 'bob', 'zzzyyyxxx')).out),
    'a whole search',
  )
})
