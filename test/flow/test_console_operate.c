/* The console's sections for webhooks, events, usage, users and keys, in a real browser (test/web/operate.mjs). */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/server/web.h"
#include "test/lib/webhook/hooked.h"

enum { FAILED = 3, WAIT_MS = 60000 };

RIG("console_operate");

/* A webhook of ada's whose deliveries have failed, with a word that would be script in a page; the receiver accepts
 * them by now. */
static struct hooked make_failed(struct receiver *r)
{
	struct hooked h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	const char *id = h.id + strlen("wbk_");

	for (int i = 0; i < FAILED; i++)
		MAKE("{\"firstName\":\"Failed\"}", "/v1/people");
	assert_true(hooked_until(&rig, FAILED, WAIT_MS,
	    "select count(*) from deliveries where webhook_id = '%s' and state = 'delivered'", id));
	assert_int_equal(rig_int(&rig,
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
	struct hooked failed;

	user_create(
	    rig.program, &rig.arena, &rig.workspace, "hostile", "<svg onload=alert(1)>", "svg@example.org", "member");
	failed = make_failed(receiver);
	assert_int_equal(
	    web_run("operate.mjs", server, rig.ada.key,
	        (char *[]){TEXT("KITH_MEMBER=%s", rig.ben.key), TEXT("KITH_FAILED=%s", failed.id),
	            TEXT("KITH_PROGRAM=%s", rig.program->path), TEXT("KITH_DATABASE_URL=%s", rig.program->database_url),
	            TEXT("KITH_DATA_DIR=%s", rig.program->data_dir), NULL}),
	    0);
	assert_true(receiver_count(receiver) >= 2 * FAILED);
	receiver_stop(receiver);
}
