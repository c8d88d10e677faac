/* The history of a record among many events: complete and in order, its pages read few blocks wherever they are, with
 * statistics and without, as reported by auto_explain for the server's statements. */
#include <stdlib.h>

#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { OTHERS = 60000, OWN = 6000, PAGE = 100, BLOCKS_MAX = 60, WAIT_MS = 10000 };

static const char *busy, *late, *quiet; /* people: with OWN events, with OWN as the last ones of all, with one */

/* PostgreSQL's log is beside its data. */
#define LOG "'../log'"

static const char telling[] =
    "do $$ begin execute format('alter database %I set session_preload_libraries = auto_explain', current_database()); "
    "execute format('alter database %I set auto_explain.log_min_duration = 0', current_database()); "
    "execute format('alter database %I set auto_explain.log_analyze = on', current_database()); "
    "execute format('alter database %I set auto_explain.log_timing = off', current_database()); "
    "execute format('alter database %I set auto_explain.log_buffers = on', current_database()); "
    "execute format('alter database %I set auto_explain.log_format = json', current_database()); end $$";

/* Only the test runs ANALYZE. */
static const char alone[] =
    "do $$ declare t regclass; begin for t in select oid from pg_class where relname ~ '^events' and relkind = 'r' "
    "loop execute format('alter table %s set (autovacuum_enabled = off)', t); end loop; end $$";

/* Events of one record, or of as many as there are events, between each other. */
static void add_events(const char *record, int n)
{
	assert_number(n,
	    "with new as (insert into events (workspace_id, id, type, record_id, data) select w.workspace_id, "
	    "gen_random_uuid(), 'person.updated', coalesce(%s, gen_random_uuid()), '{\"changes\":[{\"path\":"
	    "[\"jobTitle\"],\"type\":\"set\",\"value\":\"x\"}]}' from workspaces w, generate_series(1, %d) where "
	    "%s "
	    "returning 1) select count(*) from new",
	    record ? TEXT("'%s'::uuid", record + 4) : "null", n, rig.own);
}

RIG("history", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	SQL("%s", telling);
	server = rig_serve(&rig, false, NULL);
	caller_turn(&ada, server->base);
	SQL("%s", alone);
	busy = POST("{\"firstName\":\"Busy\"}", "/v1/people");
	late = POST("{\"firstName\":\"Late\"}", "/v1/people");
	quiet = POST("{\"firstName\":\"Quiet\"}", "/v1/people");
	for (int i = 0; i < OWN / PAGE; i++) {
		add_events(NULL, OTHERS * PAGE / OWN);
		add_events(busy, PAGE);
	}
	add_events(late, OWN);
}

static struct feed_page history_of(const char *record, const char *after)
{
	return feed_page_at(
	    &ada, TEXT("/v1/events?limit=%d&record=%s%s%s", PAGE, record, *after ? "&after=" : "", after));
}

/* --- cost ------------------------------------------------------------------------------ */

/* The blocks read by the pages' statements since the log had that size; -1: there were none. */
static int64_t blocks_since(int64_t size)
{
	return rig_int(&rig,
	    "select max(substring(p from '\"Shared Hit Blocks\": (\\d+)')::bigint + "
	    "substring(p from '\"Shared Read Blocks\": (\\d+)')::bigint) from regexp_split_to_table(pg_read_file(" LOG
	    ", %lld, 1 << 28), '\"Query Text\"') p where p ~ '^: \"select e\\.generation'",
	    (long long)size);
}

static struct feed_page reads_little(const char *record, const char *after)
{
	int64_t before = rig_int(&rig, "select size from pg_stat_file(" LOG ")"), blocks;
	struct feed_page page = history_of(record, after);

	assert_int_equal(page.answer.status, 200);
	blocks = blocks_since(before);
	if (getenv("KITH_TEST_SHOW"))
		print_message("%8lld %s %s\n", (long long)blocks, record, after);
	assert_in_range(blocks, 1, BLOCKS_MAX);
	return page;
}

static void all_read_little(void)
{
	struct feed_page page = reads_little(busy, "");

	assert_int_equal(page.n, PAGE);
	for (int i = 0; i < OWN / PAGE - 2; i++)
		page = history_of(busy, page.cursor);
	page = reads_little(busy, page.cursor);
	assert_int_equal(page.n, PAGE);
	assert_int_equal(reads_little(late, "").n, PAGE);
	assert_int_equal(reads_little(quiet, "").n, 1);
	assert_int_equal(reads_little("per_00000000-0000-7000-8000-000000000000", "").n, 0);
}

TEST(test_cost)
{
	int64_t until_us = patience_ms(WAIT_MS);

	while (history_of(quiet, "").n == 0)
		assert_true(patience_pause(until_us));
	all_read_little();
	/* Of equally good indexes the newest is taken, and a dump restores them in another order. */
	SQL("alter table events drop constraint events_pkey; alter table events add primary key (workspace_id, "
	    "generation, xid, seq, created_at)");
	all_read_little();
	SQL("analyze events");
	all_read_little();
}

/* --- content --------------------------------------------------------------------------- */

/* All events of the record, each once, in the order of the feed. */
TEST(test_whole)
{
	struct feed_page page = {.cursor = "", .more = true};
	struct buf ids;
	int n = 0;

	buf_init(&ids, 1 << 20);
	while (page.more) {
		page = history_of(busy, page.cursor);
		caller_good(page.answer);
		for (size_t i = 0; i < page.n; i++, n++) {
			assert_string_equal(page.items[i].record, busy);
			buf_printf(&ids, "%s%s", n ? "," : "", page.items[i].id + 4);
		}
	}
	assert_int_equal(n, OWN + 1);
	assert_string_equal(ids.data,
	    database_text(rig.program, &ada.arena,
	        TEXT(
	            "select string_agg(id::text, ',' order by generation, xid, seq) from events where record_id = '%s'",
	            busy + 4)));
	buf_free(&ids);
}

/* The id of another kind with the same UUID is unknown. */
TEST(test_kind)
{
	struct feed_page page = history_of(TEXT("com_%s", busy + 4), "");

	caller_good(page.answer);
	assert_int_equal(page.n, 0);
	assert_false(page.more);
	assert_true(*page.cursor);
}
