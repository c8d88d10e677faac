/* When the job merges the pending entries of indexes (kith_merge_due() in migrations/0027_lean_writes.sql): after 2000
 * rows, or after ten seconds. */
#include "test/lib/flow.h"
#include "test/lib/rows.h"

RIG("pending", .servers = RIG_NO_SERVER);

static int n_people;

/* Autovacuum merges pending entries, too. */
BEFORE_ALL()
{
	rig_int(&rig, "alter table people set (autovacuum_enabled = off); select 1");
}

/* Adds people, and waits until PostgreSQL's statistics have them. */
static void add_people(int n)
{
	rows_change("insert into people (workspace_id, id, full_name, created_at, created_by, updated_at) select "
	            "workspace_id, gen_random_uuid(), 'Person ' || n, now(), workspace_id, now() from workspaces, "
	            "generate_series(1, %d) n",
	    n);
	n_people += n;
	await_rows(1, "pg_stat_user_tables where relname = 'people' and n_tup_ins = %d", n_people);
}

/* What the job has left. Merges it, too. */
static int64_t pages_left(void)
{
	return rig_int(&rig, "select gin_clean_pending_list('people_search')");
}

static void run_job(void)
{
	rig_int(&rig, "select kith_merge_due()::text is null");
}

TEST(the_first_rows_are_merged_at_once)
{
	add_people(1);
	run_job();
	assert_int_equal(pages_left(), 0);
}

TEST(further_rows_wait)
{
	rows_change("update index_merges set merged_at = 'infinity'");
	add_people(100);
	run_job();
	assert_true(pages_left() > 0);
}

TEST(many_rows_are_merged)
{
	rows_change("update index_merges set merged_at = 'infinity'");
	add_people(2000);
	run_job();
	assert_int_equal(pages_left(), 0);
}

TEST(after_some_seconds_few_rows_are_merged)
{
	add_people(100);
	rows_change("update index_merges set merged_at = clock_timestamp() - interval '10 s'");
	run_job();
	assert_int_equal(pages_left(), 0);
}
