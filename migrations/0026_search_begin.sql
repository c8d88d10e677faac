-- As in 0018. A word of one or two letters begins after a blank or a mark of ASCII or Latin-1. PostgreSQL derives no trigrams
-- from a set of characters that has one above U+07FF, so with the marks of typography in it no index found such a word.
create or replace function kith_search_begin(word text) returns text language sql immutable strict parallel safe
	return '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u00D7\u00F7]' || regexp_replace(kith_search_fold(word), '[][\\.^$*+?(){}|]', '\\\&', 'g');
