-- Other workspaces of all sizes: psql runs this after test/lib/db/workspace_rows.sql, with N set to their number. The last
-- one is created by "imported" after the ANALYZE, so that the statistics do not include it.
create function seed.neighbour(n int, people int) returns void language plpgsql as $$
declare
	-- After the ids of the seed's users, so that the first user remains the bench's own.
	id uuid := ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid;
begin
	insert into workspaces (workspace_id, name) values (id, 'Neighbour ' || n);
	insert into users (workspace_id, id, email, full_name, role)
	values (id, id, 'neighbour' || n || '@mail.example', 'Neighbour', 'admin');
	perform seed.workspace_rows(id, id, people);
end
$$;

-- 1 to 5,000 people: most have few.
select count(seed.neighbour(n, greatest(5000 / n, 1 + n % 40))) from generate_series(1, :N) n;
