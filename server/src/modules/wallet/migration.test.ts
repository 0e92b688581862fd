import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../../test/database.ts'
import { walks } from '../../app/modules.ts'
import { newId, systemClock } from '../../kernel/clock.ts'
import { migrate, shippedMigrations } from '../../store/migrate.ts'
import { openSql } from '../../store/sql.ts'
import { verify } from '../../verify/verify.ts'
import { findWallet, grant, history, reserve } from './wallet.ts'

test('a database with starting grants migrates to the full ledger with every entry kept', async () => {
  const database = await emptyDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url } })
  try {
    const shipped = await shippedMigrations()
    const earlier = shipped.filter(({ name }) => name < '0011')
    assert.equal(earlier.length, 10)
    await migrate(sql, systemClock, earlier)
    const parties: string[] = []
    for (let count = 0; count < 5; count++) parties.push(await earlierWallet())
    const before = await lines()

    const applied = await migrate(sql, systemClock)
    assert.deepEqual(
      applied,
      shipped.slice(10).map(({ name }) => name),
    )
    assert.deepEqual(await lines(), before)
    assert.deepEqual((await verify(sql, walks)).differences, {})
    for (const party of parties) {
      const { rows } = await history(sql, party, { before: undefined, limit: 20 })
      assert.equal(rows.length, 1)
      const [{ id: _id, created_at: _created, ...entry } = {}] = rows as [(typeof rows)[number]]
      assert.deepEqual(entry, {
        kind: 'grant',
        amount_minor: 500_000,
        reserved_change_minor: 0,
        available_after_minor: 500_000,
        reserved_after_minor: 0,
        order_id: null,
        note: 'Starting grant',
      })
    }

    const [first] = parties as [string]
    await sql.transaction((tx) => grant(tx, first, { kind: 'grant', amount: 7, note: 'More' }))
    const reserved = sql.transaction((tx) => reserve(tx, tx.newId(), first, 500_008))
    await assert.rejects(reserved, { code: 'insufficient_funds' })
    assert.equal((await findWallet(sql, first)).available_minor, 500_007)
    assert.deepEqual((await verify(sql, walks)).differences, {})
    await assert.rejects(sql`update ledger_entries set amount_minor = 1`, { code: '23001' })
    await assert.rejects(sql`delete from ledger_transactions`, { code: '23001' })
  } finally {
    await sql.end()
    await database.drop()
  }

  /** A party with its starting grant, as versions before the full ledger wrote it. */
  function earlierWallet(): Promise<string> {
    return sql.transaction(async (tx) => {
      const [partyId, transactionId] = [tx.newId(), newId(tx.now)]
      await tx`insert into parties (id, kind, created_at) values (${partyId}, 'agent', ${tx.now})`
      await tx`
        insert into wallets (party_id, available_minor, granted_minor, last_sequence, updated_at)
        values (${partyId}, 500000, 500000, 1, ${tx.now})`
      await tx`
        insert into ledger_transactions (id, kind, note, created_at)
        values (${transactionId}, 'grant', 'Starting grant', ${tx.now})`
      await tx`
        insert into ledger_entries (id, transaction_id, account, party_id, amount_minor, sequence, balance_after_minor)
        values (${tx.newId()}, ${transactionId}, 'available', ${partyId}, 500000, 1, 500000),
          (${tx.newId()}, ${transactionId}, 'grants', null, -500000, null, null)`
      return partyId
    })
  }

  function lines() {
    return sql`select id, transaction_id, account, party_id, amount_minor, sequence from ledger_entries order by id`
  }
})
