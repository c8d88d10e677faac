/* Searches for what remains of a person; see remains.h. SQL itself makes the statements from the catalogue. */
#include "server/operate/remains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"

/* Tables where ids stay: events and deliveries, without values, until they expire; the record of merges; erasures. A
 * job may still be removing references in other records (contacts_gone). */
static const char *const id_tables[] = {"events", "deliveries", "contacts_merged", "contacts_gone", "erasures"};

const char *remains_quote(struct arena *a, const char *text)
{
	char *out = arena_alloc(a, 2 * strlen(text) + 3), *at = out;

	*at++ = '\'';
	for (; *text; *at++ = *text++)
		if (*text == '\'')
			*at++ = '\'';
	*at = '\'';
	return out;
}

bool remains_ask(struct remains *r, const char *sql, const char **out)
{
	char message[DB_ADMIN_MESSAGE];

	if (db_admin_run(r->admin, sql, r->arena, out, message))
		return true;
	fprintf(stderr, "kith: the database refused: %s\n", message);
	return false;
}

bool remains_set(struct remains *r, const char *name, const char *value)
{
	char message[DB_ADMIN_MESSAGE];

	if (db_admin_set(r->admin, name, value, message))
		return true;
	fprintf(stderr, "kith: the database refused: %s\n", message);
	return false;
}

/* Reads the answer of a statement as JSON; NULL with a message. */
static const struct json *remains_json(struct remains *r, const char *sql)
{
	const char *text, *error = "no answer";
	const struct json *read = NULL;

	if (!remains_ask(r, sql, &text))
		return NULL;
	text = text ? text : "[]";
	read = json_read(r->arena, text, strlen(text), &error);
	if (!read)
		fprintf(stderr, "kith: the database's answer cannot be read: %s\n", error);
	return read;
}

static const char *member_text(const struct json *object, const char *key)
{
	const struct json *m = json_member(object, key);

	return m && m->type == JSON_STRING ? m->text : NULL;
}

static int64_t member_number(const struct json *object, const char *key)
{
	const struct json *m = json_member(object, key);

	return m ? strtoll(m->text, NULL, 10) : 0;
}

/* --- patterns ------------------------------------------------------------------------------- */

#define ESCAPED(text) "regexp_replace(" text ", '[][\\\\.^$*+?(){}|]', '\\\\\\&', 'g')"

/* The number of alternatives in a pattern. PostgreSQL refuses large patterns, and caches 32 compiled ones. */
#define CHUNK "25"

/* given: the values. forms: the ways to write them. Columns of bytes are compared as encode(…, 'escape'). That form has
 * numbers for characters outside ASCII, so upper and lower case are separate forms. */
/* clang-format off */
static const char pattern_sql[] =
    "with given as (select distinct left(v, 60) as v from json_array_elements_text(current_setting('kith.values')::json) v), "
    "urls as (select v, (select string_agg(case when chr(get_byte(u.b, i)) ~ '^[A-Za-z0-9._~-]$' then "
    "chr(get_byte(u.b, i)) else '%' || upper(lpad(to_hex(get_byte(u.b, i)), 2, '0')) end, '' order by i) "
    "from (select convert_to(v, 'UTF8') as b) u, generate_series(0, length(u.b) - 1) i) as f from given), "
    "forms as (select distinct x.f from given cross join lateral (values (v), (normalize(v, nfc)), (normalize(v, nfd)), "
    "(normalize(v, nfkc)), (normalize(v, nfkd))) n (w) cross join lateral (values (n.w), "
    "(substr(to_json(n.w)::text, 2, length(to_json(n.w)::text) - 2))) x (f) union select f from urls), "
    "phones as (select regexp_replace(kith_phone_key(v), '([0-9])(?=[0-9])', '\\1[^0-9a-z]{0,3}', 'g') as p from given "
    "where v ~ '^[-0-9 +()./]{7,}$' and length(kith_phone_key(v)) >= 7), "
    "texts as (select " ESCAPED("kith_fold(f)") " as p from forms union select p from phones), "
    "cases as (select distinct convert_to(c.f, 'UTF8') as b from forms x cross join lateral (values (x.f), (lower(x.f)), "
    "(upper(x.f)), (kith_fold(x.f))) c (f)), "
    "bytes as (select " ESCAPED("lower(encode(b, 'escape'))") " as p from cases union select p from phones), "
    "ids as (select unnest(string_to_array(nullif(current_setting('kith.ids'), ''), '|')) as p), "
    "kinds as (select 'text' as kind, p from texts union all select 'bytes', p from bytes union all select 'hex', "
    "encode(b, 'hex') from cases union all select 'id', p from ids), "
    "chunks as (select kind, string_agg(p, '|') as p from (select kind, p, row_number() over (partition by kind order by p) "
    "as n from kinds) k group by kind, k.n / " CHUNK ") "
    "select json_object_agg(kind, patterns) from (select kind, array_agg(p)::text as patterns from chunks group by kind) l";
/* clang-format on */

bool remains_prepare(struct remains *r, const char *values)
{
	static const char *const names[] = {"text", "bytes", "hex", "id"};
	const struct json *made =
	    remains_set(r, "kith.values", values) && remains_set(r, "kith.ids", r->ids ? r->ids : "")
	        ? remains_json(r, pattern_sql)
	        : NULL;
	bool ok = made;

	for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
		const char *patterns = made->type == JSON_OBJECT ? member_text(made, names[i]) : NULL;
		patterns = patterns ? patterns : "{}";
		if (i == 1)
			r->in_bytes = patterns;
		if (i == 3)
			r->as_id = patterns;
		ok = remains_set(r, arena_printf(r->arena, "kith.in_%s", names[i]), patterns);
	}
	return ok;
}

/* --- tables --------------------------------------------------------------------------------- */

/* For a statement that is written inside a string of SQL: the patterns of a setting, evaluated only once. */
#define HIDDEN(name) "any (array(select unnest(current_setting(''kith." name "'')::text[])))"

/* A statement for each table and each partition. Of numbers and times only those that a client may have given are
 * searched: integers and times of the clock are kith's own. */
static const char tables_sql[] =
    "select coalesce(json_agg(json_build_object('table', q.name, 'sql', q.text) order by q.name), '[]') from ("
    "select c.oid::regclass::text as name, format('select coalesce(json_agg(f), ''[]'') from (select %s as workspace, "
    "x.place as \"column\", y.found, count(*) as rows, %s as records from %s t cross join lateral (values %s) "
    "x (place, kind, v) cross join lateral (select case when x.kind = ''t'' and x.v ~ " HIDDEN(
        "in_text") " or x.kind = "
                   "''b'' and x.v ~ " HIDDEN("in_bytes") " then ''value'' when x.v ~ " HIDDEN(
                       "in_id") " then ''id'' end as found) y where y.found is not null group by 1, 2, 3) f', "
                                "case when bool_or(a.attname = 'workspace_id') then 't.workspace_id' else "
                                "'null::uuid' end, case when bool_or(a.attname = 'id' and a.atttypid = "
                                "'uuid'::regtype) then '(array_agg(distinct t.id))[1:5]' else 'null::uuid[]' end, "
                                "c.oid::regclass, string_agg(case when e.oid = 'bytea'::regtype then format('(%L, "
                                "''b'', lower(encode(t.%I, ''escape'')))', a.attname, a.attname) when e.oid = "
                                "'uuid'::regtype then format('(%L, ''k'', %s)', a.attname, case when y.typcategory = "
                                "'A' then format('array_to_string(t.%I, '' '')', a.attname) else "
                                "format('t.%I::text', a.attname) end) else format('(%L, ''t'', kith_fold(%s))', "
                                "a.attname, case when y.typcategory = 'A' then format('array_to_string(t.%I, "
                                "e''\\n'')', a.attname) else format('t.%I::text', a.attname) end) end, ', ' order by "
                                "a.attnum)) as text from pg_class c join pg_attribute a on a.attrelid = c.oid and "
                                "a.attnum > 0 and not a.attisdropped join pg_type y on y.oid = a.atttypid join "
                                "pg_type e on e.oid = case when y.typcategory = 'A' then y.typelem else y.oid end "
                                "where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and "
                                "e.typname not in ('bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'oid', 'xid', "
                                "'xid8', 'timestamptz', 'timestamp', 'interval', 'name') group by c.oid) q";

static bool keeps_ids(const char *table)
{
	for (size_t i = 0; i < sizeof id_tables / sizeof *id_tables; i++) {
		size_t len = strlen(id_tables[i]);
		if (strncmp(table, id_tables[i], len) == 0 && (table[len] == '\0' || table[len] == '_'))
			return true;
	}
	return false;
}

static void remains_take(struct remains *r, const char *table, const struct json *row)
{
	struct remains_found f = {.what = member_text(row, "found"),
	    .table = table,
	    .column = member_text(row, "column"),
	    .workspace = member_text(row, "workspace"),
	    .rows = member_number(row, "rows"),
	    .records = json_member(row, "records")};
	bool value = strcmp(f.what, "value") == 0;

	if (r->workspace && f.workspace && strcmp(r->workspace, f.workspace) != 0) {
		r->elsewhere |= value;
		return;
	}
	if (!value && (r->pending || keeps_ids(table))) {
		r->kept += f.rows;
		return;
	}
	r->values += value ? f.rows : 0;
	r->strays += value ? 0 : f.rows;
	r->found(r->ctx, &f);
}

/* False when the time is over. */
static bool remains_limit(struct remains *r)
{
	int64_t left_ms = (r->until_us - clock_mono_us()) / 1000;

	if (!r->until_us)
		return true;
	return left_ms > 0 &&
	       remains_ask(r, arena_printf(r->arena, "set statement_timeout = %lld", (long long)left_ms), NULL);
}

static bool remains_table(struct remains *r, const struct json *one)
{
	const struct json *rows;

	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\rkith: searching: %d tables left \033[K", r->n_left);
	rows = remains_limit(r) ? remains_json(r, member_text(one, "sql")) : NULL;
	for (const struct json *row = rows ? rows->first : NULL; row; row = row->next)
		remains_take(r, member_text(one, "table"), row);
	return rows;
}

static const char pending_sql[] =
    "select 1 from contacts_gone where id::text = any (string_to_array(current_setting('kith.ids'), '|')) limit 1";

bool remains_look(struct remains *r)
{
	const struct json *tables = remains_json(r, tables_sql), *one;
	const char *sealed = NULL, *pending = NULL;

	if (!tables || !remains_ask(r, pending_sql, &pending))
		return false;
	r->pending = pending;
	r->n_tables = r->n_left = (int)tables->count;
	for (one = tables->first; one && remains_table(r, one); one = one->next)
		r->n_left--;
	if (isatty(STDERR_FILENO))
		dprintf(STDERR_FILENO, "\r\033[K");
	/* Answers that contain a secret: those of webhooks and keys. */
	if (!remains_ask(
	        r, "select count(*) from idempotency_keys where length(body) > 0 and get_byte(body, 0) = 1", &sealed))
		return false;
	r->sealed = sealed ? strtoll(sealed, NULL, 10) : 0;
	return r->n_left == 0;
}

/* --- statistics ------------------------------------------------------------------------------ */

/* The tables whose statistics, or those of their indexes, contain one of the values. Text that comes from bytes has
 * hexadecimal digits. */
static const char statistics_sql[] =
    "select coalesce(json_agg(distinct coalesce(i.indrelid, c.oid)::regclass::text), '[]') from pg_stats p join "
    "pg_class c on c.relname = p.tablename and c.relnamespace = current_schema()::regnamespace left join pg_index i "
    "on i.indexrelid = c.oid where p.schemaname = current_schema() and (kith_fold(concat_ws(e'\\n', "
    "p.most_common_vals::text, p.histogram_bounds::text, p.most_common_elems::text)) ~ " REMAINS_ANY(
        "in_text") " or "
                   "concat_ws(' ', p.most_common_vals::text, "
                   "p.histogram_bounds::text) ~ " REMAINS_ANY("in_hex") ")";

bool remains_statistics(struct remains *r)
{
	const struct json *tables;

	if (r->elsewhere)
		return true;
	tables = remains_json(r, statistics_sql);
	for (const struct json *t = tables ? tables->first : NULL; t; t = t->next) {
		struct remains_found f = {.what = "value", .table = t->text, .column = "(statistics)", .rows = 1};
		r->values++;
		r->found(r->ctx, &f);
	}
	return tables;
}
