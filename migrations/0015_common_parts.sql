-- What nearly all texts of a list contain: "https://", the host of everybody's e-mail addresses.
--
-- No index says that something is not there. Who asks for the few texts without such a part would have the list read
-- to its end (0.9 s for a million people, measured); so the rows that lack it are kept. The server finds the parts
-- and fills in the rows there are (server/job_parts.c); from a part's first commit on, triggers follow what is written.
-- There may be rows here that have the part, or are no more, when both were at them: filters test each.

create table common_parts (
	workspace_id uuid not null,
	id uuid not null,
	table_name text not null,
	list_id uuid not null, -- the type of objects; of people and companies the workspace itself
	column_name text not null,
	part text not null, -- folded, without a line break: it lies in one item
	-- filling: not all rows that lack it are known; ready: they are; rare: too many lack it, none is kept
	state text not null default 'filling' check (state in ('filling', 'ready', 'rare')),
	made_at timestamptz not null,
	-- Once every transaction below it has ended, all that write know the part.
	fence xid8,
	filled_to uuid not null default '00000000-0000-0000-0000-000000000000',
	primary key (workspace_id, id)
);
create unique index common_parts_part on common_parts (workspace_id, table_name, list_id, column_name, part);

create table part_lacks (
	workspace_id uuid not null,
	part_id uuid not null,
	row_id uuid not null,
	primary key (workspace_id, part_id, row_id)
);

-- When a list was searched for parts.
create table part_looks (
	workspace_id uuid not null,
	table_name text not null,
	list_id uuid not null,
	looked_at timestamptz not null,
	primary key (workspace_id, table_name, list_id)
);

-- A column's text as `like` reads it, before it is folded: every column with that operator (filter/tables.c).
create function people_text(r people, name text) returns text language plpgsql immutable as $$
begin
	case name
	when 'full_name' then return r.full_name;
	when 'first_name' then return r.first_name;
	when 'last_name' then return r.last_name;
	when 'job_title' then return r.job_title;
	when 'description' then return r.description;
	when 'emails' then return array_to_string(r.emails, e'\n');
	when 'phones' then return array_to_string(r.phones, e'\n');
	when 'addresses' then return array_to_string(r.addresses, e'\n');
	when 'urls' then return array_to_string(r.urls, e'\n');
	end case;
end
$$;

create function companies_text(r companies, name text) returns text language plpgsql immutable as $$
begin
	case name
	when 'name' then return r.name;
	when 'description' then return r.description;
	when 'industry' then return r.industry;
	when 'employee_range' then return r.employee_range;
	when 'emails' then return array_to_string(r.emails, e'\n');
	when 'phones' then return array_to_string(r.phones, e'\n');
	when 'addresses' then return array_to_string(r.addresses, e'\n');
	when 'urls' then return array_to_string(r.urls, e'\n');
	end case;
end
$$;

create function objects_text(r objects, name text) returns text language plpgsql immutable as $$
begin
	case name
	when 'name' then return r.name;
	end case;
end
$$;

-- Most texts have it as it is; folding takes ten times as long.
create function kith_lacks(value text, part text) returns boolean language plpgsql immutable as $$
begin
	return strpos(coalesce(value, ''), part) = 0 and strpos(kith_fold(coalesce(value, '')), part) = 0;
end
$$;

-- Volatile: each call sees what is committed when it runs, not when its statement began.
create function people_lacks() returns trigger language plpgsql as $$
begin
	if tg_op <> 'INSERT' then
		delete from part_lacks l using common_parts p
		where p.workspace_id = old.workspace_id and p.table_name = 'people'
			and l.workspace_id = p.workspace_id and l.part_id = p.id and l.row_id = old.id
			and (tg_op = 'DELETE' or not kith_lacks(people_text(new, p.column_name), p.part));
	end if;
	if tg_op <> 'DELETE' then
		insert into part_lacks (workspace_id, part_id, row_id)
		select new.workspace_id, p.id, new.id from common_parts p
		where p.workspace_id = new.workspace_id and p.table_name = 'people'
			and p.state <> 'rare' and kith_lacks(people_text(new, p.column_name), p.part)
		on conflict do nothing;
	end if;
	return null;
end
$$;

create function companies_lacks() returns trigger language plpgsql as $$
begin
	if tg_op <> 'INSERT' then
		delete from part_lacks l using common_parts p
		where p.workspace_id = old.workspace_id and p.table_name = 'companies'
			and l.workspace_id = p.workspace_id and l.part_id = p.id and l.row_id = old.id
			and (tg_op = 'DELETE' or not kith_lacks(companies_text(new, p.column_name), p.part));
	end if;
	if tg_op <> 'DELETE' then
		insert into part_lacks (workspace_id, part_id, row_id)
		select new.workspace_id, p.id, new.id from common_parts p
		where p.workspace_id = new.workspace_id and p.table_name = 'companies'
			and p.state <> 'rare' and kith_lacks(companies_text(new, p.column_name), p.part)
		on conflict do nothing;
	end if;
	return null;
end
$$;

create function objects_lacks() returns trigger language plpgsql as $$
begin
	if tg_op <> 'INSERT' then
		delete from part_lacks l using common_parts p
		where p.workspace_id = old.workspace_id and p.table_name = 'objects' and p.list_id = old.type_id
			and l.workspace_id = p.workspace_id and l.part_id = p.id and l.row_id = old.id
			and (tg_op = 'DELETE' or not kith_lacks(objects_text(new, p.column_name), p.part));
	end if;
	if tg_op <> 'DELETE' then
		insert into part_lacks (workspace_id, part_id, row_id)
		select new.workspace_id, p.id, new.id from common_parts p
		where p.workspace_id = new.workspace_id and p.table_name = 'objects' and p.list_id = new.type_id
			and p.state <> 'rare' and kith_lacks(objects_text(new, p.column_name), p.part)
		on conflict do nothing;
	end if;
	return null;
end
$$;

create trigger people_lacks after insert or delete
	or update of full_name, first_name, last_name, job_title, description, emails, phones, addresses, urls on people
	for each row execute function people_lacks();
create trigger companies_lacks after insert or delete
	or update of name, description, industry, employee_range, emails, phones, addresses, urls on companies
	for each row execute function companies_lacks();
create trigger objects_lacks after insert or delete or update of name on objects
	for each row execute function objects_lacks();
