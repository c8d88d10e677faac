/*
 * Finds what nearly all texts of a list contain, and which rows lack it (migrations/0015, filter/compile_lacks.c).
 *
 * A long list is looked at each hour: some of its rows, spread over it, say which parts may be common. A part that is
 * new is committed; from then on triggers see it. When every transaction that might not have seen it has ended, the
 * rows there are are read, some in a transaction, and those that lack it are kept. A part that too many lack is given
 * up. Nothing depends on what the sample says but speed: rows are counted, not guessed.
 *
 * A list is one process's at a time, by an advisory lock.
 */
#include <string.h>

#include "filter/common.h"
#include "filter/filter.h"
#include "server/base/clock.h"
#include "server/base/fault.h"
#include "server/job/jobs.h"
#include "server/request/server.h"
#include "store/entity_kind.h"
#include "store/resources.h"

enum {
	CHUNKS_MAX = 16, /* in a run: between two runs is a pause, for others */
	SAMPLE = 100,    /* points */
	SAMPLES = 2,
	SAMPLE_CHARACTERS = 1000, /* of a text */
	COLUMNS_MAX = 16,
	HOUR_MS = 60 * 60 * 1000
};

struct sizes {
	int rows_least;  /* shorter lists are walked */
	int lacking_max; /* rows that are kept of a part */
	int chunk;
	int look_again_ms;
	int pause_ms; /* after a look that found nothing */
};

/* Of what lists are. */
static const struct source {
	const struct filter_table *table;
	bool typed; /* a list for each object type; else one for the workspace */
} sources[] = {{&people_filters, false}, {&company_filters, false}, {&object_filters, true}};
enum { SOURCES = sizeof sources / sizeof *sources };

static int64_t look_at_us; /* not before: a look asks for all lists of all workspaces */

enum { COL_SOURCE, COL_WORKSPACE, COL_LIST, COL_DUE };

struct parts {
	const struct source *source;
	const char *table;
	struct uuid workspace, list;
	const char *columns[COLUMNS_MAX]; /* that have "like" */
	int n_columns;
	int chunks;
};

static void look(struct job_run *run);

static const struct sizes *sizes(void)
{
	static const struct sizes usual = {20000, 20000, 2000, HOUR_MS, 10 * 60000}, small = {20, 12, 7, 500, 0};

	return FAULT_ERROR("small_parts") ? &small : &usual;
}

/* Appends " and …", for rows of common_parts or part_looks: of this list. */
static void of_list(struct sql *s, const struct parts *p)
{
	sql_addf(s, " and table_name = '%s' and list_id = ", p->table);
	sql_uuid(s, &p->list);
}

/* Appends "FROM t where …": the list's rows. */
static void list_rows(struct sql *s, const struct parts *p)
{
	sql_addf(s, "%s t where t.workspace_id = $1", p->table);
	if (p->source->typed) {
		sql_add(s, " and t.type_id = ");
		sql_uuid(s, &p->list);
	}
}

static struct sql *add(struct job_run *run)
{
	return job_sql_of(run, &((struct parts *)run->state)->workspace);
}

static void ended(struct job_run *run)
{
	struct parts *p = run->state;

	FAULT_POINT("parts_committed");
	if (++p->chunks < CHUNKS_MAX)
		look(run);
	else
		job_end(run, true);
}

static void commit(struct job_run *run)
{
	sql_add(job_sql(run), "commit");
	FAULT_POINT("parts_commit");
	job_ask(run, false, ended);
}

/* Gives up parts that too many rows lack, with what is kept of them. */
static void give_up(struct job_run *run)
{
	struct parts *p = run->state;
	struct sql *s = add(run);

	sql_add(s, "with p as (update common_parts p set state = 'rare' where workspace_id = $1");
	of_list(s, p);
	sql_addf(s,
	    " and state <> 'rare' and (select count(*) from (select from part_lacks l where l.workspace_id = $1 and "
	    "l.part_id = p.id limit %d) x) > %d returning id) delete from part_lacks l using p where l.workspace_id = "
	    "$1 and l.part_id = p.id",
	    sizes()->lacking_max + 1, sizes()->lacking_max);
}

/* What is kept of parts that are no more, and what writers kept of a part that was being given up. */
static void tidy(struct job_run *run)
{
	sql_add(add(run),
	    "delete from part_lacks l where l.workspace_id = $1 and not exists (select from common_parts p "
	    "where p.workspace_id = $1 and p.id = l.part_id and p.state <> 'rare')");
}

/* --- rows there are ------------------------------------------------------------------------ */

/* Whoever did not see the parts had a number by now, as a trigger asks for them after the row was written. */
static void raise_fence(struct job_run *run)
{
	struct sql *s = add(run);

	sql_add(s, "update common_parts set fence = pg_snapshot_xmax(pg_current_snapshot()) where workspace_id = $1");
	of_list(s, run->state);
	sql_add(s, " and state = 'filling' and fence is null");
}

static const char passed[] = " and state = 'filling' and fence <= pg_snapshot_xmin(pg_current_snapshot())";

static void fill(struct job_run *run)
{
	struct parts *p = run->state;
	struct sql *s;

	raise_fence(run);
	s = add(run);
	sql_add(s, "with f as materialized (select id, column_name, part, filled_to from common_parts where "
	           "workspace_id = $1");
	of_list(s, p);
	sql_addf(s, "%s and filled_to = (select filled_to from common_parts where workspace_id = $1", passed);
	of_list(s, p);
	sql_addf(s, "%s order by filled_to limit 1)), c as materialized (select t.id, t as r from ", passed);
	list_rows(s, p);
	sql_addf(s, " and t.id > (select filled_to from f limit 1) order by t.id limit %d), i as (", sizes()->chunk);
	sql_addf(s,
	    "insert into part_lacks (workspace_id, part_id, row_id) select $1, f.id, c.id from c cross join f where "
	    "kith_lacks(%s_text(c.r, f.column_name), f.part) on conflict do nothing) ",
	    p->table);
	sql_addf(s,
	    "update common_parts p set filled_to = coalesce((select id from c order by id desc limit 1), p.filled_to), "
	    "state = case when (select count(*) from c) < %d then 'ready' else 'filling' end from f where "
	    "p.workspace_id = $1 and p.id = f.id",
	    sizes()->chunk);
	give_up(run);
	commit(run);
}

/* --- looking for parts ----------------------------------------------------------------------- */

static void looked(struct job_run *run)
{
	struct parts *p = run->state;
	struct sql *s = add(run);

	sql_addf(
	    s, "insert into part_looks (workspace_id, table_name, list_id, looked_at) values ($1, '%s', ", p->table);
	sql_uuid(s, &p->list);
	sql_add(
	    s, ", now()) on conflict (workspace_id, table_name, list_id) do update set looked_at = excluded.looked_at");
	commit(run);
}

/* Adds what a column has in common, unless it is known, or within what is known. */
static void add_parts(struct job_run *run, const char *column, const struct common_text *parts, size_t n)
{
	struct parts *p = run->state;
	struct sql *s;

	if (n == 0)
		return;
	s = add(run);
	sql_addf(s,
	    "insert into common_parts (workspace_id, table_name, column_name, list_id, made_at, id, part) "
	    "select $1, '%s', '%s', ",
	    p->table, column);
	sql_uuid(s, &p->list);
	sql_add(s, ", now(), n.id, n.part from (values");
	for (size_t i = 0; i < n; i++) {
		struct uuid id = id_new();
		sql_add(s, i ? ", (" : " (");
		sql_uuid(s, &id);
		sql_add(s, ", ");
		sql_text(s, parts[i].text, parts[i].len);
		sql_add(s, ")");
	}
	sql_add(s, ") n (id, part) where not exists (select from common_parts k where k.workspace_id = $1");
	of_list(s, p);
	sql_addf(s,
	    " and column_name = '%s' and state <> 'rare' and strpos(k.part, n.part) > 0) on conflict do nothing",
	    column);
}

/* Of each sample by itself: what it finds that is rare after all costs time, no more. */
static void sampled(struct job_run *run)
{
	struct parts *p = run->state;

	for (int sample = 0; sample < SAMPLES; sample++) {
		int rows = db_rows(&run->x, sample);
		struct common_text *texts = arena_alloc(&run->arena, (size_t)rows * sizeof *texts), found[COMMON_MOST];
		for (int c = 0; c < p->n_columns; c++) {
			for (int i = 0; i < rows; i++)
				texts[i].text = db_text(&run->x, sample, i, c, &texts[i].len);
			add_parts(run, p->columns[c], found, common_parts(texts, (size_t)rows, found));
		}
	}
	looked(run);
}

/* Begins a sample: "select … from (select … from ": the texts of the first row behind each point. */
static struct sql *begin_sample(struct job_run *run)
{
	struct parts *p = run->state;
	struct sql *s = add(run);

	sql_add(s, "select ");
	for (int c = 0; c < p->n_columns; c++)
		sql_addf(s, "%scoalesce(kith_fold(left(%s_text(t, '%s'), %d)), '')", c ? ", " : "", p->table,
		    p->columns[c], SAMPLE_CHARACTERS);
	sql_add(s, " from (select distinct x.id from ");
	return s;
}

/* By the view that lists read: behind the tables' policies no index is used for a hash (migrations/0007). */
static void end_sample(struct sql *s, const struct parts *p, const char *key)
{
	sql_add(s, " g (at) cross join lateral (select t.id from kith_search.");
	list_rows(s, p);
	sql_addf(s, " and %s >= g.at order by %s limit 1) x) y join %s t on t.workspace_id = $1 and t.id = y.id", key,
	    key, p->table);
}

/* Ids that lie evenly in time between two. */
static void spread(const struct uuid *first, const struct uuid *last, struct uuid out[SAMPLE])
{
	int64_t from = id_ms(first), to = id_ms(last);

	for (int k = 0; k < SAMPLE; k++)
		out[k] = id_least(from + (to - from) * k / SAMPLE);
}

static void measured(struct job_run *run)
{
	struct parts *p = run->state;
	struct uuid points[SAMPLE];
	struct sql *s;

	if (!db_bool(&run->x, 0, 0, 0)) {
		s = add(run);
		sql_add(s, "delete from common_parts where workspace_id = $1");
		of_list(s, p);
		looked(run);
		return;
	}
	struct uuid first = db_uuid(&run->x, 0, 0, 1), last = db_uuid(&run->x, 0, 0, 2);
	spread(&first, &last, points);
	s = begin_sample(run);
	sql_add(s, "unnest(");
	sql_uuid_array(s, points, SAMPLE);
	sql_add(s, ")");
	end_sample(s, p, "t.id");
	/* Most records may have come in an hour. By the hash of the name, which an index has in order, they lie evenly.
	 */
	s = begin_sample(run);
	sql_addf(s, "(select (k * (2::numeric ^ 64 / %d) - 2::numeric ^ 63)::bigint from generate_series(0, %d) k)",
	    SAMPLE, SAMPLE - 1);
	end_sample(s, p,
	    arena_printf(
	        &run->arena, "hashtextextended(t.%s, 0)", entity_kind_of(p->source->table->resource->id_kind)->name));
	job_ask(run, true, sampled);
}

static void measure(struct job_run *run)
{
	struct parts *p = run->state;
	struct sql *s = add(run);

	sql_add(s, "select (select count(*) from (select from ");
	list_rows(s, p);
	sql_addf(s, " limit %d) x) >= %d, (select t.id from ", sizes()->rows_least, sizes()->rows_least);
	list_rows(s, p);
	sql_add(s, " order by t.id limit 1), (select t.id from ");
	list_rows(s, p);
	sql_add(s, " order by t.id desc limit 1)");
	/* What too many lacked may be common tomorrow. */
	s = add(run);
	sql_add(s, "delete from common_parts where workspace_id = $1");
	of_list(s, p);
	sql_add(s, " and state = 'rare' and made_at < ");
	job_ago(s, 24 * config_scaled_ms(run->server->config, sizes()->look_again_ms));
	sql_add(add(run),
	    "delete from common_parts p where workspace_id = $1 and table_name = 'objects' and not exists "
	    "(select from object_types y where y.workspace_id = $1 and y.id = p.list_id)");
	give_up(run);
	tidy(run);
	job_ask(run, true, measured);
}

/* --- which list -------------------------------------------------------------------------------- */

static struct parts *read_list(struct job_run *run)
{
	struct parts *old = run->state, *p = arena_alloc(&run->arena, sizeof *p);
	const struct db_exchange *x = &run->x;

	memset(p, 0, sizeof *p);
	p->source = &sources[db_int(x, 1, 0, COL_SOURCE)];
	p->table = p->source->table->resource->table;
	p->workspace = db_uuid(x, 1, 0, COL_WORKSPACE);
	p->list = db_uuid(x, 1, 0, COL_LIST);
	p->chunks = old ? old->chunks : 0;
	for (int i = 0; i < p->source->table->n_fields && p->n_columns < COLUMNS_MAX; i++)
		if (p->source->table->fields[i].ops & 1u << FILTER_LIKE)
			p->columns[p->n_columns++] = p->source->table->fields[i].column;
	return p;
}

static void found(struct job_run *run)
{
	if (db_rows(&run->x, 1) == 0) {
		look_at_us = clock_mono_us() + sizes()->pause_ms * INT64_C(1000);
		job_nothing(run);
		return;
	}
	bool due = db_bool(&run->x, 1, 0, COL_DUE);
	run->state = read_list(run);
	if (due)
		measure(run);
	else
		fill(run);
}

/* Whether list l is worth a run each hour: most are short, and a run for each of those would take hours itself. */
static void worth_sql(struct sql *s)
{
	sql_add(s, "(exists (select from common_parts p where p.workspace_id = l.workspace_id and "
	           "p.table_name = l.table_name and p.list_id = l.list_id) or case l.source");
	for (int i = 0; i < SOURCES; i++)
		sql_addf(s, " when %d then exists (select from %s t where t.workspace_id = l.workspace_id%s offset %d)",
		    i, sources[i].table->resource->table, sources[i].typed ? " and t.type_id = l.list_id" : "",
		    sizes()->rows_least - 1);
	sql_add(s, " end)");
}

/* A list that is due, or has parts to fill in, and that no other process is at. */
static void look(struct job_run *run)
{
	struct sql *s;

	sql_add(job_sql(run), "begin");
	s = job_sql(run);
	sql_add(
	    s, "select source, workspace_id, list_id, due from (select i.* from (select l.*, (select k.looked_at >= ");
	job_ago(s, config_scaled_ms(run->server->config, sizes()->look_again_ms));
	sql_add(s, " from part_looks k where k.workspace_id = l.workspace_id and k.table_name = l.table_name and "
	           "k.list_id = l.list_id) is not true and ");
	worth_sql(s);
	sql_add(s, " as due from (");
	for (int i = 0; i < SOURCES; i++)
		sql_addf(s, "%sselect %d as source, workspace_id, '%s' as table_name, %s as list_id from %s",
		    i ? " union all " : "", i, sources[i].table->resource->table,
		    sources[i].typed ? "id" : "workspace_id",
		    sources[i].typed ? "object_types where removed_at is null" : "workspaces");
	sql_addf(s,
	    ") l) i where due or exists (select from common_parts p where p.workspace_id = i.workspace_id and "
	    "p.table_name = i.table_name and p.list_id = i.list_id and p.state = 'filling' and (p.fence is null or "
	    "p.fence <= pg_snapshot_xmin(pg_current_snapshot()))) limit 16) r where "
	    "pg_try_advisory_xact_lock(hashtextextended('parts "
	    "' || table_name || list_id, 0)) limit 1");
	job_ask(run, true, found);
}

void job_parts(struct job_run *run)
{
	if (FAULT_ERROR("parts_wait") || clock_mono_us() < look_at_us)
		job_end(run, false);
	else
		look(run);
}
