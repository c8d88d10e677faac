/* A database of the first released level (upgrade.sql), migrated to the newest one: indexes, lists, filters, writes
 * and deletes work as if the records had been written at this level. */
#include <event2/event.h>
#include <libpq-fe.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/json.h"
#include "store/db_private.h"
#include "store/migrate.h"
#include "test/lib/await.h"
#include "test/lib/db/consistency.h"
#include "test/lib/db/database.h"
#include "test/lib/http/caller.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/server/kith_server.h"
#include "test/lib/test.h"

enum { LEVEL = 9 }; /* of upgrade.sql */

/* Its ids that are used in requests. */
#define ADA "usr_01a20133-7815-756e-bd5a-412add2542f8"
#define BEN "usr_01a20133-786b-7793-a0ad-55458b773e75"
#define TEAM "grp_01a20133-7a05-76d1-9953-cb6c75d8a95c"
#define BOARD "grp_01a20133-7a0c-7620-9469-9afd4f100a76"
#define ANN "per_01a20133-7a8c-73ce-b7cb-393ce121fcf3"
#define BOB "per_01a20133-7a9c-7667-bae6-2cd5f6313b77"
#define DAN "per_01a20133-7aa9-758a-a417-f2a8235d116f"
#define GLOBEX "com_01a20133-7a7c-7309-afff-26f0b022d269"
#define FULL "obj_01a20133-7ad2-748a-9894-b0a7c9b787d8"
#define DEALS "/v1/groups/" TEAM "/Deal"

static struct program *program;
static struct server_process *server;
static struct caller ada;
enum { FORMER_FULL, FORMER_READ_ONLY, FORMER_KEYS };
static char former_keys[FORMER_KEYS][APIKEY_SIZE]; /* made at that level */

/* A server whose faults are always there. */
static struct server_process *server_with(const char *faults)
{
	struct server_process *s;

	setenv("FAULT_ALWAYS", faults, 1);
	s = server_start(program, (const char *const[]){"rate_default=0", "rate_burst=0", NULL});
	unsetenv("FAULT_ALWAYS");
	return s;
}

/* --- from there to here -------------------------------------------------------------------- */

static void migrate_to(const char *url, int level)
{
	struct event_base *base = event_base_new();
	struct db_config config;
	struct db *db;
	char error[512];
	int n = 0;

	while (n < n_migrations && migrations[n].level <= level)
		n++;
	db_config_default(&config, url, 1);
	for (int lane = 0; lane < DB_LANES; lane++)
		config.lane_size[lane] = lane == DB_WORK;
	db = db_open(base, &config);
	if (!migrate_apply_table(db, migrations, n, false, NULL, NULL, error))
		fail_msg("%s", error);
	db_close(db);
	event_base_free(base);
}

/* Indexes and tables of items are made by functions, which later migrations may change. */
#define COMPARED                                                                                                       \
	"select id, kith_search_text(emails) as emails, kith_search_text(array[full_name]) as name, "                  \
	"array(select i.kind || ' ' || i.key from kith_items(emails, phones, urls) i order by 1) as items from people"

BEFORE_ALL()
{
	const char *out, *id;

	program = database_create_empty(command_binary(), "upgrade");
	migrate_to(program->database_url, LEVEL);
	database_run_file(program, "test/flow/upgrade.sql");
	assert_int_equal(
	    database_int(program, "create table compared as " COMPARED "; select max(level) from kith_migrations"),
	    LEVEL);
	caller_init(&ada, "http://127.0.0.1:1", NULL);
	for (int i = 0; i < FORMER_KEYS; i++) {
		apikey_new(former_keys[i]);
		database_int(
		    program, arena_printf(&ada.arena,
		                 "insert into api_keys (key_hash, workspace_id, id, user_id, last4, read_only) select "
		                 "sha256('%s'), workspace_id, gen_random_uuid(), id, 'last', %s from users where id = "
		                 "'%s' returning 1",
		                 former_keys[i], i == FORMER_READ_ONLY ? "true" : "false", ADA + strlen("usr_")));
	}
	assert_int_equal(command_run(program, &ada.arena, (const char *const[]){"migrate", NULL}, &out), 0);
	/* Before jobs delete what is old by now. */
	assert_int_equal(
	    database_int(program, "select (select count(*) from events) * 10 + (select count(*) from deliveries)"), 22);
	ada.key = api_key_create(program, &ada.arena, ADA, false, &id);
	server = server_with("texts_wait");
	caller_turn(&ada, server->base);
}

AFTER_ALL()
{
	bool clean = server_stop(server);

	caller_free(&ada);
	database_drop(program);
	assert_true(clean);
}

/* --- keys ------------------------------------------------------------------------------------ */

/* Keys of that level keep their rights: all of them, or those of reading. */
TEST(test_keys)
{
	static const char *const scopes[] = {
	    [FORMER_FULL] = "\"readOnly\":false,\"scopes\":[\"read\",\"write\",\"delete\",\"admin\"],\"groups\":null",
	    [FORMER_READ_ONLY] = "\"readOnly\":true,\"scopes\":[\"read\"],\"groups\":null"};
	static const int made[] = {[FORMER_FULL] = 200, [FORMER_READ_ONLY] = 403};

	for (int i = 0; i < FORMER_KEYS; i++) {
		struct caller c;
		caller_init(&c, server->base, former_keys[i]);
		assert_non_null(strstr(caller_get(&c, "/v1/keys/me").reply.body, scopes[i]));
		caller_get(&c, "/v1/keys");
		assert_int_equal(
		    caller_send(&c, "POST", "/v1/groups", NULL, "{\"name\":\"g\",\"visibility\":\"public\"}").status,
		    made[i]);
		caller_free(&c);
	}
}

/* --- indexes and derived tables ------------------------------------------------------------- */

TEST(test_tables)
{
	assert_int_equal(
	    database_int(program, "select max(level) from kith_migrations"), migrations[n_migrations - 1].level);
	assert_int_equal(consistency_broken(program), 0);
	assert_int_equal(database_int(program, "select count(*) from people where search_text is null"), 6);
	assert_int_equal(database_int(program, "select count(*) from people_updates"), 6);
	assert_int_equal(database_int(program, "select count(*) from companies_updates"), 3);
	assert_int_equal(database_int(program, "select count(*) from objects_updates"), 6);
	assert_int_equal(database_int(program, "select count(*) from (" COMPARED " except table compared) d"), 0);
	assert_true(database_int(program, "select count(*) from person_items") > 0);
	/* Fails unless every index has every entry that it would get today. */
	assert_true(database_int(program,
	                "create extension if not exists amcheck; select count(*) from (select bt_index_check(c.oid, "
	                "true) from pg_class c join pg_am a on a.oid = c.relam where a.amname = 'btree' and c.relkind "
	                "= 'i' and c.relnamespace = 'public'::regnamespace) checked") > 80);
	database_int(program, "drop extension amcheck; drop table compared; select 1");
}

/* --- lists ------------------------------------------------------------------------------------ */

static const struct json *items_of(const char *target)
{
	return json_member(caller_data(&ada.arena, caller_get(&ada, target)), "items");
}

/* A member of each item, concatenated. */
static const char *list_members(const char *target, const char *member)
{
	const char *all = "";

	for (const struct json *item = items_of(target)->first; item; item = item->next)
		all = arena_printf(&ada.arena, "%s%s%s", all, *all ? " " : "", json_member(item, member)->text);
	return all;
}

#define PEOPLE(query) "/v1/people?" query, "firstName"
#define COMPANIES(query) "/v1/companies?" query, "name"
#define OBJECTS(query) DEALS "?" query, "name"
#define TASKS(query) "/v1/tasks?" query, "title"

static const struct {
	const char *target, *member, *items;
} lists[] = {
    {PEOPLE("sort=updatedAt"), "Cleo Dan Eve Flo Bob Ann"},
    {PEOPLE("sort=-updatedAt"), "Ann Bob Flo Eve Dan Cleo"},
    {PEOPLE("sort=-updatedAt&filter[groups][in][id]=" BOARD), "Bob Flo Cleo"},
    {PEOPLE("filter[groups][in][id]=" TEAM), "Ann Bob Dan Flo"},
    {PEOPLE("filter[groups][all][id]=" TEAM "&filter[groups][all][id]=" BOARD), "Bob Flo"},
    {PEOPLE("filter[groups][not_in][id]=" TEAM), "Cleo Eve"},
    {PEOPLE("filter[groups][empty]"), "Eve"},
    {PEOPLE("filter[companies][in][id]=" GLOBEX), "Bob Cleo Flo"},
    {PEOPLE("filter[companies][empty]"), "Dan Eve"},
    {PEOPLE("filter[emails][eq]=ann@x.com"), "Ann"},
    {PEOPLE("filter[emails][eq]=%CE%BF%CE%B4%CF%85%CF%83%CF%83%CE%B5%CF%85%CF%82@y.org"), "Ann"},
    {PEOPLE("filter[emails][like]=x.com"), "Ann Bob"},
    {PEOPLE("filter[phones][eq]=03077"), "Bob"},
    {PEOPLE("filter[description][eq]=changed%20twice"), "Ann"},
    {PEOPLE("filter[firstName][like]=bob"), "Bob"},
    {PEOPLE("search=x.com"), "Ann Bob"},
    {PEOPLE("search=globex"), "Bob Cleo Flo"},
    {PEOPLE("search=03077"), "Bob"},
    {PEOPLE("filter[birthday][lt]=2000-01-01"), "Ann"},
    {PEOPLE("filter[interactionMetadata.user.lastInteractedAt][lt]=2026-06-01"), "Dan"},
    {PEOPLE("filter[customFieldValues." TEAM ".Level][like]=hi"), "Ann"},
    {PEOPLE("filter[customFieldValues." TEAM ".Tier][in]=b"), "Bob"},
    {PEOPLE("filter[customFieldValues." TEAM ".Tier][empty]"), "Cleo Dan Eve Flo"},
    {PEOPLE("filter[customFieldValues." TEAM ".Deals][in][id]=" FULL), "Bob"},
    {COMPANIES("sort=updatedAt"), "Globex Initech Acme"},
    {COMPANIES("filter[customFieldValues." TEAM ".Rank][gt]=3"), "Globex"},
    {COMPANIES("filter[groups][empty]"), "Initech"},
    {COMPANIES("search=glob"), "Globex"},
    {COMPANIES("filter[phones][like]=123"), "Globex"},
    {OBJECTS("sort=updatedAt"), "Empty Won Full Valued Cleared Staged"},
    {OBJECTS("sort=-updatedAt&filter[customFieldValues.Amount][not_empty]"), "Valued Full Won"},
    {OBJECTS("filter[customFieldValues.Amount][empty]"), "Empty Staged Cleared"},
    {OBJECTS("filter[customFieldValues.Stage][empty]"), "Empty Cleared Valued"},
    {OBJECTS("filter[customFieldValues.Tags][empty]"), "Empty Staged Cleared Valued"},
    {OBJECTS("filter[customFieldValues.Memo][empty]"), "Empty Staged Won Cleared Valued"},
    {OBJECTS("filter[customFieldValues.Tags][in]=y"), "Won"},
    {OBJECTS("filter[customFieldValues.Amount][lt]=8"), "Full"},
    {OBJECTS("filter[customFieldValues.Close][gt]=2025-12-31"), "Full"},
    {OBJECTS("filter[customFieldValues.Contacts][in][id]=" GLOBEX), "Full"},
    {OBJECTS("filter[customFieldValues.Owner][in][id]=" BEN), "Full"},
    {OBJECTS("filter[people][all][id]=" ANN), "Staged"},
    {OBJECTS("filter[people][all][id]=" ANN "&filter[people][all][id]=" BOB), "Won Full"},
    {OBJECTS("filter[people][empty]"), "Empty Cleared Valued"},
    {OBJECTS("search=won%20bob"), "Won"},
    {TASKS("filter[dueAt][gt]=2024-12-31"), "T1 T2 T3 T4"},
    {TASKS("filter[dueAt][lt]=2026-03-01"), "T0 T1 T2"},
    {TASKS("filter[dueAt][gt]=2025-01-01&filter[dueAt][lt]=2026-03-02"), "T2 T3"},
    {TASKS("filter[completedAt][gt]=2025-02-03T09:00:00Z"), "T1"},
    {TASKS("filter[completedAt][empty]"), "T0 T2 T3 T4"},
    {TASKS("filter[entity][in]=" ANN), "T0"},
    {"/v1/notes", "content", "Public Private"},
    {"/v1/reminders", "name", "Call"},
    {"/v1/webhooks", "name", "Hook"},
    {"/v1/interactions?entity.id=" DAN, "title", "Met"},
};

static void lists_right(void)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		const char *items = list_members(lists[i].target, lists[i].member);
		if (strcmp(items, lists[i].items) != 0) {
			print_message("%s\n  %s instead of\n  %s\n", lists[i].target, items, lists[i].items);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

TEST(test_lists)
{
	lists_right();
}

/* --- folded texts of rows that were written without them ------------------------------------------- */

#define UNFILLED                                                                                                       \
	"select (select count(*) from people where search_text is null) + (select count(*) from companies where "      \
	"search_text is null)"
#define KEPT "select id, updated_at, xmin::text as writer from people"

/* A job fills them in small batches. It leaves a row that somebody has locked, and returns to it. */
TEST(test_texts)
{
	struct server_process *filler;
	PGconn *holder = PQconnectdb(program->database_url);

	assert_int_equal(database_int(program, UNFILLED), 9);
	database_int(program, "create table kept as " KEPT "; select 1");
	database_execute(holder, "begin");
	database_execute(holder, "select from people where full_name = 'Bob' for update");
	filler = server_with("few_texts jobs_often");
	await_true(database_int(program, UNFILLED) == 1);
	assert_false(server_log_has(filler, "search texts of people: folded"));
	await_true(server_log_has(filler, "search texts of companies: folded the texts of 3 rows"));
	database_execute(holder, "rollback");
	await_true(server_log_has(filler, "search texts of people: folded the texts of 6 rows"));
	PQfinish(holder);
	assert_true(server_stop(filler));
	assert_int_equal(database_int(program, UNFILLED), 0);
	assert_int_equal(
	    database_int(program, "select count(*) from people t join kept k using (id) where t.updated_at "
	                          "= k.updated_at and t.xmin::text <> k.writer and t.search_text = "
	                          "kith_search_lines(array[full_name, first_name, last_name, job_title], "
	                          "emails, phones, urls)"),
	    6);
	assert_int_equal(consistency_broken(program), 0);
	lists_right();
	database_int(program, "drop table kept; select 1");
}

/* --- each record is read, changed and deleted ---------------------------------------------------- */

static const struct collection {
	const char *target, *change;
	bool ordered; /* by updatedAt */
} collections[] = {
    {"/v1/people", "{\"customFieldValues\":{\"" TEAM "\":{\"Level\":\"new\"}},\"groups\":[{\"id\":\"" TEAM "\"}]}",
        true},
    {"/v1/companies", "{\"description\":\"new\"}", true},
    {DEALS, "{\"customFieldValues\":{\"Memo\":\"new\",\"Stage\":\"Lost\",\"Amount\":null}}", true},
    {"/v1/tasks", "{\"dueAt\":\"2027-01-01\"}", false},
    {"/v1/notes", "{\"content\":\"new\"}", false},
    {"/v1/reminders", "{\"name\":\"new\"}", false},
    {"/v1/interactions", "{\"entity\":{\"id\":\"" DAN "\"},\"title\":\"new\"}", false},
};
enum { COLLECTIONS = sizeof collections / sizeof *collections };

/* Does it for every record; returns their number. */
static size_t for_each(const struct collection *c, const char *method, const char *body)
{
	const struct json *items = items_of(c->target);

	for (const struct json *item = items->first; item; item = item->next) {
		const char *id = json_member(item, "id")->text;
		caller_good(caller_send(&ada, method, arena_printf(&ada.arena, "%s/%s", c->target, id), NULL, body));
		if (body && c->ordered)
			assert_string_equal(
			    id, json_member(
			            items_of(arena_printf(&ada.arena, "%s?sort=-updatedAt", c->target))->first, "id")
			            ->text);
	}
	return items->count;
}

TEST(test_writes)
{
	for (int i = 0; i < COLLECTIONS; i++) {
		assert_true(for_each(&collections[i], "GET", NULL) > 0);
		assert_true(for_each(&collections[i], "PATCH", collections[i].change) > 0);
	}
	assert_int_equal(consistency_broken(program), 0);
	assert_string_equal(
	    list_members(OBJECTS("filter[customFieldValues.Tags][empty]")), "Empty Staged Cleared Valued");
	assert_string_equal(list_members(OBJECTS("filter[customFieldValues.Amount][not_empty]")), "");
	assert_string_equal(list_members(OBJECTS("filter[customFieldValues.Memo][empty]")), "");
	assert_string_equal(list_members(TASKS("filter[dueAt][gt]=2026-12-31")), "T0 T1 T2 T3 T4");
	assert_string_equal(list_members(PEOPLE("filter[groups][in][id]=" BOARD)), "");
}

TEST(test_deletes)
{
	/* Last those that others depend on. */
	for (int i = COLLECTIONS - 1; i >= 0; i--)
		assert_true(for_each(&collections[i], "DELETE", NULL) > 0);
	caller_good(caller_send(&ada, "DELETE", "/v1/groups/" TEAM, NULL, NULL));
	assert_int_equal(consistency_broken(program), 0);
	assert_int_equal(database_int(program,
	                     "select (select count(*) from people_updates) + (select count(*) from companies_updates) "
	                     "+ (select count(*) from objects_updates) + (select count(*) from field_values)"),
	    0);
}
