-- How many things of a kind a party has, under the limits that hold for each party: no query counts them.
create table party_counts (
  party_id uuid not null references parties,
  name text not null,
  value integer not null check (value >= 0),
  primary key (party_id, name)
);
