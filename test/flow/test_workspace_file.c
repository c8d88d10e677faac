/* A workspace is exported to a file and imported into another installation: all of it is there, with its keys, its
 * followers' cursors, its webhooks and its stored answers; a damaged file, a second import and a wrong key are refused,
 * and an import that was cut is begun anew. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/cell/arrive.h"
#include "server/cell/delta.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/kith.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"
#include "test/lib/server/busy.h"
#include "test/lib/server/cells.h"
#include "test/lib/server/child.h"
#include "test/lib/webhook/told.h"

enum { PEOPLE = 300, WRITES = 150, WAIT_MS = 60000 };

static struct cell other, same; /* the last one has the rig's secret file */
static struct receiver *receiver;
static struct hooked hook;
static struct busy busy;
static const char *file, *sealed, *seal, *file_key, *cursor, *before;
static char base[64];

static const char *busy_base(void *ctx, int i)
{
	(void)ctx, (void)i;
	return base;
}

static int import_file(const struct cell *c, const char *path, const char *with_seal)
{
	if (with_seal)
		return KITH_OF(&c->program, "workspace", "import", path, "--file-key", file_key, "--seal", seal);
	return KITH_OF(&c->program, "workspace", "import", path, "--file-key", file_key);
}

/* --- the workspace -------------------------------------------------------------------------- */

static void workspace_fill(void)
{
	const char *group;

	database_run_file(rig.program, "test/lib/db/workspace_rows.sql");
	rows_count(
	    "(select seed.workspace_rows('%s', '%s', %d)) s", cells_uuid(rig.workspace.id), rig.ada.id + 4, PEOPLE);
	group = POST("{\"name\": \"G\", \"visibility\": \"private\"}", "/v1/groups");
	caller_good(SEND("POST", "{\"name\": \"Deals\"}", "/v1/groups/%s/object-types", group));
	MAKE("{\"name\": \"Level\", \"type\": \"textField\"}", "/v1/groups/%s/custom-fields/person", group);
	busy_init(&busy);
	busy.keys[0] = rig.ada.key;
	busy.keys[1] = rig.ben.key;
	busy.base = busy_base;
	busy.open = busy.secret = TEXT("%s", group);
}

static void *stop_busy(void *ctx)
{
	int64_t until_us = patience_ms(WAIT_MS);

	(void)ctx;
	while (atomic_load(&busy.done) < WRITES && patience_pause(until_us))
		;
	atomic_store(&busy.stop, true);
	return NULL;
}

RIG("file");

BEFORE_ALL()
{
	struct caller_answer list, rotated;
	pthread_t watch;

	cell_open(&other, &rig.arena, command_binary(), NULL, "other");
	cell_open(&same, &rig.arena, other.program.path, &other, "same");
	file = TEXT("%s/workspace.kith", rig.program->data_dir);
	sealed = TEXT("%s/sealed.kith", rig.program->data_dir);
	seal = TEXT("%s/seal", rig.program->data_dir);
	file_key = TEXT("%s/file-key", rig.program->data_dir);
	rig_write(file_key, "0123456789abcdef0123456789abcdef\n");
	receiver = receiver_start(&(struct receiver_config){0});
	snprintf(base, sizeof base, "%s", server->base);
	caller_turn(&ada, base);
	workspace_fill();
	pthread_create(&watch, NULL, stop_busy, NULL);
	caller_crowd_run(2, busy_write, &busy);
	pthread_join(watch, NULL);
	assert_true(atomic_load(&busy.done) >= WRITES);
	/* Its answer is kept under the key, encrypted and without the secret. */
	hook = hooked_make(&ada, receiver_url(receiver, "/hook"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	rotated =
	    caller_good(caller_send(&ada, "POST", TEXT("/v1/webhooks/%s/rotate-secret", hook.id), "rotated", NULL));
	hook.secret = arena_dupz(&rig.arena, json_member(caller_data(&rig.arena, rotated), "signingSecret")->text);
	list = caller_get(&ada, "/v1/people?limit=1");
	cursor = arena_dupz(&rig.arena, feed_cursor_of(&list));
	before = told_person(&rig.arena, &ada, "before");
	assert_true(receiver_wait(receiver, 1, WAIT_MS));
	await_rows(1, "deliveries where state = 'delivered'");
	hook.id = arena_dupz(&rig.arena, hook.id);
	assert_true(server_stop(server));
}

AFTER_ALL()
{
	receiver_stop(receiver);
	cell_close(&other);
}

/* --- tests ------------------------------------------------------------------------------------ */

/* A new table with a workspace_id has to be copied, or left out for a reason. */
TEST(test_tables)
{
	struct buf names;

	buf_init(&names, 1 << 16);
	for (size_t i = 0; i < n_cell_tables; i++)
		buf_printf(&names, "%s'%s'", i ? "," : "", cell_tables[i].name);
	for (size_t i = 0; i < n_cell_exceptions; i++)
		buf_printf(&names, ",'%s'", cell_exceptions[i].name);
	assert_string_equal(
	    rows_text(
	        "select coalesce(string_agg(coalesce(c.relname, t.name), ' '), 'none') from (select c.relname from "
	        "pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' where "
	        "c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition) "
	        "c full join unnest(array[%s]) t(name) on t.name = c.relname where c.relname is null or t.name is null",
	        names.data),
	    "none");
	/* What rows are compared by is the primary key. */
	for (size_t i = 0; i < n_cell_tables; i++)
		if (cell_tables[i].key && i > 0)
			assert_string_equal(
			    rows_text("select string_agg(a.attname, ', ' order by k.n) from pg_index x, "
			              "unnest(x.indkey) with ordinality k(attnum, n) join pg_attribute a on a.attnum = "
			              "k.attnum where x.indrelid = '%s'::regclass and x.indisprimary and a.attrelid = "
			              "x.indrelid and a.attname <> 'workspace_id'",
			        cell_tables[i].name),
			    cell_tables[i].key);
	/* Tokens of invitations are random, and go to no other row. */
	for (size_t i = 1; i < n_cell_tables; i++)
		if (!cell_tables[i].same_name && strcmp(cell_tables[i].name, "invitations") != 0)
			assert_rows(0, "pg_index where indrelid = '%s'::regclass and indisunique and not indisprimary",
			    cell_tables[i].name);
	buf_free(&names);
}

TEST(test_export)
{
	struct stat st;

	assert_int_equal(KITH("workspace", "export", rig.workspace.id, "-o", file, "--file-key", file_key), 0);
	assert_int_equal(
	    KITH("workspace", "export", rig.workspace.id, "-o", sealed, "--seal", seal, "--file-key", file_key), 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(KITH("workspace", "export", rig.workspace.id), 2);
	assert_int_equal(KITH("workspace", "export", "wsp_0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "-o",
	                     TEXT("%s/none", rig.program->data_dir)),
	    1);
}

static int64_t workspaces_in(const struct cell *c)
{
	return database_int(&c->program, "select count(*) from workspaces");
}

/* The secrets are another installation's; a byte is wrong; the end is missing: nothing is imported. */
TEST(test_refused)
{
	const char *bad = TEXT("%s/bad.kith", rig.program->data_dir);
	struct stat st;
	unsigned char byte;
	int fd;

	assert_int_equal(import_file(&other, file, NULL), 1);
	assert_int_equal(import_file(&other, sealed, NULL), 1);
	for (int round = 0; round < 3; round++) {
		assert_int_equal(stat(sealed, &st), 0);
		fd = open(sealed, O_RDONLY);
		char *all = malloc((size_t)st.st_size);
		assert_int_equal(read(fd, all, (size_t)st.st_size), st.st_size);
		close(fd);
		fd = open(bad, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		byte = (unsigned char)all[st.st_size / 2];
		all[st.st_size / 2] = (char)(round ? byte : byte ^ 1);
		size_t len = (size_t)(round == 1 ? st.st_size - 9 : round == 2 ? st.st_size / 2 : st.st_size);
		assert_int_equal(write(fd, all, len), len);
		close(fd);
		free(all);
		assert_int_equal(import_file(&other, bad, seal), 1);
		assert_int_equal(workspaces_in(&other), 0);
	}
}

static void set_generation(int64_t generation)
{
	rows_change("update event_generation set generation = %lld", (long long)generation);
}

/* A workspace does not move from a database whose generation is years ahead: the other one would go on from there, and
 * at its next start would find no number that is later. */
TEST(test_generation_of_move)
{
	static const char generation[] = "select generation from event_generation";
	int64_t here = database_int(rig.program, generation), there = database_int(&other.program, generation);

	set_generation((INT64_C(1) << 42) - 2);
	assert_int_equal(KITH("workspace", "move", rig.workspace.id, "--to", other.program.database_url, "--address",
	                     "http://127.0.0.1:1", "--to-secret-file", TEXT("%s/secret", other.program.data_dir)),
	    1);
	set_generation(here);
	assert_int_equal(database_int(&other.program, generation), there);
	assert_int_equal(workspaces_in(&other), 0);
}

/* Ends in the middle; the next one begins anew. Meanwhile nobody sees anything. */
TEST(test_cut)
{
	const char *orders = TEXT("%s/orders", rig.program->data_dir);

	setenv("FAULT_FILE", orders, 1);
	rig_write(orders, "cell_loaded 16 kill\n"); /* people are there */
	assert_int_equal(import_file(&other, sealed, seal), -1);
	unsetenv("FAULT_FILE");
	assert_int_equal(database_int(&other.program, "select count(*) from workspaces where moving = 'arriving'"), 1);
	assert_true(database_int(&other.program, "select count(*) from people") > 0);
	/* The cut file may have been another one, with users of its own: they must not stay. */
	assert_true(cluster_program(
	    other.cluster, (const char *const[]){"psql", "-X", "-q", "-d", other.program.database_url, "-c",
	                       "set kith.moves = on; insert into users (workspace_id, id, email, full_name, role) "
	                       "select workspace_id, "
	                       "gen_random_uuid(), 'x@example.org', 'X', 'admin' from workspaces",
	                       NULL}));
}

/* With what a cut one has left. It says how far it is, here at every step. */
static void import_told(void)
{
	const char *argv[] = {"workspace", "import", sealed, "--seal", seal, "--file-key", file_key, NULL};
	char text[16 << 10];
	FILE *told = tmpfile();
	size_t len;

	assert_non_null(told);
	setenv("FAULT_ALWAYS", "tell_often", 1);
	assert_int_equal(child_wait(command_start(&other.program, argv, -1, fileno(told))), 0);
	unsetenv("FAULT_ALWAYS");
	rewind(told);
	len = fread(text, 1, sizeof text - 1, told);
	text[len] = '\0';
	fclose(told);
	assert_non_null(strstr(text, "kith: removing people, "));
	assert_non_null(strstr(text, TEXT("kith: copying people, %d rows so far\n",
	                                 (int)database_int(rig.program, "select count(*) from people"))));
}

/* Sessions, access tokens and links that are still valid in the file. */
static void add_sessions(void)
{
	assert_true(cluster_program(other.cluster,
	    (const char *const[]){"psql", "-X", "-q", "-d", other.program.database_url, "-c",
	        "insert into api_keys (key_hash, workspace_id, id, user_id, kind, last4) select sha256(k.kind::bytea), "
	        "u.workspace_id, gen_random_uuid(), u.id, k.kind, '' from (select * from users limit 1) u, "
	        "unnest(array['session', 'grant', 'contacts']) k (kind); insert into invitations (workspace_id, id, "
	        "user_id, "
	        "token_hash, expires_at) select workspace_id, gen_random_uuid(), id, sha256('invitation'), now() + "
	        "interval "
	        "'7 days' from users limit 1",
	        NULL}));
}

TEST(test_import)
{
	import_told();
	assert_int_equal(cells_differ(&rig.arena, rig.program, &other.program, rig.workspace.id), 0);
	/* What was compared has actors, and values that were before. */
	assert_true(database_int(&other.program,
	                "select count(*) from events e join users u on u.workspace_id = e.workspace_id and u.id = "
	                "e.actor_id join api_keys k on k.workspace_id = e.workspace_id and k.id = e.actor_key_id "
	                "where e.data::text like '%\"previous\"%'") > 0);
	assert_int_equal(import_file(&other, sealed, seal), 1);
	/* The way back: the file of the imported workspace. */
	add_sessions();
	assert_int_equal(KITH_OF(&other.program, "workspace", "export", rig.workspace.id, "-o", file, "--seal", seal,
	                     "--file-key", file_key),
	    0);
	assert_int_equal(KITH_OF(&same.program, "workspace", "import", file, "--seal", seal, "--webhooks-off",
	                     "--file-key", file_key),
	    0);
	assert_int_equal(database_int(&same.program, "select count(*) from webhooks where status = 'inactive'"), 1);
	/* The passwords of devices are valid, but sessions, tokens and links have ended. */
	assert_int_equal(
	    database_int(&same.program, "select count(*) from api_keys where revoked_at is not null and kind in "
	                                "('session', 'grant')"),
	    2);
	assert_true(database_int(&same.program, "select count(*) from invitations where expires_at <= now()") > 0);
	assert_int_equal(database_int(&same.program, "select count(*) from invitations where expires_at > now()"), 0);
	assert_int_equal(
	    database_int(&same.program, "select count(*) from api_keys where revoked_at is null and kind = 'contacts'"),
	    1);
	assert_int_equal(cells_differ(&rig.arena, &other.program, &same.program, rig.workspace.id), 2);
}

/* The workspace goes on where it is now. */
TEST(test_goes_on)
{
	const char *ids[2] = {before};
	struct caller_answer a;
	int good = 0;

	receiver_clear(receiver);
	cell_serve(&other, NULL);
	caller_turn(&ada, other.server->base);
	/* A stored answer that is encrypted is read with this installation's key. */
	a = caller_send(&ada, "POST", TEXT("/v1/webhooks/%s/rotate-secret", hook.id), "rotated", NULL);
	assert_int_equal(a.status, 200);
	assert_true(a.replayed);
	assert_non_null(strstr(a.reply.body, "\"signingSecret\":null"));
	ids[1] = told_person(&rig.arena, &ada, "after");
	told_expect(&rig.arena, &ada, cursor, ids, 2);
	assert_true(receiver_wait(receiver, 1, WAIT_MS));
	told_expect_taken(&rig.arena, receiver, ids[1]);
	assert_int_equal(told_taken(&rig.arena, receiver, before), 0);
	hooked_signatures(receiver_request(receiver, 0), hook.secret, &good);
	assert_int_equal(good, 1);
	assert_true(server_stop(other.server));
}

/* Between two passes of a move the very first transaction changes a row, and no later one there is. The target is in
 * another cluster, so that its own transactions do not count. If a job of PostgreSQL had that number it is tried again.
 */
TEST(test_first_transaction)
{
	struct test_workspace w = workspace_create(&other.program, &rig.arena, "moves");
	struct test_user eve = user_create(&other.program, &rig.arena, &w, "eve", "Eve", "eve@example.org", "admin");
	struct delta d = {.rows = 0};
	const char *name, *xid;

	arena_init(&d.arena);
	assert_true(id_parse(ID_WORKSPACE, w.id, strlen(w.id), &d.workspace));
	d.from = arrive_open(other.program.database_url, &d.workspace, "the source");
	d.to = arrive_open(rig.program->database_url, &d.workspace, "the target");
	for (size_t i = 0; i < n_cell_tables; i++)
		d.columns[i] = copy_columns(d.to, &d.arena, &cell_tables[i], true);
	for (int i = 0;; i++) {
		assert_true(delta_pass(&d) && i < 20);
		name = TEXT("Eve %d", i);
		xid = database_text(&other.program, &rig.arena,
		    TEXT("update users set full_name = '%s' where id = '%s' returning xmin", name, eve.id + 4));
		if (strcmp(xid, d.since) == 0)
			break;
	}
	assert_true(delta_pass(&d));
	assert_string_equal(rows_text("select full_name from users where id = '%s'", eve.id + 4), name);
	db_copy_close(d.from);
	db_copy_close(d.to);
	arena_free(&d.arena);
}

/* A file has the workspace's own key of cursors, not that of the installation. */
TEST(test_cursor_keys)
{
	const char *keys = "select count(*) from server_secrets s, workspaces w where s.name = 'cursor' and s.value in "
	                   "(w.cursor_key, w.cursor_key_before)";

	assert_int_equal(database_int(rig.program, "select count(*) - count(distinct cursor_key) from workspaces"), 0);
	assert_int_equal(database_int(rig.program, keys), 0);
	assert_int_equal(database_int(&other.program,
	                     TEXT("select count(*) from workspaces where cursor_key_before is null and %s", rig.own)),
	    1);
	assert_string_equal(rows_text("select cursor_key from workspaces where %s", rig.own),
	    database_text(&other.program, &rig.arena, TEXT("select cursor_key from workspaces where %s", rig.own)));
}
