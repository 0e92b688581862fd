// Customers against their party, their grant, their wallet and their sessions.
import { only, type Query } from '../../store/sql.ts'
import type { Batch, Walk } from '../../store/walks.ts'

const size = 500

/** The customers after one, by id. */
const verifyHumans = async (sql: Query, after: string): Promise<Batch> =>
  only(
    await sql<Batch>`
      with next as materialized (
        select id, email, grant_digest, closed_at from humans where id > ${after} order by id limit ${size}
      ), wrong as (
        select c.name as check, h.id from next h
        cross join lateral (values
          ('human.party', not exists (select 1 from parties p where p.id = h.id and p.kind = 'human' offset 0)),
          ('human.closed', (h.closed_at is null) <> (h.email is not null)),
          ('human.grant', (h.email is null) <> (h.grant_digest is null)),
          ('human.wallet', not exists (select 1 from wallets w where w.party_id = h.id offset 0)),
          ('human.sessions', h.closed_at is not null and exists (
            select 1 from human_sessions s where s.human_id = h.id and s.ended_at is null offset 0))
        ) as c (name, is_wrong)
        where c.is_wrong
      )
      select max(id::text) as last, count(*)::int as seen, count(*) = ${size} as more, '0' as minor,
        (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
      from next`,
  )

export const humansWalk: Walk = {
  over: 'humans',
  checks: {
    'human.party': 'a customer has no party of that kind',
    'human.closed': 'an open account has no email, or a closed one has one',
    'human.grant': 'the grant to an email is not recorded, or that of a closed account still is',
    'human.wallet': 'a customer has no wallet',
    'human.sessions': 'a closed account still has a session',
  },
  next: verifyHumans,
}
