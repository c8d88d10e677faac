/* Reads that share a statement: many clients request single people and companies at once, existing and unknown ones,
 * as two users. Each gets its own record, also while the database's connections are being cut. Each client reads
 * COALESCE_READS times. */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { CLIENTS = 48, RECORDS = 40 };

static const char *ids[2 * RECORDS];
static int wrong[CLIENTS], unavailable[CLIENTS], reads;

RIG("together");

BEFORE_ALL()
{
	for (int i = 0; i < 2 * RECORDS; i++) {
		struct caller_answer a = caller_sendf(&ada, "POST", i % 2 ? "/v1/companies" : "/v1/people", NULL,
		    i % 2 ? "{\"name\":\"Company %d\"}" : "{\"firstName\":\"Person %d\"}", i);
		assert_int_equal(a.status, 200);
		ids[i] = arena_dupz(&rig.arena, a.id);
	}
	reads = rig_setting("COALESCE_READS", 60);
}

static void read_many(void *ctx, int client)
{
	struct caller c;

	(void)ctx;
	caller_init(&c, server->base, client % 2 ? rig.ada.key : rig.ben.key);
	wrong[client] = unavailable[client] = 0;
	for (int n = 0; n < reads; n++) {
		int i = (client * 7 + n * 13) % (2 * RECORDS);
		bool unknown = n % 10 == 9;
		const char *id = unknown ? ids[(i + 1) % (2 * RECORDS)] : ids[i]; /* of the other kind */
		struct caller_answer a = caller_send(&c, "GET",
		    arena_printf(
		        &c.arena, "/v1/%s/%s%s", i % 2 ? "companies" : "people", i % 2 ? "com" : "per", id + 3),
		    NULL, NULL);
		if (a.status == 503)
			unavailable[client]++;
		else if (a.status != (unknown ? 404 : 200) || (!unknown && strcmp(a.id, id) != 0))
			wrong[client]++;
	}
	caller_free(&c);
}

static void everybody_reads(int *n_unavailable)
{
	*n_unavailable = 0;
	caller_crowd_run(CLIENTS, read_many, NULL);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(wrong[i], 0);
		*n_unavailable += unavailable[i];
	}
}

TEST(each_gets_its_own)
{
	int n_unavailable;

	everybody_reads(&n_unavailable);
	assert_int_equal(n_unavailable, 0);
}

static void cut_connection(void *ctx, int i)
{
	(void)ctx;
	if (i < CLIENTS) {
		read_many(NULL, i);
		return;
	}
	for (int n = 0; n < 5; n++) {
		patience_chance_us(40000);
		rig_int(&rig, "select count(pg_terminate_backend(pid)) from pg_stat_activity "
		              "where datname = current_database() and pid <> pg_backend_pid()");
	}
}

TEST(connections_that_break_mix_nothing_up)
{
	caller_crowd_run(CLIENTS + 1, cut_connection, NULL);
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(wrong[i], 0);
}

static struct caller_answer read_person(struct caller *c, const char *id)
{
	return caller_send(c, "GET", arena_printf(&c->arena, "/v1/people/%s", id), NULL, NULL);
}

TEST(a_key_that_is_good_no_more_reads_nothing)
{
	struct caller c;

	caller_init(&c, server->base, rig.ben.key);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(read_person(&c, ids[0]).status, 200);
		rows_change("update api_keys set revoked_at = now() where user_id = '%s'", rig.ben.id + 4);
		for (int n = 0; n < 3; n++)
			assert_int_equal(read_person(&c, ids[0]).status, 401);
		rows_change("update api_keys set revoked_at = null where user_id = '%s'", rig.ben.id + 4);
	}
	caller_free(&c);
}

/* After a key has moved to another workspace it reads only that one. */
TEST(a_key_that_changes_its_workspace_sees_that_one)
{
	struct test_workspace other = workspace_create(rig.program, &rig.arena, "Elsewhere");
	struct test_user eve = user_create(rig.program, &rig.arena, &other, "eve", "Eve", "eve@mail.example", "admin");
	struct caller_answer theirs;
	struct caller c;

	caller_init(&c, server->base, eve.key);
	theirs = caller_send(&c, "POST", "/v1/people", NULL, "{\"firstName\":\"Theirs\"}");
	assert_int_equal(read_person(&c, theirs.id).status, 200);
	assert_int_equal(read_person(&c, ids[0]).status, 404);
	for (int i = 0; i < 2; i++) {
		bool ours = i == 0;
		rows_change("update api_keys set workspace_id = '%s', user_id = '%s' where id = '%s'",
		    (ours ? rig.workspace.id : other.id) + 4, (ours ? rig.ada.id : eve.id) + 4, eve.key_id + 4);
		assert_int_equal(read_person(&c, ours ? theirs.id : ids[0]).status, 404);
		assert_int_equal(read_person(&c, ours ? ids[0] : theirs.id).status, 200);
	}
	caller_free(&c);
}
