-- A list of those of one state reads none of the others, however many there are. The state comes first: an index that
-- begins as the primary key does would seem as good as that to statements that look for a row by its position.
create index deliveries_state on deliveries (state, workspace_id, webhook_id, id);
