/* kith serve: the order of start and stop. */
#include "server/serve.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/admin/admin.h"
#include "server/request/admit.h"
#include "server/base/clock.h"
#include "server/request/compress.h"
#include "server/base/log.h"
#include "server/base/systemd.h"
#include "server/embedded/embedded.h"
#include "server/request/errors.h"
#include "server/event/wait.h"
#include "server/request/transaction.h"
#include "server/base/loop.h"
#include "server/request/joint.h"
#include "server/request/large.h"
#include "server/request/turns.h"
#include "server/routes.h"
#include "server/signin/oidc.h"
#include "server/secret_key.h"
#include "server/signin/password_task.h"
#include "server/request/replica.h"
#include "server/request/reply.h"
#include "server/job/jobs.h"
#include "server/webhook_service.h"
#include "server/request/slice.h"
#include "server/request/server.h"
#include "server/request/tally.h"
#include "server/request/usage_count.h"
#include "server/request/coalesce.h"
#include "server/embedded/command_session.h"
#include "server/oauth/client_document.h"
#include "server/request/commit_notify.h"
#include "server/recurrence/zone.h"
#include "store/db_ask.h"
#include "webhook/fetch.h"

enum {
	STOP_MS = 25000,
	SENDING_MS = 22000,
	STOP_CHECK_MS = 20,
	DATABASE_CHECK_MS = 500,
	TRIM_BYTES = 8 << 20,
	TRIM_MS = 10000
};

struct serving {
	struct session session;
	struct server server;
	int argc; /* needed again on SIGHUP */
	char **argv;
	struct admin *admin;
	int64_t stop_until_us;
};

/* --- the end of a turn ------------------------------------------------------------- */

static void flush_admission(void *ctx)
{
	admission_flush(((struct server *)ctx)->admission);
}
static void flush_database(void *ctx)
{
	large_flush(ctx);
	turns_flush(ctx);
	coalesce_flush(ctx);
	replica_flush(ctx);
	joint_flush(ctx);
	db_flush(((struct server *)ctx)->db);
}

static void flush_log(void *ctx)
{
	(void)ctx;
	log_flush();
}

/* --- signals ------------------------------------------------------------------------- */

static void stop_when_idle(void *ctx)
{
	struct serving *v = ctx;

	http_stop(v->server.http); /* also closes connections that have become idle since */
	if ((http_in_flight(v->server.http) == 0 && http_connections(v->server.http) == 0 &&
	        webhook_service_idle(&v->server)) ||
	    clock_mono_us() > v->stop_until_us)
		loop_stop(v->session.loop);
	else
		loop_after(v->session.loop, STOP_CHECK_MS, stop_when_idle, v);
}

static void serve_stop(void *ctx)
{
	struct serving *v = ctx;

	if (v->server.stopping)
		return;
	v->server.stopping = true;
	v->stop_until_us = clock_mono_us() + (int64_t)STOP_MS * 1000;
	event_waits_stop(&v->server);
	systemd_say("STOPPING=1");
	log_info("serve", "stopping: %zu requests are being finished", http_in_flight(v->server.http));
	webhook_service_stop(&v->server, SENDING_MS);
	stop_when_idle(v);
}

static void serve_rates(const struct config *c, struct admission_rate out[ADMISSION_POLICIES])
{
	out[ADMISSION_DEFAULT] = (struct admission_rate){c->rate_default.limit, c->rate_default.window_s};
	out[ADMISSION_BURST] = (struct admission_rate){c->rate_burst.limit, c->rate_burst.window_s};
}

/* SIGHUP reads the log level and the rate limits again. */
static void serve_reload(void *ctx)
{
	struct serving *v = ctx;
	struct admission_rate rates[ADMISSION_POLICIES];
	struct config fresh;
	char error[512];
	int argc = v->argc;
	size_t size = (size_t)(argc + 1) * sizeof *v->argv;
	char **argv = memcpy(mem_alloc(size), v->argv, size);

	if (config_load(&fresh, &argc, argv, error)) {
		log_set_level(fresh.log_level);
		serve_rates(&fresh, rates);
		admission_set_rates(v->server.admission, rates);
		log_info("serve", "settings were reloaded: log level and rate limits apply");
		config_free(&fresh);
	} else {
		log_error("serve", "settings were not reloaded: %s", error);
	}
	free(argv);
}

/* --- start ----------------------------------------------------------------------------- */

static void write_error(struct buf *body, int status, const char *request_id, const char *message, void *ctx)
{
	const struct server *s = ctx;
	const char *base = s->config->public_url ? s->config->public_url : s->default_url;

	error_body(body, error_of_status(status), message, base, request_id, NULL);
}

/* After a dump was restored, whatever its level, everything is missing that only kith migrate creates. */
static void serve_say_unreadable(const char *what, const struct db_exchange *x)
{
	fprintf(stderr,
	    "kith: cannot read the %s from the database: %s\nkith: a database that was restored or moved needs \"kith "
	    "migrate\" first, as the login that is used here\n",
	    what, x->status == DB_FAILED ? x->message : "there is no connection that may be used");
}

/* The key that seals cursors is in the database, so that all processes can open each other's cursors. */
static bool load_cursor_key(struct server *s)
{
	struct db_ask ask;
	struct sql *sql;
	const char *value;
	size_t len = 0;
	bool ok;

	db_ask_begin(&ask);
	sql = db_ask_add(&ask);
	sql_begin_system(sql, &ask.arena, NULL);
	sql_add(sql, "select v.value, " DB_IDENTITY " " DB_IDENTITY_FROM);
	ok = db_ask_run(&ask, s->db) == DB_OK && db_rows(&ask.x, 0) == 1;
	if (ok) {
		value = db_text(&ask.x, 0, 0, 0, &len);
		ok = len == sizeof s->cursor_key;
		if (ok)
			memcpy(s->cursor_key, value, len);
		snprintf(s->identity, sizeof s->identity, "%s", db_text(&ask.x, 0, 0, 1, NULL));
	}
	if (!ok)
		serve_say_unreadable("cursor key", &ask.x);
	db_ask_end(&ask);
	return ok;
}

static bool load_horizon(struct server *s)
{
	struct db_exchange x;

	if (horizon_first(admission_horizon(s->admission), s->db, &x))
		return true;
	serve_say_unreadable("position of events", &x);
	return false;
}

/* Creates today's partitions before anything is written. If this fails, rows go to the default partition, and the
 * scheduler tries again. */
static void make_partitions(struct server *s)
{
	struct db_ask ask;
	struct sql *sql;

	db_ask_begin(&ask);
	sql = db_ask_add(&ask);
	sql_begin_system(sql, &ask.arena, NULL);
	sql_add(sql, "select kith_partitions()");
	if (db_ask_run(&ask, s->db) != DB_OK)
		log_warn("serve", "cannot create partitions for events: %s %s", ask.x.sqlstate, ask.x.message);
	db_ask_end(&ask);
}

static char *link_base(const char *address)
{
	size_t size = strlen(address) + sizeof "http://";
	char *url = mem_alloc(size);

	snprintf(url, size, "http://%s", strncmp(address, "unix:", 5) == 0 ? "localhost" : address);
	return url;
}

static bool listen_all(struct server *s)
{
	char error[256], bound[128];

	systemd_sockets_begin(s->identity);
	for (int i = 0; i < s->config->n_listen; i++) {
		if (!http_listen(s->http, s->config->listen[i], error, bound)) {
			fprintf(stderr, "kith: %s\n", error);
			return false;
		}
		log_info("serve", "listening on %s", bound);
		if (i == 0)
			s->default_url = link_base(bound);
	}
	http_hold(s->http);
	return true;
}

static void watch_database(void *ctx)
{
	struct serving *v = ctx;

	if (v->server.stopping)
		return;
	embedded_check(v->session.embedded, db_ready(v->server.db));
	loop_after(v->session.loop, DATABASE_CHECK_MS, watch_database, v);
}

/* A loop that hangs stops telling systemd that it is alive, and systemd restarts the service. */
static void serve_alive(void *ctx)
{
	struct serving *v = ctx;

	systemd_say("WATCHDOG=1");
	loop_after(v->session.loop, systemd_watchdog_ms(), serve_alive, v);
}

static bool start_signin(struct server *s)
{
	s->fetcher = fetcher_new(s->loop, s->target_rules, s->resolver, NULL);
	s->client_documents = client_documents_new();
	return s->fetcher && oidc_open(s);
}

/* HTTP comes before the listeners; requests begin with the runner. */
static struct http_server *start_http(struct server *s)
{
	struct http_config http;

	http_config_default(&http);
	http.handler = runner_start;
	http.error_writer = write_error;
	http.judge = admit_judge;
	http.error_header = (struct http_header){"X-API-Version", API_VERSION};
	http.identity = s->identity;
	http.ctx = s;
	return http_new(loop_base(s->loop), &http);
}

static void start_parts(struct serving *v)
{
	struct server *s = &v->server;
	struct admission_rate rates[ADMISSION_POLICIES];
	struct uuid process;

	s->config = &v->session.config;
	s->loop = v->session.loop;
	s->db = v->session.db;
	s->embedded = v->session.embedded;
	for (int i = 0; i < RUNNING_BUCKETS; i++)
		list_init(&s->running[i]);
	list_init(&s->requests);
	s->tally = tally_new();
	s->usages = usages_new();
	process = id_random();
	uuid_format(&process, s->process);
	list_init(&s->asking);
	list_init(&s->joints);
	list_init(&s->coalesced);
	fair_queue_init(&s->large_waiting);
	list_init(&s->turns_waiting);
	list_init(&s->turns_running);
	cors_init(&s->cors, s->config->cors_origins);
	proxies_init(&s->proxies, s->config->trusted_proxies);
	compress_start(s, s->config->gzip);
	passwords_start(s);
	serve_rates(s->config, rates);
	s->admission = admission_new(s->db, rates);
	s->workspaces = workspace_cache_new(s->db, s->loop);
	s->http = start_http(s);
	if (zone_read_all() == 0)
		log_warn("serve", "the system has no time zone data (package tzdata): reminders in zones other than "
		                  "UTC wait until it is installed");
	s->scheduler = scheduler_start(s, job_table, n_job_rows);
	commit_notify_start(s);
	event_waits_start(s);
	loop_at_turn_end(s->loop, flush_admission, s);
	loop_at_turn_end(s->loop, flush_database, s);
	loop_at_turn_end(s->loop, flush_log, s);
	if (s->embedded)
		loop_after(s->loop, DATABASE_CHECK_MS, watch_database, v);
	/* libevent sets signals back to this at the end: a second one in the last moments of a stop does no harm. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	loop_on_signal(s->loop, SIGTERM, serve_stop, v);
	loop_on_signal(s->loop, SIGINT, serve_stop, v);
	loop_on_signal(s->loop, SIGHUP, serve_reload, v);
}

/* Ends the remaining requests while the database closes. The HTTP server is closed last. */
static void stop_parts(struct serving *v)
{
	struct server *s = &v->server;

	scheduler_stop(s->scheduler);
	webhook_service_close(s);
	fetcher_stop(s->fetcher);
	secret_key_stop(s);
	s->closing = true;
	slices_stop(s);
	passwords_stop(s);
	large_stop(s);
	turns_stop(s);
	workspace_cache_stop(s->workspaces);
	replica_stop(s);
	db_close(s->db);
	v->session.db = NULL;
	joint_stop(s);
	commit_outcome_stop(s);
	webhook_service_free(s);
	oidc_close(s->oidc);
	fetcher_free(s->fetcher);
	client_documents_free(s->client_documents);
	event_waits_free(s);
	commit_notify_free(s);
	admission_free(s->admission);
	replica_free(s);
	workspace_cache_free(s->workspaces);
	http_free(s->http);
	admin_free(v->admin);
	tally_free(s->tally);
	usages_free(s->usages);
	secret_key_free(s);
	compress_free(s);
	passwords_free(s);
	cors_free(&s->cors);
	proxies_free(&s->proxies);
	free(s->default_url);
}

/* Pages of lists need large blocks of memory for a short time. By default malloc returns them to the system and
 * requests them again for each page, which takes a tenth of the time of a list. */
static void malloc_tune(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, TRIM_BYTES);
	mallopt(M_MMAP_THRESHOLD, TRIM_BYTES / 4);
#endif
}

/* Returns the free memory that large requests have left in the heap to the system, also between blocks in use. */
static void malloc_give_back(void *ctx)
{
#ifdef __GLIBC__
	if (mallinfo2().fordblks > TRIM_BYTES / 2)
		malloc_trim(TRIM_BYTES / 8);
#endif
	loop_after(((struct server *)ctx)->loop, TRIM_MS, malloc_give_back, ctx);
}

int serve_run(struct config *config, int argc, char **argv)
{
	struct serving *v = mem_zalloc(sizeof *v);
	bool ok;

	v->argc = argc;
	v->argv = argv;
	routes_use();
	systemd_take();
	signal(SIGPIPE, SIG_IGN);
	malloc_tune();
	log_set_level(config->log_level);
	if (!session_open(&v->session, config, true, SESSION_CURRENT)) {
		systemd_let_go();
		free(v);
		return 1;
	}
	start_parts(v);
	ok = load_cursor_key(&v->server) && load_horizon(&v->server) && secret_key_start(&v->server) &&
	     start_signin(&v->server) && listen_all(&v->server) && admin_start(&v->server, write_error, &v->admin) &&
	     webhook_service_start(&v->server);
	if (ok) {
		make_partitions(&v->server);
		replica_start(&v->server);
		malloc_give_back(&v->server);
		if (systemd_watchdog_ms() > 0)
			serve_alive(v);
		systemd_say("READY=1");
		loop_run(v->session.loop);
		log_info("serve", "stopped");
	} else {
		systemd_let_go();
	}
	stop_parts(v);
	session_close(&v->session);
	free(v);
	return ok ? 0 : 1;
}
