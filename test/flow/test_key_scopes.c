/* What keys may do, in two processes at once: every route of the table with keys of every scope; the end of a key to
 * the millisecond; keys that are replaced while they are used; users who are disabled. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "store/keys.h"
#include "test/lib/kith.h"
#include "test/lib/model/grant_made.h"
#include "test/lib/model/worlds.h"
#include "test/lib/rows.h"

enum { SERVERS = 2, CLIENTS = 8 };

static struct caller ada_at[SERVERS]; /* an admin of the workspace, on both servers */

WORLDS("key_scopes", .servers = SERVERS);

BEFORE_ALL()
{
	for (int i = 0; i < SERVERS; i++)
		caller_init(&ada_at[i], servers[i]->base, rig.ada.key);
}

AFTER_ALL()
{
	for (int i = 0; i < SERVERS; i++)
		caller_free(&ada_at[i]);
}

/* The text of the key in the answer to its creation. */
static const char *key_of(struct arena *a, const struct caller_answer *made)
{
	const char *text = strstr(made->reply.body, "\"key\":\"kith_");

	assert_non_null(text);
	return arena_printf(a, "%.*s", APIKEY_LEN, text + strlen("\"key\":\""));
}

static int ask_with(const char *key, int at)
{
	struct caller c;
	int status;

	caller_init(&c, servers[at]->base, key);
	status = caller_send(&c, "GET", "/v1/users/me", NULL, NULL).status;
	caller_free(&c);
	return status;
}

/* --- every route ---------------------------------------------------------------------------- */

static const char *keys[SCOPE_ALL + 1], *admins; /* by scopes; the id of the one that is only for administration */
static int refused, allowed;

static void make_keys(void)
{
	for (unsigned scopes = 1; scopes <= SCOPE_ALL; scopes++) {
		const char *list = "";
		for (int i = 0; i < KEY_SCOPES; i++)
			if (scopes & 1U << i)
				list = arena_printf(
				    &suite.arena, "%s%s\"%s\"", list, *list ? "," : "", key_scope_names[i]);
		struct caller_answer made =
		    caller_good(caller_sendf(&ada_at[0], "POST", "/v1/keys", NULL, "{\"scopes\":[%s]}", list));
		keys[scopes] = key_of(&suite.arena, &made);
		if (scopes == SCOPE_ADMIN)
			admins = made.id;
	}
}

/* A write is only tried, so that what it needs is there for the next key, too. */
static void try_scopes(struct suite *s, const struct world *w, struct request *q, unsigned scopes)
{
	/* every key and grant of these is the world's own, which the scope delete ends, too */
	bool ends_own =
	    strcmp(q->route->method, "DELETE") == 0 &&
	    (strcmp(q->route->path, "/v1/keys/{keyId}") == 0 || strcmp(q->route->path, "/v1/grants/{grantId}") == 0);
	unsigned needs = ends_own && !(scopes & SCOPE_ADMIN) ? SCOPE_DELETE : q->route->needs;
	bool lacks = (needs & SCOPE_ALL & ~scopes) != 0, forbidden;
	struct world limited = *w;
	struct request tried = *q;
	struct client_reply reply;

	limited.key = keys[scopes];
	if (q->route->writes && !q->route->sends)
		tried.target =
		    arena_printf(&s->arena, "%s%cdryRun=true", q->target, strchr(q->target, '?') ? '&' : '?');
	request_send(s, &limited, &tried, NULL, &reply);
	forbidden = q->route->each ? strstr(reply.body, "\"FORBIDDEN\"") != NULL : reply.status == 403;
	if (forbidden != lacks)
		suite_fail(s, "%s %s with a key of the scopes %u: %d %s", q->route->method, tried.target, scopes,
		    reply.status, reply.body);
	for (int i = 0; i < KEY_SCOPES && lacks && !q->route->each; i++) {
		bool named = strstr(reply.body, arena_printf(&s->arena, "the scope %s", key_scope_names[i])) != NULL;
		if (named != ((needs & ~scopes & 1U << i) != 0))
			suite_fail(s, "%s names other scopes: %s", q->route->path, reply.body);
	}
	lacks ? refused++ : allowed++;
}

static void try_route(struct suite *s, struct world *w, struct world *other, const struct endpoint *route,
    const struct isolation_sample *sample)
{
	struct request q;

	(void)other;
	if (sample && sample->query && strstr(sample->query, "filter")) /* the same route again */
		return;
	if (route->of_session)
		return;
	request_make(s, w, route, sample, (struct replacement){.at = -1}, &q);
	for (int i = 0; 1U << i & SCOPE_ALL; i++) /* each by itself, and all others */
		for (int rest = 0; rest < 2; rest++)
			try_scopes(s, w, &q, rest ? SCOPE_ALL & ~(1U << i) : 1U << i);
	try_scopes(s, w, &q, route->needs & SCOPE_ALL ? route->needs & SCOPE_ALL : SCOPE_DELETE);
}

TEST(test_every_route)
{
	struct world w;

	make_keys();
	world_init(&suite, &w, "scopes", &rig.ada, false);
	w.admin = true;
	world_seed(&suite, &w);
	world_set(&w, "key", admins, false); /* no key replaces one that has more rights */
	world_set(&w, "grant", grant_made(rig.program, &suite.arena, rig.ada.id, "scopes"), false);
	isolation_each_sample(&suite, &w, NULL, try_route);
	print_message("%d allowed, %d refused\n", allowed, refused);
	assert_true(allowed > n_endpoints && refused > n_endpoints);
}

/* --- the end of a key --------------------------------------------------------------------------- */

static int64_t database_now_ms(void)
{
	return rig_int(&rig, "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint");
}

/* By the database's clock, a key is valid before its end and refused after it, whichever process is asked. */
TEST(test_expiry)
{
	char text[TIME_TEXT_SIZE];
	int64_t ends_ms = database_now_ms() + 1500, before, after;
	struct caller_answer made = caller_good(
	    caller_sendf(&ada_at[0], "POST", "/v1/keys", NULL, "{\"expiresAt\":\"%s\"}", time_format(ends_ms, text)));
	const char *key = key_of(&rig.arena, &made);
	int good = 0, ended = 0;

	for (int i = 0; ended < 2 * SERVERS; i++) {
		before = database_now_ms();
		int status = ask_with(key, i % SERVERS);
		after = database_now_ms();
		if (after < ends_ms) {
			assert_int_equal(status, 200);
			good++;
		} else if (before >= ends_ms) {
			assert_int_equal(status, 401);
			ended++;
		}
	}
	assert_true(good > 0);
}

/* --- replacing ------------------------------------------------------------------------------------- */

/* Clients that take the key in use from here, as a deployment takes it from its settings. */
struct rotation {
	_Atomic(const char *) key;
	atomic_bool over;
	atomic_int asked, bad;
	int rounds;
};

static const char *own_id(struct caller *c)
{
	return caller_get(c, "/v1/keys/me").id;
}

/* Each rotation is sent to both processes, as after a lost answer: the second time it is answered as before, but
 * without the key. */
static void rotate_rounds(struct rotation *r)
{
	for (int round = 0; round < r->rounds; round++) {
		struct caller c;
		struct caller_answer first, again;
		const char *target, *once = arena_printf(&rig.arena, "rotate-%d", round);
		caller_init(&c, servers[round % SERVERS]->base, r->key);
		target = arena_printf(&c.arena, "/v1/keys/%s/rotate", own_id(&c));
		first = caller_good(caller_send(&c, "POST", target, once, NULL));
		caller_turn(&c, servers[1 - round % SERVERS]->base);
		again = caller_good(caller_send(&c, "POST", target, once, NULL));
		assert_true(again.replayed);
		assert_string_equal(first.id, again.id);
		assert_non_null(strstr(again.reply.body, "\"key\":null"));
		r->key = key_of(&rig.arena, &first);
		caller_free(&c);
	}
	r->over = true;
}

static void rotation_client(void *ctx, int i)
{
	struct rotation *r = ctx;

	if (i == 0) {
		rotate_rounds(r);
		return;
	}
	while (!r->over) {
		r->bad += ask_with(r->key, i % SERVERS) != 200;
		r->asked++;
	}
}

static int64_t count_keys(void)
{
	return rows_count("api_keys where name = 'turning'");
}

TEST(test_rotation_under_load)
{
	struct rotation r = {.rounds = rig_setting("ROTATE_ROUNDS", 10)};
	struct caller_answer made =
	    caller_good(caller_send(&ada_at[0], "POST", "/v1/keys", NULL, "{\"name\":\"turning\"}"));

	r.key = key_of(&rig.arena, &made);
	caller_crowd_run(CLIENTS, rotation_client, &r);
	assert_true(r.asked > r.rounds);
	assert_int_equal(r.bad, 0);
	assert_int_equal(count_keys(), r.rounds + 1);
	/* all but the last end in a day */
	assert_rows(r.rounds, "api_keys where name = 'turning' and rotated_at is not null and expires_at between now() "
	                      "+ interval '23 hours' and now() + interval '1 day'");
}

struct both {
	const char *target;
	const char *keys[CLIENTS];
};

static void rotate_at_once(void *ctx, int i)
{
	struct both *b = ctx;
	struct caller c;
	struct caller_answer a;

	caller_init(&c, servers[i % SERVERS]->base, rig.ada.key);
	a = caller_good(caller_send(&c, "POST", b->target, NULL, NULL));
	b->keys[i] = strdup(key_of(&c.arena, &a));
	caller_free(&c);
}

/* Every request gets a key that works, and none ends that of another. */
TEST(test_replaced_at_once)
{
	struct caller_answer made =
	    caller_good(caller_send(&ada_at[0], "POST", "/v1/keys", NULL, "{\"name\":\"once\"}"));
	struct both b = {.target = arena_printf(&rig.arena, "/v1/keys/%s/rotate", made.id)};

	caller_crowd_run(CLIENTS, rotate_at_once, &b);
	for (int i = 0; i < CLIENTS; i++) {
		assert_int_equal(ask_with(b.keys[i], i % SERVERS), 200);
		free((void *)b.keys[i]);
	}
	assert_rows(CLIENTS, "api_keys where name = 'once' and replaces_id is not null and expires_at is null");
	assert_rows(1, "api_keys where name = 'once' and rotated_at is not null");
}

/* Its own successor may be lost, and is replaced by one that lives as long; when it was used, it is not lost. */
TEST(test_replaced_does_not_outlast)
{
	struct caller_answer made =
	    caller_good(caller_send(&ada_at[0], "POST", "/v1/keys", NULL, "{\"name\":\"earlier\"}"));
	const char *target = arena_printf(&rig.arena, "/v1/keys/%s/rotate", made.id);
	struct caller c;

	caller_init(&c, servers[0]->base, key_of(&rig.arena, &made));
	for (int i = 0; i < 2; i++)
		made = caller_good(caller_send(&c, "POST", target, NULL, NULL));
	assert_rows(2, "api_keys where name = 'earlier' and replaces_id is not null and expires_at is null");
	assert_int_equal(ask_with(key_of(&rig.arena, &made), 0), 200);
	await_rows(1, "api_keys where name = 'earlier' and replaces_id is not null and last_used_at is not null");
	caller_good(caller_send(&c, "POST", target, NULL, NULL));
	assert_rows(1,
	    "api_keys where name = 'earlier' and replaces_id is not null and expires_at <= now() + interval '1 "
	    "day'");
	caller_free(&c);
}

/* --- users -------------------------------------------------------------------------------------------- */

TEST(test_disabled_at_once)
{
	struct caller_answer hook = caller_good(caller_send(&ada_at[0], "POST", "/v1/webhooks", NULL,
	    "{\"name\":\"h\",\"targetUrl\":\"http://127.0.0.1:9/\",\"subscribedEvents\":[{\"eventType\":"
	    "\"person.created\",\"filter\":{}}]}"));

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < SERVERS; i++)
			assert_int_equal(ask_with(rig.ben.key, i), 200);
		assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
		for (int i = 0; i < SERVERS; i++)
			assert_int_equal(ask_with(rig.ben.key, i), 401);
		assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
	}
	/* the webhook of another user stays active */
	assert_non_null(strstr(
	    caller_get(&ada_at[0], arena_printf(&rig.arena, "/v1/webhooks/%s", hook.id)).reply.body, "\"active\""));
}

static void disable_at_once(void *ctx, int i)
{
	int *statuses = ctx;
	const char *out;
	struct arena a;

	arena_init(&a);
	statuses[i] = command_run(rig.program, &a,
	    (const char *const[]){
	        "user", i ? "disable" : "update", i ? rig.ben.id : rig.ada.id, i ? NULL : "--role", "member", NULL},
	    &out);
	arena_free(&a);
}

/* A workspace keeps an admin, also when its two admins are disabled at the same time. */
TEST(test_last_admin)
{
	assert_int_equal(KITH("user", "disable", rig.ada.id), 1);
	assert_int_equal(KITH("user", "update", rig.ada.id, "--role", "member"), 1);
	assert_int_equal(KITH("user", "update", rig.ada.id, "--name", "Ada A."), 0);
	assert_non_null(strstr(caller_get(&ada_at[1], "/v1/users/me").reply.body, "Ada A."));
	for (int round = 0; round < 3; round++) {
		int statuses[2];
		assert_int_equal(KITH("user", "update", rig.ben.id, "--role", "admin"), 0);
		caller_crowd_run(2, disable_at_once, statuses);
		assert_int_equal(statuses[0] + statuses[1], 1);
		assert_rows(1, "users where role = 'admin' and disabled_at is null and %s", rig.own);
		assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
		assert_int_equal(KITH("user", "update", rig.ada.id, "--role", "admin"), 0);
		assert_int_equal(KITH("user", "update", rig.ben.id, "--role", "member"), 0);
	}
	assert_int_equal(KITH("user", "disable", "usr_00000000-0000-7000-8000-000000000000"), 1);
	assert_int_equal(KITH("user", "update", rig.ben.id), 2);
	assert_int_equal(KITH("user", "update", rig.ben.id, "--role", "owner"), 2);
}

/* --- the command line ---------------------------------------------------------------------------------- */

TEST(test_wrong_options)
{
	static const char *const options[][2] = {{"--scope", "reed"}, {"--scope", ""}, {"--scope", "read,"},
	    {"--expires", "90"}, {"--expires", "0d"}, {"--expires", "d"}, {"--expires", "99999999999d"},
	    {"--groups", "grp_1"}, {"--groups", ""}};

	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		assert_int_equal(KITH("key", "create", "--user", rig.ben.id, options[i][0], options[i][1]), 2);
	assert_int_equal(KITH("key", "create", "--user", rig.ben.id, "--read-only", "--scope", "write"), 2);
	/* a group of nowhere */
	assert_int_equal(
	    KITH("key", "create", "--user", rig.ben.id, "--groups", "grp_00000000-0000-7000-8000-000000000000"), 1);
}

TEST(test_command_line)
{
	const struct json *made = KITH_JSON(
	    "key", "create", "--user", rig.ben.id, "--name", "cli", "--expires", "90d", "--scope", "write,read");
	const struct json *next = KITH_JSON("key", "rotate", command_text(made, "id"), "--valid-for", "0s");

	for (int i = 0; i < SERVERS; i++) {
		assert_int_equal(ask_with(command_text(made, "key"), i), 401);
		assert_int_equal(ask_with(command_text(next, "key"), i), 200);
	}
	assert_rows(1, "api_keys where name = 'cli' and scopes = '{read,write}' and abs(extract(epoch from expires_at "
	               "- created_at) - 90 * 86400) < 1");
	assert_int_equal(KITH("key", "rotate", command_text(made, "id")), 1);
	/* as after a lost answer */
	assert_int_equal(KITH("key", "rotate", command_text(next, "id")), 0);
	assert_int_equal(KITH("key", "rotate", command_text(next, "id")), 0);
	assert_rows(2,
	    "api_keys where name = 'cli' and rotated_at is null and abs(extract(epoch from expires_at - created_at) "
	    "- 90 * 86400) < 1");
	assert_int_equal(KITH("key", "list", "--workspace", rig.workspace.id), 0);
	assert_non_null(strstr(kith_said, "\"name\":\"cli\""));
	assert_non_null(strstr(kith_said, "\"scopes\":[\"read\",\"write\"],\"groups\":null"));
}
