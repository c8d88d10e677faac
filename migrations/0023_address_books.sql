-- Address books of devices (CardDAV): what a card has beyond the fields of its record, and what each user has chosen.
--
-- A book is named as in paths: people, companies, or the id of a group with its prefix.

create table contact_cards (
	workspace_id uuid not null,
	-- a person or a company
	record_id uuid not null,
	company boolean not null,
	-- properties that no field has, or whose field has only a part of them, a line each
	kept text not null default '' check (octet_length(kept) <= 1048576),
	-- the client's; '': the card has that of the record's id
	uid text not null default '' check (octet_length(uid) <= 1000),
	-- of the card that was written last: 1 is 3.0, 2 is 4.0
	version smallint not null check (version between 0 and 2),
	-- The key that wrote it, which may have ended since, and the record's updatedAt after that.
	written_by uuid,
	written_at timestamptz check (isfinite(written_at)),
	primary key (workspace_id, record_id)
);
-- Two requests at once cannot make two cards of one UID.
create unique index contact_cards_uid on contact_cards (workspace_id, company, uid) where uid <> '';

-- The names that a user's clients have given to cards. A row outlives the card, because clients that ask
-- later are told of the removal under this name.
create table card_names (
	workspace_id uuid not null,
	user_id uuid not null,
	book text not null check (octet_length(book) <= 40),
	name text not null check (octet_length(name) between 1 and 255),
	record_id uuid not null,
	-- since when the book has no such card; null: it has one
	gone_at timestamptz check (isfinite(gone_at)),
	primary key (workspace_id, user_id, book, name),
	foreign key (workspace_id, user_id) references users on delete cascade
);
-- A name may be that of a person. Without statistics there are no samples of names that an erasure would leave.
alter table card_names alter column name set statistics 0;
create unique index card_names_book on card_names (workspace_id, user_id, book, record_id);
create index card_names_record on card_names (workspace_id, record_id);
create index card_names_gone on card_names (gone_at) where gone_at is not null;

create table address_books (
	workspace_id uuid not null,
	user_id uuid not null,
	book text not null check (octet_length(book) <= 40),
	-- whether the user's devices see it; null: by the rule of dav_book_listed()
	shown boolean,
	display_name text check (octet_length(display_name) between 1 and 1000),
	colour text check (octet_length(colour) between 1 and 40),
	primary key (workspace_id, user_id, book),
	foreign key (workspace_id, user_id) references users on delete cascade
);

-- What belongs to a record's card goes with the record. No foreign keys, because a record is a person or a company.
create function contact_cards_gone() returns trigger language plpgsql as $$
begin
	delete from contact_cards c using gone where c.workspace_id = gone.workspace_id and c.record_id = gone.id;
	update card_names n set gone_at = now() from gone
	where n.workspace_id = gone.workspace_id and n.record_id = gone.id and n.gone_at is null;
	return null;
end
$$;
create trigger people_cards after delete on people referencing old table as gone
	for each statement execute function contact_cards_gone();
create trigger companies_cards after delete on companies referencing old table as gone
	for each statement execute function contact_cards_gone();

-- What users have chosen for the book of a group, and their names of its cards, go with the group.
create function address_books_gone() returns trigger language plpgsql as $$
begin
	delete from address_books b using gone g, users u
	where u.workspace_id = g.workspace_id and b.workspace_id = g.workspace_id and b.user_id = u.id
		and b.book = 'grp_' || g.id;
	delete from card_names n using gone g, users u
	where u.workspace_id = g.workspace_id and n.workspace_id = g.workspace_id and n.user_id = u.id
		and n.book = 'grp_' || g.id;
	return null;
end
$$;
create trigger groups_books after delete on groups referencing old table as gone
	for each statement execute function address_books_gone();

-- Devices send the names of groups back in cards, also those from before a group was renamed.
alter table groups add column old_names text[] not null default '{}';
create function groups_renamed() returns trigger language plpgsql as $$
declare
	names text[] := array_remove(old.old_names, old.name) || old.name;
begin
	new.old_names := names[greatest(1, cardinality(names) - 19):];
	return new;
end
$$;
create trigger groups_renamed before update on groups
	for each row when (old.name is distinct from new.name) execute function groups_renamed();
