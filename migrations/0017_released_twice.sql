-- 0012 was released in two texts: in the first kith_fold_items() called kith_fold() without its schema, and autovacuum
-- and restores failed at its indexes. From here on all databases have the second.
do $$
begin
	execute format($function$
		create or replace function kith_fold_items(items text[]) returns text[] language plpgsql immutable strict parallel safe as $body$
		declare
			folded text[];
		begin
			if cardinality(items) = 0 then
				return items;
			end if;
			-- Folding neither makes nor takes a separator; an item that holds one shows in the count.
			folded := string_to_array(%1$I.kith_fold(array_to_string(items, e'\x01')), e'\x01');
			if cardinality(folded) = cardinality(items) then
				return folded;
			end if;
			return array(select %1$I.kith_fold(i) from unnest(items) i);
		end
		$body$ $function$, current_schema());
end
$$;
