/* Deliveries, from a write to the receiver: what is sent, how it is signed, what is kept of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "test/lib/hooked.h"
#include "test/lib/patience.h"

static struct rig rig;
static struct server *server;
static struct caller ada;

enum { WAIT_MS = 10000 };

static int open_rig(void **state)
{
	static const char *const settings[] = {
	    "webhook_allow_targets=127.0.0.0/8", "public_url=https://crm.example", "clock_scale=10", NULL};

	(void)state;
	rig_open(&rig, "webhooks", false);
	server = rig_serve(&rig, false, settings);
	caller_init(&ada, server->base, rig.ada.key);
	return 0;
}

static int close_rig(void **state)
{
	bool good;

	(void)state;
	caller_free(&ada);
	good = server_stop(server);
	rig_close(&rig);
	return good ? 0 : -1;
}

static struct receiver *receive(struct receiver_behaviour b)
{
	struct receiver *r = receiver_start(&(struct receiver_config){.behaviour = b});
	assert_non_null(r);
	return r;
}

static const char *person(const char *name)
{
	struct answer a = caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"%s\"}", name);
	assert_int_equal(a.status, 200);
	return a.id;
}

static void forget(struct hooked h)
{
	struct answer a = caller_sendf(&ada, "DELETE", arena_printf(&ada.arena, "/v1/webhooks/%s", h.id), NULL, "{}");
	assert_int_equal(a.status, 200);
}

/* The first item of a webhook's deliveries. */
static const struct json *deliveries(struct hooked h)
{
	struct answer a = caller_send(&ada, "GET", arena_printf(&ada.arena, "/v1/webhooks/%s/deliveries", h.id), NULL, NULL);
	const char *error;

	assert_int_equal(a.status, 200);
	return json_member(
	    json_member(json_read(&ada.arena, a.reply.body, a.reply.body_len, &error), "data"), "items");
}

static void test_delivered(void **state)
{
	struct receiver *r = receive((struct receiver_behaviour){0});
	struct hooked h = hooked_make(&ada, receiver_url(r, "/in?a=b"), NULL);
	const char *id = person("First"), *source = arena_printf(&ada.arena, "https://crm.example/v1/webhooks/%s", h.id);
	const struct receiver_request *q;
	struct hooked_event e;
	const struct json *item;
	char *type;
	int good;

	(void)state;
	assert_true(receiver_wait(r, 1, WAIT_MS));
	q = receiver_request(r, 0);
	e = hooked_event(&ada.arena, q);
	assert_string_equal(q->method, "POST");
	assert_string_equal(q->path, "/in?a=b");
	assert_string_equal(e.type, "person.created");
	assert_string_equal(e.record, id);
	assert_string_equal(e.source, source);
	assert_int_equal(hooked_signatures(q, h.secret, &good), 1);
	assert_int_equal(good, 1);
	type = receiver_header(q, "content-type");
	assert_string_equal(type, "application/json");
	free(type);
	assert_true(hooked_until(&rig, 1, WAIT_MS, "select count(*) from deliveries where state = 'delivered'"));
	item = deliveries(h);
	assert_int_equal(item->count, 1);
	assert_string_equal(json_member(item->first, "state")->text, "delivered");
	assert_string_equal(json_member(item->first, "eventId")->text, e.id);
	assert_int_equal(json_member(item->first, "attempts")->count, 1);
	forget(h);
	receiver_stop(r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_delivered),
	};
	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
