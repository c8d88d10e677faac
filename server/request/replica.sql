-- May a list be read from a standby? On the primary "last_write" is asked, then on the standby "check"; see replica.h.
--   from, to: the days whose events are read; constants in the text, so that the plan reads only their partitions
--   workspace; generation: of the floor; least: the xmin that the standby's snapshot must have at least
--   version: of the workspace, as HORIZON_VERSION in store/horizon.h
--   snapshot: the primary's, as text, and its xmin
-- By hand: psql -v workspace=… -v generation=0 -v from=2026-01-01 -v to=2026-01-02 … -f server/request/replica.sql

-- The number of the workspace's latest transaction, and the snapshot that saw it. Only the primary key's index has this
-- order.
-- [last_write] workspace, generation
select (
		select e.xid
		from events e
		where e.workspace_id = :'workspace' and e.generation = :'generation'
			and e.created_at >= :'from' and e.created_at < :'to'
		order by e.generation desc, e.xid desc, e.seq desc
		limit 1
	), pg_current_snapshot()::text;

-- What the standby shows, as enum replica_result: 0 what the primary shows; 2 it is behind; 3 it is ahead, as it shows
-- a change of the workspace whose transaction is still running on the primary. There a transaction ends after its
-- COMMIT is on disk and, if the primary waits for synchronous standbys, on theirs. The standby replays it at once. When
-- the snapshots differ, the workspace is hidden from the statements that follow, so that they end at once.
-- [check] workspace, generation, least, version, xmin, snapshot
select c.found, c.xmin,
	case when c.found <> 0 then set_config('kith.workspace', '00000000-0000-0000-0000-000000000000', true) end
from (
	select case
			when pg_is_in_recovery() and g.generation = :'generation' and s.xmin >= :'least'
					and (g.generation << 20) + w.version = :'version' then
				case when exists (
					select
					from events e
					where e.workspace_id = :'workspace' and e.generation = :'generation'
						and e.created_at >= :'from' and e.created_at < :'to' and e.xid >= :'xmin'
						and not pg_visible_in_snapshot(e.xid::text::xid8, :'snapshot'::pg_snapshot)
				) then 3 else 0 end
			else 2
		end as found, s.xmin
	from workspaces w, event_generation g,
		(select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin) s
	where w.workspace_id = :'workspace'
	offset 0
) c;
