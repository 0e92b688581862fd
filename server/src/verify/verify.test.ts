import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { pino } from 'pino'
import { assign, published as publishedArticle, withdraw, write } from '../../test/editorial.ts'
import { givenFile } from '../../test/files.ts'
import { command, mainFile } from '../../test/launch.ts'
import { casePlants, findablePlants, type Plants, requestPlants, reviewPlants } from '../../test/planted.ts'
import { articlePlants } from '../../test/planted-articles.ts'
import { moderated, moderationPlants } from '../../test/planted-moderation.ts'
import { findingsOf } from '../../test/planting.ts'
import { projectCaseIn } from '../../test/project-cases.ts'
import { agreed, bought, proposed, reread as rereadWork } from '../../test/ready.ts'
import { asked, moved, priced } from '../../test/requests.ts'
import { published, quoted } from '../../test/services.ts'
import { beforehand, story } from '../../test/story.ts'
import { bid, cancel, publish, select } from '../../test/tasks.ts'
import { type Agent, befriend, code } from '../../test/world.ts'
import { walks } from '../app/modules.ts'
import { createMetrics } from '../metrics.ts'
import { fillFindable } from '../modules/discovery/backfill.ts'
import { transactionsWalk } from '../modules/wallet/verify-transactions.ts'
import type { Query } from '../store/sql.ts'
import { countOf, verify, verifySweep, wholeChecks } from './verify.ts'

/** Orders by their state. */
const orders: Record<string, string> = {}
/** Cases by their status, and what they are about. */
const cases: Record<string, string> = {}
/** Tasks of ada by the same. */
const tasks: Record<string, string> = {}
/** Articles of ada by their states. */
const articles: Record<string, string> = {}

const { w, bob } = story('bob')
const ada = beforehand(() => w.agentWithEmail('ada', 'ada@example.org'))
const cy = beforehand(() => w.agent('cyd'))
beforehand(async () => {
  await befriend(ada, bob)
  const avatar = { avatar_attachment_id: await givenFile(w, ada, { purpose: 'avatar' }), rights_confirmed: true }
  assert.equal((await ada.patch('/bots/me', avatar)).status, 200)
  const accept = [bob, 'accept', { confirmed_total_minor: 1100 }] as const
  const deliver = [bob, 'deliver', { result_text: 'Done' }] as const
  const reason = { reason: 'Not as agreed' }
  orders['offered'] = await order()
  orders['cancelled'] = await order([ada, 'cancel'])
  orders['funded'] = await order(accept)
  orders['delivered'] = await order(accept, [bob, 'start'], deliver)
  orders['disputed'] = await order(accept, [ada, 'dispute', reason])
  orders['refunded'] = await order(accept, [bob, 'propose-refund', reason], [ada, 'approve-refund'])
  orders['accepted'] = await order(accept, deliver, [ada, 'complete'])
  const service = await published(bob)
  orders['service'] = service.id
  orders['quote'] = (await quoted(ada, service)).id
  const icons = await priced(bob)
  orders['request'] = (await asked(ada, icons)).id
  const offered = await moved(w, bob, await asked(ada, icons), 'offer')
  orders['taken back'] = (await moved(w, ada, offered, 'cancel')).id
  orders['rejected'] = offered.order.id
  const price = { mode: 'fixed', amount_minor: 500 }
  const work = await agreed(bob, ada, await proposed(bob, { id: orders['accepted'] }, [], { service: { price } }))
  orders['work'] = work.service.id
  await w.operator('ready', 'approve', work.service.id)
  orders['purchase'] = (await bought(cy, await rereadWork(bob, work))).id
  const files = { attachment_ids: [await givenFile(w, bob)], rights_confirmed: true }
  const sides = { contractor: bob, customer: ada, order: { id: orders['accepted'] } }
  orders['told'] = (await projectCaseIn(w, sides, 'published', files)).id
  for (const state of ['open', 'selected', 'cancelled'] as const) {
    const task = await publish(w, ada)
    const made = await bid(w, bob, task)
    tasks[state] = task.id
    if (state === 'selected') orders['chosen'] = (await select(ada, task, made)).order.id
    if (state === 'cancelled') await cancel(ada, task)
  }
  await assign(w, ada)
  articles['draft'] = (await write(ada)).id
  articles['published'] = (await publishedArticle(ada)).id
  articles['withdrawn'] = (await withdraw(ada, await publishedArticle(ada))).id
  Object.assign(cases, await moderated(w, { ada, bob, cy, orderId: orders['accepted'] as string }))
  // What is still to be made findable is not missing.
  while (await fillFindable(w.service.sql));
})

async function order(...steps: (readonly [who: Agent, action: string, fields?: object])[]): Promise<string> {
  const offer = { title: 'Work', amount_minor: 1000, contractor_id: bob.id, confirmed_total_minor: 1100 }
  const offered = await ada.post('/orders/quick', { operation_id: randomUUID(), ...offer })
  assert.equal(code(offered), '201', JSON.stringify(offered.body))
  const { id } = offered.body.order
  for (const [index, [who, action, fields]] of steps.entries()) {
    const json = { operation_id: randomUUID(), expected_version: index + 1, ...fields }
    const done = await who.post(`/orders/${id}/${action}`, json)
    assert.equal(code(done), '200', JSON.stringify(done.body))
  }
  return id
}

const checks: Record<string, string> = Object.assign({}, wholeChecks, ...walks.map((walk) => walk.checks))

/** What a verification finds with something planted that the database's own guards would have refused. */
async function found(plant: (tx: Query) => Promise<unknown>): Promise<string[]> {
  const findings = await findingsOf(w, async (tx) => {
    await tx`alter table ledger_entries disable trigger user`
    await tx`alter table ledger_transactions disable trigger user`
    await tx`alter table order_history disable trigger user`
    await plant(tx)
  })
  const seen = findings.examples.map(({ check, id }) => `${check} ${nameOf(id)}`).sort()
  assert.equal(countOf(findings), seen.length)
  return seen
}

const nameOf = (id: string | null): string =>
  id === ada.id
    ? 'ada'
    : id === bob.id
      ? 'bob'
      : id === cy.id
        ? 'cy'
        : ([orders, tasks, articles, cases]
            .flatMap((each) => Object.entries(each))
            .find(([, each]) => each === id)?.[0] ?? (id === null ? 'all' : 'a transaction'))

test('a sound database has no findings, and everything was checked', async () => {
  const findings = await verify(w.sql, walks)
  const seen = {
    wallets: 3,
    transactions: 14,
    orders: 10,
    'parties with services and quotes': 3,
    services: 3,
    quotes: 1,
    tasks: 3,
    'customers of tasks': 1,
    'service requests': 2,
    articles: 3,
    authors: 1,
    'ready-made services': 1,
    purchases: 1,
    'project cases': 1,
    'moderation cases': 5,
    'hidden things': 1,
    'things and agents that need a case': 2,
  }
  assert.deepEqual(findings, { seen: { ...findings.seen, ...seen }, differences: {}, examples: [] })
  assert.deepEqual(await found(async () => {}), [])
})

const plants: Plants = {
  'a service that nobody counted': [
    (tx) => tx`delete from party_counts where name = 'services'`,
    ['services.counted bob', 'services.total all'],
  ],
  'a quote that was counted twice': [
    (tx) => tx`update party_counts set value = value + 1 where name = 'service_quotes'`,
    ['services.counted ada', 'services.total all'],
  ],
  'a service that is counted among all alone': [
    (tx) => tx`update counters set value = value + 1 where name = 'services'`,
    ['services.total all'],
  ],
  'a published service that nobody finds': [
    (tx) => tx`delete from listed_services where service_id = ${orders['service']}`,
    ['service.listed service'],
  ],
  'a service that is listed at another price': [
    (tx) => tx`update listed_services set total_minor = 1 where service_id = ${orders['service']}`,
    ['service.listed service'],
  ],
  'a draft that everyone finds': [
    (tx) => tx`update services set state = 'draft' where id = ${orders['service']}`,
    ['service.listed service'],
  ],
  'a quote that gave no order, and says one': [
    (tx) => tx`update service_quotes set order_id = ${orders['accepted']}`,
    ['quote.order quote', 'services.counted ada'],
  ],
  'an order by a quote that does not know it': [
    (tx) => tx`update orders set source_service_quote_id = ${orders['quote']} where id = ${orders['accepted']}`,
    ['quote.order quote'],
  ],
  'a balance without an entry': [
    (tx) => tx`update wallets set available_minor = available_minor + 1 where party_id = ${bob.id}`,
    ['money all', 'party.balance bob'],
  ],
  'credits moved between the balances of one': [
    (tx) => tx`
      update wallets set available_minor = available_minor - 1, reserved_minor = reserved_minor + 1
      where party_id = ${ada.id}`,
    ['party.balance ada', 'party.reserve ada'],
  ],
  'credits moved from one to the other': [
    (tx) => tx`
      update wallets set available_minor = available_minor + case when party_id = ${ada.id} then 7 else -7 end
      where party_id <> ${cy.id}`,
    ['party.balance ada', 'party.balance bob'],
  ],
  'an entry that tells another balance': [
    (tx) => tx`
      update ledger_entries set available_after_minor = available_after_minor + 1
      where party_id = ${bob.id} and sequence = 2`,
    ['party.running bob'],
  ],
  'two lines of one entry that tell different balances': [
    (tx) => tx`
      update ledger_entries set reserved_after_minor = reserved_after_minor + 1
      where party_id = ${ada.id} and sequence = 3 and account = 'reserved'`,
    ['party.running ada'],
  ],
  'a gap in the numbers of entries': [
    (tx) => tx`
      update ledger_entries set sequence = sequence + 100 where party_id = ${bob.id} and sequence = 2`,
    ['party.sequence bob'],
  ],
  'a number that no entry has': [
    (tx) => tx`update wallets set last_sequence = last_sequence + 1 where party_id = ${ada.id}`,
    ['party.sequence ada'],
  ],
  'a grant that nobody paid': [
    (tx) => tx`update wallets set granted_minor = granted_minor + 1 where party_id = ${ada.id}`,
    ['money all', 'party.granted ada'],
  ],
  'a bonus without its record': [
    (tx) => tx`delete from profile_bonuses where agent_id = ${ada.id}`,
    ['party.bonuses ada'],
  ],
  'a bonus that was recorded and not paid': [
    (tx) => tx`
      insert into profile_bonuses (agent_id, kind, created_at) values (${bob.id}, 'profile', ${w.now()})`,
    ['party.bonuses bob'],
  ],
  "a contractor's total": [
    (tx) => tx`update contractor_totals set completed_total_minor = completed_total_minor - 1`,
    ['party.completed bob'],
  ],
  "a contractor's total that is not there": [(tx) => tx`delete from contractor_totals`, ['party.completed bob']],
  'a fee that is larger than what was left': [
    (tx) => tx`update ledger_entries set amount_minor = amount_minor + 1 where account = 'fees'`,
    ['order.ledger accepted', 'transaction.sum a transaction'],
  ],
  'a fee that went to the grants': [
    (tx) => tx`update ledger_entries set account = 'grants' where account = 'fees'`,
    ['order.ledger accepted', 'transaction.entries a transaction'],
  ],
  'a payout under another name': [
    (tx) => tx`update ledger_entries set kind = 'refund' where kind = 'payout'`,
    ['order.ledger accepted', 'transaction.entries a transaction'],
  ],
  'a transaction without entries': [
    (tx) => tx`insert into ledger_transactions (id, kind, created_at) values (${randomUUID()}, 'grant', ${w.now()})`,
    ['transaction.sum a transaction'],
  ],
  'a reserve of no order': [
    (tx) => tx`
      update ledger_transactions set order_id = ${randomUUID()} where order_id = ${orders['funded']} and kind = 'reserve'`,
    ['order.ledger funded', 'transaction.order a transaction'],
  ],
  'a reserve that another order should have': [
    (tx) => tx`
      update ledger_transactions set order_id = ${orders['cancelled']}
      where order_id = ${orders['funded']} and kind = 'reserve'`,
    ['order.ledger cancelled', 'order.ledger funded'],
  ],
  'an order that was cancelled and kept its reserve': [
    (tx) => tx`update orders set state = 'cancelled' where id = ${orders['delivered']}`,
    ['order.history delivered', 'order.ledger delivered', 'party.reserve ada'],
  ],
  'an order that is funded by nothing': [
    (tx) => tx`update orders set state = 'funded' where id = ${orders['offered']}`,
    ['order.history offered', 'order.ledger offered', 'party.reserve ada'],
  ],
  'an accepted order that was refunded': [
    (tx) => tx`update orders set outcome = 'accepted' where id = ${orders['refunded']}`,
    ['money all', 'order.ledger refunded', 'party.completed bob', 'reputation.orders ada', 'reputation.orders bob'],
  ],
  'a price other than what is reserved': [
    (tx) => tx`
      update orders set total_minor = total_minor + 1, amount_minor = amount_minor + 1 where id = ${orders['funded']}`,
    ['order.ledger funded', 'order.payouts funded', 'party.reserve ada'],
  ],
  'a fee other than what was captured': [
    (tx) => tx`
      update orders set total_minor = total_minor + 1, fee_minor = fee_minor + 1 where id = ${orders['accepted']}`,
    ['money all', 'order.ledger accepted', 'party.completed bob', 'reputation.orders bob'],
  ],
  'payouts that are more than the reward': [
    (tx) => tx`update order_payouts set amount_minor = amount_minor + 1 where order_id = ${orders['funded']}`,
    ['order.payouts funded'],
  ],
  'an order that pays nobody': [
    (tx) => tx`delete from order_payouts where order_id = ${orders['offered']}`,
    ['order.payouts offered'],
  ],
  'a version without its history': [
    (tx) => tx`delete from order_history where order_id = ${orders['delivered']} and version = 2`,
    ['order.history delivered'],
  ],
  'a history that leaps': [
    (tx) => tx`
      update order_history set from_state = 'in_progress' where order_id = ${orders['funded']} and version = 2`,
    ['order.history funded'],
  ],
  'a history that is ahead': [
    (tx) => tx`update orders set version = version - 1 where id = ${orders['funded']}`,
    ['order.history funded'],
  ],
  'updates that are not there': [
    (tx) => tx`update orders set updates_count = 1 where id = ${orders['accepted']}`,
    ['order.updates accepted'],
  ],
  'terms of another digest': [(tx) => tx`update ready_services set digest = sha256('nothing')`, ['ready.terms work']],
  'shares that are more than the price': [
    (tx) => tx`update ready_services set provider_minor = provider_minor + 1`,
    ['purchase.shares purchase', 'ready.shares work'],
  ],
  'a work of an order that was not accepted': [
    (tx) => tx`update ready_services set source_order_id = ${orders['delivered']}`,
    ['ready.source work'],
  ],
  'a work for sale that was rejected': [
    (tx) => tx`update ready_services set moderation = 'rejected'`,
    ['ready.published work'],
  ],
  'a sale that nobody made': [(tx) => tx`update ready_sales set sold = sold + 1`, ['ready.sales work']],
  'a purchase that is an order of another kind': [
    (tx) => tx`update orders set source = 'task' where id = ${orders['purchase']}`,
    ['purchase.order purchase'],
  ],
  'a purchase that pays other shares': [
    (tx) => tx`
      update order_payouts set amount_minor = amount_minor + case kind when 'payout' then 1 else -1 end
      where order_id = ${orders['purchase']}`,
    ['purchase.shares purchase'],
  ],
  'files of an open purchase with an end': [
    (tx) => tx`
      with filed as (update orders set has_files = true where id = ${orders['purchase']})
      update ready_purchases set kept_until = ${w.now()}`,
    ['purchase.kept purchase'],
  ],
  'a dispute without a case': [
    (tx) => tx`
      update dispute_cases set status = 'resolved', decision = 'resume', decided_at = ${w.now()}
      where order_id = ${orders['disputed']}`,
    ['order.dispute disputed'],
  ],
  'an order between agents that passes for one of a person': [
    (tx) => tx`update orders set source = 'human' where id = ${orders['funded']}`,
    ['order.sides funded'],
  ],
  'an email about an order between agents': [
    (tx) => tx`
      insert into customer_notices (order_id, version, kind, created_at)
      values (${orders['funded']}, 2, 'delivered', ${w.now()})`,
    ['order.notices funded'],
  ],
  'a bid that a task does not count': [
    (tx) => tx`update tasks set bids_count = 0 where id = ${tasks['open']}`,
    ['task.bids open'],
  ],
  'a bid that outlived its task': [
    (tx) => tx`update bids set state = 'open' where task_id = ${tasks['cancelled']}`,
    ['task.open_bids cancelled'],
  ],
  'a task that selected nothing': [
    (tx) => tx`update bids set state = 'rejected' where task_id = ${tasks['selected']}`,
    ['task.order selected', 'task.selected selected'],
  ],
  'an order at another price than its bid': [
    (tx) => tx`
      update bids set amount_minor = amount_minor + 1, total_minor = total_minor + 1 where task_id = ${tasks['selected']}`,
    ['task.order selected'],
  ],
  'an order of a task that was cancelled': [
    (tx) => tx`update tasks set order_id = ${orders['offered']} where id = ${tasks['cancelled']}`,
    ['task.order cancelled'],
  ],
  'an open task too many': [
    (tx) => tx`update party_counts set value = value + 1 where party_id = ${ada.id} and name = 'open_tasks'`,
    ['task.open_count ada'],
  ],
  'open tasks that nobody counts': [
    (tx) => tx`delete from party_counts where name = 'open_tasks'`,
    ['task.counted open'],
  ],
}

Object.assign(
  plants,
  findablePlants(() => ({ ada: ada.id, bob: bob.id, cy: cy.id })),
  requestPlants(orders),
  reviewPlants(orders),
  casePlants(orders),
  articlePlants(() => ({ author: ada.id, other: cy.id, articles })),
  moderationPlants(cases, () => w.now()),
)

for (const [what, [plant, expected]] of Object.entries(plants)) {
  test(`the verification finds ${what}`, async () => assert.deepEqual(await found(plant), expected))
}

test('every check has found an error, here, in another test file of this folder or in the one of its rule', () => {
  const named = Object.values(plants).flatMap(([, expected]) => expected.map((each) => each.split(' ')[0]))
  const here = Object.keys(checks).filter(
    (check) => !/^(feedback|visitor|reaction|vote|human|reputation|past)\./.test(check),
  )
  const found = [...new Set(named)].filter((check) => !check?.startsWith('reputation.'))
  assert.deepEqual(found.sort(), here.sort())
})

test('verification during writes reports no false errors', async () => {
  let writing = true
  const accept = [bob, 'accept', { confirmed_total_minor: 1100 }] as const
  const writers = Array.from({ length: 3 }, async () => {
    while (writing) await order(accept, [bob, 'deliver', { result_text: 'Done' }], [ada, 'complete'])
  })
  for (let times = 0; times < 15; times++) assert.deepEqual((await verify(w.sql, walks)).differences, {})
  writing = false
  await Promise.all(writers)
})

test('an interrupted sweep reports what it found, and reports nothing before its first full run', async () => {
  const lines: string[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    lines.push(String(chunk))
    done()
  }
  const tooSlow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  const broken = walks.map((walk) =>
    walk.over === transactionsWalk.over ? { ...walk, next: () => Promise.reject(tooSlow) } : walk,
  )
  const metrics = createMetrics()
  const gauge = async () => (await metrics.ledgerDifferences.get()).values[0]?.value
  const sweep = verifySweep({ sql: w.sql, metrics, log: pino(new Writable({ write })) }, broken)
  const once = async () => {
    while (await sweep());
  }
  await assert.rejects(once, tooSlow)
  assert.deepEqual([await gauge(), lines], [Number.NaN, []], 'nobody knows')

  await w.sql`update wallets set available_minor = available_minor + 1 where party_id = ${bob.id}`
  try {
    await assert.rejects(once, tooSlow)
    assert.equal(await gauge(), 1)
    assert.deepEqual(JSON.parse(lines[0] as string).differences, { 'party.balance': 1 })
  } finally {
    await w.sql`update wallets set available_minor = available_minor - 1 where party_id = ${bob.id}`
  }
})

/** A whole verification as the sweep does it: what the metric says then, and what was logged. */
async function swept(): Promise<{ gauge: number; logged: Record<string, unknown>[] }> {
  const lines: string[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    lines.push(String(chunk))
    done()
  }
  const log = pino(new Writable({ write }))
  const sweep = verifySweep({ sql: w.sql, metrics: w.service.metrics, log }, walks)
  while (await sweep());
  const [metric] = (await w.service.metrics.ledgerDifferences.get()).values
  return { gauge: metric?.value ?? Number.NaN, logged: lines.map((line) => JSON.parse(line)) }
}

const verifyCommand = () =>
  command(mainFile, ['verify'], {
    DATABASE_URL: w.databaseUrl,
    DATA_DIR: w.dataDir,
    SECRET_KEY: 'a secret key for tests, of enough characters',
  })

test('kith-server verify and the sweep report what differs, and never the amounts', async () => {
  assert.deepEqual(await swept(), { gauge: 0, logged: [] })
  const well = await verifyCommand()
  assert.equal(well.code, 0, well.stderr)
  assert.match(well.stdout, /^No differences in .+ past keys, 3 wallets, \d+ transactions, \d+ orders, .+\n$/)

  await w.sql`update wallets set available_minor = available_minor + 987654 where party_id = ${bob.id}`
  try {
    const { gauge, logged } = await swept()
    assert.equal(gauge, 2)
    assert.equal(logged.length, 1)
    assert.deepEqual(logged[0]?.['differences'], { 'party.balance': 1, money: 1 })
    assert.ok(!JSON.stringify(logged).includes('987654'))
    const wrong = await verifyCommand()
    assert.equal(wrong.code, 1, wrong.stderr)
    assert.deepEqual(wrong.stdout.split('\n').slice(0, 2), [
      `party.balance ${bob.id}: ${checks['party.balance']}`,
      `money: ${checks['money']}`,
    ])
    assert.match(wrong.stdout, /\n2 differences in .+ past keys, 3 wallets, /)
  } finally {
    await w.sql`update wallets set available_minor = available_minor - 987654 where party_id = ${bob.id}`
  }
  assert.equal((await swept()).gauge, 0, 'put right, it is well again')
})
