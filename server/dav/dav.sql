-- Statements of address books that have one form; docs/carddav.md. Those that list cards are composed in
-- dav_cards.c and dav_changes.c.

-- Nothing that psql runs stays: the transaction is not committed.
\set AUTOCOMMIT off

-- [settings] workspace, user
select book, shown, display_name, colour
from address_books
where workspace_id = :'workspace' and user_id = :'user';

-- [show_book] workspace, user, book, shown
insert into address_books (workspace_id, user_id, book, shown)
values (:'workspace', :'user', :'book', :'shown')
on conflict (workspace_id, user_id, book) do update set shown = excluded.shown;

-- What is not given stays.
-- [name_book] workspace, user, book, name_given, name, colour_given, colour
insert into address_books as b (workspace_id, user_id, book, display_name, colour)
values (:'workspace', :'user', :'book', :'name', :'colour')
on conflict (workspace_id, user_id, book) do update set
	display_name = case when :'name_given' then excluded.display_name else b.display_name end,
	colour = case when :'colour_given' then excluded.colour else b.colour end;

-- [named] workspace, user, book, names
select name, record_id
from card_names
where workspace_id = :'workspace' and gone_at is null and user_id = :'user' and book = :'book'
	and name = any (:'names');

-- [old_group_names] workspace
select unnest(old_names) from groups where workspace_id = :'workspace';

-- Whether the company has had that name since shortly before then.
-- [company_renamed] workspace, company, stamp, name
select from events e
where e.workspace_id = :'workspace' and e.record_id = :'company' and e.type = 'company.updated'
	and e.created_at > :'stamp'::timestamptz - interval '1 minute'
	and e.data::jsonb @> jsonb_build_object('changes', jsonb_build_array(
		jsonb_build_object('path', jsonb_build_array('name'), 'previous', :'name'::text)))
limit 1;

-- [save_card] workspace, record, company, kept, uid, version, key, stamp
insert into contact_cards (workspace_id, record_id, company, kept, uid, version, written_by, written_at)
values (:'workspace', :'record', :'company', :'kept', :'uid', :'version', :'key', :'stamp')
on conflict (workspace_id, record_id) do update set
	kept = excluded.kept, uid = excluded.uid, version = excluded.version, written_by = excluded.written_by,
	written_at = excluded.written_at;

-- A card gets a name, and no other one. The name may have been that of a card that the book does not have any more.
--   group: of the book, or nothing
-- [forget_name] workspace, user, book, group, record, name
delete from card_names n
where n.workspace_id = :'workspace' and n.user_id = :'user' and n.book = :'book'
	and (n.record_id = :'record'
		or (n.name = :'name' and (n.gone_at is not null
			or (:'group'::uuid is not null and not exists (select from person_groups g
				where g.workspace_id = :'workspace' and g.person_id = n.record_id and g.group_id = :'group')))));

-- [save_name] workspace, user, book, record, name
insert into card_names (workspace_id, user_id, book, record_id, name)
values (:'workspace', :'user', :'book', :'record', :'name');

-- [end_name] workspace, user, book, record, stamp
update card_names set gone_at = :'stamp'
where workspace_id = :'workspace' and user_id = :'user' and book = :'book' and record_id = :'record';

-- For each book its last event among the recent ones. If it has none there, one of the other recent events takes its
-- place: the one whose transaction number has the most zero bits at its end. As long as that event is recent, most
-- later reads choose it again, so the state stays the same. Without recent events it is the last event from which a
-- token can still continue. "recent" is read only as far as needed, in its order.
--   recent, first: times from which events are read
--   kinds, groups: of the books; the group of all zeros is none
-- [states] workspace, recent, first, kinds, groups
with readable as not materialized (
	select e.generation, e.xid, e.seq, e.created_at, e.group_ids,
		case
			when e.type in ('person.created', 'person.updated', 'person.deleted', 'person.groups_updated')
				then 'person'
			when e.type in ('company.created', 'company.updated', 'company.deleted', 'company.groups_updated')
				then 'company'
		end as kind
	from events e
	where e.workspace_id = :'workspace' and e.webhook_id is null
		and (e.generation, e.xid) < (kith_generation(), pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
), recent as materialized (
	select * from readable
	where created_at >= :'recent'
	order by generation desc, xid desc, seq desc
	limit 5000
), before as materialized (
	select * from readable
	where created_at >= :'first'
	order by generation desc, xid desc, seq desc
	limit 1
), round as materialized (
	select * from recent
	order by xid & -xid desc, generation desc, xid desc, seq desc
	limit 1
)
select kith_generation(), pg_snapshot_xmin(pg_current_snapshot()), p.generation, p.xid, p.seq, p.created_at
from unnest(:'kinds'::text[], :'groups'::uuid[]) with ordinality b (kind, group_id, n)
left join lateral (
	(select * from recent e
	where e.kind = b.kind
		and (b.group_id = '00000000-0000-0000-0000-000000000000' or b.group_id = any (e.group_ids))
	limit 1)
	union all
	(select * from round)
	union all
	(select * from before)
	limit 1
) p on true
order by b.n;
