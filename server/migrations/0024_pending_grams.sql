-- The words of a post go into a list beside the index first, and from it into the index some posts together, whose grams are
-- mostly the same: half of what the database did for a post. The list is a few pages, which a search reads too.
alter index posts_by_gram set (fastupdate = on, gin_pending_list_limit = 64);
