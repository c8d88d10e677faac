-- Companies and people.
--
-- A row has everything a read needs; the link tables are its indexed inverse and are written in the same statement.
-- Updates seldom change an indexed column, and the fill factor keeps new row versions on the same page.
--
-- Contacts have no foreign keys to workspaces or users, which are never deleted: each insert would lock the same few rows
-- again.
--
-- Each index adds to the cost of every insert, so there are few (docs/filters.md says which, docs/performance.md what they
-- cost). The trigram indexes begin with the workspace, so that no search reads other workspaces' entries. They have pending
-- lists (fastupdate), which a job merges each second (kith_merge_pending() in 0003). A statement that finds a list over its
-- limit merges it itself, so the limit is far above the entries of one second.

create table companies (
	workspace_id uuid not null,
	id uuid not null,
	name text not null default '',
	-- a column, so that look-ups compare plain bytes: with row-level security an index cannot be searched by a function
	name_digest bytea not null generated always as (text_digest(name)) stored,
	description text not null default '',
	industry text,
	funding_raised numeric,
	last_funding_date date,
	foundation_year int,
	employee_range text,
	group_ids uuid[] not null default '{}',
	addresses text[] not null default '{}',
	emails text[] not null default '{}',
	phones text[] not null default '{}',
	urls text[] not null default '{}',
	custom_values json,
	created_at timestamptz not null,
	created_by uuid not null,
	updated_at timestamptz not null,
	primary key (workspace_id, id)
) with (fillfactor = 80);
-- Names are unique exactly as written.
create unique index companies_name on companies (workspace_id, name_digest) where name <> '';
create index companies_created_by on companies (workspace_id, created_by, id);
create index companies_no_emails on companies (workspace_id, id) where emails = '{}';
create index companies_no_phones on companies (workspace_id, id) where phones = '{}';
create index companies_funding_raised on companies (workspace_id, funding_raised, id) where funding_raised is not null;
create index companies_last_funding_date on companies (workspace_id, last_funding_date, id) where last_funding_date is not null;
create index companies_foundation_year on companies (workspace_id, (foundation_year::numeric), id) where foundation_year is not null;
create index companies_names_search on companies using gin
	(workspace_id, kith_search_text(array[name, industry]) gin_trgm_ops) with (gin_pending_list_limit = 16384);
create index companies_emails_search on companies using gin (workspace_id, kith_search_text(emails) gin_trgm_ops) with (gin_pending_list_limit = 16384);

create table company_groups (
	workspace_id uuid not null,
	group_id uuid not null,
	company_id uuid not null,
	primary key (workspace_id, group_id, company_id),
	foreign key (workspace_id, group_id) references groups,
	foreign key (workspace_id, company_id) references companies on delete cascade
);
create index company_groups_company on company_groups (workspace_id, company_id);

create table people (
	workspace_id uuid not null,
	id uuid not null,
	first_name text not null default '',
	last_name text not null default '',
	full_name text not null default '',
	full_name_given boolean not null default false,
	description text not null default '',
	birthday date,
	gender text,
	job_title text not null default '',
	group_ids uuid[] not null default '{}',
	company_ids uuid[] not null default '{}',
	addresses text[] not null default '{}',
	emails text[] not null default '{}',
	phones text[] not null default '{}',
	urls text[] not null default '{}',
	custom_values json,
	created_at timestamptz not null,
	created_by uuid not null,
	updated_at timestamptz not null,
	-- From interaction_counts (0008), so that reading people needs no further query: the users, then the count of each,
	-- then the time of the last one of each in milliseconds since 1970. All null without interactions.
	interaction_users uuid[],
	interaction_numbers bigint[],
	last_interacted_at timestamptz,
	primary key (workspace_id, id)
) with (fillfactor = 80);
-- Texts by their hash, as they may be longer than an index entry.
create index people_full_name on people (workspace_id, hashtextextended(full_name, 0), id);
create index people_created_by on people (workspace_id, created_by, id);
create index people_no_emails on people (workspace_id, id) where emails = '{}';
create index people_no_phones on people (workspace_id, id) where phones = '{}';
create index people_birthday on people (workspace_id, birthday, id) where birthday is not null;
create index people_names_search on people using gin
	(workspace_id, kith_search_text(array[full_name, first_name, last_name, job_title]) gin_trgm_ops) with (gin_pending_list_limit = 16384);
create index people_emails_search on people using gin (workspace_id, kith_search_text(emails) gin_trgm_ops) with (gin_pending_list_limit = 16384);

create table person_groups (
	workspace_id uuid not null,
	group_id uuid not null,
	person_id uuid not null,
	primary key (workspace_id, group_id, person_id),
	foreign key (workspace_id, group_id) references groups,
	foreign key (workspace_id, person_id) references people on delete cascade
);
create index person_groups_person on person_groups (workspace_id, person_id);

-- No foreign key to the company: links outlive what they refer to (contacts_gone). Whatever inserts one has seen it in
-- the same transaction, and deletes run exclusively.
create table person_companies (
	workspace_id uuid not null,
	company_id uuid not null,
	person_id uuid not null,
	primary key (workspace_id, company_id, person_id),
	foreign key (workspace_id, person_id) references people on delete cascade
);
create index person_companies_person on person_companies (workspace_id, person_id);

-- Deleted people and companies that many records refer to: a job removes the references.
create table contacts_gone (
	workspace_id uuid not null,
	id uuid not null,
	kind text not null check (kind in ('person', 'company')),
	deleted_at timestamptz not null default clock_timestamp(),
	primary key (workspace_id, id)
);
create index contacts_gone_deleted on contacts_gone (deleted_at);

-- People and companies that were merged into another one of their kind, which may itself have been merged since.
create table contacts_merged (
	workspace_id uuid not null,
	id uuid not null,
	kind text not null check (kind in ('person', 'company')),
	merged_into uuid not null,
	primary key (workspace_id, id)
);

-- The order of lists by updatedAt. An index on updated_at in the rows themselves would make every update change all of
-- the row's indexes; without one, an update of custom values or other unindexed columns changes none (a heap-only tuple).
-- Measured for a person's custom values among a million: 560 us with such an index, 50 without; with cold caches 2,700
-- and 140.
--
-- One row per record, maintained by triggers on updated_at. The record's own row is locked meanwhile, so its former time
-- is known exactly.

create table companies_updates (
	workspace_id uuid not null,
	updated_at timestamptz not null,
	id uuid not null,
	primary key (workspace_id, updated_at, id)
);
create table people_updates (
	workspace_id uuid not null,
	updated_at timestamptz not null,
	id uuid not null,
	primary key (workspace_id, updated_at, id)
);

-- E-mail addresses, telephone numbers and URLs as compared by eq (kith_items() in 0003), also maintained by triggers.

create table company_items (
	workspace_id uuid not null,
	kind smallint not null,
	key bigint not null,
	company_id uuid not null,
	primary key (workspace_id, kind, key, company_id)
);
create table person_items (
	workspace_id uuid not null,
	kind smallint not null,
	key bigint not null,
	person_id uuid not null,
	primary key (workspace_id, kind, key, person_id)
);

-- A record's place in the order, and its items when it is inserted or deleted: one trigger for both.

create function companies_order() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into companies_updates (workspace_id, updated_at, id) values (new.workspace_id, new.updated_at, new.id);
		insert into company_items (workspace_id, kind, key, company_id)
		select new.workspace_id, i.kind, i.key, new.id from kith_items(new.emails, new.phones, new.urls) i;
	elsif tg_op = 'UPDATE' then
		update companies_updates u set updated_at = new.updated_at
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
	else
		delete from companies_updates u
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
		delete from company_items d using kith_items(old.emails, old.phones, old.urls) i
		where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.company_id = old.id;
	end if;
	return null;
end
$$;
create trigger companies_order after insert or delete on companies for each row execute function companies_order();
create trigger companies_reorder after update of updated_at on companies
	for each row when (old.updated_at <> new.updated_at) execute function companies_order();

create function people_order() returns trigger language plpgsql as $$
begin
	if tg_op = 'INSERT' then
		insert into people_updates (workspace_id, updated_at, id) values (new.workspace_id, new.updated_at, new.id);
		insert into person_items (workspace_id, kind, key, person_id)
		select new.workspace_id, i.kind, i.key, new.id from kith_items(new.emails, new.phones, new.urls) i;
	elsif tg_op = 'UPDATE' then
		update people_updates u set updated_at = new.updated_at
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
	else
		delete from people_updates u
		where u.workspace_id = old.workspace_id and u.updated_at = old.updated_at and u.id = old.id;
		delete from person_items d using kith_items(old.emails, old.phones, old.urls) i
		where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.person_id = old.id;
	end if;
	return null;
end
$$;
create trigger people_order after insert or delete on people for each row execute function people_order();
create trigger people_reorder after update of updated_at on people
	for each row when (old.updated_at <> new.updated_at) execute function people_order();

-- For an updated record: deletes the items that it has lost, inserts the new ones.

create function companies_items() returns trigger language plpgsql as $$
begin
	delete from company_items d using (select * from kith_items(old.emails, old.phones, old.urls)
		except select * from kith_items(new.emails, new.phones, new.urls)) i
	where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.company_id = old.id;
	insert into company_items (workspace_id, kind, key, company_id)
	select new.workspace_id, i.kind, i.key, new.id from (select * from kith_items(new.emails, new.phones, new.urls)
		except select * from kith_items(old.emails, old.phones, old.urls)) i;
	return null;
end
$$;
create trigger companies_items after update of emails, phones, urls on companies for each row
	when ((old.emails, old.phones, old.urls) is distinct from (new.emails, new.phones, new.urls)) execute function companies_items();

create function people_items() returns trigger language plpgsql as $$
begin
	delete from person_items d using (select * from kith_items(old.emails, old.phones, old.urls)
		except select * from kith_items(new.emails, new.phones, new.urls)) i
	where d.workspace_id = old.workspace_id and d.kind = i.kind and d.key = i.key and d.person_id = old.id;
	insert into person_items (workspace_id, kind, key, person_id)
	select new.workspace_id, i.kind, i.key, new.id from (select * from kith_items(new.emails, new.phones, new.urls)
		except select * from kith_items(old.emails, old.phones, old.urls)) i;
	return null;
end
$$;
create trigger people_items after update of emails, phones, urls on people for each row
	when ((old.emails, old.phones, old.urls) is distinct from (new.emails, new.phones, new.urls)) execute function people_items();
