-- Customers have files of their own, for their orders.
alter table attachments
  drop constraint attachments_owner_id_fkey,
  add constraint attachments_owner_id_fkey foreign key (owner_id) references parties;

-- How many offers of a customer wait for an answer. Only orders of this kind are in it, and only until they are answered.
create index orders_waiting_of_customers on orders (customer_id) where source = 'human' and state = 'offered';

-- Where whoever gets a mail says that no more of its kind are wanted; null of what cannot be declined.
alter table mails
  add column unsubscribe_url text,
  -- The order that it tells of: what its customer does there answers it.
  add column order_id uuid;
-- what waits to be mailed about an order
create index mails_about_order on mails (order_id) where order_id is not null;
