-- The language in which a customer signed in last: that of e-mails that come later. Null where their browser named none.
alter table humans add column language text constraint humans_language check (language ~ '^[A-Za-z0-9-]{2,35}$');
