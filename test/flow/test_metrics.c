/* What operators see: /metrics counts each request once, by route, method and status, in a form that Prometheus
 * accepts; /debug/requests shows what is under way and nothing secret; each process has its own listener. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/server/child.h"
#include "test/lib/server/operated.h"

enum { PATIENCE_MS = 60000 };

#define COUNTED(method, route, status)                                                                                 \
	"kith_http_request_duration_seconds_count{route=\"" route "\",method=\"" method "\",status=\"" status "\"}"

static struct operated operated;

static struct server_process *serve_operated(const struct operated *o)
{
	const char *const settings[] = {o->setting, NULL};

	return rig_serve(&rig, false, settings);
}

RIG("metrics", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	operated_init(&operated);
	server = serve_operated(&operated);
	caller_turn(&ada, server->base);
}

AFTER_ALL()
{
	operated_free(&operated);
}

static void expect_sample(const char *sample, double value)
{
	double found = operated_value(&operated, sample);

	if (found != value)
		fail_msg("%s is %g, not %g", sample, found, value);
}

TEST(test_requests)
{
	const char *id, *path;

	id = POST("{\"firstName\":\"Grace\"}", "/v1/people");
	path = TEXT("/v1/people/%s", id);
	for (int i = 0; i < 3; i++)
		caller_get(&ada, path);
	assert_int_equal(caller_send(&ada, "HEAD", path, NULL, NULL).status, 200);
	assert_int_equal(SEND("GET", NULL, "/v1/nothing").status, 404);
	assert_int_equal(caller_send(&ada, "PUT", path, NULL, "{}").status, 405);
	caller_good(caller_send(&ada, "DELETE", path, NULL, NULL));
	assert_int_equal(caller_send(&ada, "GET", path, NULL, NULL).status, 404);
	expect_sample(COUNTED("POST", "/v1/people", "200"), 1);
	expect_sample(COUNTED("GET", "/v1/people/{personId}", "200"), 3);
	expect_sample(COUNTED("GET", "/v1/people/{personId}", "404"), 1);
	expect_sample(COUNTED("HEAD", "/v1/people/{personId}", "200"), 1);
	expect_sample(COUNTED("GET", "unmatched", "404"), 1);
	expect_sample(COUNTED("PUT", "unmatched", "405"), 1);
	expect_sample(
	    "kith_http_request_duration_seconds_bucket{route=\"/v1/people\",method=\"POST\",status=\"200\",le="
	    "\"+Inf\"}",
	    1);
	assert_null(strstr(operated_send(&operated, "GET", "/metrics").body, id));
}

TEST(test_answers_of_keys)
{
	const struct caller_answer a = caller_send(&ada, "POST", "/v1/people", "once", "{\"firstName\":\"Once\"}");
	struct caller stranger;
	double admitted = operated_value(&operated, "kith_admissions_total{result=\"admitted\"}");

	assert_int_equal(a.status, 200);
	assert_true(caller_send(&ada, "POST", "/v1/people", "once", "{\"firstName\":\"Once\"}").replayed);
	assert_int_equal(caller_send(&ada, "POST", "/v1/people", "once", "{\"firstName\":\"Twice\"}").status, 422);
	caller_init(&stranger, server->base, "kith_0000000000000000000000000000000000000000000000");
	assert_int_equal(caller_send(&stranger, "GET", "/v1/people", NULL, NULL).status, 401);
	caller_free(&stranger);
	expect_sample("kith_idempotent_replays_total", 1);
	expect_sample("kith_idempotency_conflicts_total{reason=\"reused\"}", 1);
	expect_sample("kith_idempotency_conflicts_total{reason=\"in_progress\"}", 0);
	expect_sample("kith_admissions_total{result=\"admitted\"}", admitted + 2);
}

static int64_t usage_number(struct caller *c, const char *name)
{
	return strtoll(json_member(caller_data(&c->arena, caller_get(c, "/v1/usage")), name)->text, NULL, 10);
}

/* A workspace is told of its own requests, without the current one, and of no others'. */
TEST(test_usage)
{
	static const char *const names[] = {"requests", "refused", "replayed", "events", "limited", "errors"};
	static const int64_t added[] = {4 + 6, 1, 1, 1, 0, 0}; /* and those that ask */
	struct test_user other = rig_stranger(&rig, "other");
	enum { N = sizeof names / sizeof *names };
	struct caller stranger;
	int64_t before[N];

	caller_init(&stranger, server->base, other.key);
	assert_int_equal(usage_number(&stranger, "requests"), 0);
	for (int i = 0; i < N; i++)
		before[i] = usage_number(&ada, names[i]);
	caller_good(caller_send(&ada, "POST", "/v1/people", "counted", "{}"));
	assert_true(caller_send(&ada, "POST", "/v1/people", "counted", "{}").replayed);
	MAKE("{}", "/v1/people?dryRun=true");
	assert_int_equal(SEND("POST", "{\"firstName\":1}", "/v1/people").status, 422);
	for (int i = 0; i < N; i++) {
		int64_t now = usage_number(&ada, names[i]);
		if (now != before[i] + added[i])
			fail_msg("%s: %lld, not %lld more than %lld", names[i], (long long)now, (long long)added[i],
			    (long long)before[i]);
	}
	assert_int_equal(usage_number(&stranger, "requests"), 1);
	caller_free(&stranger);
}

TEST(test_limited)
{
	struct operated other;
	struct server_process *limited;
	const char *settings[] = {NULL, "rate_burst=3/60", NULL};

	operated_init(&other);
	settings[0] = other.setting;
	limited = rig_serve(&rig, false, settings);
	caller_turn(&ada, limited->base);
	for (int i = 0; i < 5; i++)
		SEND("GET", NULL, "/v1/users/me");
	caller_turn(&ada, server->base);
	assert_true(operated_value(&other, "kith_rate_limited_total{policy=\"burst\"}") == 2);
	assert_true(operated_value(&other, "kith_admissions_total{result=\"limited\"}") == 2);
	assert_true(operated_value(&other, COUNTED("GET", "/v1/users/me", "429")) == 2);
	assert_true(server_stop(limited));
	operated_free(&other);
}

/* One exchange of each kind, and the process itself. */
TEST(test_inside)
{
	double events = operated_value(&operated, "kith_events_total"), lists;

	lists = operated_value(&operated, "kith_database_exchanges_total{lane=\"list\",result=\"ok\"}");
	caller_get(&ada, "/v1/people");
	expect_sample("kith_database_exchanges_total{lane=\"list\",result=\"ok\"}", lists + 1);
	expect_sample("kith_lane_wait_seconds_count{lane=\"list\"}", lists + 1);
	expect_sample("kith_lane_exchange_seconds_count{lane=\"list\"}", lists + 1);
	MAKE("{}", "/v1/people");
	expect_sample("kith_webhooks_sender", 1);
	assert_true(operated_until(&operated, "kith_events_total", events + 1, PATIENCE_MS));
	assert_true(
	    operated_until(&operated, "kith_job_runs_total{name=\"due reminders\",result=\"ok\"}", 1, PATIENCE_MS));
	assert_true(operated_until(&operated, "kith_feed_held_seconds", 0, PATIENCE_MS));
	assert_true(operated_value(&operated, "process_resident_memory_bytes") > 1 << 20);
	assert_true(operated_value(&operated, "process_open_fds") > 10);
	assert_true(operated_value(&operated, "kith_loop_delay_seconds_count") > 0);
	expect_sample("kith_database_up", 1);
}

TEST(test_ready)
{
	struct client_reply reply = operated_send(&operated, "GET", "/readyz?verbose");

	assert_int_equal(reply.status, 200);
	assert_non_null(strstr(reply.body, "[+] lane write: "));
	assert_non_null(strstr(reply.body, "\nready\n"));
	assert_string_equal(operated_send(&operated, "GET", "/readyz").body, "ready\n");
}

/* A name of elsewhere that leads here is not answered. */
TEST(test_hosts)
{
	static const struct {
		const char *host;
		int status;
	} cases[] = {{"evil.example", 421}, {"evil.example:80", 421}, {"127.0.0.1.evil.example", 421}, {"1.2.3", 421},
	    {"localhost:1", 200}, {"kith", 200}, {"127.0.0.1", 200}, {"10.1.2.3:9464", 200}, {"[::1]:9464", 200},
	    {"crm.example.org", 200}, {"CRM.example.org:9464", 200}, {"crm.example.or", 421}, {"rm.example.org", 421}};
	const char *const settings[] = {NULL, "public_url=https://crm.example.org/kith", NULL};
	const char *all[3];
	struct operated named;
	struct server_process *s;

	operated_init(&named);
	memcpy(all, settings, sizeof all);
	all[0] = named.setting;
	s = rig_serve(&rig, false, all);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct client_request request = {
		    .method = "GET", .target = "/metrics", .headers = {{"Host", cases[i].host}}, .n_headers = 1};
		struct client_reply reply;
		char error[256];
		if (!client_send(named.client, &named.arena, &request, &reply, error))
			fail_msg("%s: %s", cases[i].host, error);
		if (reply.status != cases[i].status)
			fail_msg("%s: %d", cases[i].host, reply.status);
		assert_string_equal(client_header(&reply, "X-Content-Type-Options"), "nosniff");
	}
	assert_true(server_stop(s));
	operated_free(&named);
}

/* promtool names each fault of the text, and what is against the conventions of names. */
TEST(test_form)
{
	struct client_reply reply = operated_send(&operated, "GET", "/metrics");
	FILE *in = tmpfile(), *out = tmpfile();
	char said[2000] = "";

	assert_int_equal(reply.status, 200);
	assert_string_equal(client_header(&reply, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
	fwrite(reply.body, 1, reply.body_len, in);
	rewind(in);
	if (child_wait(child_start(&(struct child){.argv = (const char *const[]){"promtool", "check", "metrics", NULL},
	        .in = fileno(in),
	        .out = fileno(out),
	        .err = fileno(out)})) != 0) {
		rewind(out);
		said[fread(said, 1, sizeof said - 1, out)] = '\0';
		fail_msg("promtool: %s", said);
	}
	rewind(out);
	assert_int_equal(fread(said, 1, sizeof said - 1, out), 0);
	fclose(in);
	fclose(out);
}

/* A reader of the feed is under way; their key is not told. */
TEST(test_under_way)
{
	int fd = raw_open(server->base);
	int64_t until_us = patience_ms(PATIENCE_MS);
	const char *body;

	assert_true(raw_send(fd, "GET", "/v1/events/stream", rig.ada.key, NULL, NULL));
	do
		body = operated_send(&operated, "GET", "/debug/requests").body;
	while (!strstr(body, "\"state\":\"events\"") && patience_pause(until_us));
	assert_non_null(strstr(body, "\"route\":\"/v1/events/stream\""));
	assert_non_null(strstr(body, "\"state\":\"events\""));
	assert_non_null(strstr(body, "\"requestId\":\""));
	assert_non_null(strstr(body, "\"total\":1"));
	assert_null(strstr(body, rig.ada.key));
	assert_null(strstr(body, "Bearer"));
	close(fd);
}

TEST(test_paths)
{
	struct client_reply reply;

	assert_int_equal(operated_send(&operated, "GET", "/livez").status, 200);
	assert_int_equal(operated_send(&operated, "HEAD", "/metrics").status, 200);
	reply = operated_send(&operated, "POST", "/metrics");
	assert_int_equal(reply.status, 405);
	assert_string_equal(client_header(&reply, "Allow"), "GET, HEAD");
	assert_int_equal(operated_send(&operated, "GET", "/v1/people").status, 404);
	assert_int_equal(operated_send(&operated, "GET", "/metricsx").status, 404);
	assert_int_equal(SEND("GET", NULL, "/metrics").status, 404);
}

/* A process whose address another one still has serves the API, and gets the address when the other one ends. */
TEST(test_taken_over)
{
	struct operated other;
	struct server_process *old, *fresh;

	operated_init(&other);
	old = serve_operated(&other);
	caller_turn(&ada, old->base);
	caller_get(&ada, "/v1/users/me");
	fresh = serve_operated(&other);
	for (int i = 0; i < 20; i++, operated_turn(&other))
		assert_true(operated_value(&other, COUNTED("GET", "/v1/users/me", "200")) == 1);
	assert_true(server_stop(old));
	caller_turn(&ada, fresh->base);
	caller_get(&ada, "/v1/people");
	assert_true(operated_until(&other, COUNTED("GET", "/v1/people", "200"), 1, PATIENCE_MS));
	assert_true(operated_value(&other, COUNTED("GET", "/v1/users/me", "200")) < 0);
	caller_turn(&ada, server->base);
	assert_true(server_stop(fresh));
	operated_free(&other);
}
