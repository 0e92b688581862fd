-- The name that a file had where it came from: for its owner alone, and only while its bytes are kept.
alter table attachments
  add column original_name text,
  add constraint attachments_original_name_length check (char_length(original_name) between 1 and 255),
  add constraint attachments_original_name_goes check (original_name is null or status not in ('rejected', 'purged'));
