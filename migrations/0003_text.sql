-- Text comparison: in unique names, filters and searches.

-- Both are trusted extensions: a database owner may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A digest of a name stands for it in keys, because a name may be longer than an index entry. convert_to() is marked
-- stable only because its result depends on the server's encoding, which never changes.
create function text_digest(text) returns bytea language sql immutable strict parallel safe
	return sha256(convert_to($1, 'UTF8'));

-- Case folding: by Unicode's rules if PostgreSQL has ICU, whatever the database's locale; else by the locale's. A final
-- sigma equals a sigma.
--
-- With ICU it takes 2.6 us, a third of that for pure ASCII, which is the usual case. A locale may fold ASCII differently,
-- so without ICU there is no such short cut. The planner inlines the function only if it is not marked strict, because
-- `case` is not; so an index on it needs "is not null" in its condition where the text may be null.
do $$
begin
	if exists (select from pg_collation where collname = 'und-x-icu') then
		create function kith_fold(text) returns text language sql immutable called on null input parallel safe
			return case when octet_length($1) = length($1) then lower($1 collate "C") collate "und-x-icu"
				else replace(lower($1 collate "und-x-icu"), 'ς', 'σ') end;
	else
		create function kith_fold(text) returns text language sql immutable strict parallel safe
			return replace(lower($1), 'ς', 'σ');
	end if;
end
$$;

-- Telephone numbers by their digits; one without digits ("ask Ann") only equals the same text. The inner translate keeps
-- the non-digits, the outer one removes them.
create function kith_phone_key(phone text) returns text language plpgsql immutable strict parallel safe as $$
declare
	digits text := translate(phone, translate(phone, '0123456789', ''), '');
begin
	return case when digits = '' then phone else digits end;
end
$$;

-- Functions called for each row are in plpgsql: an SQL function that cannot be inlined is planned again in each statement
-- (350 us, measured). In plpgsql a query costs about 7 us and an expression under one, and most lists are short.

create function kith_phone_keys(phones text[]) returns text[] language plpgsql immutable strict parallel safe as $$
begin
	case cardinality(phones)
	when 0 then
		return phones;
	when 1 then
		return array[kith_phone_key(phones[1])];
	else
		return array(select kith_phone_key(p) from unnest(phones) p);
	end case;
end
$$;

create function kith_fold_items(items text[]) returns text[] language plpgsql immutable strict parallel safe as $$
declare
	folded text[];
begin
	if cardinality(items) = 0 then
		return items;
	end if;
	-- Folding neither creates nor removes separators; an item that contains one shows in the count.
	folded := string_to_array(kith_fold(array_to_string(items, e'\x01')), e'\x01');
	if cardinality(folded) = cardinality(items) then
		return folded;
	end if;
	return array(select kith_fold(i) from unnest(items) i);
end
$$;

-- The text for searches: folded, with a line break around each part. High cost, so that no plan computes it for each row.
-- kith_fold() with its schema: autovacuum, restores and other maintenance of an index have an empty search_path.
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

-- E-mail addresses (1), telephone numbers (2) and URLs (3) as compared by eq: hashes, because they may be longer than an
-- index entry.
create function kith_items(emails text[], phones text[], urls text[], out kind smallint, out key bigint) returns setof record
language sql immutable parallel safe
begin atomic
	select 1::smallint, hashtextextended(kith_fold(e), 0) from unnest(emails) e
	union select 2::smallint, hashtextextended(kith_phone_key(p), 0) from unnest(phones) p
	union select 3::smallint, hashtextextended(u, 0) from unnest(urls) u;
end;

-- Merges the pending lists of all GIN indexes (0005). Runs as the tables' owner, who alone may do this. If another call
-- is merging, returns at once, as it would only wait.
create function kith_merge_pending() returns void language plpgsql security definer set search_path from current as $$
begin
	if pg_try_advisory_xact_lock(hashtextextended('kith_merge_pending', 0)) then
		perform gin_clean_pending_list(c.oid) from pg_class c join pg_am a on a.oid = c.relam join pg_index i on i.indexrelid = c.oid
		where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace and i.indisvalid;
	end if;
end
$$;
