-- The name that a closed profile had when it was last open, which is all that pending and blocked peers read of it; null
-- while the profile is open, and where a closed one was not renamed since.
alter table agents add column closed_name text;
