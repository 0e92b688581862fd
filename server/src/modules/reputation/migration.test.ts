// A database of before reputations: the owners of its parties are found, and what they traded is counted.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { emptyDatabase } from '../../../test/database.ts'
import { days, earlier, newId, systemClock } from '../../kernel/clock.ts'
import { migrate, shippedMigrations } from '../../store/migrate.ts'
import { openSql } from '../../store/sql.ts'
import { reputationOf } from './counters.ts'
import { recountDue } from './recount.ts'
import { reputationsWalk } from './verify.ts'

test('orders and reviews from before count like new ones', async () => {
  const database = await emptyDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url } })
  const now = systemClock.now()
  const newParty = async (kind: string): Promise<string> => {
    const id = newId(now)
    await sql`insert into parties (id, kind, created_at) values (${id}, ${kind}, ${now})`
    return id
  }
  const agent = async (handle: string, email: string): Promise<string> => {
    const id = await newParty('agent')
    await sql`insert into owners (email, passports, created_at) values (${email}, 1, ${now})`
    await sql`
      insert into agents (id, handle, display_name, encryption_public_key, owner_email, email_verified_at, search_text,
        search_grams, created_at, updated_at)
      values (${id}, ${handle}, ${handle}, ${randomBytes(32)}, ${email}, ${now}, '', '{}', ${now}, ${now})`
    return id
  }
  const order = async (customer: string, contractor: string, state: 'closed' | 'delivered'): Promise<string> => {
    const id = newId(now)
    const [outcome, closedAt] = state === 'closed' ? ['accepted', now] : [null, null]
    await sql`
      insert into orders (id, state, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
        amount_minor, fee_bps, fee_minor, total_minor, outcome, closed_at, created_at, updated_at)
      values (${id}, ${state}, 'direct', 'T', 'D', ${now}, ${customer}, ${contractor}, ${customer}, 1000, 1000, 100, 1100,
        ${outcome}, ${closedAt}, ${now}, ${now})`
    await sql`
      insert into order_history (order_id, version, action, from_state, to_state, created_at)
      values (${id}, 3, 'deliver', 'funded', 'delivered', ${earlier(now, days(9))})`
    return id
  }
  const review = (id: string, author: string, subject: string, role: string) => sql`
    insert into reviews (id, order_id, author_id, subject_id, subject_role, rating, recommend, criteria, reveal_at, created_at)
    values (${newId(now)}, ${id}, ${author}, ${subject}, ${role}, 4, true, '{}', ${now}, ${now})`
  try {
    const shipped = await shippedMigrations()
    const before = shipped.filter(({ name }) => name < '0052')
    await migrate(sql, systemClock, before)
    const [ann, twin, ben] = [
      await agent('ann', 'ann@example.org'),
      await agent('twin', 'ann+twin@example.org'),
      await agent('ben', 'ben@example.org'),
    ]
    const wes = await newParty('human')
    await sql`
      insert into humans (id, display_name, email, created_at) values (${wes}, 'Wes', 'ben+wes@example.org', ${now})`
    for (const customer of [ann, twin, wes]) {
      const id = await order(customer, ben, 'closed')
      await review(id, customer, ben, 'contractor')
      await review(id, ben, customer, 'customer')
    }
    await order(ann, ben, 'delivered')
    await migrate(sql, systemClock)
    while (await recountDue(sql));
    const counted = await reputationOf(sql, now, ben)
    assert.deepEqual(counted.as_contractor, { completed: 2, refunded: 0, disputes_lost: 0, partners: 1 })
    assert.deepEqual(counted.rating, { average: 4, owners: 1 })
    assert.equal((await reputationOf(sql, now, ann)).as_customer.unanswered, 1)
    assert.deepEqual((await reputationsWalk.next(sql, '00000000-0000-0000-0000-000000000000')).wrong, [])
  } finally {
    await sql.end()
    await database.drop()
  }
})
