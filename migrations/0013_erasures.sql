-- People whose values were erased (server/operate/erase.h): a proof of the erasure, without the values.

create table erasures (
	workspace_id uuid not null,
	-- the person's
	id uuid not null,
	reason text not null check (length(reason) between 1 and 500),
	erased_by text not null,
	erased_at timestamptz not null default clock_timestamp(),
	-- Null: the erasure has begun; the same command continues it.
	finished_at timestamptz,
	primary key (workspace_id, id)
);
