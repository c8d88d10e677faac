-- What the dispatcher reads over all workspaces, forward from where it was, instead of asking for each webhook whether
-- there is something behind its position.

-- Events of all workspaces in the order of transactions: which workspaces have new ones. A transaction's rows share one
-- entry of the index, and entries come at its end.
create index events_order on events (generation, xid);

-- Webhooks that were made, changed or deleted, for whoever sends; cleaned up after a day.
create table webhook_changes (
	workspace_id uuid not null,
	webhook_id uuid not null,
	generation bigint not null default kith_generation(),
	xid bigint not null default pg_current_xact_id()::text::bigint,
	made_at timestamptz not null default clock_timestamp()
);
create index webhook_changes_order on webhook_changes (generation, xid);

create function webhook_changed() returns trigger language plpgsql set search_path from current as $$
begin
	if tg_op = 'DELETE' then
		insert into webhook_changes (workspace_id, webhook_id) values (old.workspace_id, old.id);
	else
		insert into webhook_changes (workspace_id, webhook_id) values (new.workspace_id, new.id);
	end if;
	return null;
end
$$;
create trigger webhook_changed after insert or delete or update of status, version on webhooks
	for each row execute function webhook_changed();
