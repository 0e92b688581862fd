-- GET orders and GET human-orders in one state, as a customer and as a contractor, newest first, and their exact number: by
-- the index alone, however many others a party has. A change of the state then touches the indexes of its order, which
-- happens a few times in its life; lists are read far more often.
create index orders_of_customer_in on orders (customer_id, state, id) include (source);
create index orders_of_contractor_in on orders (contractor_id, state, id) include (source);
