/* How much a workspace may hold: exact when many ask at once on two servers, and what is beyond can be made smaller. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "server/limits.h"
#include "test/lib/deals.h"

enum { CROWD = 12, ROOM = 5 };

static struct deals d;

#define TEXT(...) arena_printf(&d.ada.arena, __VA_ARGS__)

static int open_deals(void **state)
{
	(void)state;
	deals_open(&d, "limits");
	return 0;
}

static int close_deals(void **state)
{
	(void)state;
	return deals_close(&d) ? 0 : -1;
}

/* The same request from many at once, half of them at each server; how many were 200, the others being 422. */
struct crowd {
	const char *method, *target, *body; /* body: '#' is the caller's letter */
	int status[CROWD];
	char message[CROWD][1024];
};

static void one_of(void *ctx, int i)
{
	struct crowd *c = ctx;
	struct caller caller;
	struct answer a;
	char body[1024];

	caller_init(&caller, d.servers[i % 2]->base, d.ada.key);
	snprintf(body, sizeof body, "%s", c->body);
	if (strchr(body, '#'))
		*strchr(body, '#') = (char)('a' + i);
	a = caller_send(&caller, c->method, c->target, NULL, body);
	c->status[i] = a.status;
	snprintf(c->message[i], sizeof c->message[i], "%s", a.reply.body);
	caller_free(&caller);
}

static int accepted(const char *method, const char *target, const char *body)
{
	struct crowd c = {.method = method, .target = target, .body = body};
	int good = 0;

	crowd_run(CROWD, one_of, &c);
	for (int i = 0; i < CROWD; i++) {
		if (c.status[i] != 200 && (c.status[i] != 422 || !strstr(c.message[i], "has at most")))
			fail_msg("%d %s", c.status[i], c.message[i]);
		good += c.status[i] == 200;
	}
	return good;
}

/* 422 `custom`, whose message names the limit and the present number. */
static void refused(struct answer a, enum limit_name which, long long present)
{
	const struct limit *l = &limits[which];
	char expected[256];

	snprintf(expected, sizeof expected, "%s has at most %lld %s; this one has %lld", l->holder, (long long)l->most,
	    l->unit, present);
	if (a.status != 422 || !strstr(a.reply.body, expected) || !strstr(a.reply.body, "\"custom\""))
		fail_msg("%d %s, not: %s", a.status, a.reply.body, expected);
}

static void test_reminders(void **state)
{
	static const char far[] = "{\"entity\":{\"id\":\"%s\"},\"name\":\"#\",\"recurrenceRule\":"
	                          "\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\",\"visibility\":\"private\"}";
	const char *person = deals_post(&d, "/v1/people", "{\"fullName\":\"Ann\"}").id, *over,
	           *body = TEXT(far, person);
	const char *past = TEXT("{\"entity\":{\"id\":\"%s\"},\"name\":\"past\",\"recurrenceRule\":"
	                        "\"DTSTART:20200101T000000Z\\nRRULE:COUNT=1\",\"visibility\":\"private\"}",
	    person);

	(void)state;
	rig_int(&d.rig,
	    "with made as (insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, "
	    "visibility, next_trigger_at, created_by, created_at) select w.workspace_id, gen_random_uuid(), '%s', "
	    "'person', 'many', 'DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY', 'private', now() + interval '9 years', "
	    "w.workspace_id, now() from workspaces w, generate_series(1, %d) returning 1) select count(*) from made",
	    strchr(person, '_') + 1, (int)limits[LIMIT_REMINDERS].most - ROOM);
	assert_int_equal(accepted("POST", "/v1/reminders", body), ROOM);
	assert_int_equal(rig_int(&d.rig, "select count(*) from reminders"), limits[LIMIT_REMINDERS].most);
	refused(caller_send(&d.ada, "POST", "/v1/reminders", NULL, body), LIMIT_REMINDERS, 10000);
	/* One without a next time does not count; with one it does. */
	over = deals_post(&d, "/v1/reminders", past).id;
	refused(caller_send(&d.ada, "PATCH", TEXT("/v1/reminders/%s", over), NULL,
	            "{\"recurrenceRule\":\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}"),
	    LIMIT_REMINDERS, 10000);
	deals_good(caller_send(&d.ada, "PATCH", TEXT("/v1/reminders/%s", over), NULL, "{\"name\":\"later\"}"));
	rig_int(&d.rig, "with gone as (delete from reminders where id in (select id from reminders where name = 'many' "
	                "limit 1) returning 1) select count(*) from gone");
	assert_int_equal(accepted("PATCH", TEXT("/v1/reminders/%s", over),
	                     "{\"name\":\"#\",\"recurrenceRule\":\"DTSTART:20990101T000000Z\\nRRULE:FREQ=DAILY\"}"),
	    CROWD);
	refused(caller_send(&d.ada, "POST", "/v1/reminders", NULL, body), LIMIT_REMINDERS, 10000);
	deals_good(caller_send(&d.ada, "DELETE", TEXT("/v1/people/%s", person), NULL, NULL));
	assert_int_equal(rig_int(&d.rig, "select count(*) from reminders"), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_reminders),
	};
	return cmocka_run_group_tests(tests, open_deals, close_deals);
}
