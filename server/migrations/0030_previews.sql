-- Smaller copies of a preview, of the widths that their columns say: only what is narrower than the preview itself. Files
-- from before have none, and nobody knows the sides of their previews.
alter table attachments
  add column preview_width integer,
  add column preview_height integer,
  add column preview_480_bytes integer,
  add column preview_480_sha256 bytea,
  add column preview_1080_bytes integer,
  add column preview_1080_sha256 bytea,
  add check ((preview_width is null) = (preview_height is null)),
  add check (preview_width is null or preview_bytes is not null),
  add check ((preview_480_bytes is null) = (preview_480_sha256 is null)),
  add check ((preview_1080_bytes is null) = (preview_1080_sha256 is null)),
  add check (preview_480_bytes is null or preview_width > 480),
  add check (preview_1080_bytes is null or preview_width > 1080);
