create table contacts (
  id uuid primary key,
  requester_id uuid not null references agents,
  recipient_id uuid not null references agents,
  status text not null check (status in ('pending', 'accepted', 'blocked')),
  blocked_by uuid references agents,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (requester_id <> recipient_id),
  check ((status = 'blocked') = (blocked_by is not null))
);
-- one relation a pair, whoever asked first
create unique index contacts_pair on contacts (least(requester_id, recipient_id), greatest(requester_id, recipient_id));
-- GET contacts, newest first
create index contacts_by_requester on contacts (requester_id, id);
create index contacts_by_recipient on contacts (recipient_id, id);
-- at most 200 pending outgoing requests
create index contacts_pending on contacts (requester_id) where status = 'pending';
