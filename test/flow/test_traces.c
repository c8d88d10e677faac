/* Traces: from a request's traceparent to the webhooks that another process posts; Server-Timing. */
#include <stdlib.h>
#include <string.h>

#include "test/lib/rows.h"
#include "test/lib/server/logged.h"
#include "test/lib/webhook/hooked.h"

#define ID "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"

enum { WAIT_MS = 60000 };

static struct receiver *receiver;

RIG("traces", .servers = 2, .settings = {"clock_scale=50"});

BEFORE_ALL()
{
	receiver = receiver_start(&(struct receiver_config){0});
}

AFTER_ALL()
{
	receiver_stop(receiver);
}

static const char *traceparent_of(const char *id)
{
	return arena_printf(&rig.arena, "00-%s-" PARENT "-01", id);
}

/* Creates a person as part of the trace; NULL: of none. Returns the person's id. */
static const char *traced_person(struct caller *c, const char *traceparent, const char *again)
{
	struct client_header headers[] = {
	    {traceparent ? "traceparent" : NULL, traceparent}, {again ? "traceparent" : NULL, again}, {NULL, NULL}};

	return caller_good(caller_send_with(c, "POST", "/v1/people", "{\"firstName\":\"T\"}", headers)).id;
}

/* The next delivery of the record's event; the receiver has had *from before. */
static const struct receiver_request *delivery_of(const char *id, const char *type, int from)
{
	for (int i = from;; i++) {
		assert_true(receiver_wait(receiver, i + 1, WAIT_MS));
		const struct receiver_request *q = receiver_request(receiver, i);
		struct hooked_event e = hooked_event(&rig.arena, q);
		if (strcmp(e.record, id) == 0 && strcmp(e.type, type) == 0)
			return q;
	}
}

static void expect_parent(const struct receiver_request *q, const char *id)
{
	char *parent = receiver_header(q, "traceparent");

	if (!id) {
		assert_null(parent);
		return;
	}
	assert_non_null(parent);
	assert_int_equal(strlen(parent), 55);
	assert_memory_equal(parent, arena_printf(&rig.arena, "00-%s-", id), 36);
	assert_memory_not_equal(parent + 36, PARENT, 16);
	assert_string_equal(parent + 52, "-01");
	free(parent);
}

/* One of the processes sends for both. A retry, which begins with the row, has the trace, too. */
TEST(test_traces)
{
	static const char other[] = "11111111111111111111111111111111";
	const char *ids[3], *bad;

	hooked_make(&ada, receiver_url(receiver, "/traces"), NULL);
	receiver_behave(receiver, (struct receiver_behaviour){.status = 500});
	ids[0] = traced_person(&ada, traceparent_of(ID), NULL);
	expect_parent(delivery_of(ids[0], "person.created", 0), ID);
	receiver_behave(receiver, (struct receiver_behaviour){0});
	ids[1] = traced_person(&ben, traceparent_of(other), NULL);
	expect_parent(delivery_of(ids[1], "person.created", 0), other);
	expect_parent(delivery_of(ids[0], "person.created", 1), ID);
	/* Connections that have served a trace do not keep it. */
	for (int i = 0; i < 40; i++)
		ids[2] = traced_person(i % 2 ? &ada : &ben, NULL, NULL);
	expect_parent(delivery_of(ids[2], "person.created", 0), NULL);
	assert_rows(2, "events where %s and trace is not null", rig.own);
	bad = traced_person(&ada, traceparent_of(ID), traceparent_of(other));
	expect_parent(delivery_of(bad, "person.created", 0), NULL);
	bad = traced_person(&ada, "00-00000000000000000000000000000000-" PARENT "-01", NULL);
	expect_parent(delivery_of(bad, "person.created", 0), NULL);
	logged_expect(logged_with(&rig.arena, servers[0], "trace", ID), "route", "/v1/people");
	logged_expect(logged_with(&rig.arena, servers[1], "trace", other), "route", "/v1/people");
}

/* Events that a statement makes beside a deletion have the trace, too. */
TEST(test_traces_of_sets)
{
	struct client_header headers[] = {{"traceparent", traceparent_of(ID)}, {NULL, NULL}};
	const char *person = traced_person(&ada, NULL, NULL);
	struct caller_answer note = caller_good(caller_sendf(&ada, "POST", "/v1/notes", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"content\":\"x\",\"visibility\":\"public\"}", person));

	hooked_make(&ada, receiver_url(receiver, "/sets"), "[{\"eventType\":\"note.deleted\",\"filter\":{}}]");
	caller_good(caller_send_with(&ada, "DELETE", arena_printf(&rig.arena, "/v1/people/%s", person), NULL, headers));
	expect_parent(delivery_of(note.id, "note.deleted", 0), ID);
}

TEST(test_server_timing)
{
	static const struct client_header asked[] = {{"X-Server-Timing", "true"}, {NULL, NULL}},
	                                  not_asked[] = {{"X-Server-Timing", "no"}, {NULL, NULL}};
	struct caller_answer a = caller_send_with(&ada, "GET", "/v1/people?limit=1", NULL, asked);
	const char *timing = client_header(&a.reply, "Server-Timing");
	const struct json *database = json_member(logged_of(&rig.arena, servers[0], &a), "databaseMs");
	double db = 0, total = 0;
	char *end;

	assert_non_null(timing);
	assert_memory_equal(timing, "db;dur=", 7);
	db = strtod(timing + 7, &end);
	assert_memory_equal(end, ", total;dur=", 12);
	total = strtod(end + 12, &end);
	assert_int_equal(*end, '\0');
	assert_true(db > 0 && total >= db);
	assert_true(strtod(database->text, NULL) - db < 0.002);
	a = caller_send_with(&ada, "GET", "/v1/people/x", NULL, asked);
	assert_int_equal(a.status, 422);
	assert_non_null(client_header(&a.reply, "Server-Timing"));
	a = caller_send_with(&ada, "GET", "/v1/people?limit=1", NULL, not_asked);
	assert_null(client_header(&a.reply, "Server-Timing"));
	a = caller_get(&ada, "/v1/people?limit=1");
	assert_null(client_header(&a.reply, "Server-Timing"));
}
