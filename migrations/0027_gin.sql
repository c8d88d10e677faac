-- Who writes a text pays for its trigrams, at once. With GIN's list of pending entries whoever finds it full merges what
-- others have left there: while batches of one workspace were merged, their neighbours went on appending, and another
-- workspace's create of one person then merged for more than the 10 s that a statement has, again and again (creates beside
-- 16 clients with large batches: p99 84 s, of which each tenth second was a 503; without the lists 0.2 s).
do $$
declare
	gin regclass;
begin
	for gin in
		select i.indexrelid from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
		where a.amname = 'gin' and c.relnamespace = current_schema()::regnamespace
	loop
		execute format('alter index %s reset (gin_pending_list_limit)', gin);
		execute format('alter index %s set (fastupdate = off)', gin);
		perform gin_clean_pending_list(gin);
	end loop;
end
$$;
