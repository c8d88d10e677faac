/* Fills the folded texts of people and companies whose rows an older version wrote (migrations/0018_search.sql). Until
 * then each search computes them, which takes about ten times as long.
 *
 * A batch takes the next rows without a text that nobody has locked. A write that wants one of them waits for the
 * batch, a tenth of a second. The rows show what remains, so any process continues after another one. Values, times and
 * events stay as they are. A workspace that is being moved keeps its rows; the other database fills them. Once a table
 * has no such row, this process looks no more, because the triggers of the tables fill every row that is written. */
#include "filter/filter.h"
#include "server/base/fault.h"
#include "server/base/log.h"
#include "server/job/jobs.h"

enum { BATCH = 200, SMALL_BATCH = 2 };

enum { COL_FILLED, COL_REMAIN, COL_WORKSPACE, COL_ID };

static void texts_filled(struct job_run *run)
{
	const struct db_exchange *x = &run->x;
	int64_t n = db_int(x, 0, 0, COL_FILLED);

	run->n_rows += (uint64_t)n;
	if (n) {
		run->last = db_uuid(x, 0, 0, COL_WORKSPACE);
		run->last_record = db_uuid(x, 0, 0, COL_ID);
	} else { /* from the beginning next time, for rows that were locked */
		run->last = run->last_record = (struct uuid){.b = {0}};
		run->complete = db_int(x, 0, 0, COL_REMAIN) == 0;
	}
	if (run->complete && run->n_rows)
		log_info("scheduler", "%s: folded the texts of %llu rows, and none is left", run->job->name,
		    (unsigned long long)run->n_rows);
	job_end(run, n > 0);
}

/* The table of a run. */
struct texts {
	const char *table, *text;
};

static void texts_fill(struct job_run *run)
{
	const struct texts *t = run->state;
	struct sql *s = job_sql(run);

	sql_addf(s,
	    "with next as (select t.workspace_id, t.id from %s t join workspaces w on w.workspace_id = t.workspace_id "
	    "where t.search_text is null and kith_at_home(w.moving, w.held_until) and (t.workspace_id, t.id) > (",
	    t->table);
	sql_uuid(s, &run->last);
	sql_add_uuid(s, ", ", &run->last_record);
	sql_addf(s,
	    ") order by t.workspace_id, t.id limit %d for no key update of t skip locked for share of w skip locked), "
	    "filled as (update %s t set search_text = %s where (t.workspace_id, t.id) in (select workspace_id, id from "
	    "next) returning t.workspace_id, t.id) "
	    "select count(*), exists (select from %s where search_text is null)::int, "
	    "(array_agg(workspace_id order by workspace_id desc, id desc))[1], "
	    "(array_agg(id order by workspace_id desc, id desc))[1] from filled",
	    FAULT_ERROR(few_texts) ? SMALL_BATCH : BATCH, t->table, t->text, t->table);
	job_ask(run, false, texts_filled);
}

static void texts_known(struct job_run *run)
{
	run->complete = db_int(&run->x, 0, 0, 0) == 0;
	if (run->complete)
		job_end(run, false);
	else
		texts_fill(run);
}

/* The first look is at the size of the index: in a database that never had such rows it has one page, and the table is
 * not read, which would wait for anyone who has locked it. */
static void texts_begin(struct job_run *run, const char *table, const struct filter_table *filters)
{
	struct texts *t = arena_alloc(&run->arena, sizeof *t);

	*t = (struct texts){table, filters->searched.text};
	run->state = t;
	if (run->complete || FAULT_ERROR(texts_wait)) {
		job_end(run, false);
	} else if (run->n_rows) {
		texts_fill(run);
	} else {
		sql_addf(job_sql(run),
		    "select (pg_relation_size('%s_unfolded') > current_setting('block_size')::int)::int", table);
		job_ask(run, false, texts_known);
	}
}

void job_people_texts(struct job_run *run)
{
	texts_begin(run, "people", &people_filters);
}

void job_company_texts(struct job_run *run)
{
	texts_begin(run, "companies", &company_filters);
}
