-- A list of those of one state reads none of the others, however many there are. The state comes first: an index that
-- begins as the primary key does would seem as good as that to statements that look for a row by its position.
create index deliveries_state on deliveries (state, workspace_id, webhook_id, id);

-- So does deliveries_id. Of indexes that seem equally good, as all do for a webhook that has no rows in the statistics
-- yet, PostgreSQL takes the newest: each row was found among all of its webhook. The key is made last.
alter table deliveries
	drop constraint deliveries_pkey,
	add primary key (workspace_id, webhook_id, generation, xid, seq, created_at);
