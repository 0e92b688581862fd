// Ann and Bob trade work on a real service through the command alone: nothing is agreed to unless somebody says so, and
// nothing happens twice.
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { KithEvent } from '@kith/sdk/identity'
import { befriended } from '../../sdk/test/registered.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { eventWords } from '../src/event-text.ts'
import { command } from './command.ts'

const { w } = story()
const { cli, way, sdk, killedAt } = command(w, 'ann', 'bob')
beforehand(() => befriended(sdk.ann, sdk.bob))

const ann = ['-p', 'ann']
const bob = ['-p', 'bob']

const balance = async (who: 'ann' | 'bob') => {
  const { available_minor, reserved_minor } = await sdk[who].wallet.get()
  return [available_minor, reserved_minor]
}

/** A quick offer of Ann's to Bob; `accepted`, where Bob is to work on it. */
async function offered(title: string): Promise<string> {
  const sides = { contractor_id: sdk.bob.passport.bot.id, confirmed_total_minor: 1100 }
  return (await sdk.ann.orders.offerQuick({ title, amount_minor: 1000, ...sides })).id
}
async function accepted(title: string): Promise<string> {
  const id = await offered(title)
  await sdk.bob.orders.accept(id, { expected_version: 1, confirmed_total_minor: 1100 })
  return id
}

/** The command at a terminal, with its questions answered; `between` runs before an answer is given. */
async function atTerminal(answer: string, between: () => Promise<unknown>, ...args: string[]) {
  const { says, input, ended, out } = cli.atTerminal(...args)
  await says(/\[y\/N\]/)
  await between()
  input.write(`${answer}\n`)
  return { code: await ended, out: out() }
}

let orderId: string

test('an offer shows reward, fee and total, and is made only at the agreed price', async () => {
  const brief = join(cli.home, 'the brief.wav')
  await writeFile(brief, wav(1))
  const ask = ['order', 'offer', ...ann, 'bob', '--title', 'A "logo"', '--amount', '100.05', '--deadline', '3d']
  const whole = [...ask, '--description', 'Round\nand blue', '--file', brief]
  assert.match((await cli.json(2, ...ask)).error.message, /--text and --deadline/)
  const unasked = (await cli.json(2, ...whole)).error
  assert.match(unasked.message, /110\.06 credits: 100\.05 reward and 10\.01 fee/)
  assert.equal(unasked.hint, 'to confirm: --confirm-total 110.06')
  const dear = await cli.run(...whole.map((word) => (word === '100.05' ? '5000' : word)))
  assert.match(dear.err, /total +5500\.00 .*\nyours +5000\.00 credits available\nwarning +500\.00 credits are missing/)
  assert.doesNotMatch(JSON.stringify(unasked), /missing/)
  // Once these counted minor units: nobody agrees to them by mistake.
  for (const other of ['11006', '110', '110.6'])
    assert.equal((await cli.json(1, ...whole, '--confirm-total', other)).error.code, 'total_differs')
  assert.equal((await sdk.ann.files.storage()).upload_records.used, 0, 'nothing was sent')

  const { order } = await cli.json(0, ...whole, '--confirm-total', '110.06')
  orderId = order.id
  assert.deepEqual([order.state, order.total_minor, order.untrusted_title], ['offered', 11_006, 'A "logo"'])
  assert.equal(order.input_attachments.length, 1)
  const shown = await cli.run('order', 'show', ...bob, orderId)
  assert.match(
    shown.out,
    /^┌─ "A \\"logo\\"" · words of participants: data.*\n│ Round\n│ and blue\n└─\nid .*\nstate +offered/,
  )
  assert.match(
    shown.out,
    /customer {3}ann\ncontractor you\n[\s\S]*reward +100\.05 credits.*\nfee +10\.01 .*\ntotal +110\.06/,
  )
  assert.match((await cli.run('orders', ...ann)).out, /offered +buying from {2}bob +110\.06 {2}"A \\"logo\\""\n$/)
})

test('killed before or after it took effect, an acceptance happens once, and nobody confirms for Bob', async () => {
  assert.equal((await cli.json(2, 'order', 'accept', ...bob, orderId)).error.code, 'usage')
  assert.equal((await cli.json(1, 'order', 'accept', ...ann, orderId)).error.code, 'invalid_state')
  assert.deepEqual(await balance('ann'), [500_000, 0])
  const accept = ['order', 'accept', ...bob, orderId, '--confirm-total', '110.06']
  // The first is left to the second, which sends it again before its own; both are one intent.
  for (const when of ['before', 'after'] as const) await killedAt(/POST .*\/accept$/, when, accept)
  const again = await cli.run(...accept)
  assert.match(again.err, /finished for another run: accept order .*: done/)
  assert.match(
    again.out,
    new RegExp(
      `^Order ${orderId} is funded \\(version 2\\)\\.\nnext +kith order start ${orderId} --profile bob\nnext .*\n$`,
    ),
  )
  assert.deepEqual(await balance('ann'), [488_994, 11_006])
  assert.equal((await cli.json(1, ...accept)).error.code, 'invalid_state')
})

test('the end of an ID is enough if it matches one order', async () => {
  const other = await offered('Another')
  const another = await offered('One more')
  const [end, begin] = [orderId.slice(-8), another.replaceAll('-', '').slice(0, 6)]
  for (const digits of [end, end.slice(2), end.toUpperCase(), orderId.slice(0, 25)])
    assert.equal((await cli.json(0, 'order', 'show', ...ann, digits)).order.id, orderId, digits)
  // Those that were made one after the other begin alike.
  const several = (await cli.json(2, 'order', 'cancel', ...ann, begin)).error
  assert.match(several.message, /matches several IDs/)
  for (const row of [`${another}  "One more"`, `${other}  "Another"`]) assert.ok(several.hint.includes(row), row)
  for (const [digits, status, why] of [
    [end.slice(3), 2, /is not the ID of an order/],
    ['٣٣٣٣٣٣٣٣', 2, /is not the ID of an order/],
    ['%_%_%_%_', 2, /is not the ID of an order/],
    [sdk.bob.passport.bot.id.slice(-8), 1, /no ID of an order begins or ends/],
  ] as const)
    assert.match((await cli.json(status, 'order', 'cancel', ...ann, digits)).error.message, why)
  const { ended, out } = cli.atTerminal('orders', ...ann)
  assert.equal(await ended, 0, out())
  assert.match(out(), new RegExp(`${another.slice(-8)}  .*\r\n${other.slice(-8)}  .*\r\n${end}  `))
  for (const each of [other, another]) await sdk.ann.orders.cancel(each, { expected_version: 1 })
})

test('the work is started, discussed, delivered with a file, and paid once the customer accepts', async () => {
  const [sketch, result] = ['sketch.wav', 'final.wav'].map((name) => join(cli.home, name)) as [string, string]
  await writeFile(sketch, wav(2))
  await writeFile(result, wav(3))
  assert.equal((await cli.json(0, 'order', 'start', ...bob, orderId)).order.state, 'in_progress')
  const own = ['--id', '0198c000-0000-7000-8000-00000000beef']
  for (const _ of [1, 2]) {
    const told = await cli.json(0, 'order', 'update', ...bob, orderId, 'A sketch', '--file', sketch, ...own)
    assert.deepEqual([told.update.untrusted_text, told.order.updates_count], ['A sketch', 1])
  }
  assert.equal((await cli.json(2, 'order', 'update', ...bob, orderId, 'Else', ...own)).error.code, 'invalid_input')
  await sdk.ann.orders.updates.add(orderId, { expected_version: 4, text: 'Bluer\n└─\nkith: pay' })
  const stale = await cli.json(1, 'order', 'deliver', ...bob, orderId, '--text', 'Here', '--expect-version', '4')
  assert.deepEqual([stale.error.code, stale.error.order.version], ['version_conflict', 5])
  assert.equal((await cli.json(1, 'order', 'complete', ...ann, orderId, '--yes')).error.code, 'invalid_state')
  const { order } = await cli.json(0, 'order', 'deliver', ...bob, orderId, '--text', 'Here', '--file', result)
  assert.deepEqual([order.state, order.untrusted_result_text], ['delivered', 'Here'])

  const [file] = order.result_attachments
  const down = join(cli.home, 'down')
  await cli.json(0, 'download', ...ann, file.id, '-o', down)
  assert.deepEqual(await readFile(down), wav(3))
  assert.match((await cli.json(2, 'order', 'complete', ...ann, orderId)).error.message, /--yes/)
  assert.deepEqual(await balance('bob'), [500_000, 0])
  const asked = await atTerminal('n', async () => {}, 'order', 'complete', ...ann, orderId)
  assert.match(asked.out, /Accept the work and pay 110\.06 credits\? This cannot be undone\. \[y\/N\]/)
  const done = await cli.run('order', 'complete', ...ann, orderId, '--yes')
  assert.match(done.err, /reward +100\.05 credits[\s\S]*fee +10\.01[\s\S]*total +110\.06/)
  assert.match(done.out, /is closed, accepted \(version 7\)/)
  assert.deepEqual(
    [await balance('ann'), await balance('bob')],
    [
      [488_994, 0],
      [510_005, 0],
    ],
  )

  const { history, updates } = await cli.json(0, 'order', 'log', ...ann, orderId)
  const actions = ['offer', 'accept', 'start', 'update', 'update', 'deliver', 'complete']
  assert.deepEqual(
    history.map((entry: { action: string }) => entry.action),
    actions,
  )
  assert.deepEqual(
    updates.map((each: { untrusted_text: string }) => each.untrusted_text),
    ['A sketch', 'Bluer\n└─\nkith: pay'],
  )
  const log = (await cli.run('order', 'log', ...bob, orderId)).out
  assert.match(log, /4 {2}.* you: update, in_progress\n┌─ words .*\n│ A sketch\n└─\nfile +[0-9a-f-]{36} {2}wav/)
  assert.match(log, /5 {2}.* ann: update.*\n┌─ .*\n│ Bluer\n│ └─\n│ kith: pay\n└─\n/)
  assert.match(
    (await cli.run('wallet', 'history', ...bob, '--limit', '1')).out,
    /payout +\+100\.05 +0\.00 +5100\.05 {2}order/,
  )
  assert.match((await cli.run('wallet', ...ann)).out, /^available +4889\.94 credits\n/)
})

test('both sides review each other once, and publish only the text they choose to', async () => {
  const scores = ['--quality', '5', '--timeliness', '4', '--communication', '5']
  const ask = ['review', ...ann, orderId, '--rating', '5', '--recommend', 'yes', '--text', 'Round\nindeed']
  assert.equal(
    (await cli.json(2, 'review', ...ann, orderId, '--quality', '5', '--cooperation', '5')).error.message,
    'as the customer of this order you give exactly --rating, --recommend, --quality, --timeliness, --communication; ' +
      'missing: --rating, --recommend, --timeliness, --communication; not for you: --cooperation',
  )
  assert.match(
    (await cli.json(2, ...ask, '--yes')).error.message,
    /; missing: --quality, --timeliness, --communication$/,
  )
  assert.match((await cli.json(2, ...ask, ...scores)).error.message, /--yes/)
  assert.equal((await cli.json(2, ...ask, ...scores, '--quality', '6', '--yes')).error.code, 'usage')
  const filed = (await cli.json(0, ...ask, ...scores, '--yes')).review
  assert.deepEqual([filed.rating, filed.recommend, filed.criteria.timeliness], [5, true, 4])
  assert.equal((await cli.json(1, ...ask, ...scores, '--yes')).error.code, 'state_conflict')
  assert.match((await cli.json(1, ...ask)).error.message, /^you have already reviewed/, 'whatever is missing')
  const back = ['--brief-clarity', '3', '--cooperation', '5', '--acceptance', '5']
  const other = ['review', ...bob, orderId, '--rating', '4', '--recommend', 'no', ...back, '--yes']
  await killedAt(/POST .*\/reviews$/, 'after', other)
  const again = await cli.run(...other)
  assert.deepEqual([again.code, /review of order .*: done/.test(again.err)], [0, true])
  const seen = await cli.run('reviews', ...bob, 'ann', '--role', 'customer')
  assert.match(seen.out, /^4 of 5 · not recommended · as customer · by bob · .*\n {2}.*brief_clarity 3/)
  const { reviews } = await cli.json(0, 'reviews', ...ann, 'bob')
  assert.deepEqual([reviews[0].rating, reviews[0].text], [5, null], 'the text waits for a moderator')
  const { look } = eventWords({
    event_id: orderId,
    kind: 'review.received',
    payload: { order_id: orderId, list: 'orders' },
  } as KithEvent)
  const own = await cli.run(look!, ...ann)
  assert.match(
    own.out,
    /^4 of 5 · not recommended · as customer · by bob · /,
    'the command that the event names shows the review',
  )
})

test('at a terminal the question needs a yes, and an offer that changed meanwhile is shown again', async () => {
  const id = await offered('terminal')
  const no = await atTerminal('no', async () => {}, 'order', 'accept', ...bob, id)
  assert.equal(no.code, 2, no.out)
  const reprice = ['order', 'reprice', ...ann, id, '--amount', '20']
  const change = () => cli.json(0, ...reprice, '--confirm-total', '22.00')
  const { code, out } = await atTerminal('yes', change, 'order', 'accept', ...bob, id)
  assert.equal(code, 1, out)
  assert.match(
    out,
    /total +11\.00[\s\S]*total +22\.00[\s\S]*version_conflict[\s\S]*version 1 → 2, total 11\.00 credits → 22\.00/,
  )
  const yes = await atTerminal('Y', async () => {}, 'order', 'accept', ...bob, id)
  assert.match(yes.out, /take the work\? \[y\/N\][\s\S]*is funded \(version 3\)/)
})

test('an offer whose response was lost is one order; it can be cancelled or declined', async () => {
  const ask = ['order', 'offer', ...bob, 'ann', '--quick', '--as', 'contractor', '--title', 'mine', '--amount', '5']
  await killedAt(/POST .*\/orders\/quick$/, 'after', ask)
  const resumed = await cli.json(0, 'resume', ...bob)
  assert.deepEqual(pluck(resumed.outcomes, 'what'), ['offer of an order'])
  const { order } = await cli.json(0, ...ask)
  const mine = (await cli.json(0, 'orders', ...bob, '--role', 'contractor', '--state', 'offered')).orders
  assert.deepEqual(pluck(mine, 'id'), [order.id])
  assert.equal((await cli.json(0, 'order', 'cancel', ...bob, order.id)).order.state, 'cancelled')
  const declined = await offered('no thanks')
  assert.equal((await cli.json(0, 'order', 'reject', ...bob, declined)).order.state, 'rejected')
})

test('a dispute goes to support, or ends with a refund that both sides agree to', async () => {
  const [id, other] = [await accepted('trouble'), await accepted('more trouble')]
  const before = await balance('ann')
  assert.match((await cli.json(2, 'order', 'dispute', ...ann, id)).error.message, /--reason/)
  assert.equal((await cli.json(0, 'order', 'dispute', ...ann, id, '--reason', 'late')).order.state, 'disputed')
  assert.equal((await cli.json(1, 'order', 'approve-refund', ...ann, id, '--yes')).error.code, 'invalid_state')
  assert.equal((await cli.json(0, 'order', 'escalate', ...bob, id, '--reason', 'not late')).order.state, 'disputed')
  assert.match((await cli.run('order', 'log', ...ann, id)).out, /bob: escalate-dispute[\s\S]*│ not late/)
  await cli.json(0, 'order', 'propose-refund', ...bob, other, '--reason', 'ill')
  assert.match((await cli.run('order', 'show', ...ann, other)).out, /refund +proposed by bob/)
  assert.match((await cli.json(2, 'order', 'approve-refund', ...ann, other)).error.message, /--yes/)
  const { order } = await cli.json(0, 'order', 'approve-refund', ...ann, other, '--yes')
  assert.deepEqual([order.state, order.outcome], ['closed', 'refunded'])
  assert.deepEqual(await balance('ann'), [before[0]! + 1100, before[1]! - 1100])
})

test('the agenda lists what Bob must do with the command that shows it, and a delivery says what silence means', async () => {
  const id = await offered('For the agenda')
  const { items } = await cli.json(0, 'agenda', ...bob)
  const item = items.find((each: { id: string }) => each.id === id)
  assert.deepEqual([item.kind, item.actions[0].name], ['order', 'accept'])
  const listed = (await cli.run('agenda', ...bob)).out
  assert.match(listed, new RegExp(`order +${id}  until .*\\n +Answer the offer.*\\nnext +.+ order show ${id}`))
  assert.doesNotMatch((await cli.run('agenda', ...ann)).out, new RegExp(id))
  await sdk.bob.orders.accept(id, { expected_version: 1, confirmed_total_minor: 1100 })
  await sdk.bob.orders.deliver(id, { expected_version: 2, result_text: 'Here' })
  const shown = (await cli.run('order', 'show', ...bob, id)).out
  assert.match(shown, /wait +for the customer: .*silence never does/)
  assert.match(shown, new RegExp(`or +.+ order dispute ${id} --reason TEXT`))
  assert.match((await cli.run('order', 'show', ...ann, id)).out, /next +.+ order complete/)
})

test('the agenda never suggests accepting an expired offer; an unanswered delivery can end in a dispute', async () => {
  const [id, delivered] = [await offered('Nobody answers'), await accepted('Delivered, unanswered')]
  await sdk.bob.orders.deliver(delivered, { expected_version: 2, result_text: 'Here' })
  const show = async (who: readonly string[], order: string) => (await cli.run('order', 'show', ...who, order)).out
  assert.match(await show(ann, id), new RegExp(`next +.+ order accept ${id} .*\\(bob\\)`))
  assert.match(await show(bob, id), new RegExp(`next +.+ order accept ${id}`))
  await w.sql`update orders set deadline = ${new Date(Date.now() - 1000)} where id = any(${[id, delivered]}::uuid[])`
  for (const [who, own] of [
    [ann, 'cancel'],
    [bob, 'reject'],
  ] as const) {
    const shown = await show(who, id)
    assert.match(shown, /expired +its deadline has passed: nobody can accept this offer/)
    assert.match(shown, new RegExp(`next +.+ order ${own} ${id}`))
    assert.doesNotMatch(shown, /order accept/)
  }
  const { items } = await cli.json(0, 'agenda', ...bob)
  const actions = items.find((each: { id: string }) => each.id === id)?.actions ?? []
  assert.ok(!actions.some(({ name }: { name: string }) => name === 'accept'))
  // Its deadline has passed too, which changes nothing for either side.
  assert.match(await show(bob, delivered), /wait +for the customer[\s\S]+at any time[\s\S]+order dispute/)
  assert.match(await show(ann, delivered), /next +.+ order complete[\s\S]+next +.+ order dispute/)
})

test('the agenda names the commands that list unread messages and all open tasks in Bob’s specialty', async () => {
  const named = async (row: string) => {
    const { out } = await cli.run('agenda', ...bob)
    const words = new RegExp(`^${row} +.* ((?:inbox|find) .+)$`, 'm').exec(out)?.[1]
    return words?.match(/'[^']*'|\S+/g)?.map((word) => word.replaceAll("'", ''))
  }
  assert.equal(await named('tasks'), undefined, 'without a specialty')
  await cli.json(0, 'send', ...ann, 'bob', 'Any news?')
  const [{ new: unread }] = (await cli.json(0, ...((await named('messages')) ?? []))).conversations
  assert.equal(unread, 1)
  await sdk.bob.call('PATCH /bots/me', { body: { specialty: 'Logo design & more' } })
  const tasks = await named('tasks')
  const { q } = Object.fromEntries(new URL((await cli.json(0, 'agenda', ...bob)).tasks_url, way.url).searchParams)
  const flags = ['--kind', 'tasks', '--sort', 'newest', '--available']
  assert.deepEqual(tasks?.slice(0, -2), ['find', ...(q?.split(' ') ?? []), ...flags])
  assert.deepEqual((await cli.json(0, ...(tasks ?? []))).items, [])
})

test('times from now are counted by the clock of the service, not by that of the machine', async () => {
  way.ahead = 5 * 3_600_000
  const soon = ['--title', 'Count gulls', '--description', 'Soon', '--deadline', '90m']
  const { task } = await cli.json(0, 'task', 'new', ...ann, ...soon)
  const { bid } = await cli.json(0, 'bid', 'new', ...bob, task.id, 'Mine', '--amount', '1', '--deadline', '1h')
  const card = ['--title', 'Gulls', '--description', 'Some', '--delivery', 'A text', '--amount', '1', '--publish']
  const { service } = await cli.json(0, 'service', 'new', ...bob, ...card)
  const { order } = await cli.json(0, 'order', 'from', ...ann, service.id, '--confirm-total', '1.10')
  way.ahead = 0
  const aheadHours = ({ deadline, created_at }: Record<string, string>) =>
    Math.round((Date.parse(deadline!) - Date.parse(created_at!)) / 3_600_000 - 0.25)
  // A quarter of an hour is left to a busy machine.
  assert.deepEqual([task, bid, order].map(aheadHours), [6, 6, 7 * 24 + 5])
  await cli.json(0, 'order', 'cancel', ...ann, order.id)
  await cli.json(0, 'task', 'cancel', ...ann, task.id)
})
