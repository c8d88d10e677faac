/* The alert rules of deploy/prometheus/rules.yml fire and clear: a real Prometheus reads two servers, while receivers
 * fail, a transaction holds the feed, a lane is full, the disk is said to be full, requests are slow, nobody may send
 * to webhooks, a server is killed, no standby confirms writes and the database is stopped. The rules are the real ones,
 * with minutes of MINUTE_MS. And every expression of the dashboard, deploy/grafana/kith.json, is one that Prometheus
 * understands. */
#include <curl/curl.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/buf.h"
#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"
#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/server/operated.h"
#include "test/lib/webhook/hooked.h"
#include "test/lib/webhook/receiver.h"

enum { MINUTE_MS = 300, SCRAPE_MS = 200, SERVERS = 2, LISTS = 300, SLOW = 4, PATIENCE_MS = 60000, TEXT_MAX = 1 << 20 };

static struct operated operated[SERVERS], prometheus;
static struct receiver *receiver;
static char dir[DIRECTORY_SIZE];
static pid_t prometheus_pid;

/* --- Prometheus ------------------------------------------------------------------------------- */

static char *alerts_read(const char *path)
{
	FILE *f = fopen(path, "r");
	struct buf text;

	assert_non_null(f);
	buf_init(&text, TEXT_MAX);
	for (int c; (c = getc(f)) != EOF;)
		buf_addc(&text, (char)c);
	fclose(f);
	return buf_take(&text, NULL);
}

/* "[5m]" and "for: 5m" get the time of that many test minutes, "* 60" becomes a test minute in seconds. */
static void rules_shorten(const char *rules, FILE *out)
{
	int minutes = 0, factors = 0;

	for (const char *at = rules; *at;) {
		char *end;
		bool time = at > rules && (at[-1] == '[' || strncmp(at > rules + 5 ? at - 5 : "", "for: ", 5) == 0);
		long n = time ? strtol(at, &end, 10) : 0;
		if (n && *end == 'm') {
			fprintf(out, "%ldms", n * MINUTE_MS);
			at = end + 1;
			minutes++;
		} else if (strncmp(at, "* 60\n", 5) == 0) {
			fprintf(out, "* %g", MINUTE_MS / 1000.0);
			at += 4;
			factors++;
		} else {
			putc(*at++, out);
		}
	}
	assert_true(minutes > 8 && factors > 2);
}

static void prometheus_configure(void)
{
	char *rules = alerts_read("deploy/prometheus/rules.yml"), path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/rules.yml", dir);
	f = fopen(path, "w");
	rules_shorten(rules, f);
	fclose(f);
	free(rules);
	snprintf(path, sizeof path, "%s/prometheus.yml", dir);
	f = fopen(path, "w");
	fprintf(f,
	    "global: {scrape_interval: %dms, scrape_timeout: %dms, evaluation_interval: %dms}\n"
	    "rule_files: [rules.yml]\nscrape_configs:\n  - job_name: kith\n    static_configs:\n      - targets: "
	    "[\"127.0.0.1:%d\", \"127.0.0.1:%d\"]\n",
	    SCRAPE_MS, SCRAPE_MS, SCRAPE_MS, operated[0].port, operated[1].port);
	fclose(f);
}

static void prometheus_start(void)
{
	char config[128], data[128], listen[64], log[128];
	FILE *out;

	operated_init(&prometheus);
	prometheus_configure();
	snprintf(config, sizeof config, "--config.file=%s/prometheus.yml", dir);
	snprintf(data, sizeof data, "--storage.tsdb.path=%s/data", dir);
	snprintf(listen, sizeof listen, "--web.listen-address=127.0.0.1:%d", prometheus.port);
	snprintf(log, sizeof log, "%s/log", dir);
	out = fopen(log, "w");
	prometheus_pid =
	    child_start(&(struct child){.argv = (const char *const[]){"prometheus", config, data, listen, NULL},
	        .out = fileno(out),
	        .err = fileno(out),
	        .ends_with_us = true});
	fclose(out);
}

static const struct json *prometheus_ask(const char *target)
{
	struct client_reply reply = operated_send(&prometheus, "GET", target);
	const char *error;

	return reply.status == 200 ? json_read(&prometheus.arena, reply.body, reply.body_len, &error) : NULL;
}

static const struct json *result_of(const struct json *answer, const char *name)
{
	const struct json *data = answer ? json_member(answer, "data") : NULL;

	return data ? json_member(data, name) : NULL;
}

/* Waits until it reads both servers. */
static void prometheus_await(void)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	const struct json *result;

	do
		result = result_of(prometheus_ask("/api/v1/query?query=up%3D%3D1"), "result");
	while ((!result || result->count != SERVERS) && patience_pause(until_us));
	assert_true(result && result->count == SERVERS);
}

/* An alert that fires, NULL: it does not. */
static const struct json *alert_find(const char *name)
{
	const struct json *alerts = result_of(prometheus_ask("/api/v1/alerts"), "alerts");

	assert_non_null(alerts);
	for (const struct json *a = alerts->first; a; a = a->next)
		if (strcmp(json_member(a, "state")->text, "firing") == 0 &&
		    strcmp(json_member(json_member(a, "labels"), "alertname")->text, name) == 0)
			return a;
	return NULL;
}

static void expect_summary(const char *name, const char *word)
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	const struct json *alert;
	const char *summary;

	while (!(alert = alert_find(name))) /* a scrape may have been late */
		assert_true(patience_pause(until_us));
	summary = json_member(json_member(alert, "annotations"), "summary")->text;
	if (!strstr(summary, word))
		fail_msg("'%s' does not say %s", summary, word);
}

/* Waits until all of these have fired, at the same time or not; what keeps the faults going is called meanwhile. */
static void alerts_fire(const char *const names[], int n, void (*go_on)(void))
{
	int64_t until_us = patience_ms(PATIENCE_MS);
	bool seen[16] = {false};
	int left = n;

	while (left) {
		for (int i = 0; i < n; i++)
			if (!seen[i] && alert_find(names[i])) {
				print_message("fires: %s\n", names[i]);
				seen[i] = true;
				left--;
			}
		arena_free(&prometheus.arena);
		if (go_on)
			go_on();
		for (int i = 0; !patience_pause(until_us) && i < n; i++)
			if (!seen[i])
				fail_msg("%s does not fire", names[i]);
	}
}

static void alerts_clear(const char *const names[], int n)
{
	int64_t until_us = patience_ms(PATIENCE_MS);

	for (int i = 0; i < n; i++) {
		while (alert_find(names[i])) {
			arena_free(&prometheus.arena);
			if (!patience_pause(until_us))
				fail_msg("%s does not clear", names[i]);
		}
		print_message("clears: %s\n", names[i]);
	}
}

/* --- the world ----------------------------------------------------------------------------------- */

static struct server_process *serve_watched(int i)
{
	const char *const settings[] = {operated[i].setting, "clock_scale=20", NULL};

	return rig_serve(&rig, false, settings);
}

RIG("alerts", .servers = RIG_NO_SERVER, .own_cluster = true);

BEFORE_ALL()
{
	for (int i = 0; i < SERVERS; i++) {
		operated_init(&operated[i]);
		servers[i] = serve_watched(i);
	}
	receiver = receiver_start(&(struct receiver_config){.address = NULL});
	caller_turn(&ada, servers[1]->base);
	assert_true(directory_make("prometheus", dir));
	prometheus_start();
}

AFTER_ALL()
{
	kill(prometheus_pid, SIGTERM);
	child_wait(prometheus_pid);
	child_wait(child_start(&(struct child){.argv = (const char *const[]){"rm", "-rf", "--", dir, NULL}}));
	receiver_stop(receiver);
	for (int i = 0; i < SERVERS; i++)
		operated_free(&operated[i]);
	operated_free(&prometheus);
}

/* --- the board ---------------------------------------------------------------------------------- */

/* Grafana's variables get a value. */
static const char *query_filled(const char *expression)
{
	static const char *const variables[][2] = {{"$__rate_interval", "1m"}, {"$instance", ".*"}};
	struct buf out;
	char *text;

	buf_init(&out, TEXT_MAX);
	while (*expression) {
		size_t i = 0, n = sizeof variables / sizeof *variables;
		while (i < n && strncmp(expression, variables[i][0], strlen(variables[i][0])) != 0)
			i++;
		if (i < n)
			buf_addz(&out, variables[i][1]);
		else
			buf_addc(&out, *expression);
		expression += i < n ? strlen(variables[i][0]) : 1;
	}
	text = arena_dupz(&prometheus.arena, out.data);
	buf_free(&out);
	return text;
}

static void query_understood(const char *expression)
{
	char *escaped = curl_easy_escape(NULL, query_filled(expression), 0);
	const struct json *answer = prometheus_ask(arena_printf(&prometheus.arena, "/api/v1/query?query=%s", escaped));

	curl_free(escaped);
	if (!answer || strcmp(json_member(answer, "status")->text, "success") != 0)
		fail_msg("Prometheus does not understand: %s", expression);
}

/* Every member "expr", at any depth; variables of Grafana replaced. */
static int queries_understood(const struct json *value)
{
	int n = 0;

	if (value->key && strcmp(value->key, "expr") == 0 && ++n)
		query_understood(value->text);
	for (const struct json *child = value->first; child; child = child->next)
		n += queries_understood(child);
	return n;
}

TEST(test_board)
{
	char *text = alerts_read("deploy/grafana/kith.json");
	const char *error = "";
	const struct json *board = json_read(&ada.arena, text, strlen(text), &error);

	if (!board)
		fail_msg("the board: %s", error);
	prometheus_await();
	assert_true(queries_understood(board) > 20);
	free(text);
}

/* --- faults in the data and the database ------------------------------------------------------------ */

static int slow[SLOW], refused;

static void requests_go_on(void)
{
	if (refused)
		close(refused);
	refused = raw_open(servers[1]->base);
	raw_send(refused, "GET", "/v1/tasks", rig.ada.key, NULL, NULL);
	assert_int_equal(SEND("POST", "{}", "/v1/people").status, 503);
	for (int i = 0; i < SLOW; i++) {
		if (slow[i] && raw_status(slow[i]) == 0)
			continue;
		if (slow[i])
			close(slow[i]);
		slow[i] = raw_open(servers[0]->base);
		raw_send(slow[i], "POST", "/v1/companies", rig.ada.key, NULL, "{}");
	}
}

/* The table of tasks is locked, so that lists of them wait, more than may. */
static void fill_lane(int fds[LISTS])
{
	for (int i = 0; i < LISTS; i++) {
		fds[i] = raw_open(servers[1]->base);
		assert_true(raw_send(fds[i], "GET", "/v1/tasks", rig.ada.key, NULL, NULL));
	}
}

static void expect_held(int pid)
{
	char word[64];
	const char *ready;

	snprintf(word, sizeof word, "held by process %d ", pid);
	ready = operated_send(&operated[0], "GET", "/readyz?verbose").body;
	if (!strstr(ready, word) || !strstr(ready, "LOCK TABLE tasks"))
		fail_msg("not said that it is %s: %s", word, ready);
	assert_null(strstr(ready, "zebra"));
	snprintf(word, sizeof word, "kith_feed_holder_info{pid=\"%d\"", pid);
	assert_non_null(strstr(operated_send(&operated[0], "GET", "/metrics").body, word));
}

/* The first attempt and its retry failed. */
static void expect_counted(const char *hook)
{
	static const char *const samples[] = {
	    "kith_webhook_attempt_seconds_count{workspace=\"%s\",webhook=\"%s\",outcome=\"failed\"}",
	    "kith_webhook_retries_total{workspace=\"%s\",webhook=\"%s\"}",
	    "kith_webhook_due_deliveries{workspace=\"%s\",webhook=\"%s\"}",
	    "kith_webhook_lag_seconds{workspace=\"%s\",webhook=\"%s\"}"};
	char sample[200];

	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		const char *rest = strstr(samples[i], "%s") + 2, *end = strstr(rest, "%s") + 2;
		snprintf(sample, sizeof sample, "%.*s%s%.*s%s%s", (int)(rest - 2 - samples[i]), samples[i],
		    rig.workspace.id, (int)(end - 2 - rest), rest, hook, end);
		if (operated_value(&operated[0], sample) < 1)
			fail_msg("%s is not there", sample);
	}
}

static void retry_all(const char *hook)
{
	const char *target = TEXT("/v1/webhooks/%s/deliveries?state=pending", hook), *error;
	int64_t until_us = patience_ms(PATIENCE_MS);
	struct caller_answer a;
	const struct json *list;

	do /* the lists that waited for the lock are read first */
		a = caller_send(&ada, "GET", target, NULL, NULL);
	while (a.status == 503 && patience_pause(until_us));
	caller_good(a);
	list = result_of(json_read(&ada.arena, a.reply.body, a.reply.body_len, &error), "items");
	assert_non_null(list);
	for (const struct json *d = list->first; d; d = d->next)
		MAKE(NULL, "/v1/webhooks/%s/deliveries/%s/retry", hook, json_member(d, "id")->text);
}

TEST(test_faults)
{
	static const char *const names[] = {"KithReceiverFails", "KithReceiverBehind", "KithFeedHeld", "KithLaneFull",
	    "KithDiskFull", "KithErrors", "KithSlow"};
	enum { N = sizeof names / sizeof *names };
	PGconn *pg = PQconnectdb(rig.program->database_url);
	struct hooked hook;
	int lists[LISTS];

	receiver_behave(receiver, (struct receiver_behaviour){.status = 500});
	hook = hooked_make(&ada, receiver_url(receiver, "/"), NULL);
	MAKE("{}", "/v1/people");
	assert_true(receiver_wait(receiver, 1, PATIENCE_MS));
	database_execute(pg,
	    "create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'full' "
	    "using errcode = 'disk_full'; end $$; create function be_slow() returns trigger language plpgsql "
	    "as $$ begin perform pg_sleep(1.1); return new; end $$; create trigger full_disk before insert on "
	    "people for each row execute function full_disk(); create trigger be_slow before insert on "
	    "companies for each row execute function be_slow()");
	database_execute(pg, "begin");
	database_execute(pg, "LOCK TABLE tasks; /* 'zebra' */ select pg_current_xact_id()");
	fill_lane(lists);
	alerts_fire(names, N, requests_go_on);
	expect_held(PQbackendPID(pg));
	expect_counted(hook.id);
	expect_summary("KithReceiverFails", hook.id);
	expect_summary("KithFeedHeld", "LOCK TABLE tasks");
	database_execute(pg, "rollback");
	database_execute(pg, "drop function full_disk cascade; drop function be_slow cascade");
	receiver_behave(receiver, (struct receiver_behaviour){.status = 200});
	retry_all(hook.id);
	for (int i = 0; i < LISTS; i++)
		close(lists[i]);
	for (int i = 0; i < SLOW; i++)
		close(slow[i]);
	close(refused);
	alerts_clear(names, N);
	PQfinish(pg);
}

/* --- the processes and the database ------------------------------------------------------------------ */

/* Somebody else takes the lock of the process that sends as soon as that is killed. */
TEST(test_processes)
{
	static const char *const names[] = {"KithDown", "KithNobodySends"};
	PGconn *pg = PQconnectdb(rig.program->database_url);

	assert_true(operated_value(&operated[0], "kith_webhooks_sender") == 1);
	assert_true(PQsendQuery(pg, "select pg_advisory_lock(hashtextextended('kith_dispatcher', 0))"));
	assert_true(PQflush(pg) == 0);
	assert_true(hooked_until(
	    &rig, 1, PATIENCE_MS, "select count(*) from pg_locks where locktype = 'advisory' and not granted"));
	assert_true(server_kill(servers[0]));
	alerts_fire(names, 2, NULL);
	PQfinish(pg);
	servers[0] = serve_watched(0);
	alerts_clear(names, 2);
}

TEST(test_database)
{
	static const char *const stalled[] = {"KithCommitStalled"}, *const names[] = {"KithDatabaseAway"};
	int64_t until_us;
	int fd = raw_open(servers[1]->base);

	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", "nobody"));
	assert_true(raw_send(fd, "POST", "/v1/people", rig.ada.key, NULL, "{}"));
	expect_summary(stalled[0], "a synchronous standby");
	assert_true(cluster_set(rig.cluster, "synchronous_standby_names", ""));
	alerts_clear(stalled, 1);
	close(fd);
	assert_true(cluster_halt(rig.cluster, false));
	alerts_fire(names, 1, NULL);
	assert_int_equal(operated_send(&operated[1], "GET", "/readyz?verbose").status, 503);
	until_us = patience_ms(PATIENCE_MS);
	while (operated_value(&operated[1], "kith_feed_held_seconds") >= 0) /* a sample that is too old is left out */
		assert_true(patience_pause(until_us));
	assert_true(cluster_go(rig.cluster));
	alerts_clear(names, 1);
}
