-- What each update pays for and nothing needs.

-- A record's own values are found by field, which its json names; a group's objects by their types.
drop index field_values_owner;
drop index objects_group;

-- A number for a set of ids, whatever their order; 0 for none. Without a query within, it takes a tenth of the time, and
-- each update of a row asks for it twice. Sets that have a number in common are told apart by the rows.
create or replace function kith_set(ids uuid[]) returns int8 language plpgsql immutable strict parallel safe as $$
declare
	number int8 := 0;
	id uuid;
begin
	if cardinality(ids) = 0 then
		return 0;
	end if;
	foreach id in array ids loop
		number := number # uuid_hash_extended(id, 0);
	end loop;
	return number;
end
$$;
reindex index people_group_set;
reindex index people_company_set;
reindex index companies_group_set;
reindex index objects_company_set;
reindex index objects_people_set;
