import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { openWallet } from './wallet.ts'

const { w } = story()

const wallet = async (agent: Agent) => {
  const { updated_at: _, ...rest } = (await agent.get('/wallet')).body.wallet
  return rest
}

/** Entries as `kind change/reserved → available/reserved`, newest first. */
const entries = async (agent: Agent, query = '') => {
  const { body } = await agent.get(`/wallet/history${query}`)
  return body.entries.map(
    (entry: Record<string, unknown>) =>
      `${entry['kind']} ${entry['amount_minor']}/${entry['reserved_change_minor']} → ${entry['available_after_minor']}/${entry['reserved_after_minor']}`,
  )
}

const step = async (who: Agent, orderId: string, action: string, version: number, fields = {}): Promise<void> => {
  const json = { operation_id: randomUUID(), expected_version: version, ...fields }
  const done = await who.post(`/orders/${orderId}/${action}`, json)
  assert.equal(code(done), '200', JSON.stringify(done.body))
}

/** An order that its contractor has accepted. */
async function funded(customer: Agent, contractor: Agent, amount: number, total: number): Promise<string> {
  const offered = await customer.post('/orders/quick', {
    operation_id: randomUUID(),
    title: 'Work',
    amount_minor: amount,
    contractor_id: contractor.id,
    confirmed_total_minor: total,
  })
  assert.equal(code(offered), '201', JSON.stringify(offered.body))
  const { id } = offered.body.order
  await step(contractor, id, 'accept', 1, { confirmed_total_minor: total })
  return id
}

async function paid(customer: Agent, contractor: Agent, amount: number, total: number): Promise<string> {
  const id = await funded(customer, contractor, amount, total)
  await step(contractor, id, 'deliver', 2, { result_text: 'Done' })
  await step(customer, id, 'complete', 3)
  return id
}

test('a new passport has the starting grant, paid by the platform in one balanced transaction', async () => {
  const ann = await w.agent('ann')
  const answer = await ann.get('/wallet')
  assert.deepEqual(answer.body, {
    wallet: {
      available_minor: 500_000,
      reserved_minor: 0,
      minor_per_credit: 100,
      unit: 'test_credit',
      granted_minor: 500_000,
      updated_at: ann.bot.created_at,
    },
  })
  const history = await ann.get('/wallet/history')
  const { id, ...entry } = history.body.entries[0]
  assert.deepEqual(entry, {
    kind: 'grant',
    amount_minor: 500_000,
    reserved_change_minor: 0,
    available_after_minor: 500_000,
    reserved_after_minor: 0,
    order_id: null,
    note: 'Starting grant',
    created_at: ann.bot.created_at,
  })
  assert.deepEqual([history.body.entries.length, history.body.next_before], [1, null])
  const lines = await w.sql`
    select t.kind, e.account, e.party_id, e.amount_minor, e.sequence, e.available_after_minor, e.reserved_after_minor
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.transaction_id = (select transaction_id from ledger_entries where id = ${id})
    order by e.amount_minor desc`
  assert.deepEqual(
    lines.map((line) => Object.values(line)),
    [
      ['grant', 'available', ann.id, 500_000, 1, 500_000, 0],
      ['grant', 'grants', null, -500_000, null, null, null],
    ],
  )
})

test('a wallet is opened once: a second grant is refused', async () => {
  const bob = await w.agent('bob')
  await assert.rejects(
    w.service.sql.transaction((tx) => openWallet(tx, bob.id)),
    { code: '23505' },
  )
  assert.equal((await wallet(bob)).available_minor, 500_000)
})

test('a registration that fails grants nothing', async () => {
  const count = async () => (await w.sql`select 1 from ledger_transactions`).length
  const before = await count()
  const body = { handle: 'cleo', display_name: 'Cleo', encryption_public_key: (await w.agent('dan')).publicKey }
  const answers = await race(5, () => w.request('POST', '/bots/register', { json: body }))
  assert.ok(answers.every(({ status }) => status === 400))
  assert.equal(await count(), before + 1, 'the grant of Dan alone')
})

test('work is paid from the reserve, and every step explains both balances', async () => {
  const [fay, gil] = await w.friends('fay', 'gil')
  const id = await funded(fay, gil, 10_005, 11_006)
  assert.deepEqual(await wallet(fay), {
    available_minor: 488_994,
    reserved_minor: 11_006,
    minor_per_credit: 100,
    unit: 'test_credit',
    granted_minor: 500_000,
  })
  await step(gil, id, 'deliver', 2, { result_text: 'Done' })
  await step(fay, id, 'complete', 3)
  assert.deepEqual(await entries(fay), [
    'capture 0/-11006 → 488994/0',
    'reserve -11006/11006 → 488994/11006',
    'grant 500000/0 → 500000/0',
  ])
  assert.deepEqual(await entries(gil), ['payout 10005/0 → 510005/0', 'grant 500000/0 → 500000/0'])
  const { body } = await gil.get('/wallet/history?limit=1')
  assert.deepEqual([body.entries[0].order_id, body.entries[0].note], [id, null])
  assert.equal((await wallet(gil)).granted_minor, 500_000, 'a payout is no grant')
})

test('a refund returns the whole reserve', async () => {
  const [hal, ida] = await w.friends('hal', 'ida')
  const id = await funded(hal, ida, 10_000, 11_000)
  await step(ida, id, 'propose-refund', 2, { reason: 'I cannot' })
  await step(hal, id, 'approve-refund', 3)
  assert.deepEqual(await entries(hal), [
    'refund 11000/-11000 → 500000/0',
    'reserve -11000/11000 → 489000/11000',
    'grant 500000/0 → 500000/0',
  ])
  assert.equal((await entries(ida)).length, 1)
})

test('history is paged in its own order, over entries of one line and of two', async () => {
  const [joe, kim] = await w.friends('joe', 'kim')
  for (const amount of [1000, 2000, 4]) await paid(joe, kim, amount, amount + Math.round(amount / 10))
  await paid(kim, joe, 500, 550)
  const all = await entries(joe)
  assert.equal(all.length, 8)
  assert.equal(all[0], 'payout 500/0 → 497196/0')
  assert.equal(all[1], 'capture 0/-4 → 496696/0', 'a reward of 4 has no fee')
  for (const limit of [1, 2, 3, 5, 7, 8, 50]) {
    const seen: string[] = []
    let before: string | null = null
    for (let page = 0; page < 9; page++) {
      const query: string = `?limit=${limit}${before === null ? '' : `&before=${before}`}`
      const { entries: rows, next_before } = (await joe.get(`/wallet/history${query}`)).body
      seen.push(...(await entries(joe, query)))
      assert.ok(rows.length === limit || next_before === null, `limit ${limit}, page ${page}`)
      if (next_before !== null) assert.equal(next_before, rows.at(-1).id)
      before = next_before
      if (before === null) break
    }
    assert.deepEqual(seen, all, `limit ${limit}`)
  }
  const mine = (await joe.get('/wallet/history')).body.entries
  assert.ok(mine.every(({ id }: { id: string }, at: number) => at === 0 || id < mine[at - 1].id))
  const ofReserved = await w.sql<{ id: string; other: string }>`
    select e.id, o.id as other from ledger_entries e join ledger_entries o using (party_id, sequence)
    where e.party_id = ${joe.id} and e.account = 'reserved' and o.account = 'available' limit 1`
  const [line] = ofReserved
  assert.deepEqual(await entries(joe, `?before=${line?.id}`), await entries(joe, `?before=${line?.other}`))
  const last = mine.at(-1).id
  assert.deepEqual(await entries(joe, `?before=${last}`), [])
  assert.equal(code(await joe.get(`/wallet/history?before=${last.toUpperCase()}`)), '200')

  const theirs = (await kim.get('/wallet/history')).body.entries
  assert.ok(theirs.every(({ id }: { id: string }) => mine.every((entry: { id: string }) => entry.id !== id)))
  assert.equal(code(await joe.get(`/wallet/history?before=${theirs[0].id}`)), '404 not_found')
  const [fee] = await w.sql<{ id: string }>`select id from ledger_entries where account = 'fees' limit 1`
  assert.equal(code(await joe.get(`/wallet/history?before=${fee?.id}`)), '404 not_found')
  assert.equal(code(await joe.get(`/wallet/history?before=${randomUUID()}`)), '404 not_found')
})

test('a public balance is the available balance, shown only while its owner allows it', async () => {
  const [meg, ned] = await w.friends('meg', 'ned')
  const shown = async () => (await ned.get(`/bots/${meg.id}`)).body.bot.public_balance
  assert.equal(await shown(), null)
  await meg.patch('/bots/me', { balance_public: true })
  assert.equal(await shown(), 500_000)
  const [listed] = (await ned.get('/bots?q=meg')).body.bots
  assert.ok(!('public_balance' in listed) && !('stats' in listed))
  const id = await funded(meg, ned, 10_000, 11_000)
  assert.equal(await shown(), 489_000, 'never the reserve')
  await step(ned, id, 'deliver', 2, { result_text: 'Done' })
  await step(meg, id, 'complete', 3)
  assert.equal(await shown(), 489_000)
  await meg.patch('/bots/me', { balance_public: false })
  assert.equal(await shown(), null)
})
