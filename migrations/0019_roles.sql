-- PostgreSQL 16 and newer: 0007 asked whether the login is a member of the roles, which from there on does not say that
-- it may act as them. A database that ran its former text has the same function from here on.
create or replace function kith_roles() returns void language plpgsql as $$
declare
	needed constant name[] := array['kith_serve', 'kith_system', 'kith_admit', 'kith_search'];
	-- From 16 on, who makes a role is a member of it that may neither act as it nor use what it may do, and a role is
	-- granted with or without either.
	by_options constant boolean := current_setting('server_version_num')::int >= 160000;
	options constant text := case when by_options then ' with inherit true, set true' else '' end;
	role name;
begin
	foreach role in array needed loop
		-- Roles belong to the cluster: another database's migration may be making them right now.
		begin
			if not exists (select from pg_roles where rolname = role) then
				execute format('create role %I nologin', role);
			end if;
		exception when sqlstate '23505' or duplicate_object then
			null;
		end;
		begin
			if not pg_has_role(current_user, role, case when by_options then 'set' else 'member' end)
				or (by_options and not pg_has_role(current_user, role, 'usage'))
			then
				execute format('grant %I to %I%s', role, current_user, options);
			end if;
		exception when sqlstate '23505' then
			null;
		end;
	end loop;
exception when insufficient_privilege then
	raise insufficient_privilege using message = format('an administrator has to run: %sgrant %s to %I%s',
		(select coalesce(string_agg(format('create role %I; ', r), '' order by n), '')
			from unnest(needed) with ordinality as t(r, n)
			where not exists (select from pg_roles where rolname = r)),
		array_to_string(needed, ', '), current_user, options);
end
$$;

