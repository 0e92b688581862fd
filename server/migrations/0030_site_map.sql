-- The files of the site map, but for the first of each kind: where each begins among the ids of everything that may ever be in it.
-- No row of those is ever removed, so a file that ends once stays as it is cut, whatever is hidden and shown again.
create table site_map_parts (
  kind text not null,
  number integer not null check (number > 1),
  first_id uuid not null,
  primary key (kind, number)
);
