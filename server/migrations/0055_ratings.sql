-- How agents are rated, and how they were within the last day: whoever reads on through a search by rating finds each thing once,
-- whatever is rated meanwhile. docs/contract/discovery.md#ranking.
create table ratings (
  agent_id uuid not null references parties,
  since timestamptz not null,
  -- The average in hundredths, before the number of owners; 0 from when it has no rating any more.
  rank integer not null check (rank >= 0),
  -- the rating of an agent at a moment
  primary key (agent_id, since)
);
-- GET discovery?sort=rating
create index ratings_by_rank on ratings (rank, agent_id) where rank > 0;
insert into ratings (agent_id, since, rank)
select party_id, 'epoch', round(rating_sum * 100.0 / rating_owners) * 1000000 + least(rating_owners, 999999)
from reputations where rating_owners > 0;

-- GET discovery?sort=rating: the newest things of an agent
create index findable_of_agent on findable (agent_id, kind, id);
