// What an operator sees of how the server runs: emails, jobs, storage, the ledger, nodes; and that nothing secret is among it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { atConsole, audited } from '../../test/at-console.ts'
import { consoleStuff } from '../../test/console-examples.ts'
import { trade } from '../../test/orders.ts'
import { beforehand, story } from '../../test/story.ts'
import { eventually } from '../../test/world.ts'
import { hours } from '../kernel/clock.ts'
import { mails } from '../operator/mails.ts'
import type { Walk } from '../store/walks.ts'
import { createVerifier } from '../verify/on-demand.ts'
import { verifierOf } from './pages/ledger.ts'

const { w } = story({ sweeping: true })
const olga = beforehand(() => atConsole(w, 'olga@op.example'))
const otto = beforehand(() => atConsole(w, 'otto@op.example'))
after(() => w.sql`delete from mails`)

async function waitingMail(): Promise<string> {
  const id = randomUUID()
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, attempts, next_attempt_at, last_failure)
    values (${id}, 'code', 'dora@owners.example', 'planted subject', 'planted body 314159', ${w.now()}, 2,
      ${new Date(w.now().getTime() + hours(6))}, 'EENVELOPE 451')`
  return id
}

const queues = '/operator/queues'

test('a mail is retried at once, and shown without recipient, subject and body', async () => {
  const id = await waitingMail()
  const page = await olga.read(queues)
  for (const said of ['d…@owners.example', '2 attempts', 'EENVELOPE 451', 'next attempt in 6 hours'])
    assert.ok(page.includes(said), said)
  assert.ok(!/dora@|planted|314159/.test(page))
  const order = { action: 'retry', form: `retry-${id}`, mail_id: id }
  for (const reason of ['', 'x'.repeat(2001)]) {
    const refused = await olga.refused(queues, { ...order, reason })
    assert.ok(refused.includes('<details open>'))
  }
  const form = { ...order, operation_id: randomUUID() }
  await olga.act(queues, form)
  await olga.act(queues, form)
  assert.deepEqual(await audited(w, id), [[olga.actor, 'mail.retry', 'So it is', { kind: 'code', attempts: 2 }]])
  await eventually(async () => (await mails(w.sql)).total === 0, 'it is sent')
  const [sent] = await w.mails('dora@owners.example')
  assert.equal(sent?.subject, 'planted subject')
})

test('one of two operators drops a mail, and nobody does while it is being sent', async () => {
  const id = await waitingMail()
  const order = { action: 'drop', form: `drop-${id}`, mail_id: id, reason: 'Nobody waits for it' }
  await w.sql.transaction(async (tx) => {
    await tx`select 1 from mails where id = ${id} for update`
    assert.match(await olga.refused(queues, order), /Something changed in the meantime/)
  })
  const answers = await Promise.all([olga.send(queues, order), otto.send(queues, order)])
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
  assert.match(
    await olga.refused(queues, order),
    /Something changed in the meantime[^<]* Last recorded here: “Email discarded”, /,
  )
  assert.match(await olga.refused(queues, { ...order, mail_id: 'x' }), /Something changed in the meantime/)
  const entries = (await audited(w, id)) as unknown[][]
  assert.deepEqual(
    entries.map(([, ...entry]) => entry),
    [['mail.drop', 'Nobody waits for it', { kind: 'code', attempts: 2 }]],
  )
  assert.ok((await olga.read(queues)).includes('No emails waiting'))
})

test("the page lists the node's jobs with their last run", async () => {
  await eventually(async () => !(await olga.read(queues)).includes('>never<'), 'each has run')
  const page = await olga.read(queues)
  for (const said of [
    'Delete files <code>purging',
    'Verify the ledger <code>ledger',
    'Count pending events <code>backlog',
  ])
    assert.ok(page.includes(`>${said}</code></th>`), said)
  for (const language of ['en', 'ru'])
    assert.doesNotMatch(await olga.read(`${queues}?lang=${language}`), /<th[^>]*><code>/, 'each is told in words')
})

test('the page shows storage by state, quota and largest users', async () => {
  await consoleStuff(w)
  const page = await olga.read('/operator/storage')
  for (const said of ['@kai', 'Ready', 'Working', '10,700 MB']) assert.ok(page.includes(said), said)
  const { id } = await w.human('Hilda')
  await w.sql`insert into storage_usage (owner_id, bytes, files, upload_records) values (${id}, 1, 1, 1)`
  assert.ok((await olga.read('/operator/storage')).includes(`<a href="/operator/customers/${id}">`))
  await w.sql`delete from storage_usage where owner_id = ${id}`
})

test('one ledger verification runs at a time, and its result stays', async () => {
  const path = '/operator/ledger'
  assert.ok((await olga.read(path)).includes('No verification has been requested'))
  await trade(w, await w.agent('bea'), await w.agent('cal'), 'accepted').catch(() => undefined)
  for (const reason of ['', 'x'.repeat(2001)]) await olga.refused(path, { action: 'verify', reason })
  const before = (await audited(w, w.service.nodeId)).length
  const form = { action: 'verify', operation_id: randomUUID(), reason: 'Monday' }
  await olga.act(path, form)
  await olga.act(path, form)
  const entries = await audited(w, w.service.nodeId)
  assert.deepEqual(entries.slice(before), [[olga.actor, 'ledger.verify', 'Monday', null]])
  await eventually(async () => verifierOf(w.service).current()?.outcome === 'through', 'it comes to its end')
  const page = await otto.read(path)
  for (const said of ['Everything matches the entries', 'Zero, as expected', '>orders</th>'])
    assert.ok(page.includes(said), said)
  assert.doesNotMatch(page, /No verification has been requested/)
  assert.match(await otto.read(`${path}?lang=ru`), /<span lang="en">orders<\/span>/)
})

test('a verification that takes too long, fails or finds a difference says so', async () => {
  const none = { seen: 0, last: null, more: true, minor: '0', wrong: [] }
  const walk = (next: Walk['next']): Walk => ({ over: 'things', checks: { 'thing.wrong': 'a thing is wrong' }, next })
  const outcome = async (next: Walk['next'], limit?: number) => {
    const verifier = createVerifier(w.service, () => [walk(next)], limit)
    verifier.begin()
    verifier.begin()
    await eventually(async () => verifier.current()?.endedAt !== undefined, 'it ends')
    await verifier.stop()
    return verifier.current()
  }
  assert.equal((await outcome(async () => none, 0))?.outcome, 'late')
  assert.equal((await outcome(() => Promise.reject(new Error('gone'))))?.outcome, 'failed')
  const found = await outcome(async () => ({ ...none, more: false, wrong: [{ check: 'thing.wrong', id: null }] }))
  assert.deepEqual([found?.outcome, found?.findings.differences], ['through', { 'thing.wrong': 1 }])
  const asked = createVerifier(w.service, () => [])
  assert.deepEqual([asked.claim(), asked.claim()], [true, false], 'of two who ask at once one has the turn')
  asked.begin()
  await asked.stop()
  const endless = createVerifier(w.service, () => [walk(async () => none)])
  endless.begin()
  assert.equal(endless.claim(), false, 'while one runs')
  await endless.stop()
  assert.equal(endless.current()?.outcome, 'failed')
})

test('the page shows nodes and their dependencies', async () => {
  const page = await olga.read('/operator/nodes')
  for (const said of ['this one', 'Online', 'Not used', 'PostgreSQL', 'Latest migration'])
    assert.ok(page.includes(said), said)
  await w.sql`insert into nodes (id, name, seen_at) values (${randomUUID()}, 'old <node>', ${new Date(w.now().getTime() - hours(5))})`
  const both = await olga.read('/operator/nodes')
  assert.ok(
    both.includes('old &lt;node&gt;') && both.includes('Not responding') && both.includes('>5 hours ago</time>'),
  )
})
