-- People sign in: sessions, passwords, invitations. Grants of applications and passwords of devices are keys, too.

alter table api_keys
	-- session: a person's browser. grant: an access token of an application. contacts, calendar: a device, which may use
	-- nothing else.
	add column kind text not null default 'key' check (kind in ('key', 'session', 'grant', 'contacts', 'calendar')),
	-- The key that a session was made from, or the grant whose application made the key. It ends with that one.
	add column parent_id uuid,
	-- The key that a rotation replaced by this one.
	add column replaces_id uuid,
	-- The key is valid until it has been unused for so long, whatever expires_at.
	add column idle_s int check (idle_s > 0),
	-- of the browser that a session was made for, to recognize it
	add column address text check (length(address) <= 64),
	add column user_agent text check (length(user_agent) <= 200),
	-- The grant that an access token belongs to.
	add column grant_id uuid,
	-- If set, the key opens only that part of the server: 'mcp'.
	add column audience text check (audience in ('mcp')),
	drop constraint api_keys_scopes_check;
-- Not validated, because the previous constraint was stricter.
alter table api_keys add constraint api_keys_scopes_check
	check (cardinality(scopes) > 0 and scopes <@ '{read,write,delete,admin,contacts,calendar}') not valid;

create index api_keys_user on api_keys (workspace_id, user_id, id);
create index api_keys_parent on api_keys (workspace_id, parent_id) where parent_id is not null;
create index api_keys_replaces on api_keys (workspace_id, replaces_id) where replaces_id is not null;

alter table users
	-- The result of scrypt with its parameters and salt, as text. Null: the user has no password.
	add column password_hash text,
	add column password_at timestamptz,
	-- A name of the time zone database; null: UTC.
	add column time_zone text,
	-- The user's ETag.
	add column updated_at timestamptz not null default now() check (isfinite(updated_at));
-- A user signs in by e-mail address, before their workspace is known.
create index users_sign_in on users (lower(email));

-- Links with which a user sets a password, each once.
create table invitations (
	workspace_id uuid not null,
	id uuid not null,
	user_id uuid not null,
	token_hash bytea not null check (length(token_hash) = 32),
	-- null: the command line
	created_by uuid,
	created_at timestamptz not null default now() check (isfinite(created_at)),
	expires_at timestamptz not null check (isfinite(expires_at)),
	used_at timestamptz check (isfinite(used_at)),
	-- The link signs in by itself, as that of kith demo does; the user gets no password.
	signs_in boolean not null default false,
	primary key (workspace_id, id),
	foreign key (workspace_id, user_id) references users on delete cascade
);
-- A link is looked up before its workspace is known.
create unique index invitations_token on invitations (token_hash);
create index invitations_user on invitations (workspace_id, user_id);

-- Attempts to sign in with a password or through a provider. Each counts before it is decided, and is taken back if it was right. So
-- no number of attempts at once passes the limits, whichever processes they reach. Unlogged: a crash of the database forgets
-- the attempts of the last minutes.
create unlogged table sign_in_failures (
	-- a digest of what is limited: an account, an address, or an account at an address
	counted bytea not null check (length(counted) = 32),
	-- the number of the tenth of the window
	bucket bigint not null,
	n int not null,
	primary key (counted, bucket)
);
create index sign_in_failures_bucket on sign_in_failures (bucket);

-- email null: only the address counts, because a provider has to say first who the person is.
create function kith_sign_in_keys(email text, address text) returns bytea[] language sql stable as $$
	select case when email is not null then
			array[sha256(convert_to(format('%s at %s', lower(email), address), 'UTF8')),
				sha256(convert_to(format('account %s', lower(email)), 'UTF8'))]
		end || sha256(convert_to(format('address %s', address), 'UTF8')) || case when address like '%::/64' then
			array[sha256(convert_to(format('site %s::/48', left(address, 14)), 'UTF8'))]
		end
$$;

-- The number of microseconds until another attempt is certain to count; 0: it may count now. limits: of the keys. A window that
-- ends anywhere in bucket i begins in bucket i - 10, so eleven buckets are added up: a little too strict, never too lax.
create function kith_sign_in_wait(keys bytea[], limits int[], bucket_us bigint) returns bigint language plpgsql as $$
declare
	now_us constant bigint := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
	due bigint;
	retry_us bigint := 0;
begin
	for i in 1 .. cardinality(keys) loop
		-- The bucket with whose end fewer attempts than the limit remain.
		select (f.bucket + 11) * bucket_us into due
		from (select f.bucket, sum(f.n) over (order by f.bucket desc) as since from sign_in_failures f
			where f.counted = keys[i] and f.bucket > now_us / bucket_us - 11) f
		where f.since >= limits[i] order by f.bucket desc limit 1;
		if found then
			retry_us := greatest(retry_us, due - now_us, 1);
		end if;
	end loop;
	return retry_us;
end
$$;

-- Counts an attempt, whether there is such an account or not, and returns its bucket, for kith_sign_in_take_back(). If a
-- limit is reached, nothing is counted, and the result is the negative number of microseconds to wait. limits: for the account
-- at the address, the account, the address, and the /48 of an IPv6 address; without an account for the last two.
create function kith_sign_in_try(email text, address text, limits int[], bucket_us bigint) returns bigint
language plpgsql as $$
declare
	keys constant bytea[] := kith_sign_in_keys(email, address);
	now_bucket bigint;
	retry_us bigint;
begin
	perform pg_advisory_xact_lock(k) from (
		select distinct hashtextextended(encode(u.key, 'hex'), 0) as k from unnest(keys) u (key) order by k) l;
	retry_us := kith_sign_in_wait(keys, limits, bucket_us);
	if retry_us > 0 then
		return - retry_us;
	end if;
	now_bucket := (extract(epoch from clock_timestamp()) * 1000000)::bigint / bucket_us;
	insert into sign_in_failures as f (counted, bucket, n) select u.key, now_bucket, 1 from unnest(keys) u (key)
	on conflict (counted, bucket) do update set n = f.n + 1;
	return now_bucket;
end
$$;

create function kith_sign_in_take_back(email text, address text, bucket bigint) returns void language plpgsql as $$
begin
	perform pg_advisory_xact_lock(k) from (
		select distinct hashtextextended(encode(u.key, 'hex'), 0) as k
		from unnest(kith_sign_in_keys(email, address)) u (key) order by k) l;
	update sign_in_failures f set n = f.n - 1
	where f.counted = any (kith_sign_in_keys(email, address)) and f.bucket = kith_sign_in_take_back.bucket and f.n > 0;
end
$$;

-- The user whom a link invites, while it is valid, and while who made it may invite: it gives all rights of its user. The caller
-- may not read the table.
create function kith_invited(token_hash bytea) returns table (workspace_id uuid, user_id uuid, signs_in boolean)
language sql stable security definer set search_path from current as $$
	select i.workspace_id, i.user_id, i.signs_in from invitations i
	where i.token_hash = kith_invited.token_hash and i.used_at is null and i.expires_at > now()
		and (i.created_by is null or exists (select from users u where u.workspace_id = i.workspace_id and u.id = i.created_by
			and u.role = 'admin' and u.disabled_at is null))
$$;

insert into kith_grants values
	('function kith_invited(bytea)', 'execute', 'kith_admit'),
	('table sign_in_failures', 'insert', 'kith_serve'),
	('table sign_in_failures', 'update', 'kith_serve'),
	('table sign_in_failures', 'delete', 'kith_system');

-- The scopes as bits, in the order of enum key_scope (store/keys.h). Must stay inlinable.
create or replace function kith_scopes(scopes text[], read_only boolean) returns int language sql immutable as $$
	select case when read_only then 1
		else ('read' = any (scopes))::int + 2 * ('write' = any (scopes))::int + 4 * ('delete' = any (scopes))::int
			+ 8 * ('admin' = any (scopes))::int + 16 * ('contacts' = any (scopes))::int
			+ 32 * ('calendar' = any (scopes))::int end
$$;

-- True for a key that was not ended and whose time is not over. Must stay inlinable.
create function kith_key_lasts(revoked_at timestamptz, expires_at timestamptz, idle_s int, created_at timestamptz,
	last_used_at timestamptz)
returns boolean language sql stable as $$
	select revoked_at is null and (expires_at is null or expires_at > now())
		and (idle_s is null or coalesce(last_used_at, created_at) > now() - idle_s * interval '1 second')
$$;

-- As in 0010, but keys have kinds: a key that was made from another one is valid only as long as that one, and as the one
-- that that was made from, whichever process ends it. A process of an earlier level knows neither kinds nor audiences, so it gets only ordinary keys; processes
-- of this level set kith.keys (store/db_setup.c).
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
		where a.key_hash = k.key_hash and kith_key_lasts(a.revoked_at, a.expires_at, a.idle_s, a.created_at, a.last_used_at)
			and (a.kind = 'key' or current_setting('kith.keys', true) = 'all')
			and (a.parent_id is null or exists (select from api_keys p
				where p.workspace_id = a.workspace_id and p.id = a.parent_id
					and kith_key_lasts(p.revoked_at, p.expires_at, p.idle_s, p.created_at, p.last_used_at)
					and (p.parent_id is null or exists (select from api_keys q
						where q.workspace_id = p.workspace_id and q.id = p.parent_id
							and kith_key_lasts(q.revoked_at, q.expires_at, q.idle_s, q.created_at,
								q.last_used_at)))))
		offset 0
	) as a
	join users u on u.workspace_id = a.workspace_id and u.id = a.user_id and u.disabled_at is null
	join workspaces w on w.workspace_id = a.workspace_id
$$;

-- As in 0011. The error's class says that the client may try again: people sign in and applications renew their tokens while
-- a workspace moves.
create or replace function users_at_home() returns trigger language plpgsql set search_path from current as $$
declare
	moving text;
	held_until timestamptz;
begin
	if current_setting('kith.moves', true) = 'on' then
		return coalesce(new, old);
	end if;
	select w.moving, w.held_until into moving, held_until from workspaces w
	where w.workspace_id = coalesce(new.workspace_id, old.workspace_id) for share;
	if not kith_at_home(moving, held_until) then
		raise exception 'the workspace is being moved, or was moved to another server' using errcode = '57K01';
	end if;
	return coalesce(new, old);
end
$$;

-- Ends a user's sessions, except for one; if everything is true, also the access tokens of applications, and the links that
-- they have not used. Other keys stay as they are.
create function user_ends(workspace_id uuid, user_id uuid, everything boolean, kept uuid default null) returns void
language sql as $$
	update api_keys a set revoked_at = now()
	where a.workspace_id = user_ends.workspace_id and a.user_id = user_ends.user_id and a.revoked_at is null
		and a.kind in ('session', case when everything then 'grant' end) and a.id is distinct from kept;
	update invitations i set expires_at = now()
	where everything and i.workspace_id = user_ends.workspace_id and i.user_id = user_ends.user_id
		and i.used_at is null and i.expires_at > now();
$$;

-- A user who is enabled again signs in again, whichever process or command disabled them.
create function users_disabled() returns trigger language plpgsql set search_path from current as $$
begin
	-- A move copies what has ended.
	if current_setting('kith.moves', true) is distinct from 'on' then
		perform user_ends(new.workspace_id, new.id, true);
	end if;
	return null;
end
$$;
create trigger users_disabled after update of disabled_at on users for each row
	when (old.disabled_at is null and new.disabled_at is not null) execute function users_disabled();
