// What tools spend: within the owner's limits, from however many processes, and once, wherever one of them is killed.
// docs/mcp.md#spending.
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { befriended, registered } from '../../sdk/test/registered.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { command } from './command.ts'
import { type Host, host, hostWithin } from './host.ts'

const { w } = story()
const { cli, way, folderOf } = command(w)
const ann = beforehand(() => registered(way.url, folderOf('ann'), 'ann'))
const bob = beforehand(() => registered(w.url, folderOf('bob'), 'bob'))
beforehand(() => befriended(ann, bob))
const one = beforehand(() => host(cli, 'ann'))
const two = beforehand(() => host(cli, 'ann', { era: 'initialize' }))
/** What Ann is asked through her host, and answers. */
const asked: string[] = []
let answer: () => { action: string; content?: object } = () => ({ action: 'decline' })

const deadline = new Date(Date.now() + 86_400_000).toISOString()

/** An intent of an order, of so many credits with the fee of a tenth. */
async function prepared(
  who: Host,
  title: string,
  amount_minor = 5_000,
): Promise<{ intent_id: string; total_minor: number }> {
  const ask = { action: 'order', to: 'bob', title, description: title, deadline, amount_minor }
  const { intent_id, total_minor } = await who.tool('prepare', ask)
  return { intent_id, total_minor }
}

const titles = async () => {
  const found: string[] = []
  for await (const { title } of bob.orders.list()) found.push(title)
  return found
}
const spent = async () => (await one.tool('whoami')).limits.spent_minor

test('two processes at once stay within the limits of the day, and a cancelled order gives nothing back', async () => {
  const limits = join(folderOf('ann'), 'limits.json')
  await cli.json(0, 'limits', '-p', 'ann', '--order', '60', '--day', '100')
  assert.equal((await stat(limits)).mode & 0o777, 0o600)
  const intents = [await prepared(one, 'first'), await prepared(two, 'second')]
  const ends = await Promise.allSettled([one.tool('commit', intents[0]), two.tool('commit', intents[1])])
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const [left] = intents.filter((_, n) => ends[n]!.status === 'rejected')
  const refusal = await one.refused('commit', left)
  assert.deepEqual([refusal.code, (await titles()).length, await spent()], ['spending_limit', 1, 5_500])
  assert.match(refusal.next, /kith limits --order CREDITS --day CREDITS --profile ann/)
  const [order] = (await two.tool('orders')).orders
  await two.tool('act', { order_id: order.order_id, action: 'cancel' })
  assert.equal((await two.refused('commit', left)).code, 'spending_limit')
  const dear = await one.tool('prepare', {
    action: 'order',
    to: 'bob',
    title: 'x',
    description: 'x',
    deadline,
    amount_minor: 6_000,
  })
  assert.deepEqual([dear.allowed, /^spending_limit: 66\.00/.test(dear.why_not)], [false, true])
  await cli.json(0, 'limits', '-p', 'ann', '--day', '1000')
  await two.tool('commit', left)
  assert.deepEqual([(await titles()).length, await spent()], [2, 11_000])

  const sound = { order_minor: 1e9, day_minor: 1e9, confirm: 'never' }
  const damaged = [{ ...sound, order_minor: '1e9' }, { ...sound, day_minor: -1 }, { ...sound, confirm: 'no' }, [], null]
  const tried = await prepared(one, 'damaged')
  for (const text of ['', '{"order_minor": 1e9', ...damaged.map((each) => JSON.stringify(each))]) {
    await writeFile(limits, text)
    const { code, message } = await one.refused('commit', tried)
    assert.deepEqual([code, message], ['spending_limit', 'limits.json is damaged: nothing may be spent'], text)
  }
  await rm(limits)
  await mkdir(limits)
  assert.equal((await two.refused('commit', tried)).code, 'spending_limit', 'a folder is no file')
  assert.equal((await two.tool('whoami')).limits.order_minor, 0)
  await rmdir(limits)
  await cli.json(0, 'limits', '-p', 'ann', '--order', '100', '--day', '1000')
})

test('killed before or after an order arrived, a commit is done once by whoever commits it again', async () => {
  for (const when of ['before', 'after'] as const) {
    const victim = await host(cli, 'ann')
    const intent = await prepared(victim, `killed ${when}`, 1_000)
    const counted = await spent()
    way.at(/^POST \/api\/v1\/orders$/, when, () => process.kill(victim.pid, 'SIGKILL'))
    await assert.rejects(victim.tool('commit', intent))
    await victim[Symbol.asyncDispose]()
    assert.equal(await spent(), counted + 1_100, 'what is under way counts')
    const answers = await Promise.all([one, two].map((each) => each.tool('commit', intent)))
    assert.deepEqual(answers[0], answers[1])
    assert.equal((await titles()).filter((title) => title === `killed ${when}`).length, 1)
    assert.equal(await spent(), counted + 1_100)
  }
})

test('five processes beside kith listen: one order of one intent, and twenty commits at once stay within the limit', async (t) => {
  const listening = cli.start('listen', '-p', 'ann', '--json')
  const more = await Promise.all([1, 2, 3].map(() => host(cli, 'ann')))
  t.after(async () => {
    for (const each of more) await each[Symbol.asyncDispose]()
    listening.kill('SIGTERM')
    await listening.ended
  })
  const five = [one, two, ...more]
  const intent = await prepared(one, 'of five', 100)
  const answers = await Promise.all(five.map((each) => each.tool('commit', intent)))
  for (const each of answers) assert.deepEqual(each, answers[0])
  assert.equal((await titles()).filter((title) => title === 'of five').length, 1)

  // Of twenty orders at 11 credits, three are within it.
  const before = await spent()
  await cli.json(0, 'limits', '-p', 'ann', '--day', String((before + 3_900) / 100))
  const intents = await Promise.all(Array.from({ length: 20 }, (_, n) => prepared(five[n % 5]!, `twenty ${n}`, 1_000)))
  const ends = await Promise.allSettled(intents.map((each, n) => five[n % 5]!.tool('commit', each)))
  const made = (await titles()).filter((title) => title.startsWith('twenty'))
  assert.deepEqual([made.length, ends.filter(({ status }) => status === 'fulfilled').length], [3, 3])
  assert.equal(await spent(), before + 3_300)
  const left = intents.filter((_, n) => ends[n]!.status === 'rejected')
  for (const each of left.slice(0, 5)) assert.equal((await two.refused('commit', each)).code, 'spending_limit')
  await cli.json(0, 'limits', '-p', 'ann', '--day', '1000')
})

test('what has no outcome counts after a day too, and an outcome that the journal forgot is still the same', async () => {
  const change = async (id: string, fields: object) => {
    const file = join(folderOf('ann'), 'mcp-intents', id)
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...fields }))
  }
  const longAgo = new Date(Date.now() - 25 * 3_600_000).toISOString()
  const victim = await host(cli, 'ann')
  const intent = await prepared(victim, 'long ago', 1_000)
  const before = await spent()
  way.at(/^POST \/api\/v1\/orders$/, 'before', () => process.kill(victim.pid, 'SIGKILL'))
  await assert.rejects(victim.tool('commit', intent))
  await victim[Symbol.asyncDispose]()
  await change(intent.intent_id, { sent_at: longAgo, created_at: longAgo })
  assert.equal(await spent(), before + 1_100, 'it may still be spent')
  const { order } = await one.tool('commit', intent)
  assert.equal(await spent(), before + 1_100, 'and was spent now')
  await rm(join(folderOf('ann'), 'answers', intent.intent_id))
  assert.equal((await two.tool('commit', intent)).order.order_id, order.order_id)

  // Counted and then killed before it was saved: nothing was sent, and after a day nothing will be.
  const never = await prepared(one, 'never', 1_000)
  await change(never.intent_id, { sent_at: longAgo, created_at: longAgo })
  assert.equal(await spent(), before + 2_200)
  await prepared(two, 'any', 100)
  assert.equal(await spent(), before + 1_100)
  assert.equal((await one.refused('commit', never)).code, 'intent_expired')
  assert.equal((await titles()).filter((title) => title === 'long ago' || title === 'never').length, 1)
})

test('a refusal of the server is the outcome for good, and an intent that was not sent ends after ten minutes', async () => {
  const offered = await bob.orders.offer({
    ...{ customer_id: (await bob.contacts.list()[Symbol.asyncIterator]().next()).value!.peer.id },
    ...{ title: 'offer', description: 'offer', deadline, amount_minor: 1_000 },
  })
  const { intent_id, total_minor } = await one.tool('prepare', { action: 'accept', order_id: offered.id })
  await bob.orders.cancel(offered.id, { expected_version: offered.version })
  const refusals = [
    await one.refused('commit', { intent_id, total_minor }),
    await two.refused('commit', { intent_id, total_minor }),
  ]
  assert.deepEqual(refusals[0], refusals[1])
  assert.match(refusals[0]!.code, /version_conflict|invalid_state/)
  const late = await prepared(one, 'late')
  const file = join(folderOf('ann'), 'mcp-intents', late.intent_id)
  const saved = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ ...saved, expires_at: new Date(Date.now() - 1).toISOString() }))
  assert.equal((await two.refused('commit', late)).code, 'intent_expired')
  assert.ok(!(await titles()).includes('late'))
})

test('prepare says why something is not allowed now, and leaves the server as it is', async (t) => {
  const limits = join(folderOf('ann'), 'limits.json')
  const before = await readFile(limits, 'utf8')
  t.after(() => writeFile(limits, before))
  const eve = await registered(w.url, folderOf('eve'), 'eve')
  await eve.bots.update({ profile_public: true })
  const bobs = await hostWithin(folderOf('bob'))
  t.after(() => bobs[Symbol.asyncDispose]())
  const [made, credits] = [await titles(), await ann.wallet.get()]
  await cli.json(0, 'limits', '-p', 'ann', '--order', '100000', '--day', '100000')
  const ask = { action: 'order', to: 'bob', title: 'x', description: 'x', deadline, amount_minor: 900_000 }
  const why = async (who: Host, args: object) => {
    const { allowed, why_not } = await who.tool('prepare', args)
    assert.equal(allowed, why_not === null)
    return why_not?.split(':')[0] ?? null
  }
  assert.equal(await why(one, ask), 'insufficient_funds')
  assert.equal(await why(one, { ...ask, to: 'eve', amount_minor: 100 }), 'friendship_required')
  assert.deepEqual([await titles(), await ann.wallet.get()], [made, credits])

  // To be paid, and to accept work whose credits are reserved, needs no limit.
  const { order } = await one.tool('commit', await prepared(one, 'no limit', 100))
  const { order_id } = order
  assert.equal(await why(one, { action: 'complete', order_id }), 'invalid_state')
  for (const name of ['ann', 'bob']) await cli.json(0, 'limits', '-p', name, '--order', '0', '--day', '0')
  assert.equal(await why(one, { ...ask, amount_minor: 100 }), 'spending_limit')
  const accepting = await bobs.tool('prepare', { action: 'accept', order_id })
  assert.deepEqual([accepting.total_minor, accepting.allowed], [0, true])
  await bobs.tool('commit', { intent_id: accepting.intent_id, total_minor: 0 })
  await bobs.tool('act', { order_id, action: 'start' })
  await bobs.tool('act', { order_id, action: 'deliver', text: 'There' })
  const { intent_id, total_minor, allowed } = await one.tool('prepare', { action: 'complete', order_id })
  assert.equal(allowed, true)
  assert.equal((await two.tool('commit', { intent_id, total_minor })).order.outcome, 'accepted')
})

test('with confirm always nobody but the owner confirms: through the host where it asks, else at a terminal', async (t) => {
  await cli.json(0, 'limits', '-p', 'ann', '--confirm', 'always')
  const silent = await prepared(one, 'silent', 100)
  for (const each of [one, two]) assert.equal((await each.refused('commit', silent)).code, 'confirmation_required')
  for (const era of ['modern', 'initialize'] as const) {
    const asking = await hostWithin(folderOf('ann'), {
      era,
      ask: (message) => {
        asked.push(message)
        return answer()
      },
    })
    t.after(() => asking[Symbol.asyncDispose]())
    const intent = await prepared(asking, `asked ${era}`, 100)
    const silence = () => {
      throw new Error('the user did not answer')
    }
    for (const no of [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { commit: false } },
      null,
    ]) {
      if (no === null && era === 'modern') continue
      answer = no === null ? silence : () => no
      const { code, next } = await asking.refused('commit', intent)
      assert.deepEqual(
        [code, next.includes(`kith commit ${intent.intent_id} --profile ann`)],
        ['confirmation_required', true],
      )
    }
    answer = () => ({ action: 'accept', content: { commit: true } })
    await asking.tool('commit', intent)
    assert.match(asked.at(-1)!, /^Order work from @bob for 1\.10 credits: .* Commit it\?$/)
  }
  assert.equal((await cli.json(2, 'commit', '-p', 'ann', silent.intent_id)).error.code, 'usage')
  const { says, input, ended, out } = cli.atTerminal('commit', '-p', 'ann', silent.intent_id)
  await says(/Commit this for 1\.10 credits\? \[y\/N\]/)
  input.write('y\n')
  assert.equal(await ended, 0, out())
  assert.deepEqual((await titles()).slice(0, 3), ['silent', 'asked initialize', 'asked modern'])
})
