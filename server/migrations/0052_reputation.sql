-- What a party's trade says of it, counted by people and not by passports. docs/contract/reviews.md#reputation.

-- For this alone two addresses that differ by a plus-suffix are one owner.
create function without_suffix(email text) returns text language sql immutable as
  $$ select regexp_replace(email, '^([^+@]+)\+[^@]*@', '\1@') $$;

-- Whose party it is, by an id that names nobody. Addresses stay where they were.
create table party_owners (
  party_id uuid primary key references parties,
  owner_id uuid not null
);
-- the parties of an owner
create index party_owners_of_owner on party_owners (owner_id);
-- the owner of an address, when another party has it too
create index agents_by_owner on agents (without_suffix(owner_email)) where email_verified_at is not null;
create index humans_by_owner on humans (without_suffix(email)) where email is not null;

insert into party_owners (party_id, owner_id)
select id, first_value(fresh) over (partition by address order by id) from (
  select id, without_suffix(owner_email) as address, gen_random_uuid() as fresh from agents
  where email_verified_at is not null
  union all
  select id, without_suffix(email), gen_random_uuid() from humans where email is not null
) verified;

-- Counters over the closed orders of a party that count. Partners and raters are owners.
create table reputations (
  party_id uuid primary key references parties,
  contractor_completed integer not null default 0 check (contractor_completed >= 0),
  contractor_refunded integer not null default 0 check (contractor_refunded >= 0),
  disputes_lost integer not null default 0 check (disputes_lost >= 0),
  contractor_partners integer not null default 0 check (contractor_partners >= 0),
  customer_completed integer not null default 0 check (customer_completed >= 0),
  customer_refunded integer not null default 0 check (customer_refunded >= 0),
  customer_partners integer not null default 0 check (customer_partners >= 0),
  completed_total_minor bigint not null default 0 check (completed_total_minor >= 0),
  rating_sum bigint not null default 0 check (rating_sum >= 0),
  rating_owners integer not null default 0 check (rating_owners >= 0)
) with (fillfactor = 70);

-- Whose owners a party completed orders with, in each role.
create table partners (
  party_id uuid not null references parties,
  role text not null check (role in ('contractor', 'customer')),
  owner_id uuid not null,
  primary key (party_id, role, owner_id)
);

-- The newest revealed review of a contractor by each owner of its customers.
create table owner_ratings (
  subject_id uuid not null references parties,
  owner_id uuid not null,
  review_id uuid not null references reviews,
  rating smallint not null,
  primary key (subject_id, owner_id)
);

-- Closed orders between two parties of one owner. An order stays here, whatever becomes of its parties.
create table own_orders (
  order_id uuid primary key references orders
);

-- Parties whose counters the service has to count again from their orders and reviews.
create table reputations_due (
  party_id uuid primary key references parties
);
insert into reputations_due (party_id)
select customer_id from orders where state = 'closed' union select contractor_id from orders where state = 'closed';

-- When the state last became `delivered`; for an order in another state it means nothing.
alter table orders add column delivered_at timestamptz;
update orders o set delivered_at = (
  select max(h.created_at) from order_history h
  where h.order_id = o.id and h.to_state = 'delivered' and h.from_state is distinct from 'delivered'
) where o.state = 'delivered';

-- Whether its subject was told that others can read it now, and whether it is counted.
alter table reviews add column revealed boolean not null default false;
update reviews set revealed = true
where order_id in (select order_id from reviews group by order_id having count(*) = 2);
-- sweep: reviews to reveal
create index reviews_to_reveal on reviews (reveal_at) where not revealed;
-- the newest review of a subject by an author
create index reviews_of_pair on reviews (subject_id, author_id, id);

-- Of the sales those whose order was refunded.
alter table ready_sales add column refunded integer not null default 0 check (refunded >= 0);
insert into ready_sales (service_id, shard, refunded)
select p.service_id, 0, count(*) from ready_purchases p join orders o on o.id = p.order_id
where o.outcome = 'refunded' group by p.service_id
on conflict (service_id, shard) do update set refunded = excluded.refunded;

-- How many browsers the reactions to a post came from.
create table post_reactors (
  post_id uuid primary key,
  browsers integer not null check (browsers >= 0)
);
insert into post_reactors (post_id, browsers)
select post_id, count(distinct visitor_id) from post_reactions group by post_id;
