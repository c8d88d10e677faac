-- Every page of a list is bounded, and may end before it is full (README, "Filters"): what was kept so that no filter
-- reads a list to its end goes, and with it most of what each insert and update of a person paid for.

-- Common parts of texts and the rows that lack them, which triggers followed.
drop trigger people_lacks on people;
drop trigger companies_lacks on companies;
drop trigger objects_lacks on objects;
drop function people_lacks();
drop function companies_lacks();
drop function objects_lacks();
drop function people_text(people, text);
drop function companies_text(companies, text);
drop function objects_text(objects, text);
drop function kith_lacks(text, text);
drop view if exists kith_search.common_parts, kith_search.part_lacks, kith_search.part_looks;
drop table common_parts, part_lacks, part_looks;

-- Sets of custom fields, of groups and of contacts; months; rows whose id was made at another time than the row says;
-- single values that a search or the first rows find as well.
drop view if exists kith_search.objects;
drop index objects_value_set, objects_name, objects_company_set, objects_people_set, objects_astray, objects_name_like;
alter table objects drop column value_set;
drop index people_astray, people_first_name, people_last_name, people_job_title, people_description, people_birthday,
	people_gender, people_group_set, people_company_set, people_emails, people_phones, people_addresses,
	people_no_addresses, people_urls, people_no_urls, people_items, people_full_name_like, people_first_name_like,
	people_last_name_like, people_job_title_like, people_description_like, people_emails_like, people_phones_like,
	people_addresses_like, people_urls_like;
drop index companies_astray, companies_name_hash, companies_description, companies_industry, companies_employee_range,
	companies_funding_raised, companies_last_funding_date, companies_foundation_year, companies_group_set,
	companies_emails, companies_phones, companies_addresses, companies_no_addresses, companies_urls, companies_no_urls,
	companies_items, companies_name_like, companies_description_like, companies_industry_like,
	companies_employee_range_like, companies_emails_like, companies_phones_like, companies_addresses_like,
	companies_urls_like;
drop index tasks_astray, tasks_due_month, tasks_completed_month;
drop index interaction_counts_owner;
drop function kith_value_set(json);
drop function kith_set(uuid[]);
drop function kith_month(date);
drop function kith_month(timestamptz);
drop function kith_astray(uuid, timestamptz);
drop function kith_fold_lines(text[]);
drop function kith_fold_joined(text[]);
drop function kith_digits_items(text[]);

-- Most people and companies have none of these.
create index people_birthday on people (workspace_id, birthday, id) where birthday is not null;
create index companies_funding_raised on companies (workspace_id, funding_raised, id) where funding_raised is not null;
create index companies_last_funding_date on companies (workspace_id, last_funding_date, id) where last_funding_date is not null;
create index companies_foundation_year on companies (workspace_id, (foundation_year::numeric), id) where foundation_year is not null;

-- What a search looks in: texts without regard to case, a line break around each. It is dear, so that no plan tests it
-- on row after row. kith_fold() by its schema: autovacuum, a restore and whoever else maintains an index has an empty
-- search_path.
do $$
begin
	execute format($function$
		create function kith_search_text(items text[]) returns text language plpgsql immutable strict parallel safe cost 10000 as $body$
		declare
			joined text := e'\n' || array_to_string(items, e'\n') || e'\n';
		begin
			return %1$I.kith_fold(joined);
		end
		$body$ $function$, current_schema());
end
$$;

-- One index for texts that are searched alike. The workspace is in each, so that none reads through what others have.
-- Parts of telephone numbers, addresses and URLs have none: their trigrams (46 of 83 a person, measured) made half of
-- what an insert took and wrote, and what is asked of them is the whole number or URL, which is an exact item.
create index people_names_search on people using gin
	(workspace_id, kith_search_text(array[full_name, first_name, last_name, job_title]) gin_trgm_ops) with (fastupdate = off);
create index people_emails_search on people using gin (workspace_id, kith_search_text(emails) gin_trgm_ops) with (fastupdate = off);
create index companies_names_search on companies using gin
	(workspace_id, kith_search_text(array[name, industry]) gin_trgm_ops) with (fastupdate = off);
create index companies_emails_search on companies using gin (workspace_id, kith_search_text(emails) gin_trgm_ops) with (fastupdate = off);
create index objects_names_search on objects using gin
	(workspace_id, type_id, kith_search_text(array[name]) gin_trgm_ops) with (fastupdate = off);

-- Telephone numbers by their digits; one without any ("ask Ann") equals what is written in the same way.
create function kith_phone_key(phone text) returns text language plpgsql immutable strict parallel safe as $$
declare
	digits text := translate(phone, translate(phone, '0123456789', ''), '');
begin
	return case when digits = '' then phone else digits end;
end
$$;
do $$
begin
	execute format($function$
		create function kith_phone_keys(phones text[]) returns text[] language plpgsql immutable strict parallel safe as $body$
		begin
			case cardinality(phones)
			when 0 then
				return phones;
			when 1 then
				return array[%1$I.kith_phone_key(phones[1])];
			else
				return array(select %1$I.kith_phone_key(p) from unnest(phones) p);
			end case;
		end
		$body$ $function$, current_schema());
end
$$;

-- E-mail addresses (1), telephone numbers (2) and URLs (3) as eq compares them: a hash, as they may be longer than an
-- index entry. Kept by the triggers below, so that whoever writes a record writes these in the same statement.
create table person_items (
	workspace_id uuid not null,
	kind smallint not null,
	key bigint not null,
	person_id uuid not null
);
create table company_items (
	workspace_id uuid not null,
	kind smallint not null,
	key bigint not null,
	company_id uuid not null
);

create function kith_items(emails text[], phones text[], urls text[], out kind smallint, out key bigint) returns setof record
language sql immutable parallel safe
begin atomic
	select 1::smallint, hashtextextended(kith_fold(e), 0) from unnest(emails) e
	union select 2::smallint, hashtextextended(kith_phone_key(p), 0) from unnest(phones) p
	union select 3::smallint, hashtextextended(u, 0) from unnest(urls) u;
end;

insert into person_items select p.workspace_id, i.kind, i.key, p.id from people p, kith_items(p.emails, p.phones, p.urls) i
	order by 1, 2, 3, 4;
insert into company_items select c.workspace_id, i.kind, i.key, c.id from companies c, kith_items(c.emails, c.phones, c.urls) i
	order by 1, 2, 3, 4;
alter table person_items add primary key (workspace_id, kind, key, person_id);
alter table company_items add primary key (workspace_id, kind, key, company_id);

-- One trigger for what a record has elsewhere: its place in the order by updatedAt and its items.
create or replace function people_order() returns trigger language plpgsql as $$
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
create or replace function companies_order() returns trigger language plpgsql as $$
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

-- Of a changed record: what is no more, and what is new.
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
create trigger people_items after update of emails, phones, urls on people for each row
	when ((old.emails, old.phones, old.urls) is distinct from (new.emails, new.phones, new.urls)) execute function people_items();
create trigger companies_items after update of emails, phones, urls on companies for each row
	when ((old.emails, old.phones, old.urls) is distinct from (new.emails, new.phones, new.urls)) execute function companies_items();
