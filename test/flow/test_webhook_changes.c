/* Changes of webhooks as seen in the database: secrets, activation, deletion, the limit. Whether due deliveries are
 * then sent at once does not matter: the target refuses connections. */
#include <fcntl.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "server/base/json.h"
#include "test/lib/await.h"
#include "test/lib/rows.h"
#include "test/lib/test.h"
#include "test/lib/webhook/unsent.h"

enum { CROWD = 8 };

/* --- targets --------------------------------------------------------------------------- */

/* A name of this machine in /etc/hosts other than those refused by their text; false: there is none. */
static bool name_of_this_machine(char out[256])
{
	char line[512];
	FILE *f = fopen("/etc/hosts", "r");
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f)) {
		size_t address = strcspn(line, " \t"), space = strspn(line + address, " \t");
		const char *name = line + address + space;
		size_t len = strcspn(name, " \t\n");
		found = strncmp(line, "127.", 4) == 0 && len > 0 && len < 256 && !strstr(line, "local");
		if (found)
			snprintf(out, 256, "%.*s", (int)len, name);
	}
	if (f)
		fclose(f);
	return found;
}

AROUND_ALL(unsent_open, flow_close);

/* A name is resolved before it is stored, on an update as on a create. */
TEST(test_name_that_leads_inside)
{
	static const char patch[] = "{\"targetUrl\": \"http://%s:8080/\"}";
	const char *const strict[] = {"webhook_allow_targets=127.0.0.1:9", NULL};
	const char *hook = unsent_make("note.created");
	struct server_process *other = rig_serve(&rig, false, strict);
	char name[256], target[160];
	struct caller c;
	struct caller_answer a;

	caller_init(&c, other->base, rig.ada.key);
	snprintf(target, sizeof target, "/v1/webhooks/%s", hook);
	if (name_of_this_machine(name)) {
		a = caller_sendf(&c, "PATCH", target, NULL, patch, name);
		assert_int_equal(a.status, 422);
		assert_non_null(strstr(a.reply.body, "targetUrl"));
		assert_int_equal(caller_sendf(&ada, "PATCH", target, NULL, patch, name).status, 200);
	}
	assert_int_equal(caller_sendf(&c, "PATCH", target, NULL, patch, "no-such-name.invalid").status, 200);
	caller_free(&c);
	assert_true(server_stop(other));
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* --- secrets ------------------------------------------------------------------------ */

static int64_t digest_of(const char *column, const char *id)
{
	return rig_int(
	    &rig, "select ('x' || left(md5(%s), 15))::bit(60)::bigint from webhooks where id = '%s'", column, id);
}

/* The old secret is kept unchanged for a day; nothing is stored in clear, not even answers stored under a key. */
TEST(test_secrets)
{
	struct caller_answer made =
	    caller_good(caller_sendf(&ada, "POST", "/v1/webhooks", "made-once", UNSENT_HOOK, "note.created"));
	const char *id = unsent_bare(made.id);

	int64_t secret = digest_of("secret", id);

	assert_rows(1, "webhooks where id = '%s' and former_secret is null", id);
	caller_good(unsent_act(made.id, "POST", "/rotate-secret", NULL));
	assert_int_equal(digest_of("former_secret", id), secret);
	assert_int_not_equal(digest_of("secret", id), secret);
	assert_rows(1,
	    "webhooks where id = '%s' and version = 2 and former_until between now() + interval '23 hours 59 minutes' "
	    "and now() + interval '24 hours 1 minute'",
	    id);
	caller_good(caller_sendf(&ada, "POST", "/v1/webhooks", "made-once", UNSENT_HOOK, "note.created"));
	assert_rows(1, "idempotency_keys where body is not null");
	assert_rows(0, "idempotency_keys where position('whsec' in encode(body, 'escape')) > 0");
}

/* With another key than that of the secrets the server does not start, and says why. */
TEST(test_wrong_key)
{
	char path[DIRECTORY_SIZE + 16], directory[DIRECTORY_SIZE], text[4096] = "";
	struct arena a;
	const char *out;
	int err, kept;

	assert_true(directory_make("key", directory));
	snprintf(path, sizeof path, "%s/stderr", directory);
	err = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	kept = dup(STDERR_FILENO);
	dup2(err, STDERR_FILENO);
	arena_init(&a);
	char *secret = arena_printf(&a, "%s/secret", directory);
	const char *const argv[] = {"serve", "--listen", "127.0.0.1:0", "--secret_file", secret, NULL};
	int code = command_run(rig.program, &a, argv, &out);
	dup2(kept, STDERR_FILENO);
	assert_int_equal(code, 1);
	assert_true(pread(err, text, sizeof text - 1, 0) > 0);
	assert_non_null(strstr(text, "were not encrypted with"));
	assert_non_null(strstr(text, secret));
	unlink(secret);
	unlink(path);
	rmdir(directory);
	arena_free(&a);
	close(err);
	close(kept);
}

/* --- activation ----------------------------------------------------------------------- */

/* True when the webhook's position is, or was, just before the event: the event has its row. */
static bool comes_next(const char *hook, const char *event)
{
	return rows_count("webhooks w, events e where w.id = '%s' and e.id = '%s' and ((w.position_generation, "
	                  "w.position_xid, w.position_seq) = (e.generation, e.xid, e.seq - 1) or exists (select from "
	                  "deliveries d where d.webhook_id = w.id and d.event_id = e.id))",
	           unsent_bare(hook), event) == 1;
}

TEST(test_activation)
{
	char old[37], old_sent[37], young_sent[37], young[37];
	const char *hook = unsent_make("task.created");

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}"));
	assert_number(1,
	    "update webhooks set position_seq = (select last_value from events_seq), position_xid = "
	    "pg_current_xact_id()::text::bigint, position_at = now() - interval '200 hours', failing_since = now() "
	    "where id = '%s' returning 1",
	    unsent_bare(hook));
	unsent_event(100, old_sent);
	unsent_event(100, old);
	unsent_event(50, young_sent);
	unsent_event(50, young);
	unsent_delivery(hook, old_sent, "pending");
	unsent_delivery(hook, young_sent, "pending");
	/* Being inactive cancels nothing. */
	assert_int_equal(unsent_deliveries(hook, old_sent, "state = 'pending'"), 1);
	caller_good(unsent_act(hook, "PATCH", "", "{\"name\": \"still\"}"));
	assert_int_equal(unsent_deliveries(hook, old_sent, "state = 'pending'"), 1);
	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"active\"}"));
	await_true(unsent_deliveries(hook, old_sent, "state = 'cancelled' and next_attempt_at is null") != 0);
	assert_int_equal(unsent_deliveries(
	                     hook, young_sent, "state = 'pending' and next_attempt_at < now() + interval '10 minutes'"),
	    1);
	assert_int_equal(unsent_deliveries(hook, old, "true"), 0);
	assert_true(comes_next(hook, young_sent) || comes_next(hook, young));
	assert_rows(1,
	    "webhooks w, events e where w.id = '%s' and e.id = '%s' and (w.position_generation, w.position_xid, "
	    "w.position_seq) >= (e.generation, e.xid, e.seq)",
	    unsent_bare(hook), old);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* A position that is already further on stays. */
TEST(test_activation_keeps_position)
{
	const char *hook = unsent_make("task.created");

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}"));
	assert_number(1,
	    "update webhooks set position_xid = '9000000000', position_seq = 7 where id = '%s' returning 1",
	    unsent_bare(hook));
	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"active\"}"));
	assert_rows(1, "webhooks where id = '%s' and position_xid = '9000000000'", unsent_bare(hook));
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* --- retention ----------------------------------------------------------------------------- */

/* Delivered deliveries of past days are deleted, in batches of any size; others stay. */
TEST(test_delivery_retention)
{
	const char *hook = unsent_make("task.created");
	char id[37], first[4][37];
	int64_t more = 1;

	caller_good(unsent_act(hook, "PATCH", "", "{\"status\": \"inactive\"}"));
	for (int day = 0; day < 4; day++) /* there are partitions from yesterday on */
		for (int i = 0; i < 7; i++) {
			unsent_event(24 - 24 * day, i ? id : first[day]);
			unsent_delivery(hook, i ? id : first[day], i % 3 ? "delivered" : i % 2 ? "failed" : "pending");
		}
	rows_change("update delivery_sweep set day = null, block = 0");
	for (int i = 0; more && i < 1000; i++)
		more = rig_int(&rig,
		    "select kith_deliveries_sweep((select created_at from events where id = '%s'), 3)::int", first[2]);
	assert_int_equal(more, 0);
	assert_rows(2 * 4, "deliveries where webhook_id = '%s' and state = 'delivered'", unsent_bare(hook));
	assert_rows(2 * 4,
	    "deliveries d join events e on e.id = '%s' where d.webhook_id = '%s' and d.state = 'delivered' and "
	    "d.created_at >= e.created_at",
	    first[2], unsent_bare(hook));
	assert_rows(4 * 3, "deliveries where webhook_id = '%s' and state <> 'delivered'", unsent_bare(hook));
	rows_change("delete from events where type = 'task.created'");
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* --- deletion ------------------------------------------------------------------------------ */

/* The rest of it is deleted gradually. */
TEST(test_delete)
{
	const char *const fast[] = {"clock_scale=100", NULL};
	struct server_process *cleaner;
	char waits[37], sent[37];
	const char *hook = unsent_make("person.deleted");

	unsent_event(3, waits);
	unsent_event(3, sent);
	unsent_delivery(hook, waits, "pending");
	unsent_delivery(hook, sent, "delivered");
	caller_good(unsent_act(hook, "DELETE", "", NULL));
	assert_rows(1, "webhooks_gone where id = '%s'", unsent_bare(hook));
	cleaner = rig_serve(&rig, false, fast);
	await_rows(0, "webhooks_gone");
	assert_int_equal(unsent_deliveries(hook, waits, "true") + unsent_deliveries(hook, sent, "true"), 0);
	assert_true(server_stop(cleaner));
}

/* --- a new generation of events ------------------------------------------------------------ */

/* None begins while a webhook is being changed: the sender would have read on before the change becomes visible. */
TEST(test_generation_waits)
{
	const char *hook = unsent_make("task.created");
	PGconn *changes = PQconnectdb(rig.program->database_url), *begins = PQconnectdb(rig.program->database_url);
	PGresult *r;

	database_execute(changes, "begin; update webhooks set version = version + 1");
	database_execute(begins, "begin; set local lock_timeout = '100ms'");
	r = PQexec(begins, "select kith_begin_generation(kith_generation())");
	assert_non_null(PQresultErrorField(r, PG_DIAG_SQLSTATE));
	assert_string_equal(PQresultErrorField(r, PG_DIAG_SQLSTATE), "55P03");
	PQclear(r);
	database_execute(changes, "rollback");
	database_execute(begins, "rollback; begin; select kith_begin_generation(kith_generation()); rollback");
	PQfinish(changes);
	PQfinish(begins);
	caller_good(unsent_act(hook, "DELETE", "", NULL));
}

/* --- the limit -------------------------------------------------------------------------------- */

static struct {
	struct caller callers[CROWD];
	int made[CROWD], refused[CROWD];
} crowd;

static void make_many(void *ctx, int i)
{
	(void)ctx;
	for (int n = 0; n < 20; n++) {
		struct caller_answer a =
		    caller_sendf(&crowd.callers[i], "POST", "/v1/webhooks", NULL, UNSENT_HOOK, "note.created");
		crowd.made[i] += a.status == 200;
		crowd.refused[i] += a.status == 422;
	}
}

/* The last case: it leaves as many webhooks as a workspace may have. */
TEST(test_limit)
{
	int before = (int)rows_count("webhooks where %s", rig.own), made = 0, refused = 0;

	for (int i = 0; i < CROWD; i++)
		caller_init(&crowd.callers[i], server->base, rig.ada.key);
	caller_crowd_run(CROWD, make_many, NULL);
	for (int i = 0; i < CROWD; i++) {
		made += crowd.made[i];
		refused += crowd.refused[i];
		caller_free(&crowd.callers[i]);
	}
	assert_int_equal(made, 100 - before);
	assert_int_equal(made + refused, 20 * CROWD);
	assert_rows(100, "webhooks where %s", rig.own);
}
