-- The audit log by who, what and whom, newest first.
create index audit_log_by_actor on audit_log (actor, id);
create index audit_log_by_action on audit_log (action, id);
create index audit_log_by_subject on audit_log (subject, id);
create index audit_log_by_actor_action on audit_log (actor, action, id);

-- Why the last attempt came to nothing: codes alone, for a server's words may repeat the address.
alter table mails add column last_failure text;

-- suspensions, oldest first
create index moderation_cases_suspensions on moderation_cases (status, id) where measure = 'suspension';

-- what is kept, by its state
create index attachments_by_status on attachments (status) include (allocated_bytes)
  where status not in ('rejected', 'purged');
-- who keeps most
create index storage_usage_largest on storage_usage (bytes, owner_id);
