/* The history of a record among many events, and the feed with filters: complete and in order, pages read few blocks
 * wherever they are, with statistics and without, as reported by auto_explain for the server's statements. */
#include <stdlib.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

/* Two names are looked up for each event, in a block or two each. */
enum { OTHERS = 60000, OWN = 6000, PAGE = 100, BLOCKS_MAX = 60 + 4 * PAGE, WAIT_MS = 60000 };

#define NEWEST "&sort=-createdAt"

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

/* Events that ben made in the console, of one record, or of as many as there are events, between each other. */
static void add_events(const char *record, int n)
{
	assert_number(n,
	    "with new as (insert into events (workspace_id, id, type, record_id, data, actor_via, actor_id, "
	    "actor_key_id) select k.workspace_id, gen_random_uuid(), 'person.updated', coalesce(%s, "
	    "gen_random_uuid()), '{\"changes\":[{\"path\":[\"jobTitle\"],\"type\":\"set\",\"value\":\"x\"}]}', 3, "
	    "k.user_id, k.id from (select k.* from api_keys k where k.%s and k.user_id = '%s' limit 1) k, "
	    "generate_series(1, %d) returning 1) select count(*) from new",
	    record ? TEXT("'%s'::uuid", record + 4) : "null", rig.own, rig.ben.id + 4, n);
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

/* The path of a history's page; more: further parameters. */
static const char *history_path(const char *record, const char *more)
{
	return TEXT("/v1/events?limit=%d&record=%s%s", PAGE, record, more);
}

static struct feed_page history_of(const char *record, const char *after)
{
	return feed_page_at(&ada, history_path(record, *after ? TEXT("&after=%s", after) : ""));
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

/* The page at that path, which may read this many blocks. */
static struct feed_page page_reads(const char *path, int64_t most)
{
	int64_t before = rig_int(&rig, "select size from pg_stat_file(" LOG ")"), blocks;
	struct feed_page page = feed_page_at(&ada, path);

	caller_good(page.answer);
	blocks = blocks_since(before);
	if (getenv("KITH_TEST_SHOW"))
		print_message("%8lld blocks, %lld us, %d events, %s\n", (long long)blocks,
		    (long long)page.answer.took_us, (int)page.n, path);
	assert_in_range(blocks, 1, most);
	return page;
}

static struct feed_page reads_little(const char *record, const char *more)
{
	return page_reads(history_path(record, more), BLOCKS_MAX);
}

static void all_read_little(void)
{
	struct feed_page page = reads_little(busy, "");

	assert_int_equal(page.n, PAGE);
	for (int i = 0; i < OWN / PAGE - 2; i++)
		page = history_of(busy, page.cursor);
	page = reads_little(busy, TEXT("&after=%s", page.cursor));
	assert_int_equal(page.n, PAGE);
	page = reads_little(busy, NEWEST);
	assert_int_equal(page.n, PAGE);
	for (int i = 0; i < OWN / PAGE - 2; i++)
		page = feed_page_at(&ada, page.next);
	page = page_reads(page.next, BLOCKS_MAX);
	assert_int_equal(page.n, PAGE);
	assert_int_equal(reads_little(late, "").n, PAGE);
	assert_int_equal(reads_little(late, NEWEST).n, PAGE);
	assert_int_equal(reads_little(quiet, "").n, 1);
	assert_int_equal(reads_little(quiet, NEWEST).n, 1);
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

/* --- filters --------------------------------------------------------------------------- */

/* A page with a filter tests WALK events, and reads as many blocks for them at any depth. Only the first three of all
 * events pass the filters below. */
enum { WALK = 20000, EVENTS = OTHERS + 2 * OWN + 3, WALKS = (EVENTS + WALK - 1) / WALK, WALK_BLOCKS_MAX = 1200 };

/* Follows the pages to their end. They have the creations of the three people, in that order, and not a page more than
 * the walk needs. */
static void walks_all(const char *filter, const char *const people[3])
{
	struct feed_page page = {.more = true, .next = TEXT("/v1/events?limit=%d&%s", PAGE, filter)};
	int n = 0, pages = 0;

	for (; page.more; pages++) {
		page = page_reads(page.next, WALK_BLOCKS_MAX);
		for (size_t i = 0; i < page.n; i++, n++) {
			assert_true(n < 3);
			assert_string_equal(page.items[i].type, "person.created");
			assert_string_equal(page.items[i].record, people[n]);
		}
	}
	assert_int_equal(n, 3);
	assert_int_equal(pages, WALKS);
}

TEST(test_walks)
{
	const char *const oldest_first[] = {busy, late, quiet}, *const newest_first[] = {quiet, late, busy},
	                  *filters[] = {TEXT("actor=%s", rig.ada.id), "via=api", "type=person.created",
	                      TEXT("actor=%s&via=api&type=person.created&since=2020-01-01", rig.ada.id)};
	int64_t until_us = patience_ms(WAIT_MS);

	while (history_of(late, "").n < PAGE)
		assert_true(patience_pause(until_us));
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		walks_all(filters[i], oldest_first);
		walks_all(TEXT("%s" NEWEST, filters[i]), newest_first);
	}
	/* A page that is full ends before the walk does. */
	assert_int_equal(page_reads(TEXT("/v1/events?limit=%d&type=person.updated", PAGE), BLOCKS_MAX).n, PAGE);
}

/* Events behind a time, without a cursor: those before it are skipped. */
TEST(test_since)
{
	const char *time = rows_text("select to_char(max(created_at) at time zone 'UTC', "
	                             "'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') from events");

	page_reads(TEXT("/v1/events?since=%s&limit=%d", time, PAGE), WALK_BLOCKS_MAX);
	page_reads(TEXT("/v1/events?since=%s&limit=%d&type=person.created", time, PAGE), WALK_BLOCKS_MAX);
	assert_int_equal(page_reads(TEXT("/v1/events?until=%s&limit=%d" NEWEST, time, PAGE), WALK_BLOCKS_MAX).n, PAGE);
}

/* A process of an earlier release writes events without an actor, also by the function that it knows. */
TEST(test_earlier_release)
{
	const char *person = POST("{\"firstName\":\"Eve\"}", "/v1/people");
	struct feed_page page;
	int64_t until_us = patience_ms(WAIT_MS);

	assert_number(1,
	    "with one as (insert into interaction_counts (workspace_id, entity_id, user_id, count, last_at) "
	    "values ('%s', '%s', '%s', 1, now()) returning 1) select count(*) from one",
	    rig.workspace.id + 4, person + 4, rig.ada.id + 4);
	SQL("select interaction_totals('%s', '%s', told => true)", rig.workspace.id + 4, person + 4);
	while ((page = history_of(person, "")).n < 2)
		assert_true(patience_pause(until_us));
	assert_string_equal(page.items[1].type, "person.workspace_interaction_metadata_updated");
	assert_non_null(strstr(page.answer.reply.body, "\"actor\":{\"type\":\"user\",\"id\":\""));
	assert_non_null(strstr(page.answer.reply.body, "\"actor\":null"));
	page = feed_page_at(&ada, TEXT("/v1/events?record=%s&actor=%s", person, rig.ada.id));
	assert_int_equal(page.n, 1);
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
