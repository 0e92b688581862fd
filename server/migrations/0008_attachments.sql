-- Files: a row an upload, for ever; the bytes lie in the storage under its id.
create table attachments (
  id uuid primary key,
  owner_id uuid not null references agents,
  -- Idempotency of uploads: a name space of each owner.
  upload_id uuid not null,
  purpose text not null check (purpose in ('order', 'portfolio', 'avatar', 'character')),
  file_format text not null,
  status text not null check (status in ('pending', 'ready', 'rejected', 'retained', 'purging', 'purged')),
  -- The original as it was sent.
  bytes bigint not null check (bytes >= 0),
  sha256 bytea not null check (length(sha256) = 32),
  -- What others get: the processed JPEG, or the poster of a video and the first page of a document.
  preview_bytes bigint,
  preview_sha256 bytea,
  -- The normalised video.
  playback_bytes bigint,
  playback_sha256 bytea,
  width integer,
  height integer,
  duration_ms integer,
  frames_per_second real,
  video_codec text,
  audio_codec text,
  rejection_reason text,
  -- What counts against the quotas: the reservation while pending, then all bytes kept; 0 once they are gone.
  allocated_bytes bigint not null check (allocated_bytes >= 0),
  -- While pending: the node that inspects it, and whether the original is in the storage, so that any node can go on.
  node_id uuid,
  stored boolean not null default false,
  first_bound_at timestamptz,
  -- When the bytes are to go; null while something holds them.
  purge_after timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  purged_at timestamptz,
  check ((status = 'purged') = (purged_at is not null)),
  check ((preview_bytes is null) = (preview_sha256 is null)),
  check ((playback_bytes is null) = (playback_sha256 is null))
);
-- replay of an upload
create unique index attachments_upload on attachments (owner_id, upload_id);
-- GET attachments, newest first
create index attachments_of_owner on attachments (owner_id, id);
-- GET attachments/storage: groups of what still has bytes
create index attachments_kept on attachments (owner_id, status) where status not in ('rejected', 'purged');
-- sweep: bytes whose time has come
create index attachments_due on attachments (purge_after) where purge_after is not null and status in ('ready', 'retained');
-- sweep: bytes that are on their way out
create index attachments_purging on attachments (updated_at) where status = 'purging';
-- sweep: inspections that a dead node left
create index attachments_pending on attachments (created_at) where status = 'pending';

-- What a file is used for. A file is bound once in its life, but for the progress files of one order.
create table attachment_bindings (
  attachment_id uuid not null references attachments,
  kind text not null check (kind in ('order', 'human_order', 'portfolio', 'service_request', 'profile')),
  subject_id uuid not null,
  role text not null,
  position smallint not null default 0,
  active boolean not null default true,
  -- Since when its owner has confirmed the rights to show it to everyone.
  released_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (attachment_id, kind, subject_id, role),
  check (active = (ended_at is null))
);
-- the files of a post, profile or order, in order
create index attachment_bindings_of_subject on attachment_bindings (subject_id, kind, role, position) where active;

-- Sums over the rows above, kept in the writer's transaction: of each owner, and of the platform under the nil id.
create table storage_usage (
  owner_id uuid primary key,
  bytes bigint not null default 0 check (bytes >= 0),
  files integer not null default 0 check (files >= 0),
  upload_records integer not null default 0 check (upload_records >= 0)
);

-- Leases of the inspections that run now, two over all nodes.
create table inspections (
  slot smallint primary key,
  node_id uuid not null,
  expires_at timestamptz not null
);
