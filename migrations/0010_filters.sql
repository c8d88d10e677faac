-- What filters compare with.

create extension if not exists pg_trgm;

-- Text without regard to case. Unicode's own rules when PostgreSQL has them,
-- whatever the database's locale; else those of the locale.
do $$
declare
	icu text := coalesce((select ' collate ' || quote_ident(collname) from pg_collation where collname = 'und-x-icu' limit 1), '');
begin
	execute format('create function kith_fold(text) returns text language sql immutable strict parallel safe '
		'return lower($1%s)', icu);
end
$$;

-- The items of a list as one text, a line each.
create function kith_lines(text[]) returns text language sql immutable strict parallel safe
	return array_to_string($1, e'\n');

create function kith_fold_items(text[]) returns text[] language sql immutable strict parallel safe
	return array(select kith_fold(i) from unnest($1) i);

-- Telephone numbers by their digits alone.
create function kith_digits_items(text[]) returns text[] language sql immutable strict parallel safe
	return array(select regexp_replace(i, '[^0-9]', '', 'g') from unnest($1) i);
