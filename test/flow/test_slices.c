/* The largest requests take many turns of the loop: other requests meanwhile wait for a small part of their time.
 * Times are compared with those of the same process, as the machine may be slow and busy. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/flow.h"
#include "test/lib/http/card_device.h"

enum { BODY_MAX = 8 << 20, RECORDS = 100, SHARE = 4, TRIES = 3 };

static struct caller other;

RIG("slices");

BEFORE_ALL()
{
	caller_init(&other, server->base, rig.ada.key);
}

AFTER_ALL()
{
	caller_free(&other);
}

/* A large request, and the longest time of the small requests sent while it was in progress. */
struct slice_pair {
	struct caller *caller;
	const char *method, *target, *once, *body;
	struct caller_answer answer;
	int64_t longest_us;
	int small;
	atomic_bool over;
};

static void send_one(void *ctx, int i)
{
	struct slice_pair *p = ctx;

	if (i == 0) {
		p->answer = caller_send(p->caller, p->method, p->target, p->once, p->body);
		p->over = true;
		return;
	}
	while (!p->over) {
		struct caller_answer a = caller_send(&other, "GET", "/livez", NULL, NULL);
		if (a.status != 200)
			break;
		if (a.took_us > p->longest_us)
			p->longest_us = a.took_us;
		p->small++;
	}
}

/* The best of several: only what happens each time is the server's fault. */
static void check_shared_of(
    struct caller *caller, const char *method, const char *target, bool keyed, const char *body, int status)
{
	int64_t took = 0, longest = 0;

	for (int i = 0; i < TRIES; i++) {
		char once[64];
		struct slice_pair p = {
		    .caller = caller, .method = method, .target = target, .once = keyed ? once : NULL, .body = body};
		snprintf(once, sizeof once, "try-%d-%zu", i, strlen(body ? body : ""));
		caller_crowd_run(2, send_one, &p);
		if (p.answer.status != status)
			fail_msg("%s: %d %s %.300s", target, p.answer.status, p.answer.error, p.answer.reply.body);
		took = p.answer.took_us;
		longest = p.longest_us;
		print_message("%s: %lld us, %d small ones, the longest %lld us\n", target, (long long)took, p.small,
		    (long long)longest);
		if (longest * SHARE < took)
			return;
	}
	fail_msg("%s took %lld us, and held others up for %lld us", target, (long long)took, (long long)longest);
}

static void check_shared(const char *method, const char *target, bool keyed, const char *body, int status)
{
	check_shared_of(&ada, method, target, keyed, body, status);
}

/* Records that are refused: parsing and validation only. */
TEST(test_refused)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[");
	for (int i = 0; i < RECORDS; i++) {
		buf_printf(&body, "%s{\"emails\":[", i ? "," : "");
		for (int k = 0; k < 1500; k++)
			buf_printf(&body, "%s\"n\\u00e9%06d.%d@example.org\"", k ? "," : "", k, i);
		buf_addz(&body, "]}");
	}
	buf_addz(&body, "]}");
	assert_false(body.overflow);
	check_shared("POST", "/v1/people/batch/create", false, body.data, 422);
	buf_free(&body);
}

/* A record named a hundred times: everything but the database's work, and the key's fingerprint. */
TEST(test_merged)
{
	const char *id = SEND("POST", "{\"firstName\":\"One\"}", "/v1/people").id;
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[");
	for (int i = 0; i < RECORDS; i++) {
		buf_printf(&body, "%s{\"id\":\"%s\",\"addresses\":[", i ? "," : "", id);
		for (int k = 0; k < 20; k++)
			buf_printf(&body, "%s\"%0450d\"", k ? "," : "", k);
		buf_addz(&body, "],\"urls\":[");
		for (int k = 0; k < 20; k++)
			buf_printf(&body, "%s\"https://example.org/%01000d\"", k ? "," : "", k);
		buf_addz(&body, "]}");
	}
	buf_addz(&body, "]}");
	assert_false(body.overflow);
	check_shared("POST", "/v1/people/batch/update", true, body.data, 200);
	buf_free(&body);
}

/* Custom values of a hundred records: read by type, compared with the stored ones, rendered; and a page of them. */
TEST(test_custom)
{
	enum { FIELDS = 20 };
	const char *ids[RECORDS];
	const char *group = SEND("POST", "{\"name\":\"G\",\"visibility\":\"private\"}", "/v1/groups").id;
	struct buf body;

	for (int i = 0; i < FIELDS; i++)
		caller_sendf(&ada, "POST", TEXT("/v1/groups/%s/custom-fields/person", group), NULL,
		    "{\"name\":\"f%d\",\"type\":\"textField\"}", i);
	for (int i = 0; i < RECORDS; i++)
		ids[i] = caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"groups\":[{\"id\":\"%s\"}]}", group).id;
	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[");
	for (int i = 0; i < RECORDS; i++) {
		buf_printf(&body, "%s{\"id\":\"%s\",\"customFieldValues\":{\"%s\":{", i ? "," : "", ids[i], group);
		for (int k = 0; k < FIELDS; k++)
			buf_printf(&body, "%s\"f%d\":\"%02100d\"", k ? "," : "", k, i);
		buf_addz(&body, "}}}");
	}
	buf_addz(&body, "]}");
	assert_false(body.overflow);
	assert_int_equal(SEND("POST", body.data, "/v1/people/batch/update").status, 200);
	check_shared("POST", "/v1/people/batch/update", true, body.data, 200);
	check_shared("GET", "/v1/people?limit=100&sort=-updatedAt", false, NULL, 200);
	buf_free(&body);
}

/* More values than a body may have, and more members than an object may. */
TEST(test_too_much)
{
	struct buf body;

	buf_init(&body, BODY_MAX);
	buf_addz(&body, "{\"records\":[0");
	for (int i = 0; i < 720000; i++)
		buf_addz(&body, ",1");
	buf_addz(&body, "]}");
	assert_int_equal(SEND("POST", body.data, "/v1/people/batch/create").status, 413);
	buf_clear(&body);
	buf_addz(&body, "{\"first\":0");
	for (int i = 0; i < 10 * 1000; i++)
		buf_printf(&body, ",\"m%d\":1", i);
	buf_addz(&body, "}");
	assert_int_equal(SEND("POST", body.data, "/v1/people").status, 413);
	buf_free(&body);
}

/* A search that finds nothing, so that only writing and testing the cards takes time. */
TEST(test_cards)
{
	const char *search = "<c:addressbook-query xmlns:d='DAV:' xmlns:c='urn:ietf:params:xml:ns:carddav'><d:prop>"
	                     "<d:getetag/></d:prop><c:filter><c:prop-filter name='X-A'><c:text-match>nothing"
	                     "</c:text-match></c:prop-filter></c:filter></c:addressbook-query>";
	struct caller device = device_open(server, "[\"contacts\"]");

	SQL("with p as (insert into people (workspace_id, id, first_name, full_name, created_at, created_by, "
	    "updated_at) "
	    "select '%s', gen_random_uuid(), 'Card', 'Card', now(), '%s', now() from generate_series(1, %d) returning "
	    "workspace_id, id) insert into contact_cards (workspace_id, record_id, company, kept, version) select p.*, "
	    "false, repeat(E'X-A:b\n', 800), 1 from p",
	    rig.workspace.id + 4, rig.ada.id + 4, RECORDS);
	check_shared_of(&device, "REPORT", TEXT("/dav/books/%s/people/", rig.ada.id), false, search, 207);
	caller_free(&device);
}
