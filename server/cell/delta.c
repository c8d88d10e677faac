/* Copies what has changed since the last pass; see delta.h. */
#include "server/cell/delta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/cell/seal.h"

enum { SQL_MAX = 1 << 20, ROW_MAX = 256 << 20, REPAIRS_MAX = 4 };

/* The rows of a table, divided into parts. */
struct parts {
	int64_t rows[CELL_PARTS];
};

/* Returns a condition for rows written since then. Rows have the numbers of their transactions modulo 2^32. */
static const char *delta_written(struct delta *d)
{
	return *d->since ? arena_printf(&d->arena, "age(xmin) <= %lld", (long long)d->age) : "true";
}

/* Asks both databases at the same time. */
static bool delta_ask_both(struct delta *d, const char *sql)
{
	bool sent = db_copy_send(d->from, sql) && db_copy_send(d->to, sql);
	bool there = db_copy_wait(d->from), here = db_copy_wait(d->to);

	if (sent && there && here)
		return true;
	return db_copy_say(there ? d->to : d->from);
}

static void parts_read(struct parts *p, const struct db_copy *c)
{
	memset(p, 0, sizeof *p);
	for (int row = 0; row < db_copy_rows(c); row++) {
		int64_t part = db_copy_int(c, row, 0);
		if (part >= 0 && part < CELL_PARTS)
			p->rows[part] = db_copy_int(c, row, 1);
	}
}

static bool parts_read_both(struct parts *there, struct parts *here, struct delta *d, const struct cell_table *t)
{
	char id[37];

	if (!delta_ask_both(
	        d, arena_printf(&d->arena, "select %s, count(*) from %s where workspace_id = '%s' group by 1",
	               t->spread, t->name, uuid_format(&d->workspace, id))))
		return false;
	parts_read(there, d->from);
	parts_read(here, d->to);
	return true;
}

/* Returns "spread = any ('{…}')" for the parts that differ; NULL: none differ. */
static const char *parts_differ(
    struct delta *d, const struct cell_table *t, const struct parts *there, const struct parts *here)
{
	struct buf list;
	const char *condition = NULL;

	buf_init(&list, SQL_MAX);
	for (int i = 0; i < CELL_PARTS; i++)
		if (there->rows[i] != here->rows[i])
			buf_printf(&list, "%s%d", list.len ? "," : "", i);
	if (list.len)
		condition = arena_printf(&d->arena, "%s = any ('{%s}')", t->spread, list.data);
	buf_free(&list);
	return condition;
}

/* --- copying ---------------------------------------------------------------------------------- */

static bool delta_copy(struct delta *d, const struct cell_table *t, const char *condition)
{
	const char *columns = d->columns[t - cell_tables], *line;
	struct copy_load l;
	struct buf other;
	bool ok;
	long len = 0;

	if (!copy_load_begin(&l, d->to, t, columns))
		return false;
	if (!db_copy_out(d->from, copy_select(&d->arena, t, columns, &d->workspace, condition)))
		return db_copy_say(d->from);
	buf_init(&other, ROW_MAX);
	ok = true;
	while (ok && (len = db_copy_line(d->from, &line)) > 0) {
		bool sealed = seal_line(&other, t, columns, line, (size_t)len, d->own, d->other);
		ok = copy_load_row(&l, sealed ? other.data : line, sealed ? other.len : (size_t)len);
		buf_clear(&other);
	}
	buf_free(&other);
	d->rows += l.rows;
	if (ok && len < 0)
		return db_copy_say(d->from);
	return ok && copy_load_commit(&l);
}

/* For tables whose rows have no key: replaces the rows that fulfil the condition. */
static bool delta_replace(struct delta *d, const struct cell_table *t, const char *condition)
{
	char id[37];

	return db_copy_must(d->to, "delete from %s where workspace_id = '%s' and %s", t->name,
	           uuid_format(&d->workspace, id), condition) &&
	       delta_copy(d, t, condition);
}

/* Replaces the rows of every owner that had a row written. */
static bool delta_replace_written(struct delta *d, const struct cell_table *t)
{
	struct buf owners;
	char id[37];
	bool ok = db_copy_must(d->from, "select distinct %s from %s where workspace_id = '%s' and %s", t->owner,
	    t->name, uuid_format(&d->workspace, id), delta_written(d));

	if (!ok || db_copy_rows(d->from) == 0)
		return ok;
	buf_init(&owners, SQL_MAX * 16);
	for (int row = 0; row < db_copy_rows(d->from); row++)
		buf_printf(&owners, "%s%s", row ? "," : "", db_copy_text(d->from, row, 0));
	ok = !owners.overflow &&
	     delta_replace(d, t, arena_printf(&d->arena, "%s = any ('{%s}')", t->owner, owners.data));
	buf_free(&owners);
	return ok;
}

/* False when there is no time left. */
static bool delta_in_time(struct delta *d)
{
	d->late = d->late || (d->until_us && clock_mono_us() > d->until_us);
	return !d->late;
}

/* --- removing ----------------------------------------------------------------------------------- */

/* Reads the keys of the parts that differ from the source, and removes the rows with other keys from the target. */
static bool delta_remove_parts(struct delta *d, const struct cell_table *t, const char *condition)
{
	const char *columns = arena_printf(&d->arena, "workspace_id%s%s", *t->key ? ", " : "", t->key), *line;
	char id[37], kept[64];
	struct buf match;
	bool ok;
	long len = 0;

	snprintf(kept, sizeof kept, "kept_%s", t->name);
	if (!db_copy_must(d->to, "create temporary table if not exists %s as select %s from %s limit 0; truncate %s",
	        kept, columns, t->name, kept))
		return false;
	if (!db_copy_out(d->from, copy_select(&d->arena, t, columns, &d->workspace, condition)))
		return db_copy_say(d->from);
	if (!db_copy_in(d->to, kept, columns))
		return db_copy_say(d->to);
	ok = true;
	while (ok && (len = db_copy_line(d->from, &line)) > 0)
		ok = db_copy_put(d->to, line, (size_t)len);
	if (len < 0)
		return db_copy_say(d->from);
	if (!ok || !db_copy_end(d->to))
		return db_copy_say(d->to);
	buf_init(&match, SQL_MAX);
	copy_match_sql(&match, t);
	ok = db_copy_must(d->to,
	    "analyze %s; delete from %s t where workspace_id = '%s' and %s and not exists (select from %s s where %s)",
	    kept, t->name, uuid_format(&d->workspace, id), condition, kept, match.data);
	buf_free(&match);
	d->rows += ok ? db_copy_affected(d->to) : 0;
	return ok;
}

/* Compares the numbers of rows of each part in the two databases. Sets *condition to a condition for the parts that
 * differ, or to NULL if none differs. Returns false when a database cannot be read. */
static bool delta_compare(struct delta *d, const struct cell_table *t, const char **condition)
{
	struct parts *there = mem_alloc(sizeof *there), *here = mem_alloc(sizeof *here);
	bool ok = parts_read_both(there, here, d, t);

	*condition = ok ? parts_differ(d, t, there, here) : NULL;
	free(there);
	free(here);
	return ok;
}

/* Afterwards both databases must have the same number of rows in each part. The target's own jobs may have removed
 * expired rows, such as stored answers, that the source still had. Those are copied again. */
static bool delta_remove(struct delta *d, const struct cell_table *t)
{
	const char *condition;

	for (int i = 0; delta_compare(d, t, &condition); i++) {
		if (!condition)
			return true;
		if (i == REPAIRS_MAX) {
			fprintf(stderr, "kith: the copy of table %s differs from what it is copied from\n", t->name);
			return false;
		}
		if (!(!t->key        ? delta_replace(d, t, condition)
		        : i % 2 == 0 ? delta_remove_parts(d, t, condition)
		                     : delta_copy(d, t, condition)))
			return false;
	}
	return false;
}

/* Counts the rows of all tables in one statement. */
static const char *delta_counts_sql(struct delta *d)
{
	const char *sql = "";
	char id[37];

	uuid_format(&d->workspace, id);
	for (size_t i = 0; i < n_cell_tables; i++)
		sql = arena_printf(&d->arena, "%s%sselect %zu as n, count(*) from %s where workspace_id = '%s'", sql,
		    i ? " union all " : "", i, cell_tables[i].name, id);
	return arena_printf(&d->arena, "%s order by n", sql);
}

static bool delta_remove_all(struct delta *d)
{
	const char *sql = delta_counts_sql(d);
	bool differ[DELTA_TABLES_MAX];

	if (!delta_ask_both(d, sql))
		return false;
	for (size_t i = 0; i < n_cell_tables; i++)
		differ[i] = db_copy_int(d->from, (int)i, 1) != db_copy_int(d->to, (int)i, 1);
	for (size_t i = n_cell_tables; i-- > 0;)
		if (differ[i] && !(delta_in_time(d) && delta_remove(d, &cell_tables[i])))
			return false;
	return true;
}

/* --- a pass ---------------------------------------------------------------------------------------- */

bool delta_pass(struct delta *d)
{
	char since[DELTA_SINCE_SIZE];

	d->late = false;
	d->rows = 0;
	if (!db_copy_must(d->from,
	        "begin isolation level repeatable read; select pg_snapshot_xmin(pg_current_snapshot())::text::bigint & "
	        "4294967295, age('%s'::xid)",
	        *d->since ? d->since : "0"))
		return false;
	snprintf(since, sizeof since, "%s", db_copy_text(d->from, 0, 0));
	d->age = db_copy_int(d->from, 0, 1); /* the same for the whole transaction */
	for (size_t i = 0; i < n_cell_tables; i++) {
		const struct cell_table *t = &cell_tables[i];
		if (!delta_in_time(d) ||
		    !(t->key || !*d->since ? delta_copy(d, t, delta_written(d)) : delta_replace_written(d, t)))
			break;
		if (i + 1 == n_cell_tables && delta_remove_all(d) && delta_in_time(d) &&
		    db_copy_must(d->from, "commit")) {
			memcpy(d->since, since, sizeof since);
			return true;
		}
	}
	/* Rows that were copied stay; the next pass copies them again. */
	if (d->late)
		db_copy_must(d->from, "rollback");
	return false;
}
