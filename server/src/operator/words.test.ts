// What the operator decides about work and money, by the words of the command. docs/contract/staff.md#the-operator.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { documented } from '../../test/documented.ts'
import { command, operatorFile } from '../../test/launch.ts'
import { money, reread, step, trade } from '../../test/orders.ts'
import { pluck } from '../../test/pluck.ts'
import { reviewBody } from '../../test/reviews.ts'
import { decide } from '../../test/staff.ts'
import { story } from '../../test/story.ts'
import { code } from '../../test/world.ts'
import { queues } from '../app/modules.ts'
import { after, hours } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refuse.ts'
import { reasonCodes, reportCodes } from '../modules/moderation/machine.ts'
import { maxBalance } from '../modules/wallet/wallet.ts'
import { only } from '../store/sql.ts'
import { UsageError } from './command.ts'
import { understand, usage } from './commands.ts'
import { OperatorError } from './operator.ts'

const { w } = story()

function say(...args: string[]) {
  const { config, clock, sql } = w.service
  return understand(args).act({ sql, config, clock, queues })
}

/** What the audit log says of a subject, oldest first. */
async function audited(subject: string): Promise<unknown[]> {
  const rows = await w.sql`select action, reason, details from audit_log where subject = ${subject} order by id`
  return rows.map(({ action, reason, details }) => [action, reason, details])
}

const caseOf = async (subjectId: string): Promise<string> =>
  only(await w.sql<{ id: string }>`select id from moderation_cases where subject_id = ${subjectId}`).id

test('every command of the usage and of the documents is understood', async () => {
  const id = '0198c000-0000-7000-8000-00000000beef'
  const values: Record<string, string> = {
    AMOUNT: '5',
    STATUS: 'planned',
    ROLE: 'support',
    TEXT: 'x',
    CODE: 'spam',
    N: '1',
  }
  const filled = (word: string): string => values[word] ?? (/^(CASE|ID|[A-Z]+_ID)$/.test(word) ? id : word)
  const listed = [...usage.matchAll(/^ {2}([a-z]\S*(?: \S+)*)/gm)].map(([, line = '']) =>
    line.replaceAll(/ \[[^\]]*\]/g, ''),
  )
  assert.ok(listed.length > 30)
  const told = await documented('npm run operator --')
  assert.ok(told.length > 40)
  for (const { page, line, words } of told) assert.doesNotThrow(() => understand(words.map(filled)), `${page}: ${line}`)
  for (const line of listed)
    assert.doesNotThrow(() => understand(line.split(' ').map((word) => filled(word.split('|')[0] as string))), line)
})

test('roles are granted and revoked, with an event at once, listed and logged', async () => {
  const sue = await w.agent('sue')
  const socket = await sue.events()
  assert.equal(
    (await say('staff')).text,
    'Nobody has a role: disputes, feedback, reports and texts are yours to decide.',
  )
  // By another process: the sockets get it by way of the database.
  const { databaseUrl: DATABASE_URL, dataDir: DATA_DIR } = w
  const env = { DATABASE_URL, DATA_DIR, SECRET_KEY: 'a secret key for tests, of enough characters' }
  const given = await command(operatorFile, ['staff', 'assign', 'sue', 'support', '--json'], env)
  assert.equal(given.code, 0, given.stderr)
  const { agent, staff, audit } = JSON.parse(given.stdout)
  assert.deepEqual(agent, { id: sue.id, handle: 'sue' })
  assert.deepEqual(staff, { roles: ['support'], version: 1 })
  assert.deepEqual([audit.action, audit.details], ['staff.assign', { role: 'support' }])
  assert.deepEqual((await socket.next('staff.changed')).payload, { roles: ['support'], version: 1 })
  assert.equal((await sue.get('/staff/disputes')).status, 200)
  await say('staff', 'assign', 'sue', 'moderator', '--reason', ' reads well ')
  assert.equal((await say('staff')).text, 'Who  Roles\nsue  support, moderator')
  const taken = await say('staff', 'revoke', 'sue', 'support')
  assert.equal(taken.text, 'sue has the role moderator')
  assert.equal((await say('staff', 'revoke', 'sue', 'moderator')).text, 'sue no longer has a role')
  assert.equal(code(await sue.get('/staff/disputes')), '403 staff_required')
  for (const [word, problem] of [
    ['revoke', 'The agent sue does not have the role support'],
    ['assign', 'There is no agent with the handle nobody_here'],
  ] as const) {
    const handle = word === 'revoke' ? 'sue' : 'nobody_here'
    await assert.rejects(say('staff', word, handle, 'support'), new OperatorError(problem))
  }
  assert.deepEqual(await audited('sue'), [
    ['staff.assign', null, { role: 'support' }],
    ['staff.assign', 'reads well', { role: 'moderator' }],
    ['staff.revoke', null, { role: 'support' }],
    ['staff.revoke', null, { role: 'moderator' }],
  ])
  assert.match((await say('audit', '--limit', '1')).text, /staff\.revoke {2}sue role=moderator {2}\n/)
  await socket.close()
})

test('where nobody has the role, the operator sees the queue and decides', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  assert.equal((await say('disputes', '--all')).text, 'No disputes waiting.')
  const first = await trade(w, ada, bob, 'escalated', { title: 'A song', amount_minor: 10_005 })
  const second = await trade(w, ada, bob, 'escalated')
  w.travel(hours(24))
  const third = await trade(w, ada, bob, 'escalated')
  const open = await trade(w, ada, bob, 'disputed')
  const shown = (await say('disputes')).json as { disputes: { overdue: boolean; order: { id: string } }[] }
  assert.deepEqual(
    shown.disputes.map(({ overdue, order }) => [overdue, order.id]),
    [
      [true, first.id],
      [true, second.id],
      [false, third.id],
    ],
  )
  const { text } = await say('disputes', '--all')
  const lines = text.split('\n')
  assert.match(lines[0] ?? '', /^ {3}Order +Status +Waits +Customer +Contractor +Credits +What$/)
  assert.match(
    lines[1] ?? '',
    new RegExp(`^!  ${first.id}  escalated  for 24 h +ada +bob +110\\.06 +A song: It is not`),
  )
  assert.match(lines[3] ?? '', new RegExp(`^   ${third.id}  escalated  for \\d+ s `))
  assert.match(lines[4] ?? '', new RegExp(`^   ${open.id}  open +due in (48 h|2 days) `))
  assert.deepEqual(lines.slice(5), ['', '! 2 waiting for more than a day.'])
  const { disputes } = (await say('queue')).json as { disputes: object }
  assert.deepEqual(disputes, { open: 1, escalated: 3, overdue: 2 })

  const before = await money(ada)
  const refunded = await say('disputes', 'decide', first.id.toUpperCase(), 'refund', '--reason', 'No\r\nsong')
  assert.equal(refunded.text, `The full price of order ${first.id} was returned to its customer`)
  assert.deepEqual(await money(ada), [before[0] + 11_006, before[1] - 11_006])
  const { dispute_case: dispute } = (await bob.get(`/orders/${first.id}/dispute-case`)).body
  assert.deepEqual(refunded.json, { dispute_case: dispute })
  assert.deepEqual([dispute.decision, dispute.decision_reason], ['refund', 'No\nsong'])
  const resumed = await say('disputes', 'decide', second.id, 'resume', '--reason', 'A logo it is')
  assert.equal(resumed.text, `Order ${second.id} resumes where it was disputed`)
  await step(ada, await step(bob, await reread(bob, second), 'deliver'), 'complete')
  for (const [id, problem] of [
    [first.id, 'The case is resolved'],
    [open.id, 'The case is open'],
  ]) {
    await assert.rejects(
      say('disputes', 'decide', id, 'refund', '--reason', 'x'),
      (error) => error instanceof Refusal && error.message === problem,
    )
  }
  const unknown = randomUUID()
  await assert.rejects(
    say('disputes', 'decide', unknown, 'refund', '--reason', 'x'),
    new OperatorError(`There is no dispute about an order ${unknown}`),
  )
  await assert.rejects(
    say('disputes', 'decide', third.id, 'refund', '--reason', ' '),
    new OperatorError('A reason is required'),
  )
  assert.deepEqual(await audited(first.id), [
    ['dispute.refund', 'No\nsong', { decision: 'refund', case_id: dispute.id }],
  ])
  // Nothing is left for the other stories.
  await say('disputes', 'decide', third.id, 'refund', '--reason', 'x')
  await step(ada, open, 'escalate-dispute')
  await say('disputes', 'decide', open.id, 'refund', '--reason', 'x')
})

test('the operator and support decide at once: one decision counts', async () => {
  const [dan, eva] = await w.friends('dan', 'eva')
  const tom = await w.agent('tom')
  await say('staff', 'assign', 'tom', 'support')
  for (let round = 0; round < 3; round++) {
    const order = await trade(w, dan, eva, 'escalated')
    const [answers, words] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => decide(tom, order))),
      Promise.allSettled(
        Array.from({ length: 10 }, () => say('disputes', 'decide', order.id, 'resume', '--reason', 'Go on')),
      ),
    ])
    const bySupport = answers.filter(({ status }) => status === 200).length
    const byOperator = words.filter(({ status }) => status === 'fulfilled').length
    assert.equal(bySupport + byOperator, 1)
    assert.equal((await reread(dan, order)).state, bySupport === 1 ? 'closed' : 'funded')
    assert.equal((await w.sql`select 1 from audit_log where subject = ${order.id}`).length, 1)
  }
})

test("credits are granted with a reason that the agent reads, up to the wallet's limit", async () => {
  const cat = await w.agent('cat')
  const granted = await say('credits', 'grant', 'cat', '123.45', '--reason', 'For the contest')
  assert.equal(granted.text, 'cat was granted 123.45 credits and has 5123.45 available')
  const { entries } = (await cat.get('/wallet/history')).body
  assert.deepEqual([entries[0].kind, entries[0].amount_minor, entries[0].note], ['grant', 12_345, 'For the contest'])
  await assert.rejects(
    say('credits', 'grant', 'cat', '90000000000000.00', '--reason', 'All'),
    (error) => error instanceof Refusal && /The wallet to be paid is full/.test(error.message),
  )
  await assert.rejects(
    say('credits', 'grant', 'nobody_here', '1', '--reason', 'x'),
    new OperatorError('There is no agent with the handle nobody_here'),
  )
  const more = await say('credits', 'grant', 'cat', '500', '--reason', 'In minor units')
  assert.equal(more.text, 'cat was granted 5.00 credits and has 5128.45 available')
  await say('credits', 'grant', 'cat', '89999999994871.55', '--reason', 'All that fits')
  assert.deepEqual(await money(cat), [maxBalance, 0])
  assert.deepEqual(await audited('cat'), [
    ['credits.grant', 'For the contest', { amount_minor: 12_345 }],
    ['credits.grant', 'In minor units', { amount_minor: 500 }],
    ['credits.grant', 'All that fits', { amount_minor: maxBalance - 512_845 }],
  ])
})

test('texts of reviews are read, published or withheld, once', async () => {
  const [fay, gil] = await w.friends('fay', 'gil')
  assert.equal((await say('reviews')).text, 'No texts waiting.')
  const ids: string[] = []
  for (const text of ['Round\nand blue', 'It was late']) {
    const order = await trade(w, fay, gil, 'accepted')
    const filed = await fay.post(`/orders/${order.id}/reviews`, reviewBody('customer', { rating: 4, text }))
    assert.equal(code(filed), '201', JSON.stringify(filed.body))
    ids.push(filed.body.review.id)
    const back = await gil.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))
    await assert.rejects(say('reviews', 'approve', back.body.review.id), { code: 'invalid_state' }, 'it has no text')
  }
  const [first, second] = ids as [string, string]
  const lines = (await say('reviews')).text.split('\n')
  assert.match(lines[0] ?? '', /^Review +When +By +About +Rating +Text$/)
  assert.match(lines[1] ?? '', new RegExp(`^${first}  20\\S+Z  fay  gil +4 +Round and blue$`))
  assert.match(lines[2] ?? '', new RegExp(`^${second} .* It was late$`))
  assert.deepEqual(((await say('queue')).json as { reviews: object }).reviews, { waiting: 2 })
  const judged = await Promise.allSettled(Array.from({ length: 10 }, () => say('reviews', 'approve', first)))
  const [approved, ...others] = judged.flatMap((each) => (each.status === 'fulfilled' ? each.value.text : []))
  assert.deepEqual([approved, others], [`The text of the review ${first} is approved`, []])
  const rejected = await say('reviews', 'reject', second, '--reason', 'It names a person')
  assert.deepEqual((rejected.json as { review: object }).review, { id: second, text_status: 'rejected' })
  await assert.rejects(
    say('reviews', 'approve', second),
    (error) => error instanceof Refusal && error.message === 'The text of this review is rejected',
  )
  const unknown = randomUUID()
  await assert.rejects(say('reviews', 'approve', unknown), new OperatorError(`There is no review ${unknown}`))
  const about = { kind: 'review', reason_code: 'ok', status: 'approved', subject: first }
  assert.deepEqual(await audited(await caseOf(first)), [['moderation.approve', 'Approved', about]])
  const other = { kind: 'review', reason_code: 'other', status: 'rejected', subject: second }
  assert.deepEqual(await audited(await caseOf(second)), [['moderation.reject', 'It names a person', other]])
  assert.equal((await say('reviews')).text, 'No texts waiting.')
})

const wrongCredits = 'AMOUNT must be credits, such as 12.50, or hundredths, such as 1250, up to 90000000000000.00'

test('agents are listed, searched and shown, under any name, without a full email or their private words', async () => {
  const turned = 'Vera \u202e\u001b[2J'
  const vera = await w.agentWithEmail('vera', 'vera@owners.example', { display_name: 'Vera' })
  await w.sql`update agents set display_name = ${turned}, bio = 'planted' where handle = 'vera'`
  const list = await say('agent', 'list')
  assert.match(
    list.text,
    /^Handle +State +Since +Roles +Email +Name\nvera +active, open +\d{4}-\d\d-\d\d +v…@owners\.example +Vera \\u\{202e\}/,
  )
  assert.deepEqual(
    (await say('agent', 'search', 'vera@owners.example')).text,
    (await say('agent', 'search', '@VER')).text,
  )
  await assert.rejects(say('agent', 'search', 'no@mail@here'), OperatorError)
  for (const [reason, problem] of [
    ['  ', /A reason is required/],
    ['x'.repeat(2001), /longer than 2000/],
    ['a\u0007b', /contains control characters/],
  ] as const)
    await assert.rejects(say('agent', 'suspend', 'vera', '--reason', reason), problem)
  assert.equal((await say('agent', 'search', 'nobody here')).text, 'No such agent.')
  assert.equal((await say('agent', 'list', '--page', '9999')).text, 'There is no page 9999.')
  await say('agent', 'suspend', 'vera', '--reason', 'Noise\nin the night', '--code', 'spam')
  await say('credits', 'grant', 'vera', '0.5', '--reason', 'For the fright')
  const found = (await say('agent', 'list', '--filter', 'suspended')).json as {
    agents: { handle: string }[]
    pagination: object
  }
  assert.deepEqual(pluck(found.agents, 'handle'), ['vera'])
  assert.deepEqual(found.pagination, { page: 1, page_size: 50, total: 1, is_cut: false })
  const card = await say('agent', 'show', '@vera')
  assert.match(
    card.text,
    /^Handle {5}vera\nName {7}Vera \\u\{202e\}.*\nID {9}[0-9a-f-]{36}\nState {6}suspended\nSuspended {2}for \d+ s, spam: Noise in the night\n/,
  )
  assert.match(
    card.text,
    /\nEmail {6}v…@owners\.example\n[\s\S]*\nCredits {4}5000\.50 available, 0\.00 in reserve\nGranted {4}0\.50 on .*: For the fright\n/,
  )
  const { agent } = card.json as { agent: Record<string, unknown> }
  assert.deepEqual([agent['id'], agent['email'], agent['email_verified']], [vera.id, 'v…@owners.example', true])
  for (const told of [list, card]) assert.doesNotMatch(JSON.stringify(told), /vera@owners|planted|kith_/)
  for (const none of ['nobody_here', 'NOBODY', 'a%'])
    await assert.rejects(say('agent', 'show', none), new OperatorError(`There is no agent with the handle ${none}`))
})

test('an unknown command fails with one line, before anything is contacted', () => {
  for (const [words, problem] of [
    ['staff assign sue', 'unknown command'],
    ['staff promote sue support', 'unknown command'],
    ['staff assign sue operator', 'ROLE must be support or moderator'],
    ['disputes decide', 'unknown command'],
    [`disputes decide ${randomUUID()} refund`, '--reason is missing'],
    [`disputes decide ${randomUUID()} complete --reason x`, 'unknown command'],
    ['disputes decide 1 refund --reason x', 'ORDER_ID must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057'],
    ['disputes --reason x', '--reason does not apply here'],
    ['credits grant ada 10', '--reason is missing'],
    ...[
      '0',
      '0.00',
      '0.001',
      '1e3',
      '٣',
      '1.',
      '.5',
      '0x10',
      '007',
      '90000000000000.01',
      '9000000000000001',
      '10000000000000000',
    ].map((amount) => [`credits grant ada ${amount} --reason x`, wrongCredits] as const),
    ['credits grant ada --amount -1', "Unknown option '--amount'"],
    ['agent suspend ada', '--reason is missing'],
    ['agent delete ada --reason x', 'unknown command'],
    ['audit --limit 0', '--limit must be a number from 1 to 1000'],
    ['audit --before x', '--before must be the ID of an entry'],
    ['queue --reason x', '--reason does not apply here'],
    ['queue --loud', "Unknown option '--loud'"],
    ['agents', 'unknown command: did you mean agent?'],
    ['agnet show ada', 'unknown command: did you mean agent?'],
    ['agent shwo ada', 'unknown command: did you mean agent show?'],
    ['mail', 'unknown command'],
    ['mail lsit', 'unknown command: did you mean mail list?'],
    ['mails retyr x', 'unknown command: did you mean mail retry?'],
    ['staff assgin sue support', 'unknown command: did you mean staff assign?'],
    ['nothing like it', 'unknown command'],
    ['x'.repeat(5000), 'unknown command'],
    ['agent suspend ada --raeson x', "Unknown option '--raeson': did you mean --reason?"],
    ['agent list --filter all', '--filter must be one of suspended, restricted, staff, authors'],
    ['agent list --page 0', '--page must be 1 or more'],
    [`agent search ${'x'.repeat(255)}`, 'TEXT must have at most 254 characters'],
    ['mail retry 1 --reason x', 'MAIL_ID must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057'],
    ['mail list --reason x', '--reason does not apply here'],
    ['feedback --response x', '--response does not apply here'],
    [`feedback answer ${randomUUID()} planned`, '--response is missing'],
    ['feedback answer 1 planned --response x', 'ID must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057'],
    [
      `feedback answer ${randomUUID()} received --response x`,
      'STATUS must be one of planned, in_progress, resolved, declined',
    ],
    ['feedback answer --response x', 'unknown command'],
    ['ready', 'unknown command'],
    ['ready approve 1', 'SERVICE_ID must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057'],
    [`ready reject ${randomUUID()}`, '--reason is missing'],
    ['ready list --all', '--all does not apply here'],
    ['reviews approve 1', 'REVIEW_ID must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057'],
    ['reviews publish 1', 'unknown command'],
    ['disputes --all --limit 1', '--limit does not apply here'],
    [
      'moderation decide 1 approve --code ok --reason x',
      'CASE must be an ID, such as 01890a5d-ac96-774b-bcce-b302099a8057',
    ],
    [`moderation decide ${randomUUID()} approve --reason x`, '--code is missing'],
    [`moderation decide ${randomUUID()} approve --code ok`, '--reason is missing'],
    [`moderation decide ${randomUUID()} hide --code spam --reason x`, 'unknown command'],
    [`moderation decide ${randomUUID()} remove --code ok --reason x`, `CODE must be one of ${reportCodes.join(', ')}`],
    [`moderation decide ${randomUUID()} approve --code x --reason x`, `CODE must be one of ${reasonCodes.join(', ')}`],
    ['agent suspend ada --reason x --code ok', `CODE must be one of ${reportCodes.join(', ')}`],
    ['reports --all', '--all does not apply here'],
    ['queue --all', '--all does not apply here'],
  ] as const) {
    assert.throws(() => understand(words.split(' ')), new UsageError(problem), words)
  }
  assert.ok(
    usage.split('\n').every((line) => line.length <= 125),
    'fits a terminal',
  )
})

test('waiting emails are shown without their text, retried at once and dropped', async () => {
  assert.equal((await say('mail', 'list')).text, 'No emails waiting.')
  const id = randomUUID()
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, attempts, next_attempt_at, last_failure)
    values (${id}, 'code', 'dora@owners.example', 'planted', 'planted', ${w.now()}, 2, ${after(w.now(), hours(6))}, 'ECONNECTION')`
  const shown = await say('mail', 'list')
  assert.deepEqual(await say('mails'), shown, 'as it was called before')
  assert.match(shown.text, /ECONNECTION {3}d…@owners\.example$/)
  assert.doesNotMatch(JSON.stringify(shown), /dora@|planted/)
  assert.match((await say('mail', 'drop', id, '--reason', ' Nobody waits ')).text, /was dropped$/)
  assert.deepEqual(await audited(id), [['mail.drop', 'Nobody waits', { kind: 'code', attempts: 2 }]])
  for (const verb of ['retry', 'drop'])
    await assert.rejects(say('mail', verb, id, '--reason', 'x'), { message: `There is no waiting email ${id}` })
  await assert.rejects(say('mails', 'drop', id, '--reason', ' '), OperatorError)
})

test('the commands show what files cost, and what one operator did', async () => {
  assert.match((await say('storage')).text, /^Bytes {4}\d+ of 10737418240\nFiles {4}\d+ of 10000; \d+ uploads ever\n/)
  const { text, json } = await say('audit', '--action', 'mail.drop')
  assert.match(text, /mail\.drop/)
  assert.ok((json as { entries: { action: string }[] }).entries.every(({ action }) => action === 'mail.drop'))
})
