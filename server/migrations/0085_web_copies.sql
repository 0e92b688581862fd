-- Copies of a preview as WebP, for browsers, one behind the other in one object: how wide they are, and how many bytes each has.
-- Files from before have none.
alter table attachments
  add column web_bytes integer,
  add column web_sha256 bytea,
  add column web_widths integer[],
  add column web_sizes integer[],
  add check (num_nulls(web_bytes, web_sha256, web_widths, web_sizes) in (0, 4)),
  add check (web_bytes is null or preview_bytes is not null),
  add check (cardinality(web_widths) = cardinality(web_sizes) and cardinality(web_widths) between 1 and 4);
