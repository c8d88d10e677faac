-- What filters compare with, and their indexes (README, "Filters").

-- Both are trusted: the owner of a database may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Text without regard to case. Unicode's own rules when PostgreSQL has them, whatever the database's
-- locale; else those of the locale. A final sigma is a sigma.
do $$
declare
	icu text := coalesce((select ' collate ' || quote_ident(collname) from pg_collation where collname = 'und-x-icu' limit 1), '');
begin
	execute format('create function kith_fold(text) returns text language sql immutable strict parallel safe '
		'return replace(lower($1%s), ''ς'', ''σ'')', icu);
end
$$;

-- In plpgsql, as the functions below are called by the indexes at each insert: one in SQL
-- that cannot be inlined is planned anew by each statement (350 us an insert, measured).

-- The items of a list as one text, a line each.
create function kith_lines(items text[]) returns text language plpgsql immutable strict parallel safe as $$
begin
	return array_to_string(items, e'\n');
end
$$;

create function kith_fold_items(items text[]) returns text[] language plpgsql immutable strict parallel safe as $$
begin
	if cardinality(items) = 0 then
		return items;
	end if;
	return array(select kith_fold(i) from unnest(items) i);
end
$$;

-- Telephone numbers by their digits alone.
create function kith_digits_items(items text[]) returns text[] language plpgsql immutable strict parallel safe as $$
begin
	if cardinality(items) = 0 then
		return items;
	end if;
	return array(select regexp_replace(i, '[^0-9]', '', 'g') from unnest(items) i);
end
$$;

-- A number for a set of ids, whatever their order; 0 for none.
create function kith_set(ids uuid[]) returns int8 language plpgsql immutable strict parallel safe as $$
begin
	case cardinality(ids)
	when 0 then
		return 0;
	when 1 then
		return hash_array_extended(ids, 0);
	else
		return hash_array_extended((select array_agg(i order by i) from unnest(ids) i), 0);
	end case;
end
$$;

-- Whether a row's time of creation is a minute or more from that of its id. Each argument is named once, so that the
-- function dissolves in the index's condition.
create function kith_astray(uuid, timestamptz) returns boolean language sql immutable strict parallel safe
	return abs(extract(epoch from $2 - to_timestamp(('x' || encode(substr(uuid_send($1), 1, 6), 'hex'))::bit(48)::int8 / 1000::float8))) > 60;

create index people_astray on people (workspace_id, id) where kith_astray(id, created_at);
create index companies_astray on companies (workspace_id, id) where kith_astray(id, created_at);
create index objects_astray on objects (workspace_id, type_id, id) where kith_astray(id, created_at);
create index tasks_astray on tasks (workspace_id, id) where kith_astray(id, created_at);

-- One value in the order of ids; of texts the hash, as they may be longer than an index entry.
create index people_full_name on people (workspace_id, hashtextextended(full_name, 0), id);
create index people_first_name on people (workspace_id, hashtextextended(first_name, 0), id);
create index people_last_name on people (workspace_id, hashtextextended(last_name, 0), id);
create index people_job_title on people (workspace_id, hashtextextended(job_title, 0), id);
create index people_description on people (workspace_id, hashtextextended(description, 0), id);
create index people_birthday on people (workspace_id, birthday, id);
create index people_gender on people (workspace_id, gender, id);
create index people_created_by on people (workspace_id, created_by, id);
create index people_group_set on people (workspace_id, kith_set(group_ids), id);
create index people_company_set on people (workspace_id, kith_set(company_ids), id);
create index people_emails on people (workspace_id, id) where emails <> '{}';
create index people_no_emails on people (workspace_id, id) where emails = '{}';
create index people_phones on people (workspace_id, id) where phones <> '{}';
create index people_no_phones on people (workspace_id, id) where phones = '{}';
create index people_addresses on people (workspace_id, id) where addresses <> '{}';
create index people_no_addresses on people (workspace_id, id) where addresses = '{}';
create index people_urls on people (workspace_id, id) where urls <> '{}';
create index people_no_urls on people (workspace_id, id) where urls = '{}';

create index companies_name_hash on companies (workspace_id, hashtextextended(name, 0), id);
create index companies_description on companies (workspace_id, hashtextextended(description, 0), id);
create index companies_industry on companies (workspace_id, hashtextextended(industry, 0), id);
create index companies_employee_range on companies (workspace_id, hashtextextended(employee_range, 0), id);
create index companies_funding_raised on companies (workspace_id, funding_raised, id);
create index companies_last_funding_date on companies (workspace_id, last_funding_date, id);
create index companies_foundation_year on companies (workspace_id, (foundation_year::numeric), id);
create index companies_created_by on companies (workspace_id, created_by, id);
create index companies_group_set on companies (workspace_id, kith_set(group_ids), id);
create index companies_emails on companies (workspace_id, id) where emails <> '{}';
create index companies_no_emails on companies (workspace_id, id) where emails = '{}';
create index companies_phones on companies (workspace_id, id) where phones <> '{}';
create index companies_no_phones on companies (workspace_id, id) where phones = '{}';
create index companies_addresses on companies (workspace_id, id) where addresses <> '{}';
create index companies_no_addresses on companies (workspace_id, id) where addresses = '{}';
create index companies_urls on companies (workspace_id, id) where urls <> '{}';
create index companies_no_urls on companies (workspace_id, id) where urls = '{}';

create index objects_name on objects (workspace_id, type_id, hashtextextended(name, 0), id);
create index objects_created_by on objects (workspace_id, type_id, created_by, id);
create index objects_company_set on objects (workspace_id, type_id, kith_set(company_ids), id);
create index objects_people_set on objects (workspace_id, type_id, kith_set(person_ids), id);

create index tasks_due on tasks (workspace_id, due_at, id);
create index tasks_completed on tasks (workspace_id, completed_at, id);

create index field_values_text on field_values (workspace_id, field_id, hashtextextended(text_value, 0), owner_id)
	where text_value is not null;
create index field_values_number on field_values (workspace_id, field_id, number_value, owner_id) where number_value is not null;
create index field_values_date on field_values (workspace_id, field_id, date_value, owner_id) where date_value is not null;

create index interaction_counts_user on interaction_counts (workspace_id, user_id, last_at, entity_id);
create index interaction_counts_last on interaction_counts (workspace_id, last_at, entity_id);

-- Items of lists, as eq compares them.
create index people_items on people using gin (kith_fold_items(emails), kith_digits_items(phones), addresses, urls);
create index companies_items on companies using gin (kith_fold_items(emails), kith_digits_items(phones), addresses, urls);

-- Parts of texts.
create index people_full_name_like on people using gin (kith_fold(full_name) gin_trgm_ops);
create index people_first_name_like on people using gin (kith_fold(first_name) gin_trgm_ops);
create index people_last_name_like on people using gin (kith_fold(last_name) gin_trgm_ops);
create index people_job_title_like on people using gin (kith_fold(job_title) gin_trgm_ops);
create index people_description_like on people using gin (kith_fold(description) gin_trgm_ops);
create index people_emails_like on people using gin (kith_fold(kith_lines(emails)) gin_trgm_ops);
create index people_phones_like on people using gin (kith_fold(kith_lines(phones)) gin_trgm_ops);
create index people_addresses_like on people using gin (kith_fold(kith_lines(addresses)) gin_trgm_ops);
create index people_urls_like on people using gin (kith_fold(kith_lines(urls)) gin_trgm_ops);
create index companies_name_like on companies using gin (kith_fold(name) gin_trgm_ops);
create index companies_description_like on companies using gin (kith_fold(description) gin_trgm_ops);
create index companies_industry_like on companies using gin (kith_fold(industry) gin_trgm_ops);
create index companies_employee_range_like on companies using gin (kith_fold(employee_range) gin_trgm_ops);
create index companies_emails_like on companies using gin (kith_fold(kith_lines(emails)) gin_trgm_ops);
create index companies_phones_like on companies using gin (kith_fold(kith_lines(phones)) gin_trgm_ops);
create index companies_addresses_like on companies using gin (kith_fold(kith_lines(addresses)) gin_trgm_ops);
create index companies_urls_like on companies using gin (kith_fold(kith_lines(urls)) gin_trgm_ops);
create index objects_name_like on objects using gin (kith_fold(name) gin_trgm_ops);
create index field_values_like on field_values using gin (field_id, kith_fold(text_value) gin_trgm_ops) where text_value is not null;
