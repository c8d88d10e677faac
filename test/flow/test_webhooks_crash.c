/* Every committed event is delivered, and nothing else: with writers, a failing receiver, killed servers and a
 * crashing database. Longer with WEBHOOK_WRITES, WEBHOOK_KILLS, WEBHOOK_CRASHES. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/patience.h"
#include "test/lib/webhook/hook_rig.h"

static struct server_process *second;
static const char *const settings[] = {
    "webhook_allow_targets=127.0.0.0/8", "public_url=https://crm.example", "clock_scale=10000", NULL};

enum { WRITERS = 8, WAIT_MS = 60000 };

/* Without the neighbour's. */
#define OWN "workspace_id = (select workspace_id from workspaces where name = 'webhooks_crash')"

static void start_server(void)
{
	server = rig_serve(&rig, false, settings);
}

HOOKS("webhooks_crash", .servers = RIG_NO_SERVER, .own_cluster = true, .neighbour = true);

BEFORE_ALL()
{
	patience_seed((uint64_t)rig_setting("FAULT_SEED", 5));
	start_server();
}

enum fault { NO_FAULT, KILL, CRASH };

struct crash_round {
	enum fault fault;
	int writes, writers; /* per writer; writers not finished */
};

static void round_damage(struct crash_round *r)
{
	patience_chance_us(50000 + (unsigned)r->writes * 5000);
	if (r->fault == KILL) {
		assert_true(server_kill(server));
		server = NULL;
	}
	if (r->fault == CRASH)
		assert_true(cluster_restart(rig.cluster, true));
}

/* Failed writes do not matter: the database has the committed ones. */
static void write_or_break(void *ctx, int i)
{
	struct crash_round *r = ctx;
	struct caller c;
	const char *id = NULL;

	if (i == 0) {
		round_damage(r);
		return;
	}
	caller_init(&c, server->base, rig.ada.key);
	for (int n = 0; n < r->writes; n++) {
		struct caller_answer a = !id || n % 3 == 0
		                             ? caller_sendf(&c, "POST", "/v1/people", NULL, "{\"firstName\":\"%d\"}", n)
		                             : caller_sendf(&c, "PATCH", arena_printf(&c.arena, "/v1/people/%s", id),
		                                   NULL, "{\"jobTitle\":\"%d %s\"}", n, n % 5 ? "" : "\\u0000");
		if (a.status == 200)
			id = a.id;
		else if (a.status == 0)
			break;
	}
	caller_free(&c);
}

static void play_round(enum fault fault, int writes)
{
	struct crash_round r = {.fault = fault, .writes = writes / WRITERS + 1};

	caller_crowd_run(WRITERS + 1, write_or_break, &r);
	if (!server)
		start_server();
}

/* "{id,id,…}" of all that was answered with 200. */
static char *delivered_ids(struct receiver *r, struct arena *a)
{
	struct buf text;
	size_t len;
	int n = receiver_count(r);

	buf_init(&text, 64 << 20);
	buf_addc(&text, '{');
	for (int i = 0; i < n; i++) {
		const struct receiver_request *q = receiver_request(r, i);
		if (q->status == 200)
			buf_printf(&text, "%s%s", text.len > 1 ? "," : "", hooked_event(a, q).id + strlen("evt_"));
	}
	buf_addc(&text, '}');
	return buf_take(&text, &len);
}

/* The number of committed events that arrived; -1 when another one arrived. */
static int64_t count_arrived(struct receiver *r)
{
	struct arena a;
	struct buf sql;
	int64_t n;
	char *ids;

	arena_init(&a);
	ids = delivered_ids(r, &a);
	buf_init(&sql, 64 << 20);
	buf_printf(&sql,
	    "select case when count(*) filter (where e.id is null) > 0 then -1 else count(e.id) end from (select "
	    "distinct id from unnest('%s'::uuid[]) id) r left join events e using (id)",
	    ids);
	n = database_int(rig.program, sql.data);
	buf_free(&sql);
	free(ids);
	arena_free(&a);
	return n;
}

TEST(test_nothing_lost)
{
	int kills = rig_setting("WEBHOOK_KILLS", 2), crashes = rig_setting("WEBHOOK_CRASHES", 1);
	int rounds = kills + crashes + 1, writes = rig_setting("WEBHOOK_WRITES", 400) / rounds;
	struct receiver *r = RECEIVE(.fail_percent = 30);
	int64_t events, end;

	caller_turn(&ada, server->base);
	hooked_make(&ada, receiver_url(r, "/"), NULL);
	for (int i = 0; i < rounds; i++)
		play_round(i < kills ? KILL : i < kills + crashes ? CRASH : NO_FAULT, writes);
	await_rows(0,
	    "events e where e." OWN " and type like 'person.%%' and not exists (select from deliveries d where "
	    "d.workspace_id = e.workspace_id and d.event_id = e.id and d.state = 'delivered')");
	events = rows_count("events where " OWN " and type like 'person.%%'");
	end = patience_ms(WAIT_MS);
	while (count_arrived(r) < events && patience_pause(end))
		continue;
	assert_int_equal(count_arrived(r), events);
	printf("%lld events, %d deliveries\n", (long long)events, receiver_count(r));
}

/* Killed exactly there, nothing is lost, and only what was in progress arrives twice. */
TEST(test_points)
{
	static const char *const points[] = {"dispatch_read", "dispatch_sent", "dispatch_arrived", "dispatch_written"};
	enum { POINTS = sizeof points / sizeof *points, PEOPLE = 12, HITS = 2 };
	struct receiver *r = RECEIVE(0);
	char path[256], order[64];

	snprintf(path, sizeof path, "%s/fault", rig.program->data_dir);
	setenv("FAULT_FILE", path, 1);
	assert_true(server_stop(server));
	start_server();
	caller_turn(&ada, server->base);
	hooked_make(&ada, receiver_url(r, "/"), NULL);
	for (int i = 0; i < POINTS * HITS; i++) {
		int64_t end = patience_ms(WAIT_MS),
		        before = rows_count("deliveries where " OWN " and state = 'delivered'");
		snprintf(order, sizeof order, "%s %d kill\n", points[i / HITS], 1 + (int)patience_chance(4));
		rig_write(path, order);
		for (int n = 0; n < PEOPLE; n++)
			caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"%d\"}", n);
		while (server_alive(server) &&
		       rows_count("deliveries where " OWN " and state = 'delivered'") < before + PEOPLE &&
		       patience_pause(end))
			continue;
		unlink(path);
		server_kill(server);
		start_server();
		caller_turn(&ada, server->base);
	}
	await_rows(0,
	    "events e join webhooks w on w.workspace_id = e.workspace_id and e.created_at > w.created_at where e." OWN
	    " and type = 'person.created' and not exists (select from deliveries d where d.workspace_id = "
	    "e.workspace_id "
	    "and d.webhook_id = w.id and d.event_id = e.id and d.state = 'delivered')");
	assert_true(count_arrived(r) > 0);
	assert_in_range(receiver_count(r) - count_arrived(r), 0, POINTS * HITS * 8);
	printf("%lld events, %d deliveries\n", (long long)count_arrived(r), receiver_count(r));
	unsetenv("FAULT_FILE");
}

/* One of two servers sends; when it is gone the other takes over, and nothing arrives twice. */
TEST(test_take_over)
{
	struct receiver *r = RECEIVE(0);
	int before;
	int64_t term;

	second = rig_serve(&rig, false, settings);
	caller_turn(&ada, second->base);
	hooked_make(&ada, receiver_url(r, "/"), NULL);
	for (int i = 0; i < 20; i++)
		caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"%d\"}", i);
	assert_true(receiver_wait(r, 20, WAIT_MS));
	await_rows(20, "deliveries d join webhooks w on w.id = d.webhook_id where d." OWN " and d.state = 'delivered'");
	term = rig_int(&rig, "select term from dispatcher_term");
	assert_true(server_kill(server));
	for (int i = 0; i < 20; i++)
		caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"%d\"}", i);
	assert_true(receiver_wait(r, 40, WAIT_MS));
	assert_true(rig_int(&rig, "select term from dispatcher_term") > term);
	/* A stop releases the lock at once. */
	start_server();
	assert_true(server_stop(second));
	caller_turn(&ada, server->base);
	caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Last\"}");
	assert_true(receiver_wait(r, 41, WAIT_MS));
	before = receiver_count(r);
	assert_int_equal(before, 41);
	assert_int_equal(count_arrived(r), 41);
}

/* A process whose term is over writes nothing: it raises it again and continues from what is stored. */
TEST(test_term)
{
	struct receiver *r = RECEIVE(0);
	int64_t term;

	caller_turn(&ada, server->base);
	hooked_make(&ada, receiver_url(r, "/"), NULL);
	caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Before\"}");
	assert_true(receiver_wait(r, 1, WAIT_MS));
	term =
	    rig_int(&rig, "with t as (update dispatcher_term set term = term + 1 returning term) select term from t");
	caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"After\"}");
	await_number(term + 1, "select term from dispatcher_term");
	await_rows(2, "deliveries d join webhooks w on w.id = d.webhook_id where d." OWN " and d.state = 'delivered'");
	assert_int_equal(count_arrived(r), 2);
}
