// What waited for a moderator before there were cases has its case afterwards, as old as its waiting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../../test/database.ts'
import { newId, systemClock } from '../../kernel/clock.ts'
import { migrate, shippedMigrations } from '../../store/migrate.ts'
import { openSql } from '../../store/sql.ts'

test('pending texts and finished works get their cases, oldest first, and nothing else does', async () => {
  const database = await emptyDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url } })
  try {
    const shipped = await shippedMigrations()
    await migrate(
      sql,
      systemClock,
      shipped.filter(({ name }) => name < '0025'),
    )
    const parties = [newId(systemClock.now()), newId(systemClock.now())]
    await sql`insert into parties (id, kind, created_at) select unnest(${parties}::uuid[]), 'agent', ${systemClock.now()}`
    const [author, subject] = parties as [string, string]
    // Of orders and services that this database never had: the rows themselves are what is asked.
    await sql`alter table reviews disable trigger all`
    await sql`alter table ready_services disable trigger all`
    const filed = new Date('2026-01-02T03:04:05.678Z')
    const consented = new Date('2026-01-01T00:00:00.000Z')
    for (const [text, status] of [
      ['Waits', 'pending'],
      ['Shown', 'approved'],
      [null, null],
    ]) {
      await sql`
        insert into reviews (id, order_id, author_id, subject_id, subject_role, rating, recommend, criteria, text, text_status,
          reveal_at, created_at)
        values (gen_random_uuid(), gen_random_uuid(), ${author}, ${subject}, 'contractor', 5, true, '{}', ${text}, ${status},
          ${filed}, ${filed})`
    }
    for (const stopped of [null, filed]) {
      await sql`
        insert into ready_services (service_id, source_order_id, provider_id, customer_id, customer_share_bps, provider_minor,
          customer_minor, license_code, result_text, attachment_ids, terms, digest, provider_consented_at,
          customer_consented_at, moderation, held_at, kept_until, stopped_at, created_at)
        values (gen_random_uuid(), gen_random_uuid(), ${author}, ${subject}, 1, 1, 1, 'x', '', '{}', '{}', sha256('x'),
          ${consented}, ${consented}, 'pending', ${consented}, ${filed}, ${stopped}, ${consented})`
    }
    await migrate(sql, systemClock)
    const cases = await sql<{ id: string; owner_id: string; subject_kind: string; created_at: Date; there: boolean }>`
      select c.id, c.owner_id, c.subject_kind, c.created_at, c.status = 'pending' and c.premoderation and c.version = 1 and (
          exists (select 1 from reviews r where r.id = c.subject_id and r.text_status = 'pending')
          or exists (select 1 from ready_services s where s.service_id = c.subject_id and s.stopped_at is null)) as there
      from moderation_cases c order by id`
    assert.deepEqual(
      cases.map(({ id: _, ...found }) => found),
      [
        { owner_id: author, subject_kind: 'service', created_at: consented, there: true },
        { owner_id: author, subject_kind: 'review', created_at: filed, there: true },
      ],
    )
    // Their ids are of that moment, in the form of all others.
    for (const { id, created_at } of cases) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16), created_at.getTime())
    }
  } finally {
    await sql.end()
    await database.drop()
  }
})
