-- Folding with the same results in a third of the time where a text is all ASCII, as most are: by Unicode's rules it
-- takes 2.6 us, and some are folded for each row that an index finds or gets. Without those rules (0010) texts stay as
-- they are: a locale may fold ASCII in ways of its own.
--
-- The planner puts kith_fold()'s text in the place of a call only if it is not called strict, as `case` is not. An index
-- with a condition must then be told what followed from that: that the text is not null.
--
-- The argument is there more than once, so lists have one function, not one within another: most hold one item, which
-- is taken as it is; others go to plpgsql, as joining them is not immutable for the planner (1.2 us against 2.5 us by
-- plpgsql alone). Their indexes are made anew with it. kith_fold() by its schema: see 0012.
do $$
declare
	owner text;
	list text;
begin
	if exists (select from pg_collation where collname = 'und-x-icu') then
		create or replace function kith_fold(text) returns text language sql immutable called on null input parallel safe
			return case when octet_length($1) = length($1) then lower($1 collate "C") collate "und-x-icu"
				else replace(lower($1 collate "und-x-icu"), 'ς', 'σ') end;
	end if;
	execute format($function$
		create function kith_fold_joined(items text[]) returns text language plpgsql immutable strict parallel safe as $body$
		begin
			return %I.kith_fold(array_to_string(items, e'\n'));
		end
		$body$ $function$, current_schema());
	create function kith_fold_lines(items text[]) returns text language sql immutable called on null input parallel safe
		return case cardinality(items) when 1 then kith_fold(items[1]) when 0 then '' else kith_fold_joined(items) end;
	foreach owner in array array['people', 'companies'] loop
		foreach list in array array['emails', 'phones', 'addresses', 'urls'] loop
			execute format('drop index %I', owner || '_' || list || '_like');
			execute format('create index %I on %I using gin (kith_fold_lines(%I) gin_trgm_ops) with (gin_pending_list_limit = 1024)',
				owner || '_' || list || '_like', owner, list);
		end loop;
	end loop;
end
$$;

drop function kith_lines(text[]);
