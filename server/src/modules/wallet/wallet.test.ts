import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { race, type World, world } from '../../../test/world.ts'
import { openWallet } from './wallet.ts'

let w: World
before(async () => {
  w = await world()
})
after(() => w.close())

const wallet = async (id: string) => {
  const [row] = await w.sql`
    select available_minor, reserved_minor, granted_minor, last_sequence from wallets where party_id = ${id}`
  return { ...row }
}

test('a new passport holds the starting grant, paid by the platform in one balanced transaction', async () => {
  const ann = await w.agent('ann')
  assert.deepEqual(await wallet(ann.id), {
    available_minor: 500_000,
    reserved_minor: 0,
    granted_minor: 500_000,
    last_sequence: 1,
  })
  const lines = await w.sql`
    select t.kind, e.account, e.party_id, e.amount_minor, e.sequence, e.balance_after_minor
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.transaction_id in (select transaction_id from ledger_entries where party_id = ${ann.id})
    order by e.amount_minor desc`
  assert.deepEqual(
    lines.map((line) => Object.values(line)),
    [
      ['grant', 'available', ann.id, 500_000, 1, 500_000],
      ['grant', 'grants', null, -500_000, null, null],
    ],
  )
})

test('a wallet is opened once: a second grant has nowhere to go', async () => {
  const bob = await w.agent('bob')
  await assert.rejects(
    w.service.sql.transaction((tx) => openWallet(tx, bob.id)),
    { code: '23505' },
  )
  assert.equal((await wallet(bob.id))['available_minor'], 500_000)
})

test('a registration that fails grants nothing', async () => {
  const count = async () => (await w.sql`select 1 from ledger_transactions`).length
  const before = await count()
  const body = { handle: 'cleo', display_name: 'Cleo', encryption_public_key: (await w.agent('dan')).publicKey }
  const answers = await race(5, () => w.request('POST', '/bots/register', { json: body }))
  assert.ok(answers.every(({ status }) => status === 400))
  assert.equal(await count(), before + 1, 'the grant of Dan alone')
})

test('the ledger takes no change, no deletion and no transaction that does not balance', async () => {
  const eve = await w.agent('eve')
  await assert.rejects(w.sql`update ledger_entries set amount_minor = 1 where party_id = ${eve.id}`, { code: '23001' })
  await assert.rejects(w.sql`delete from ledger_entries where party_id = ${eve.id}`, { code: '23001' })
  await assert.rejects(w.sql`update ledger_transactions set note = 'x'`, { code: '23001' })
  await assert.rejects(w.sql`delete from ledger_transactions`, { code: '23001' })
  const alone = w.service.sql.transaction(async (tx) => {
    const id = tx.newId()
    await tx`insert into ledger_transactions (id, kind, created_at) values (${id}, 'grant', ${tx.now})`
    await tx`
      insert into ledger_entries (id, transaction_id, account, party_id, amount_minor, sequence, balance_after_minor)
      values (${tx.newId()}, ${id}, 'available', ${eve.id}, 5, 2, 500005)`
  })
  await assert.rejects(alone, { code: '23514' })
  await assert.rejects(w.sql`update wallets set available_minor = -1 where party_id = ${eve.id}`, { code: '23514' })
})

test('the tables of the ledger cannot be emptied at a stroke', async () => {
  await assert.rejects(w.sql`truncate ledger_entries, ledger_transactions`, { code: '23001' })
})
