/* Dry runs: each write of the table of routes answers one as it answers the real one, and leaves the database as it
 * was, whatever the work: deletes that jobs continue, batches in slices, writers beside them, lost connections. */
#include <libpq-fe.h>
#include <string.h>

#include "server/base/buf.h"
#include "store/db.h"
#include "test/lib/db/consistency.h"
#include "test/lib/flow.h"
#include "test/lib/model/grant_made.h"
#include "test/lib/model/isolation.h"
#include "test/lib/patience.h"
#include "test/lib/rows.h"

enum { MANY = 5, BODY_MAX = 8 << 20, TEXT_MAX = 16 << 20 };

static PGconn *dispatcher;  /* for statements, too */
static int tried, changing; /* real requests, and those of them that changed something */
static bool only_deletes;

RIG("dry_run", .servers = RIG_NO_SERVER, .faults = true);

/* No process sends: the dispatcher writes what it does, whenever it does it. */
BEFORE_ALL()
{
	database_run_file(rig.program, "test/flow/dry_run.sql");
	endpoints_read();
	dispatcher = PQconnectdb(rig.program->database_url);
	PGresult *r = PQexec(dispatcher, "select pg_advisory_lock(hashtextextended('kith_dispatcher', 0))");
	bool locked = PQresultStatus(r) == PGRES_TUPLES_OK;
	PQclear(r);
	assert_true(locked);
}

AFTER_ALL()
{
	PQfinish(dispatcher);
}

AFTER_EACH()
{
	assert_true(rig_stop(&rig));
}

/* Starts a server for Ada; each case has its own. */
static void serve_with(const char *faults)
{
	rig_write(rig.orders, faults);
	server = rig_serve_faulty(&rig, false, NULL);
	caller_turn(&ada, server->base);
}

/* --- what the database holds --------------------------------------------------------------- */

static const char *state_now(struct arena *a)
{
	PGresult *r = PQexec(dispatcher, "select dry_run.state()");
	const char *text = PQresultStatus(r) == PGRES_TUPLES_OK ? arena_dupz(a, PQgetvalue(r, 0, 0)) : NULL;

	if (!text)
		fail_msg("%s", PQerrorMessage(dispatcher));
	PQclear(r);
	return text;
}

/* The first line of after that differs; NULL: none does. */
static const char *state_change(struct arena *a, const char *before, const char *after)
{
	while (*before && *after) {
		size_t b = strcspn(before, "\n"), n = strcspn(after, "\n");
		if (b != n || memcmp(before, after, n) != 0)
			return arena_printf(a, "%.*s, which was %.*s", (int)n, after, (int)b, before);
		before += b + (before[b] == '\n');
		after += n + (after[n] == '\n');
	}
	return *before || *after ? "another number of tables" : NULL;
}

/* --- every route --------------------------------------------------------------------------------- */

/* More than a few of everything: what is deleted is held by many. */
static void make_many(struct suite *s, struct world *w)
{
	static const struct {
		const char *route, *record;
	} batches[] = {{"POST /v1/people/batch/create",
	                   "{\"groups\": [{\"id\": \"{{group}}\"}], \"companies\": [{\"id\": \"{{company}}\"}], "
	                   "\"customFieldValues\": {\"{{group}}\": {\"{{field}}\": \"x\"}}}"},
	    {"POST /v1/groups/{groupId}/{objectType}/batch/create",
	        "{\"people\": [{\"id\": \"{{person}}\"}], \"companies\": [{\"id\": \"{{company}}\"}]}"}};
	struct client_reply reply;
	struct request q;

	for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
		const char *body = "{\"records\": [";
		for (int k = 0; k < MANY; k++)
			body = arena_printf(&s->arena, "%s%s%s", body, k ? ", " : "", batches[i].record);
		const struct isolation_sample sample = {.body = arena_printf(&s->arena, "%s]}", body)};
		request_make(s, w, route_named(batches[i].route), &sample, (struct replacement){.at = -1}, &q);
		request_send(s, w, &q, NULL, &reply);
		if (reply.status != 200 || strstr(reply.body, "\"failed\""))
			suite_fail(s, "%s: %d %s", batches[i].route, reply.status, reply.body);
	}
}

/* Makes the records anew when a real request has used some of them up. The number of webhooks is limited, so the old
 * ones are deleted. */
static void make_world(struct suite *s, struct world *w)
{
	rig_int(&rig, "with gone as (delete from webhooks returning 1) select count(*) from gone");
	world_init(s, w, "tried", &rig.ada, false);
	w->admin = true;
	world_seed(s, w);
	world_set(w, "grant", grant_made(rig.program, &s->arena, rig.ada.id, "tried"), false);
	make_many(s, w);
}

static void send_dry(struct suite *s, const struct world *w, const struct request *q, struct client_reply *reply)
{
	struct request dry = *q;

	dry.target = arena_printf(&s->arena, "%s%cdryRun=true", q->target, strchr(q->target, '?') ? '&' : '?');
	request_send(s, w, &dry, "ignored", reply);
}

/* Without the header of dry runs, and without secrets, which a dry run does not show. */
static const char *answer_text(struct suite *s, const struct client_reply *reply)
{
	static const char secret[] = "whsec_", key[] = "kith_", last4[] = "\"last4\":\"",
	                  link[] = "\"invitationUrl\":", header[] = "X-Dry-Run: true\n",
	                  of_secret[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=*";
	const char *text = isolation_answer_text(s, reply);
	struct buf out;

	buf_init(&out, TEXT_MAX);
	while (*text) {
		if (strncmp(text, secret, strlen(secret)) == 0 || strncmp(text, key, strlen(key)) == 0) {
			text += strcspn(text, "_") + 1;
			text += strspn(text, of_secret);
		} else if (strncmp(text, last4, strlen(last4)) == 0) {
			text += strlen(last4) + 4;
		} else if (strncmp(text, link, strlen(link)) == 0) {
			text += strcspn(text, ",}");
		} else if (strncmp(text, header, strlen(header)) == 0) {
			text += strlen(header);
		} else {
			buf_addc(&out, *text++);
		}
	}
	buf_addz(&out, "");
	const char *made = arena_dup(&s->arena, out.data, out.len);
	buf_free(&out);
	return made;
}

/* True when the real request leaves nothing for the next one. */
static bool uses_up(const struct endpoint *route)
{
	const char *last = strrchr(route->path, '/');

	return strcmp(route->method, "DELETE") == 0 || strcmp(last, "/delete") == 0 || strcmp(last, "/merge") == 0;
}

static void try_dry(struct suite *s, const struct world *w, const struct request *q, struct client_reply *reply)
{
	const char *before = state_now(&s->arena), *name = route_name(s, q->route), *change;

	send_dry(s, w, q, reply);
	change = state_change(&s->arena, before, state_now(&s->arena));
	if (change)
		suite_fail(s, "%s: a dry run has left in %s", name, change);
	if (!client_header(reply, "X-Dry-Run") || strstr(reply->body, "\"signingSecret\":\"w") ||
	    strstr(reply->body, "\"key\":\"k"))
		suite_fail(s, "%s: not answered as a dry run: %s", name, reply->body);
	if (q->route->sends && reply->status != 422)
		suite_fail(s, "%s: not refused: %d", name, reply->status);
}

static void try_real(struct suite *s, const struct world *w, const struct request *q, const struct client_reply *dry)
{
	const char *before = state_now(&s->arena), *name = route_name(s, q->route);
	struct client_reply real;

	request_send(s, w, q, NULL, &real);
	if (real.status != 200)
		suite_fail(s, "%s %s: answered %d: %s", name, q->target, real.status, real.body);
	if (client_header(&real, "X-Dry-Run") || strcmp(answer_text(s, &real), answer_text(s, dry)) != 0)
		suite_fail(s, "%s %s %s: a dry run is answered\n%s\nand the real one\n%s", name, q->target,
		    q->body ? q->body : "", answer_text(s, dry), answer_text(s, &real));
	tried++;
	changing += state_change(&s->arena, before, state_now(&s->arena)) != NULL;
}

static void try_route(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct client_reply dry;
	struct request q;

	(void)other;
	if (!route->writes || isolation_refuses(route) || (only_deletes && strcmp(route->method, "DELETE") != 0))
		return;
	if (!w->label)
		make_world(s, w);
	request_make(s, w, route, sample, (struct replacement){.at = -1}, &q);
	try_dry(s, w, &q, &dry);
	if (route->sends)
		return;
	try_real(s, w, &q, &dry);
	if (uses_up(route))
		w->label = NULL;
}

static void try_all(const char *faults)
{
	struct world w = {.admin = true};
	struct suite s = {0};

	serve_with(faults);
	tried = changing = 0;
	arena_init(&s.arena);
	s.client = client_new(server->base);
	isolation_each_sample(&s, &w, NULL, try_route);
	client_free(s.client);
	arena_free(&s.arena);
	print_message("%d writes tried, %d of them change something\n", tried, changing);
	assert_int_equal(s.failures, 0);
	assert_true(changing > tried / 2);
}

TEST(test_every_route)
{
	try_all("");
}

/* --- a large batch ------------------------------------------------------------------------------- */

static void expect_unchanged(const char *before, const char *what)
{
	const char *change = state_change(&ada.arena, before, state_now(&ada.arena));

	if (change)
		fail_msg("%s: a dry run has left in %s", what, change);
}

/* Sent to the database in several exchanges. */
TEST(test_slices)
{
	struct caller_answer a;
	const char *before;
	struct buf body;
	int done = 0;

	serve_with("");
	buf_init(&body, BODY_MAX);
	for (int i = 0; i < 100; i++) {
		buf_printf(&body,
		    "%s{\"firstName\":\"Slice\",\"companies\":[{\"name\":\"Slice %d\"}],\"description\":\"",
		    i ? "," : "{\"records\":[", i);
		for (int k = 0; k < 5000; k++)
			buf_addz(&body, "é");
		buf_addz(&body, "\"}");
	}
	buf_addz(&body, "]}");
	before = state_now(&ada.arena);
	a = SEND("POST", body.data, "/v1/people/batch/create?dryRun=true");
	assert_int_equal(a.status, 200);
	for (const char *at = a.reply.body; (at = strstr(at, "\"succeeded\"")); at++)
		done++;
	assert_int_equal(done, 100);
	expect_unchanged(before, "slices");
	buf_free(&body);
}

/* --- merging ----------------------------------------------------------------------------------------- */

/* The world's samples merge what nothing refers to. */
static void make_referred(const char *group, const char *kind, const char *id)
{
	MAKE(TEXT("{\"name\":\"m\",\"%s\":[{\"id\":\"%s\"}]}", kind, id), "/v1/groups/%s/M", group);
	MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"content\":\"m\",\"visibility\":\"public\"}", id), "/v1/notes");
	MAKE(TEXT("{\"entity\":{\"id\":\"%s\"},\"title\":\"m\",\"dateTime\":\"2026-01-01T00:00:00.000Z\","
	          "\"activityType\":"
	          "\"call\"}",
	         id),
	    "/v1/interactions");
	if (strcmp(kind, "companies") == 0)
		MAKE(TEXT("{\"companies\":[{\"id\":\"%s\"}]}", id), "/v1/people");
}

TEST(test_merges)
{
	static const char *const kinds[] = {"people", "companies"};
	const char *group, *before;

	serve_with("");
	group = POST("{\"name\":\"M\",\"visibility\":\"public\"}", "/v1/groups");
	MAKE("{\"name\":\"M\"}", "/v1/groups/%s/object-types", group);
	for (int i = 0; i < 2; i++) {
		const char *kept = POST("{}", "/v1/%s", kinds[i]), *gone = POST("{}", "/v1/%s", kinds[i]),
		           *body = TEXT("{\"id\":\"%s\"}", gone);
		make_referred(group, kinds[i], gone);
		before = state_now(&ada.arena);
		MAKE(body, "/v1/%s/%s/merge?dryRun=true", kinds[i], kept);
		expect_unchanged(before, kinds[i]);
		MAKE(body, "/v1/%s/%s/merge", kinds[i], kept);
		assert_non_null(state_change(&ada.arena, before, state_now(&ada.arena)));
	}
}

/* --- beside writers, in two processes ------------------------------------------------------------------ */

enum { WRITERS = 8, ROUNDS = 20, RECORDS = 4 };

struct dry_race {
	struct caller callers[WRITERS];
	const char *people[RECORDS], *group;
};

static void race_send(struct caller *c, const char *method, const char *target, const char *body)
{
	caller_good(caller_send(c, method, target, NULL, body));
}

static void race_real(struct dry_race *race, struct caller *c, int i, int k)
{
	race_send(c, "PATCH", arena_printf(&c->arena, "/v1/people/%s", race->people[k % RECORDS]),
	    arena_printf(&c->arena, "{\"jobTitle\":\"real %d %d\",\"groups\":[{\"id\":\"%s\"}]}", i, k, race->group));
	race_send(c, "POST", "/v1/people", "{\"firstName\":\"Real\"}");
}

static void race_dry(struct dry_race *race, struct caller *c, int k)
{
	const char *person = arena_printf(&c->arena, "/v1/people/%s?dryRun=true", race->people[k % RECORDS]);

	race_send(c, "PATCH", person, "{\"jobTitle\":\"dry\",\"groups\":[],\"companies\":[{\"name\":\"Dry\"}]}");
	race_send(c, "DELETE", person, NULL);
	race_send(c, "POST", "/v1/people?dryRun=true", "{\"firstName\":\"Dry\"}");
	if (k % 4 == 0)
		race_send(c, "DELETE", arena_printf(&c->arena, "/v1/groups/%s?dryRun=true", race->group), NULL);
}

static void race_write(void *ctx, int i)
{
	struct dry_race *race = ctx;

	for (int k = 0; k < ROUNDS; k++) {
		if (i % 2)
			race_real(race, &race->callers[i], i, k);
		else
			race_dry(race, &race->callers[i], k);
	}
}

TEST(test_beside_writers)
{
	static struct dry_race race;

	for (int i = 0; i < 2; i++) {
		serve_with("");
		servers[i] = server;
	}
	for (int i = 0; i < WRITERS; i++)
		caller_init(&race.callers[i], servers[i / 2 % 2]->base, rig.ada.key);
	race.group = POST("{\"name\":\"R\",\"visibility\":\"public\"}", "/v1/groups");
	for (int i = 0; i < RECORDS; i++)
		race.people[i] = POST("{\"firstName\":\"Raced\"}", "/v1/people");
	caller_crowd_run(WRITERS, race_write, &race);
	for (int i = 0; i < WRITERS; i++)
		caller_free(&race.callers[i]);
	assert_rows(0, "people where job_title = 'dry' or first_name = 'Dry'");
	assert_rows(0, "companies where name = 'Dry'");
	assert_rows(WRITERS / 2 * ROUNDS, "people where first_name = 'Real'");
	assert_rows(
	    RECORDS, "people where first_name = 'Raced' and job_title like 'real%%' and cardinality(group_ids) = 1");
	assert_int_equal(consistency_broken(rig.program), 0);
	assert_int_equal(consistency_untold(rig.program), 0);
}

/* --- a lost connection ------------------------------------------------------------------------------------- */

enum { LOST_TRIES = 20 };
/* Nothing can have been committed, so the outcome is known and not asked for. */
TEST(test_lost)
{
	const char *before;
	struct caller_answer a;
	int tries = 0;

	serve_with("");
	caller_get(&ada, "/v1/users/me");
	before = state_now(&ada.arena);
	do { /* the database may have answered before the connection is dropped */
		rig_write(rig.orders, "commit_sent 1 drop\noutcome 1 kill\n"); /* it asks for the outcome */
		a = SEND("POST", "{\"firstName\":\"Lost\"}", "/v1/people?dryRun=true");
		assert_true(a.status == 503 || a.status == 200);
		assert_non_null(client_header(&a.reply, "X-Dry-Run"));
	} while (a.status != 503 && ++tries < LOST_TRIES);
	assert_int_equal(a.status, 503);
	rig_write(rig.orders, "");
	expect_unchanged(before, "a lost connection");
}

/* --- notifications ------------------------------------------------------------------------------------------ */

enum { SILENT_ROUNDS = 20 };

/* The notifications of servers up to now, by one of our own that follows them. */
static int notified_count(void)
{
	PGnotify *n;
	int count = 0;
	bool own = false;

	PQclear(PQexec(dispatcher, "select pg_notify('" DB_CHANNEL "', 'own')"));
	while (!own) {
		assert_int_equal(PQconsumeInput(dispatcher), 1);
		while ((n = PQnotifies(dispatcher))) {
			own |= strcmp(n->extra, "own") == 0;
			count += strcmp(n->extra, "own") != 0;
			PQfreemem(n);
		}
	}
	return count;
}

/* Neither followers nor those who send are woken; a write wakes them. */
TEST(test_silent)
{
	int64_t until_us = patience_ms(60000);

	serve_with("");
	PQclear(PQexec(dispatcher, "listen " DB_CHANNEL));
	MAKE("{\"firstName\":\"Loud\"}", "/v1/people");
	while (notified_count() == 0)
		assert_true(patience_pause(until_us));
	for (int i = 0; i < SILENT_ROUNDS; i++) {
		MAKE("{\"firstName\":\"Silent\"}", "/v1/people?dryRun=true");
		caller_get(&ada, "/v1/users/me");
		assert_int_equal(notified_count(), 0);
	}
	PQclear(PQexec(dispatcher, "unlisten *"));
}

/* Deletes that only mark what the job removes later. The last case: it leaves work that is not done. */
TEST(test_every_route_of_many)
{
	only_deletes = true;
	try_all("small_removals 1 errors\nremovals_wait 1 errors\n");
}
