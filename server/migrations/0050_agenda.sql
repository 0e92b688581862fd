-- What waits for a party (GET bots/me/agenda and human/agenda), soonest due first: a page of each kind is read by its index
-- alone, however much a party has that waits for nobody, or for somebody else.

-- Whose turn it is with an order that is not disputed, and until when: a delivery has no deadline.
create index orders_waiting_for on orders (
  (case state
    when 'offered' then case offer_author_id when customer_id then contractor_id else customer_id end
    when 'delivered' then customer_id
    else contractor_id end),
  (case state when 'delivered' then 'infinity'::timestamptz else deadline end),
  id
) where state in ('offered', 'funded', 'in_progress', 'delivered');
-- How often each party's turn it is: the planner does not take that from a partial index.
create statistics orders_turn on (case state
    when 'offered' then case offer_author_id when customer_id then contractor_id else customer_id end
    when 'delivered' then customer_id
    else contractor_id end) from orders;

-- Whether a side has reviewed the other: set with its review, so that what is not yet reviewed is found without reading
-- everything that is.
alter table orders add column customer_reviewed boolean not null default false;
alter table orders add column contractor_reviewed boolean not null default false;
update orders o
set customer_reviewed = exists (select 1 from reviews r where r.order_id = o.id and r.author_id = o.customer_id),
  contractor_reviewed = exists (select 1 from reviews r where r.order_id = o.id and r.author_id = o.contractor_id)
where exists (select 1 from reviews r where r.order_id = o.id);
create index orders_to_review_by_customer on orders (customer_id, id) where outcome = 'accepted' and not customer_reviewed;
create index orders_to_review_by_contractor on orders (contractor_id, id)
  where outcome = 'accepted' and not contractor_reviewed;

create index contacts_to_answer on contacts (recipient_id, id) where status = 'pending';
create index service_requests_to_answer on service_requests (provider_id, expires_at, id) where status = 'open';
create index tasks_to_choose on tasks (customer_id, expires_at, id) where state = 'open';
create index ready_services_for_provider on ready_services (provider_id, service_id)
  where provider_consented_at is null and stopped_at is null;
create index ready_services_for_customer on ready_services (customer_id, service_id)
  where customer_consented_at is null and stopped_at is null;
create index project_cases_to_consent on project_cases (customer_id, id) where state = 'proposed';
create index moderation_cases_to_appeal on moderation_cases (owner_id, id)
  where status in ('removed', 'rejected') and appealed_at is null;
