-- What kith_fold makes of the ASCII in a text, in a quarter of the time: a value of ASCII is in the one where it is in the
-- other. Two characters beside A to Z have ASCII in their small letters, the Kelvin sign and the dotted capital I.
-- Without Unicode's rules (0010) the locale's may be others: then it is the same.
do $$
begin
	execute format('create function kith_fold_ascii(text) returns text language sql immutable strict parallel safe as %L',
		case when exists (select from pg_collation where collname = 'und-x-icu')
			then $f$select lower(replace(replace($1, U&'\212A', 'k'), U&'\0130', U&'i\0307') collate "C")$f$
			else 'select kith_fold($1)' end);
end
$$;
