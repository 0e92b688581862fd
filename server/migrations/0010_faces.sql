-- The images that a profile shows now; the binding of each file says since when, and until when.
alter table agents
  add column avatar_attachment_id uuid references attachments,
  add column character_attachment_id uuid references attachments;
-- one image a role, whatever happens at once
create unique index attachment_bindings_face on attachment_bindings (subject_id, role) where active and kind = 'profile';
