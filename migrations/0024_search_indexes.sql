-- One trigram index for each table that is searched (0018_search.sql).
--
-- Building them keeps writes waiting, about a minute for a million people; reads go on.

-- One index a table, for searches and for "like" in filters. The index of companies has the industry for filters only.
create index people_unfolded on people (workspace_id, id) where search_text is null;
create index companies_unfolded on companies (workspace_id, id) where search_text is null;
create index people_search on people using gin (workspace_id, coalesce(search_text,
	kith_search_lines(array[full_name, first_name, last_name, job_title], emails, phones, urls)) gin_trgm_ops)
	with (gin_pending_list_limit = 16384);
create index companies_search on companies using gin (workspace_id, (coalesce(search_text,
	kith_search_lines(array[name], emails, phones, urls)) || kith_search_fold(coalesce(industry || e'\n', ''))) gin_trgm_ops)
	with (gin_pending_list_limit = 16384);
create index objects_search on objects using gin (workspace_id, type_id, kith_search_line(name) gin_trgm_ops)
	with (gin_pending_list_limit = 16384);
create index tasks_search on tasks using gin (workspace_id, kith_search_line(title) gin_trgm_ops) with (gin_pending_list_limit = 16384);
create index notes_search on notes using gin (workspace_id, kith_search_line(content) gin_trgm_ops) with (gin_pending_list_limit = 16384);
