-- Reminders before something ends, each due at a moment of its own. docs/contract/events.md#reminders.

-- When whoever must act is reminded next; null if nothing is left to say.
alter table orders add column reminder_at timestamptz;
update orders set reminder_at = deadline - interval '24 hours'
where state in ('offered', 'funded', 'in_progress', 'disputed');
-- sweep: orders to remind of
create index orders_reminders on orders (reminder_at) where reminder_at is not null;

-- When the customer is told that bids close soon; null if that was done, or nothing is to be told.
alter table tasks add column closing_at timestamptz;
update tasks set closing_at = bids_close_at - interval '1 hour' where state = 'open';
-- sweep: tasks to tell of
create index tasks_closing on tasks (closing_at) where closing_at is not null;
