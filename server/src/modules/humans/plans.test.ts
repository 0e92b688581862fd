// Among 10,000 customers, one of whom has had 2,000 orders: what is read of one goes by the indexes that were made for it,
// and what is forgotten is found among all of them, whether PostgreSQL plans for its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { findHuman } from '../../http/humans.ts'
import type { Human } from '../../kernel/callers.ts'
import { days, earlier, after as later } from '../../kernel/clock.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { findAccount } from './accounts.ts'
import { closeAccount } from './closing.ts'
import { exportOf } from './export.ts'
import { forgetSessions } from './retention.ts'
import { endAllSessions } from './sessions.ts'
import { humansWalk } from './verify.ts'

const customers = 10_000
const orders = 2000
let w: World
let hilda: Human
let session: Buffer
let ada: Agent
before(async () => {
  w = await world()
  ada = await w.agent('ada')
  const one = await w.human('Hilda')
  hilda = { kind: 'human', id: one.id, displayName: 'Hilda' }
  session = (await w.sql<{ digest: Buffer }>`select digest from human_sessions`)[0]?.digest as Buffer
  const now = w.now()
  await w.sql`
    insert into parties (id, kind, created_at)
    select gen_random_uuid(), 'human', ${now} from generate_series(1, ${customers}::int)`
  await w.sql`
    insert into customer_grants (email_digest, created_at)
    select sha256(id::text::bytea), ${now} from parties where kind = 'human' and id <> ${hilda.id}`
  await w.sql`
    insert into humans (id, display_name, email, grant_digest, created_at)
    select id, 'Shade', id || '@example.org', sha256(id::text::bytea), ${now} from parties
    where kind = 'human' and id <> ${hilda.id}`
  await w.sql`
    insert into wallets (party_id, updated_at) select id, ${now} from humans where id <> ${hilda.id}`
  // One in twenty is over for long.
  await w.sql`
    insert into human_sessions (digest, human_id, created_at, expires_at)
    select sha256((id || 'session')::bytea), id, ${now}, case when row_number() over () % 20 = 0
      then ${earlier(now, days(8))}::timestamptz else ${later(now, days(30))}::timestamptz end
    from humans where id <> ${hilda.id}`
  await w.sql`
    with made as (
      insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
        offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, created_at, updated_at)
      select gen_random_uuid(), 'cancelled', 2, 'human', 'A title', 'Some work', ${later(now, days(7))}::timestamptz,
        case when n <= ${orders} then ${hilda.id}::uuid else h.id end, ${ada.id}::uuid,
        case when n <= ${orders} then ${hilda.id}::uuid else h.id end, 1000, 1000, 100, 1100, ${now}, ${now}
      from generate_series(1, ${2 * orders}::int) n
      join (select id, row_number() over () as n from humans where id <> ${hilda.id}) h using (n)
      returning id, customer_id
    ), owed as (
      insert into order_payouts (order_id, party_id, kind, amount_minor) select id, ${ada.id}, 'payout', 1000 from made
    )
    insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
    select id, 1, 'offer', customer_id, null, 'offered', ${now}::timestamptz from made
    union all
    select id, 2, 'cancel', customer_id, 'offered', 'cancelled', ${now} from made`
  await vacuum(w.sql, 'parties', 'humans', 'human_sessions', 'wallets', 'orders', 'order_history', 'order_payouts')
})
after(() => w.close())

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

async function assertPlans(work: (sql: Sql) => Promise<unknown>, most: number): Promise<void> {
  for (const mode of planModes) {
    for (const plan of await plansOf(w.sql, mode, work)) {
      assert.doesNotMatch(plan, /Seq Scan on (?!pg_|mails)\w/, `${mode}\n${plan}`)
      assert.ok(mostRows(plan) <= most, `${mode}: ${mostRows(plan)} rows\n${plan}`)
    }
  }
}

/** Statements that are explained, as a transaction of this moment. */
const explained = (sql: Sql, now = w.now()): Tx => {
  const write: Tx['write'] = (strings, ...values) => void sql(strings, ...values)
  return Object.assign(sql, { now, afterCommit: () => {}, write }) as unknown as Tx
}

test('a session, an account and the end of all sessions are found by their keys', async () => {
  await assertPlans((sql) => findHuman({ sql, clock: { now: w.now } }, session), 1)
  await assertPlans((sql) => findAccount(sql, w.now(), hilda.id), 1)
  const [shade] = await w.sql<{ id: string }>`select id from humans where id <> ${hilda.id} limit 1`
  await assertPlans((sql) => endAllSessions(explained(sql), shade?.id as string), 1)
})

test('an account is closed by its own orders and files alone', async () => {
  const shades = await w.sql<{ id: string }>`
    select customer_id as id from orders where customer_id <> ${hilda.id} limit ${planModes.length}`
  for (const [n, mode] of planModes.entries()) {
    const { id } = shades[n] as { id: string }
    const plans = await plansOf(w.sql, mode, (sql) => closeAccount(explained(sql), w.service, id))
    assert.equal(plans.length, 10)
    for (const plan of plans) {
      assert.doesNotMatch(plan, /Seq Scan on (?!pg_|mails)\w/, plan)
      assert.ok(mostRows(plan) <= 2, plan)
    }
  }
})

test('a page of an export reads fifty orders, and the lines of one at a time', async () => {
  const shown = async (sql: Sql): Promise<void> => {
    // The head, the ledger, a page and its first orders; then the next page.
    let reads = 0
    const pieces = exportOf(
      (work) => {
        reads++
        return reads < 6 || reads > 100 ? work(explained(sql)) : w.service.sql.snapshot(work)
      },
      { service: w.service, me: hilda },
    )
    for await (const _ of pieces) if (reads === 110) return
    assert.fail('it ended early')
  }
  await assertPlans(shown, 200)
})

test('sessions that are forgotten are found among all of them, and a walk reads five hundred accounts', async () => {
  await assertPlans((sql) => humansWalk.next(sql, '00000000-0000-0000-0000-000000000000'), 1000)
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) => forgetSessions(sql, w.now()))
    for (const plan of plans) {
      assert.doesNotMatch(plan, /Seq Scan/, plan)
      assert.ok(mostRows(plan) <= 1000, plan)
    }
  }
})
