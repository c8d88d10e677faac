-- 0024_search_indexes.sql has taken the place of these. A transaction of its own: readers wait for it.
drop index people_names_search;
drop index people_emails_search;
drop index companies_names_search;
drop index companies_emails_search;
drop index objects_names_search;
