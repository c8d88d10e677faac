-- Search as people type (docs/search.md): texts folded for search. 0024_search_indexes.sql builds the indexes for them, because
-- here new columns keep all readers waiting until the end.

-- Folds case, accents and width. Each character folds by itself, so a part of a text folds to a part of the folded text.
-- Pure ASCII, the usual case, takes the short way.
--
-- kith_fold() with its schema: autovacuum, restores and other maintenance of an index have an empty search_path.
do $$
begin
	execute format($function$
		create function kith_search_letters(given text) returns text language plpgsql immutable strict parallel safe as $body$
		declare
			folded text := %1$I.kith_fold(regexp_replace(normalize(given, nfkd), '[\u0300-\u036F]', '', 'g'));
		begin
			if octet_length(folded) = length(folded) then
				return folded;
			end if;
			return normalize(replace(replace(replace(replace(translate(folded, 'øłđħıŧðŋƀɨʉ', 'oldhitdnbiu'),
				'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfc);
		end
		$body$ $function$, current_schema());
	execute format($function$
		create function kith_search_fold(text) returns text language sql immutable called on null input parallel safe
			return case when octet_length($1) = length($1) then lower($1 collate "C") else %1$I.kith_search_letters($1) end
		$function$, current_schema());
	-- The digits of telephone numbers, each with a mark at its end: a search finds a number by its last digits. A number
	-- with a zero in brackets is there without that zero, too.
	execute format($function$
		create function kith_search_numbers(phones text[]) returns text language plpgsql immutable strict parallel safe as $body$
		declare
			found text := '';
			phone text;
		begin
			foreach phone in array phones loop
				found := found || translate(phone, translate(phone, '0123456789', ''), '') || e'\x02\n';
				if phone like '%%(0)%%' then
					phone := replace(phone, '(0)', '');
					found := found || translate(phone, translate(phone, '0123456789', ''), '') || e'\x02\n';
				end if;
			end loop;
			return found;
		end
		$body$ $function$, current_schema());
	-- All texts of a record in which a search looks: a line for each, the title first.
	execute format($function$
		create function kith_search_lines(texts text[], emails text[], phones text[], urls text[]) returns text
		language plpgsql immutable parallel safe cost 10000 as $body$
		declare
			lines text := e'\n' || array_to_string(texts || emails || phones || urls, e'\n') || e'\n';
		begin
			lines := %1$I.kith_search_fold(lines);
			return case when phones = '{}' then lines else lines || %1$I.kith_search_numbers(phones) end;
		end
		$body$ $function$, current_schema());
	-- A single text in the same form.
	execute format($function$
		create function kith_search_line(given text) returns text language plpgsql immutable parallel safe cost 10000 as $body$
		begin
			return %1$I.kith_search_fold(e'\n' || given || e'\n');
		end
		$body$ $function$, current_schema());
end
$$;

-- The patterns for a word, and which of the two is used: from three letters on it may be any part of a text, a shorter one
-- begins a word. Words
-- begin after anything that is no letter or digit, and with each Chinese, Japanese or Korean character. Ranges of characters,
-- because what PostgreSQL takes for a letter depends on the database's locale.
create function kith_search_part(word text) returns text language sql immutable strict parallel safe
	return '%' || replace(replace(replace(kith_search_fold(word), '\', '\\'), '%', '\%'), '_', '\_') || '%';
create function kith_search_begin(word text) returns text language sql immutable strict parallel safe
	return '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u2BFF\u3000-\u303F]' || regexp_replace(kith_search_fold(word), '[][\\.^$*+?(){}|]', '\\\&', 'g');
create function kith_search_any_place(word text) returns boolean language sql immutable strict parallel safe
	return length(kith_search_fold(word)) >= 3 or kith_search_fold(word) ~ '^[\u1100-\u11FF\u2E80-\u9FFF\uA960-\uA97F\uAC00-\uD7FF\uF900-\uFAFF\U00020000-\U0003FFFF]';

-- The folded texts of people and companies are kept, because folding takes longer than all else that a search does with a
-- row. A trigger writes them. They are null in rows that were written before this migration; then they are computed. A job
-- fills these (server/job/search_texts.c); it finds them by an index that is empty in the end.
alter table people add column search_text text;
alter table people alter column search_text set statistics 0;
alter table companies add column search_text text;
alter table companies alter column search_text set statistics 0;

create function people_search() returns trigger language plpgsql as $$
begin
	new.search_text := kith_search_lines(array[new.full_name, new.first_name, new.last_name, new.job_title],
		new.emails, new.phones, new.urls);
	return new;
end
$$;
create trigger people_search before insert or update of full_name, first_name, last_name, job_title, emails, phones, urls, search_text
	on people for each row execute function people_search();

create function companies_search() returns trigger language plpgsql as $$
begin
	new.search_text := kith_search_lines(array[new.name], new.emails, new.phones, new.urls);
	return new;
end
$$;
create trigger companies_search before insert or update of name, emails, phones, urls, search_text
	on companies for each row execute function companies_search();
