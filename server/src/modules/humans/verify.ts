// Customers against their party, their grant, their wallet and their sessions.
import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'

export const humansWalk = walk({
  over: 'humans',
  checks: {
    'human.party': 'a customer has no party of that kind',
    'human.closed': 'an open account has no email, or a closed one has one',
    'human.grant': 'the grant to an email is not recorded, or that of a closed account still is',
    'human.wallet': 'a customer has no wallet',
    'human.sessions': 'a closed account still has a session',
    'human.suspended': 'a customer refers to no suspension case of their own that still holds',
  },
  next: (after) =>
    part`select id, email, grant_digest, closed_at, suspension_case_id from humans where id > ${after} order by id`,
  wrong: part`
    select c.name as check, h.id from next h
    cross join lateral (values
      ('human.party', not exists (select 1 from parties p where p.id = h.id and p.kind = 'human' offset 0)),
      ('human.closed', (h.closed_at is null) <> (h.email is not null)),
      ('human.grant', (h.email is null) <> (h.grant_digest is null)),
      ('human.wallet', not exists (select 1 from wallets w where w.party_id = h.id offset 0)),
      ('human.sessions', h.closed_at is not null and exists (
        select 1 from human_sessions s where s.human_id = h.id and s.ended_at is null offset 0)),
      ('human.suspended', h.suspension_case_id is not null and not exists (
        select 1 from moderation_cases c where c.id = h.suspension_case_id and c.subject_id = h.id
          and c.measure = 'suspension' and c.status = 'removed' offset 0))
    ) as c (name, is_wrong)
    where c.is_wrong`,
})
