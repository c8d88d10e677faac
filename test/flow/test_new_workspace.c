/* A workspace that was just imported, beside a large one and many small ones: statistics know nothing of it. The
 * cost of its pages is counted in blocks, as reported by auto_explain for the server's statements; no page reads
 * more than a few blocks for each row of its list, for any filter and order. */
#include <stdlib.h>
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/rows.h"

enum { PEOPLE = 3000, SMALL = 40, BLOCKS_A_ROW = 12, READS = 500, TIMES = 3, FEW_BLOCKS = 20 };

static const char *group, *few, *company, *person, *deal;

/* What was read before the workspace was analyzed. */
static struct {
	const char *target;
	int64_t blocks;
} reads[READS];
static int n_reads;

/* PostgreSQL's log is beside its data. */
#define LOG "'../log'"

static const char telling[] =
    "do $$ begin execute format('alter database %I set session_preload_libraries = auto_explain', current_database()); "
    "execute format('alter database %I set auto_explain.log_min_duration = 0', current_database()); execute "
    "format('alter database %I set auto_explain.log_analyze = on', current_database()); execute format('alter database "
    "%I set auto_explain.log_timing = off', current_database()); execute format('alter database %I set "
    "auto_explain.log_buffers = on', current_database()); execute format('alter database %I set "
    "auto_explain.log_format = json', current_database()); end $$; select 1";

/* Only the test runs ANALYZE. */
static const char alone[] =
    "do $$ declare t regclass; begin for t in select oid from pg_class where relnamespace = 'public'::regnamespace and "
    "relkind = 'r' loop execute format('alter table %s set (autovacuum_enabled = off)', t); end loop; end $$; select 1";

static void fill_workspace(const char *workspace, const char *user, int people)
{
	rig_int(&rig, "select seed.workspace_rows('%s', '%s', %d)::text is null", workspace + 4, user + 4, people);
}

RIG("new", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	struct test_workspace large;
	struct test_user owner;

	rig_int(&rig, "%s", alone);
	database_run_file(rig.program, "test/lib/db/workspace_rows.sql");
	large = workspace_create(rig.program, &rig.arena, "Large");
	owner = user_create(rig.program, &rig.arena, &large, "cy", "Cy", "cy@large.example", "admin");
	fill_workspace(large.id, owner.id, PEOPLE);
	rig_int(&rig,
	    "with w as (insert into workspaces (workspace_id, name) select gen_random_uuid(), 'Small ' || n from "
	    "generate_series(1, %d) n returning workspace_id), u as (insert into users (workspace_id, id, email, "
	    "full_name, role) select workspace_id, workspace_id, 'x@small.example', 'X', 'admin' from w returning id) "
	    "select count(*) from u",
	    SMALL);
	rig_int(&rig, "select count(seed.workspace_rows(workspace_id, workspace_id, 1 + length(name) * 3)) from "
	              "workspaces where name like 'Small%%'");
	rig_int(&rig, "analyze; select 1");
	fill_workspace(rig.workspace.id, rig.ada.id, PEOPLE);
	/* As a job of the server does: a search that came before would read the entries that wait. */
	rig_int(&rig, "select kith_merge_pending()::text is null");
	rig_int(&rig, "%s", telling);
	server = rig_serve(&rig, false, NULL);
	caller_turn(&ada, server->base);
	group = rows_text("select 'grp_' || seed.id('%s', 1, 1, seed.made(0))", rig.workspace.id + 4);
	few = rows_text("select 'grp_' || seed.id('%s', 1, 2, seed.made(0))", rig.workspace.id + 4);
	company = rows_text("select 'com_' || seed.id('%s', 5, 7, seed.made(7))", rig.workspace.id + 4);
	person = rows_text("select 'per_' || seed.id('%s', 6, 7, seed.made(7))", rig.workspace.id + 4);
	deal = TEXT("/v1/groups/%s/deal", group);
}

/* The plans of statements of lists since the log had a size. */
#define LIST_PLANS                                                                                                     \
	"from regexp_split_to_table(pg_read_file(" LOG                                                                 \
	", %lld, 1 << 28), '\"Query Text\"') p where p ~ '^: \"(select "                                               \
	"(length|t\\.|n\\.|i\\.|count)|with )' and p !~ '^: \"with p as .update'"

/* The most blocks read by one of them. */
static int64_t blocks_since(int64_t size)
{
	return rig_int(&rig,
	    "select max(substring(p from '\"Shared Hit Blocks\": (\\d+)')::bigint + substring(p from '\"Shared Read "
	    "Blocks\": (\\d+)')::bigint) " LIST_PLANS,
	    (long long)size);
}

/* The most rows that a node of theirs read and did not use. */
static int64_t unused_since(int64_t size)
{
	return rig_int(&rig,
	    "select max(m[1]::bigint) from (select p " LIST_PLANS ") l, "
	    "regexp_matches(p, '\"Rows Removed by Filter\": (\\d+)', 'g') m",
	    (long long)size);
}

static int64_t blocks_read(const char *target)
{
	int64_t before = rig_int(&rig, "select size from pg_stat_file(" LOG ")"), blocks;
	struct caller_answer a = caller_send(&ada, "GET", target, NULL, NULL);

	if (a.status != 200)
		fail_msg("%s: %d %s", target, a.status, a.reply.body ? a.reply.body : a.error);
	blocks = blocks_since(before);
	if (getenv("KITH_TEST_SHOW"))
		print_message("%8lld %s\n", (long long)blocks, target);
	assert_true(blocks > 0);
	return blocks;
}

static void reads_little(const char *target)
{
	int64_t blocks = blocks_read(target);

	if (blocks > (int64_t)PEOPLE * BLOCKS_A_ROW)
		fail_msg("%s: %lld blocks", target, (long long)blocks);
	assert_true(n_reads < READS);
	reads[n_reads].target = arena_dupz(&rig.arena, target);
	reads[n_reads++].blocks = blocks;
}

static void in_all_orders(const char *list, const char *filter)
{
	static const char *const orders[] = {"", "&sort=-updatedAt"};

	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
		reads_little(TEXT("%s?%s%s", list, filter, orders[i]));
}

TEST(test_orders)
{
	const char *const lists[] = {"/v1/people", "/v1/companies", deal, "/v1/tasks"};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		in_all_orders(lists[i], "limit=20");
		in_all_orders(lists[i], "limit=77&count=exact");
	}
	reads_little("/v1/notes");
	reads_little(TEXT("/v1/notes?entity.id=%s", person));
	reads_little("/v1/interactions");
	reads_little("/v1/interactions?from=2024-01-02");
}

TEST(test_columns)
{
	static const char *const people[] = {"firstName][eq]=Ada", "firstName][not_eq]=Ada", "firstName][eq]=nobody",
	    "jobTitle][like]=kumquat", "jobTitle][not_like]=eng", "description][empty]", "emails][eq]=p7@mail.example",
	    "emails][like]=p77", "emails][empty]", "phones][eq]=15550000007", "birthday][gt]=2014-01-01",
	    "gender][eq]=Male", "createdAt][lt]=2024-01-02", "createdAt][gt]=2024-01-03",
	    "interactionMetadata.workspace.lastInteractedAt][gt]=2024-01-02",
	    "interactionMetadata.user.lastInteractedAt][not_empty]"};
	static const char *const companies[] = {
	    "industry][eq]=software", "industry][like]=niche", "fundingRaised][gt]=900000", "foundationYear][eq]=1999"};
	static const char *const tasks[] = {"dueAt][gt]=2024-01-20", "completedAt][empty]"};

	for (size_t i = 0; i < sizeof people / sizeof *people; i++)
		in_all_orders("/v1/people", TEXT("filter[%s", people[i]));
	for (size_t i = 0; i < sizeof companies / sizeof *companies; i++)
		in_all_orders("/v1/companies", TEXT("filter[%s", companies[i]));
	for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++)
		in_all_orders("/v1/tasks", TEXT("filter[%s", tasks[i]));
	in_all_orders(deal, "filter[name][like]=kumquat");
	in_all_orders(deal, "filter[name][eq]=nobody");
}

TEST(test_references)
{
	in_all_orders("/v1/people", TEXT("filter[groups][in][id]=%s", few));
	in_all_orders("/v1/people", TEXT("filter[groups][not_in][id]=%s", group));
	in_all_orders("/v1/people", TEXT("filter[groups][all][id]=%s&filter[createdAt][gt]=2024-01-02", group));
	in_all_orders("/v1/people", TEXT("filter[companies][in][id]=%s", company));
	in_all_orders(deal, TEXT("filter[people][in][id]=%s", person));
	in_all_orders(deal, TEXT("filter[companies][in][id]=%s&filter[createdAt][gt]=2024-01-02", company));
	in_all_orders(deal, "filter[people][empty]");
}

TEST(test_custom_values)
{
	static const char *const filters[] = {"Note][eq]=common", "Note][eq]=tail 3", "Note][like]=kumq",
	    "Note][empty]", "Score][gt]=5", "Score][lt]=5", "Score][eq]=77", "Renewal][gt]=2025-06-01",
	    "Status][in]=Option 4", "Status][not_in]=Option 0", "Status][empty]"};
	const char *const lists[] = {"/v1/people", "/v1/companies", deal};

	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
			const char *filter = TEXT("filter[customFieldValues.%s%s%s", k < 2 ? group : "",
			               k < 2 ? "." : "", filters[i]),
			           *space = strchr(filter, ' ');
			if (space)
				filter = TEXT("%.*s%%20%s", (int)(space - filter), filter, space + 1);
			in_all_orders(lists[k], filter);
			reads_little(TEXT("%s?%s&filter[createdAt][gt]=2024-01-02", lists[k], filter));
		}
}

/* No page cost more than three times as much as with statistics of the workspace. */
TEST(test_analyzed)
{
	const char *dearer = "";

	rig_int(&rig, "analyze; select 1");
	for (int i = 0; i < n_reads; i++) {
		int64_t blocks = blocks_read(reads[i].target);
		if (reads[i].blocks > TIMES * (blocks > FEW_BLOCKS ? blocks : FEW_BLOCKS))
			dearer = arena_printf(&rig.arena, "%s\n%s: %lld blocks, analyzed %lld", dearer, reads[i].target,
			    (long long)reads[i].blocks, (long long)blocks);
	}
	if (*dearer)
		fail_msg("%s", dearer);
}

/* --- estimates ---------------------------------------------------------------------------- */

static int64_t count_of(const char *query)
{
	struct caller_answer a = SEND("GET", NULL, "/v1/people?limit=1&%s", query);
	const char *count = a.reply.body ? strstr(a.reply.body, "\"count\":") : NULL;

	assert_int_equal(a.status, 200);
	assert_non_null(count);
	return strtoll(count + 8, NULL, 10);
}

/* Values common in other workspaces, which dominate the statistics, do not show. */
TEST(test_estimates)
{
	rig_int(
	    &rig, "update people set job_title = 'Secret' where workspace_id <> '%s'; select 1", rig.workspace.id + 4);
	rig_int(&rig,
	    "update people set job_title = 'Secret' where workspace_id = '%s' and id in (select id from people where "
	    "workspace_id = '%s' order by id limit 3); select 1",
	    rig.workspace.id + 4, rig.workspace.id + 4);
	rig_int(&rig, "analyze people; select 1");
	assert_int_equal(count_of("filter[jobTitle][eq]=Secret&count=estimated"), 3);
	assert_int_equal(count_of("filter[jobTitle][eq]=Specialist%20nobody&count=estimated"), 0);
	/* Of a tenth of the names nearly each occurs once: above a thousand the list itself decides. */
	int64_t exact = count_of("filter[firstName][eq]=Ada&count=exact"),
	        estimate = count_of("filter[firstName][eq]=Ada&count=estimated");
	assert_in_range(exact, PEOPLE * 8 / 10, PEOPLE);
	assert_in_range(estimate, exact * 8 / 10, exact * 12 / 10);
	assert_int_equal(count_of("count=estimated"), PEOPLE);
}

/* A type created after many objects of another one is listed by its own index, even if that is larger than the key.
 * Only where one workspace and type have nearly all objects could the key look better: the planner takes no value for
 * more frequent than the most common one. Runs last, as it deletes those of others. */
TEST(test_new_type)
{
	const char *type = TEXT("/v1/groups/%s/visit", group), *record = "{\"name\":\"Visit\"}";
	int64_t before;

	rig_int(&rig, "delete from objects where workspace_id <> '%s'; select 1", rig.workspace.id + 4);
	rig_int(&rig, "alter index objects_type set (fillfactor = 45); reindex table objects; select 1");
	rig_int(&rig, "analyze objects; select 1");
	MAKE("{\"name\":\"visit\"}", "/v1/groups/%s/object-types", group);
	for (int i = 0; i < 3; i++)
		caller_good(caller_send(&ada, "POST", type, NULL, record));
	before = rig_int(&rig, "select size from pg_stat_file(" LOG ")");
	caller_good(caller_send(&ada, "GET", type, NULL, NULL));
	caller_good(SEND("GET", NULL, "%s?filter[name][not_empty]", type));
	caller_good(SEND("GET", NULL, "%s?filter[name][like]=isi&count=exact", type));
	assert_int_equal(unused_since(before), 0);
}
