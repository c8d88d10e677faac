-- Keys with fewer rights than their users, and disabled users.

-- If set, all keys of the user are refused.
alter table users add column disabled_at timestamptz;

alter table api_keys
	-- A key with read_only may only read, even if this column has more scopes: a process of an earlier level may have created it.
	add column scopes text[] not null default '{read,write,delete,admin}'
		check (cardinality(scopes) > 0 and scopes <@ '{read,write,delete,admin}'),
	-- The only groups that the key may see; null: all that its user may see.
	add column group_ids uuid[] not null default '{}',
	-- When a rotation replaced the key by another one; it is valid until expires_at.
	add column rotated_at timestamptz;

-- The groups of the key that created the webhook, as above.
alter table webhooks add column group_ids uuid[] not null default '{}';

-- The scopes as bits, in the order of enum key_scope (store/keys.h). Must stay inlinable.
create function kith_scopes(scopes text[], read_only boolean) returns int language sql immutable as $$
	select case when read_only then 1
		else ('read' = any (scopes))::int + 2 * ('write' = any (scopes))::int + 4 * ('delete' = any (scopes))::int
			+ 8 * ('admin' = any (scopes))::int end
$$;

-- As before, without the keys of disabled users. Processes of an earlier level know neither scopes nor groups and treat a
-- restricted key as read-only. Processes of this level ask for the restrictions separately (store/admission.c).
create or replace function kith_keys(key_hashes bytea[], counts bigint[])
returns table (place int, n bigint, workspace_id uuid, user_id uuid, is_admin boolean, read_only boolean,
	version bigint, touch boolean)
language sql stable as $$
	select k.place::int, k.n, a.workspace_id, a.user_id, u.role = 'admin',
		a.read_only or cardinality(a.scopes) < 4 or cardinality(a.group_ids) > 0, w.version,
		a.last_used_at is null or a.last_used_at < now() - interval '1 minute'
	from unnest(key_hashes, counts) with ordinality as k(key_hash, n, place)
	cross join lateral (
		select * from api_keys a
		where a.key_hash = k.key_hash and a.revoked_at is null and (a.expires_at is null or a.expires_at > now())
		offset 0
	) as a
	join users u on u.workspace_id = a.workspace_id and u.id = a.user_id and u.disabled_at is null
	join workspaces w on w.workspace_id = a.workspace_id
$$;
