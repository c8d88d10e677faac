-- As in 0018. A word of one or two letters begins after a blank or a mark of ASCII or Latin-1. PostgreSQL derives no trigrams
-- from a set of characters that has one above U+07FF, so with the marks of typography in it no index found such a word.
create or replace function kith_search_begin(word text) returns text language sql immutable strict parallel safe
	return '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7]' || regexp_replace(kith_search_fold(word), '[][\\.^$*+?(){}|]', '\\\&', 'g');

-- What is known before a search (filter/search_names.c). The names that have its words are looked up once, and not anew for each
-- record that refers to one of them.

-- The condition that a text has a word, to follow the text.
create function kith_search_has(word text) returns text language sql immutable strict parallel safe
	return case when kith_search_any_place(word) then format('like %L', kith_search_part(word)) else format('~ %L', kith_search_begin(word)) end;

-- Companies or people whose names meet some conditions; all of them if whole is true. They are not when there are more than "most",
-- or when the index finds eight times as many texts, which need not be names. in_texts, in_names: such as "like '%anna%'". newest:
-- some of the newest texts are read instead of the index.
create function kith_search_names(workspace_id uuid, kind text, in_texts text[], in_names text[], newest boolean, most bigint,
	out names uuid[], out whole boolean) language plpgsql stable as $$
declare
	body constant text := case kind when 'people'
		then 'coalesce(search_text, kith_search_lines(array[full_name, first_name, last_name, job_title], emails, phones, urls))'
		else '(coalesce(search_text, kith_search_lines(array[name], emails, phones, urls)) || kith_search_fold(coalesce(industry || e''\n'', '''')))' end;
	name constant text := case kind when 'people' then 'full_name' else 'name' end;
	-- The name is the first line of the folded text. It is folded again only if it has lines itself.
	line constant text := format('case when strpos(%s, e''\n'') > 0 then kith_search_line(%1$s) else e''\n'' || split_part(%s, e''\n'', 2) || e''\n'' end',
		name, body);
	texts bigint;
begin
	execute format('select array_agg(k.id), max(k.n) from (select k.id, k.n from (select t.id, row_number() over () as n, %s as fits'
		' from %I t where t.workspace_id = (select $1)%s) k where k.fits or k.n > %s limit %s) k',
		(select string_agg(line || ' ' || c, ' and ') from unnest(in_names) c), kind,
		case when newest then ' order by t.id desc limit 2000'
			else (select ' and ' || string_agg(body || ' ' || c, ' and ') from unnest(in_texts) c) || format(' limit %s', 8 * most + 1) end,
		8 * most, case when newest then 50 else most + 1 end)
		using workspace_id into names, texts;
	names := coalesce(names, '{}');
	whole := not newest and cardinality(names) <= most and coalesce(texts, 0) <= 8 * most;
end
$$;

-- A row for each word: the companies or people whose names have it, as above. Common words are those that more than about twice
-- as many texts have, as the oldest 300 and the newest 300 say of as many as the planner expects. One of several is not looked up,
-- and a single one only among the newest. Row 0: those whose names have all of several words, and whether so many texts have all
-- of them that reading their entries in the index takes long. keeps: the beginning of each word that the index is asked for.
create function kith_search_named(workspace_id uuid, kind text, words text[], keeps text[], most bigint)
returns table (word int, names uuid[], whole boolean, plenty boolean) language plpgsql as $$
declare
	body constant text := case kind when 'people'
		then 'coalesce(search_text, kith_search_lines(array[full_name, first_name, last_name, job_title], emails, phones, urls))'
		else 'coalesce(search_text, kith_search_lines(array[name], emails, phones, urls))' end;
	in_names constant text[] := array(select kith_search_has(w.word) from unnest(words) with ordinality w (word, i) order by w.i);
	-- What is kept of a word may fold to less than three letters.
	in_texts constant text[] := array(select kith_search_has(case when kith_search_any_place(w.keep) then w.keep else w.word end)
		from unnest(words, keeps) with ordinality w (word, keep, i) order by w.i);
	n constant int := cardinality(words);
	all_whole boolean := true;
	texts text[];
	fits text[];
	with_all text[];
	plan json;
	rows double precision;
	each double precision; -- records that a text stands for
begin
	execute format('select array(select %1$s from %2$I t where t.workspace_id = (select $1) order by t.id limit 300)'
		' || array(select %1$s from %2$I t where t.workspace_id = (select $1) order by t.id desc limit 300)', body, kind)
		using workspace_id into texts;
	execute format('explain (format json) select from %I where workspace_id = %L', kind, workspace_id) into plan;
	rows := (plan->0->'Plan'->>'Plan Rows')::double precision;
	with_all := texts;
	for i in 1 .. n loop
		execute format('select array(select t from unnest($1) t where t %s), array(select t from unnest($2) t where t %1$s)',
			in_names[i]) using texts, with_all into fits, with_all;
		-- The planner expects few records in a workspace that was not analysed yet.
		if cardinality(fits) * 4 > cardinality(texts) and rows < 8 * most then
			execute format('select count(*) from (select from %I t where t.workspace_id = (select $1) limit %s) k', kind, 8 * most)
				using workspace_id into rows;
		end if;
		each := rows / greatest(cardinality(texts), 1);
		word := i;
		names := '{}';
		whole := false;
		if cardinality(fits) * each <= 2 * most or n = 1 then
			select f.names, f.whole into names, whole
			from kith_search_names(workspace_id, kind, in_texts[i : i], in_names[i : i], cardinality(fits) * each > 2 * most, most) f;
		end if;
		all_whole := all_whole and whole;
		return next;
	end loop;
	word := 0;
	plenty := cardinality(with_all) * each > 40 * most;
	names := '{}';
	whole := false;
	if not all_whole and n > 1 and not plenty then
		select f.names into names from kith_search_names(workspace_id, kind, in_texts, in_names, false, most) f;
	end if;
	return next;
end
$$;
