/* Counts rows; see counted.h. */
#include "server/operate/counted.h"

#include <stdio.h>
#include <string.h>

#include "server/base/json.h"

/* Returns a statement that counts the rows of all tables. */
static const char tables_sql[] =
    "select 'select json_object_agg(t, n) from (' || string_agg(format('select %L as t, count(*) as n from %s', "
    "relname, c.oid::regclass), ' union all ' order by relname) || ') q' from pg_class c where relnamespace = "
    "current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and not exists (select from "
    "pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')";

const char *counted_rows(struct db_admin *admin, struct arena *a, char message[DB_ADMIN_MESSAGE])
{
	const char *sql, *rows = NULL;

	if (!db_admin_run(admin, tables_sql, a, &sql, message))
		return NULL;
	if (!sql)
		return "{}";
	return db_admin_run(admin, sql, a, &rows, message) ? rows : NULL;
}

bool counted_same(const char *expected, const char *found)
{
	struct arena a;
	const char *error;
	const struct json *before, *after, *n;
	bool same;

	arena_init(&a);
	before = json_read(&a, expected, strlen(expected), &error);
	after = json_read(&a, found, strlen(found), &error);
	same = before && after && before->type == JSON_OBJECT && after->type == JSON_OBJECT;
	for (const struct json *t = same ? before->first : NULL; t && same; t = t->next) {
		n = json_member(after, t->key);
		same = n && t->type == JSON_NUMBER && strcmp(n->text, t->text) == 0;
		if (!same)
			fprintf(stderr, "kith: table %s has %s rows, and the manifest says %s\n", t->key,
			    n ? n->text : "no", t->type == JSON_NUMBER ? t->text : "something else");
	}
	if (same && before->count != after->count)
		fprintf(stderr, "kith: there are %zu tables, and the manifest says %zu\n", after->count, before->count);
	same = same && before->count == after->count;
	arena_free(&a);
	return same;
}
