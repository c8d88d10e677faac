/* Checks the rows of a file; see sound.h. */
#include "server/cell/sound.h"

#include <stdio.h>
#include <string.h>

#include "server/base/json.h"
#include "server/cell/arrive.h"
#include "server/cell/shape.h"
#include "server/input/limits.h"
#include "store/resources.h"

enum { SQL_MAX = 64 << 10, LINE_MAX = 16 << 20, LONG_TEXT = 500 * 1000, TEXT = 8192, KEPT_TEXT = 1 << 20 };

static bool sound_odd(const struct cell_table *t, int64_t row, const char *what)
{
	fprintf(stderr, "kith: table %s, row %lld: %s\n", t->name, (long long)row, what);
	return false;
}

/* --- checks by type ----------------------------------------------------------------------- */

#define IS_LIST                                                                                                        \
	"case when array_ndims($) > 1 or array_lower($, 1) <> 1 then true else array_position($, null) is not null "   \
	"or cardinality($) > 200000 end"

/* "$" stands for the column. */
static const struct type_rule {
	const char *type, *odd, *what;
} type_rules[] = {
    {"timestamp with time zone", "$ < '0001-01-01' or $ >= '10000-01-01'", "is not a time in the years 1 to 9999"},
    {"date", "$ not between '0001-01-01' and '9999-12-31'", "is not a day in the years 1 to 9999"},
    {"bigint", "$ not between -9007199254740992 and 9007199254740992", "is out of range"},
    {"integer", "$ not between -1073741824 and 1073741823", "is out of range"},
    {"numeric", "$ in ('NaN', 'Infinity', '-Infinity') or length($::text) > 402", "is out of range"},
    {"bytea", "octet_length($) > 16777216", "is too long"},
    {"text[]", IS_LIST " or octet_length(array_to_string($, '')) > 1000000", "is not a list, or is too long"},
    {"uuid[]", IS_LIST, "is not a list, or is too long"},
    {"bigint[]", IS_LIST, "is not a list, or is too long"},
};

#define NO_ENTITY "entity_type not in ('person', 'company', 'object')", "entity_type is unknown"

static const struct table_rule {
	const char *table, *odd, *what;
} table_rules[] = {
    {"events", "generation < 0 or xid < 0 or seq < 0", "has no position"},
    {"events", "created_at > clock_timestamp() + interval '1 day'", "created_at is in the future"},
    {"events", "actor_via < 1", "actor_via is unknown"},
    {"deliveries", "created_at > clock_timestamp() + interval '1 day'", "created_at is in the future"},
    {"idempotency_keys", "status not between 100 and 599 or content_type ~ '[^ -~]' or etag ~ '[^ -~]'",
        "is not a stored answer"},
    /* A job for all workspaces adds to this counter, and would fail at the largest number of its type. */
    {"interaction_counts", "count > 1000000000000", "count is out of range"},
    {"people",
        "coalesce(cardinality(interaction_numbers), 0) <> 2 * coalesce(cardinality(interaction_users), 0) or "
        "cardinality(interaction_users) > 10000 or 300000000000000 < any (interaction_numbers) or "
        "-300000000000000 > any (interaction_numbers)",
        "interaction_numbers are not two numbers for each of interaction_users"},
    {"companies", "foundation_year not between 0 and 9999", "foundation_year is not a year"},
    {"tasks", "due_time not between 0 and 1439", "due_time is not a time of day"},
    {"users", "octet_length(full_name) + octet_length(email) > 4096", "full_name is too long"},
    {"notes", NO_ENTITY},
    {"tasks", NO_ENTITY},
    {"reminders", NO_ENTITY},
    {"interactions", NO_ENTITY},
};

/* Columns whose values are words from a field's list. */
static const struct choice_rule {
	const char *table;
	const struct resource *resource;
	int field;
} choice_rules[] = {
    {"people", &person_resource, PERSON_GENDER},
    {"companies", &company_resource, COMPANY_EMPLOYEE_RANGE},
    {"custom_fields", &custom_field_resource, CF_TYPE},
    {"tasks", &task_resource, TASK_FREQUENCY},
    {"views", &view_resource, VIEW_KIND},
    {"views", &view_resource, VIEW_VISIBILITY},
};

static const struct shape_rule {
	const char *table, *column, *shape;
} shape_rules[] = {
    {"custom_fields", "options", "[{id:u,label:s,color?:s|0,removed?:*}]"},
    {"people", "custom_values", "{u:s|n|b|[s|n]}"},
    {"companies", "custom_values", "{u:s|n|b|[s|n]}"},
    {"objects", "custom_values", "{u:s|n|b|[s|n]}"},
    {"events", "data", "{changes?:[{path:[s],type:s,value?:*,previous?:*}],details?:{*:*}}"},
    {"webhooks", "subscribed_events", "[{eventType:s,filter?:{*:*}}]"},
    {"views", "query", "{*:*}"},
    {"views", "board", "{*:*}"},
    {"views", "chart", "{*:*}"},
    {"deliveries", "attempts", "[{at:s,durationMs:n,statusCode:n|0,error:s|0}]"},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* --- statements --------------------------------------------------------------------------- */

static void odd_sql(struct buf *sql, const char *column, const char *odd, const char *what)
{
	buf_addz(sql, " when ");
	for (; *odd; odd++)
		if (*odd == '$')
			buf_addz(sql, column);
		else
			buf_addc(sql, *odd);
	buf_printf(sql, " then '%s%s%s'", column, *column ? " " : "", what);
}

static bool is_one_of(const char *name, const char *const names[])
{
	while (*names && strcmp(name, *names) != 0)
		names++;
	return *names;
}

static void odd_text_sql(struct buf *sql, const char *column)
{
	static const char *const longs[] = {"content", "description", "text_value", NULL};
	int most = strcmp(column, "kept") == 0 ? KEPT_TEXT : is_one_of(column, longs) ? LONG_TEXT : TEXT;
	char odd[64];

	snprintf(odd, sizeof odd, "octet_length($) > %d", most);
	odd_sql(sql, column, odd, "is too long");
}

static void odd_column_sql(struct buf *sql, const struct sound_table *s, const char *column, const char *type)
{
	static const char *const generations[] = {"generation", "position_generation", NULL};
	char odd[128], id[37];

	if (strcmp(column, "workspace_id") == 0) {
		snprintf(odd, sizeof odd, "$ <> '%s'", uuid_format(&s->sound->file->workspace, id));
		odd_sql(sql, column, odd, "is of another workspace");
	}
	if (is_one_of(column, generations)) {
		snprintf(odd, sizeof odd, "$ > %lld", (long long)s->sound->file->generation);
		odd_sql(sql, column, odd, "is later than the file");
	}
	if (!s->sound->all)
		return;
	if (strcmp(type, "text") == 0)
		odd_text_sql(sql, column);
	for (size_t i = 0; i < COUNT(type_rules); i++)
		if (strcmp(type_rules[i].type, type) == 0)
			odd_sql(sql, column, type_rules[i].odd, type_rules[i].what);
}

static void odd_choice_sql(struct buf *sql, const struct choice_rule *rule)
{
	const struct field *f = &rule->resource->fields[rule->field];

	buf_printf(sql, " when %s not in (", f->column);
	for (int i = 0; f->choices[i]; i++)
		buf_printf(sql, "%s'%s'", i ? ", " : "", f->choices[i]);
	buf_printf(sql, ") then '%s is not an allowed value'", f->column);
}

static void odd_row_sql(struct buf *sql, const char *table)
{
	for (size_t i = 0; i < COUNT(table_rules); i++)
		if (strcmp(table_rules[i].table, table) == 0)
			odd_sql(sql, "", table_rules[i].odd, table_rules[i].what);
	for (size_t i = 0; i < COUNT(choice_rules); i++)
		if (strcmp(choice_rules[i].table, table) == 0)
			odd_choice_sql(sql, &choice_rules[i]);
}

/* Finds the position of a column in those of the table. False: it has no such column. */
static bool column_place(const char *columns, const char *name, size_t *place)
{
	size_t len = strlen(name);

	*place = 0;
	for (const char *at = columns; at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL, ++*place)
		if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
			return true;
	return false;
}

bool sound_table_begin(
    struct sound_table *s, const struct sound *sound, const struct cell_table *t, const char *columns, struct arena *a)
{
	struct buf sql;
	size_t place;

	*s = (struct sound_table){.sound = sound, .table = t, .columns = columns};
	if (!db_copy_must(sound->c,
	        "select quote_ident(attname), format_type(atttypid, -1) from pg_attribute where attrelid = "
	        "'%s'::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
	        t->name))
		return false;
	buf_init(&sql, SQL_MAX);
	buf_addz(&sql, "select n, what from (select row_number() over (order by ctid) as n, case");
	for (int i = 0; i < db_copy_rows(sound->c); i++)
		if (column_place(columns, db_copy_text(sound->c, i, 0), &place))
			odd_column_sql(&sql, s, db_copy_text(sound->c, i, 0), db_copy_text(sound->c, i, 1));
	if (sound->all)
		odd_row_sql(&sql, t->name);
	buf_printf(&sql, " end as what from staged_%s) s where what is not null order by n limit 1", t->name);
	s->sql = arena_dup(a, sql.data, sql.len);
	buf_free(&sql);
	return true;
}

bool sound_staged(const struct copy_load *l, void *sound_table)
{
	const struct sound_table *s = sound_table;

	if (!db_copy_must(s->sound->c, "%s", s->sql))
		return false;
	return db_copy_rows(s->sound->c) == 0 ||
	       sound_odd(
	           s->table, l->rows - (int64_t)l->n + db_copy_int(s->sound->c, 0, 0), db_copy_text(s->sound->c, 0, 1));
}

/* --- JSON --------------------------------------------------------------------------------- */

/* True when the line has only the escapes that COPY writes. For example, COPY reads a tab after a backslash as part of
 * the field, but line_field() takes it for the end of the field. */
static bool line_plain(const char *line, size_t len)
{
	const char *end = line + len;

	if (memchr(line, '\r', len))
		return false;
	for (const char *at = line; (at = memchr(at, '\\', (size_t)(end - at))); at += 2)
		if (at + 1 == end || !at[1] || !strchr("bfnrtv\\N", at[1]))
			return false;
	return true;
}

/* Returns the text of a column from the form that COPY writes. NULL: it has other escapes. */
static char *field_text(struct arena *a, const char *field, size_t len, size_t *out_len)
{
	static const char letters[] = "bfnrtv\\", bytes[] = "\b\f\n\r\t\v\\";
	char *out = arena_alloc(a, len + 1), *to = out;

	for (size_t i = 0; i < len; i++) {
		const char *known = field[i] == '\\' && i + 1 < len ? strchr(letters, field[i + 1]) : NULL;
		if (field[i] == '\\' && (!known || !*known))
			return NULL;
		*to++ = known ? bytes[known - letters] : field[i];
		i += known != NULL;
	}
	*to = '\0';
	*out_len = (size_t)(to - out);
	return out;
}

/* Returns the n-th field of a line; NULL: there are fewer fields. */
static const char *line_field(const char *line, size_t len, size_t n, size_t *field_len)
{
	const char *end = line + len - 1, *tab; /* the line feed */

	for (; n > 0; n--) {
		tab = memchr(line, '\t', (size_t)(end - line));
		if (!tab)
			return NULL;
		line = tab + 1;
	}
	tab = memchr(line, '\t', (size_t)(end - line));
	*field_len = (size_t)((tab ? tab : end) - line);
	return line;
}

/* True when the JSON has the form that the program writes. Answers contain it unchanged, and events contain it without
 * its braces. */
static bool json_compact(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ')
			return false;
	return len >= 2 && *text != ' ' && text[len - 1] != ' ' && (len == 2 || strspn(text + 1, " ") != len - 2);
}

static bool json_sound(const struct shape_rule *rule, const char *field, size_t len)
{
	struct arena a;
	const char *error, *text;
	struct json *value;
	size_t text_len;
	bool fits;

	if (len == 2 && memcmp(field, "\\N", 2) == 0)
		return true;
	arena_init(&a);
	text = field_text(&a, field, len, &text_len);
	value = text ? json_read(&a, text, text_len, &error) : NULL;
	fits = value && json_compact(text, text_len) && shape_fits(rule->shape, value);
	arena_free(&a);
	return fits;
}

bool sound_line(struct sound_table *s, const char *line, size_t len)
{
	s->rows++;
	if (!line_plain(line, len))
		return sound_odd(s->table, s->rows, "is not in the form that COPY writes");
	if (!s->sound->all)
		return true;
	if (len > LINE_MAX)
		return sound_odd(s->table, s->rows, "is too long");
	for (size_t i = 0; i < COUNT(shape_rules); i++) {
		const struct shape_rule *rule = &shape_rules[i];
		char what[64];
		const char *field;
		size_t place, field_len;
		if (strcmp(rule->table, s->table->name) != 0 || !column_place(s->columns, rule->column, &place))
			continue;
		field = line_field(line, len, place, &field_len);
		snprintf(what, sizeof what, "%s is not JSON of the expected shape", rule->column);
		if (!field || !json_sound(rule, field, field_len))
			return sound_odd(s->table, s->rows, what);
	}
	return true;
}

/* --- the whole file ----------------------------------------------------------------------- */

/* Limits for tables that have none in requests. The rows of removed records count too. */
static const struct most_rows {
	const char *table;
	int64_t most;
} most_rows[] = {{"workspaces", 1}, {"users", 10 * 1000}, {"api_keys", 1000 * 1000}, {"invitations", 100 * 1000},
    {"groups", 10 * 1000}, {"webhooks", 100}, {"object_types", 100 * 1000}, {"custom_fields", 20 * 1000},
    {"events", 50 * 1000 * 1000}, {"deliveries", 50 * 1000 * 1000}};

bool sound_file(const struct sound *s)
{
	const struct archive *f = s->file;

	for (size_t i = 0; s->all && i < COUNT(most_rows); i++)
		if (archive_rows(f, most_rows[i].table) > most_rows[i].most) {
			fprintf(stderr, "kith: table %s has %lld rows, but at most %lld are allowed\n",
			    most_rows[i].table, (long long)archive_rows(f, most_rows[i].table),
			    (long long)most_rows[i].most);
			return false;
		}
	if (archive_rows(f, "workspaces") != 1) {
		fprintf(stderr, "kith: the file does not have exactly one workspace\n");
		return false;
	}
	return arrive_in_time(s->c, f->generation, s->all ? 1 : ARRIVE_AHEAD_DAYS, "the file's");
}

static const struct limit_rule {
	enum limit_name which;
	const char *most; /* the largest number for one holder */
} limit_rules[] = {
    {LIMIT_REMINDERS, "count(*) from reminders where workspace_id = '%s' and next_trigger_at is not null"},
    {LIMIT_WEBHOOKS, "count(*) from webhooks where workspace_id = '%s'"},
    {LIMIT_KEYS, "count(*) from api_keys where workspace_id = '%s' and kind = 'key' and revoked_at is null and "
                 "(expires_at is null or expires_at > now())"},
    {LIMIT_DEVICES,
        "max(n) from (select count(*) as n from api_keys where workspace_id = '%s' and kind in ('contacts', "
        "'calendar') and revoked_at is null and (expires_at is null or expires_at > now()) group by "
        "user_id) t"},
    {LIMIT_VIEWS, "count(*) from views where workspace_id = '%s'"},
    {LIMIT_GROUPS, "count(*) from groups where workspace_id = '%s' and removed_at is null"},
    {LIMIT_TYPES, "max(n) from (select count(*) as n from object_types where workspace_id = '%s' and removed_at is "
                  "null group by group_id) t"},
    {LIMIT_FIELDS, "max(n) from (select count(*) as n from custom_fields where workspace_id = '%s' and removed_at is "
                   "null group by group_id, entity, type_id) t"},
    {LIMIT_ALL_FIELDS, "count(*) from custom_fields where workspace_id = '%s' and removed_at is null"},
    {LIMIT_OPTIONS, "max((select count(*) from json_array_elements(options) o where o -> 'removed' is null)) from "
                    "custom_fields where workspace_id = '%s' and removed_at is null"},
    {LIMIT_ALL_OPTIONS, "sum((select count(*) from json_array_elements(options) o where o -> 'removed' is null)) from "
                        "custom_fields where workspace_id = '%s' and removed_at is null"},
    {LIMIT_CUSTOM_BYTES, "max(octet_length(custom_values::text)) from people where workspace_id = '%s'"},
    {LIMIT_CUSTOM_BYTES, "max(octet_length(custom_values::text)) from companies where workspace_id = '%s'"},
    {LIMIT_CUSTOM_BYTES, "max(octet_length(custom_values::text)) from objects where workspace_id = '%s'"},
};

bool sound_limits(const struct sound *s)
{
	char text[LIMIT_TEXT_SIZE], id[37], sql[512];

	uuid_format(&s->file->workspace, id);
	for (size_t i = 0; s->all && i < COUNT(limit_rules); i++) {
		const char *at = strstr(limit_rules[i].most, "%s");
		snprintf(sql, sizeof sql, "select %.*s%s%s", (int)(at - limit_rules[i].most), limit_rules[i].most, id,
		    at + 2);
		if (!db_copy_must(s->c, "%s", sql))
			return false;
		if (db_copy_int(s->c, 0, 0) <= limits[limit_rules[i].which].most)
			continue;
		fprintf(stderr, "kith: %s\n", limit_text(text, limit_rules[i].which, db_copy_int(s->c, 0, 0)));
		return false;
	}
	return true;
}
