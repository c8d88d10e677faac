/* The console's sections for webhooks, events, usage, users and keys, in a real browser (test/web/operate.mjs). */
#include <string.h>

#include "test/lib/server/web.h"
#include "test/lib/test.h"
#include "test/lib/webhook/hooked.h"

enum { FAILED = 3, WAIT_MS = 10000 };

#define TEXT(rig, ...) arena_printf(&(rig)->arena, __VA_ARGS__)

/* A webhook of ada's whose deliveries have failed, with a word that would be script in a page; the receiver accepts
 * them by now. */
static struct hooked make_failed(struct rig *rig, struct caller *ada, struct receiver *r)
{
	struct hooked h = hooked_make(ada, receiver_url(r, "/"), NULL);
	const char *id = h.id + strlen("wbk_");

	for (int i = 0; i < FAILED; i++)
		caller_good(caller_send(ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Failed\"}"));
	assert_true(hooked_until(rig, FAILED, WAIT_MS,
	    "select count(*) from deliveries where webhook_id = '%s' and state = 'delivered'", id));
	assert_int_equal(rig_int(rig,
	                     "with w as (update deliveries set state = 'failed', attempts = "
	                     "json_build_array(json_build_object('at', '2026-01-31T09:30:00.000Z', 'durationMs', 5, "
	                     "'statusCode', 500, 'error', '<img src=x onerror=alert(1)>')) where webhook_id = '%s' "
	                     "returning 1) select count(*) from w",
	                     id),
	    FAILED);
	return h;
}

TEST(test_operate)
{
	struct receiver *receiver = receiver_start(&(struct receiver_config){.behaviour = {.mode = RECEIVER_ANSWER}});
	struct server_process *server;
	struct caller ada;
	struct hooked failed;
	struct rig rig;

	rig_open(&rig, "console_operate", false);
	user_create(
	    rig.program, &rig.arena, &rig.workspace, "hostile", "<svg onload=alert(1)>", "svg@example.org", "member");
	server = rig_serve(&rig, false, NULL);
	caller_init(&ada, server->base, rig.ada.key);
	failed = make_failed(&rig, &ada, receiver);
	assert_int_equal(
	    web_run("operate.mjs", server, rig.ada.key,
	        (char *[]){TEXT(&rig, "KITH_MEMBER=%s", rig.ben.key), TEXT(&rig, "KITH_FAILED=%s", failed.id),
	            TEXT(&rig, "KITH_PROGRAM=%s", rig.program->path),
	            TEXT(&rig, "KITH_DATABASE_URL=%s", rig.program->database_url),
	            TEXT(&rig, "KITH_DATA_DIR=%s", rig.program->data_dir), NULL}),
	    0);
	assert_true(receiver_count(receiver) >= 2 * FAILED);
	caller_free(&ada);
	assert_true(server_stop(server));
	receiver_stop(receiver);
	rig_close(&rig);
}
