/* Sessions across processes: they end at once, also streams and requests that wait; by the clock; the oldest of too
 * many; with the key that they were made from; and a process of an earlier level knows only ordinary keys. */
#include <stdio.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "test/lib/await.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/http/sse.h"
#include "test/lib/kith.h"
#include "test/lib/rows.h"

enum {
	SOON_MS = 60000,
	/* A stream ends within a second; the machine may be busy. By itself it looks up its key each 15 s. */
	ENDS_US = 14 * 1000 * 1000, /* without a look at the keys a wait would take 30 s, and a stream 15 s */
	SESSIONS_MAX = 50
};

static const char stream[] = "/v1/events/stream";

RIG("sessions", .servers = 2);

/* --- browsers -------------------------------------------------------------------------------- */

struct browser_tab {
	struct caller caller;
	char cookie[APIKEY_SIZE + 16];
	const char *id; /* of the session */
	struct client_header headers[3];
};

/* Signs in with a key at one server. */
static void tab_sign_in(struct browser_tab *t, int at, const char *key)
{
	static const struct client_header own[] = {{"X-Kith-Console", "1"}, {NULL, NULL}};
	struct caller_answer a;
	const char *cookie, *id;

	caller_init(&t->caller, servers[at]->base, NULL);
	a = caller_good(caller_send_with(
	    &t->caller, "POST", "/auth/key", arena_printf(&t->caller.arena, "{\"key\":\"%s\"}", key), own));
	cookie = client_header(&a.reply, "Set-Cookie");
	id = strstr(a.reply.body, "\"id\":\"key_");
	assert_non_null(cookie);
	assert_non_null(id);
	snprintf(t->cookie, sizeof t->cookie, "%.*s", (int)strcspn(cookie, ";"), cookie);
	t->id = arena_printf(&t->caller.arena, "%.40s", id + strlen("\"id\":\""));
	t->headers[0] = (struct client_header){"Cookie", t->cookie};
	t->headers[1] = own[0];
	t->headers[2] = own[1];
}

static int tab_ask(struct browser_tab *t, int at)
{
	caller_turn(&t->caller, servers[at]->base);
	return caller_send_with(&t->caller, "GET", "/v1/session", NULL, t->headers).status;
}

static void tab_close(struct browser_tab *t)
{
	caller_free(&t->caller);
}

/* --- where people can sign in ------------------------------------------------------------------ */

/* Signs in at a server of that public URL; the cookie of the answer. */
static const char *cookie_at(const char *public_url, struct caller_answer *a)
{
	static const struct client_header own[] = {{"X-Kith-Console", "1"}, {NULL, NULL}};
	static struct server_process *s; /* the latest one */
	const char *cookie;

	if (s)
		assert_true(server_stop(s));
	s = rig_serve(&rig, false, (const char *const[]){TEXT("public_url=%s", public_url), NULL});
	caller_turn(&ben, s->base);
	ben.key = NULL;
	*a = caller_send_with(&ben, "POST", "/auth/key", TEXT("{\"key\":\"%s\"}", rig.ben.key), own);
	cookie = client_header(&a->reply, "Set-Cookie");
	return cookie ? TEXT("%.*s", (int)strcspn(cookie, ";"), cookie) : NULL;
}

static int with_cookie(const char *cookie, const char *origin)
{
	const struct client_header headers[] = {
	    {"Cookie", cookie}, {"X-Kith-Console", "1"}, {origin ? "Origin" : NULL, origin}, {NULL, NULL}};

	return caller_send_with(&ben, "GET", "/v1/session", NULL, headers).status;
}

/* Behind TLS it is a cookie that browsers take only from this very host; the other one could come from its neighbours.
 */
TEST(test_https)
{
	struct caller_answer a;
	const char *cookie = cookie_at("https://crm.example.com", &a);

	assert_non_null(cookie);
	assert_int_equal(strncmp(cookie, "__Host-kith=kith_", 17), 0);
	assert_non_null(
	    strstr(client_header(&a.reply, "Set-Cookie"), "; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age="));
	assert_int_equal(with_cookie(cookie, NULL), 200);
	assert_int_equal(with_cookie(cookie, "https://crm.example.com"), 200);
	assert_int_equal(with_cookie(cookie, "http://crm.example.com"), 403);
	assert_int_equal(with_cookie(cookie, "https://crm.example.com:8443"), 403);
	assert_int_equal(with_cookie(TEXT("kith=%s", cookie + 12), NULL), 401);
	assert_int_equal(with_cookie(TEXT("__Host-kithx=%s", cookie + 12), NULL), 401);
}

/* Without it others on the way would see the cookie. */
TEST(test_plain)
{
	struct caller_answer a;

	assert_null(cookie_at("http://crm.example.com", &a));
	assert_int_equal(a.status, 403);
	assert_non_null(strstr(a.reply.body, "public_url"));
	assert_int_equal(with_cookie(TEXT("kith=%s", rig.ben.key), NULL), 401);
	assert_null(cookie_at("http://127.0.0.2.example.com", &a));
	assert_int_equal(a.status, 403);
	a = caller_send(&ben, "GET", "/auth/methods", NULL, NULL);
	assert_non_null(strstr(a.reply.body, "\"sessions\":false"));
	assert_non_null(cookie_at("http://[::1]:8080", &a));
	assert_non_null(cookie_at("http://127.9.9.9:8080", &a));
	assert_non_null(cookie_at("http://localhost", &a));
}

/* --- the end ------------------------------------------------------------------------------------ */

/* The key of the tab, with which a test opens a stream: to the server it is one key among others. */
static const char *tab_key(const struct browser_tab *t)
{
	return strchr(t->cookie, '=') + 1;
}

static void stream_begin(struct sse *s, int at, const char *key)
{
	sse_init(s);
	assert_int_equal(sse_open(s, servers[at]->base, key, stream), 200);
	assert_int_equal(sse_next(s, SOON_MS), SSE_FRAME);
}

/* Waits until the stream has ended; the microseconds that took. */
static int64_t stream_end_us(struct sse *s, int64_t since_us)
{
	enum sse_news news;

	while ((news = sse_next(s, SOON_MS)) == SSE_FRAME || news == SSE_EVENT)
		;
	assert_int_equal(news, SSE_END);
	sse_free(s);
	return clock_mono_us() - since_us;
}

/* Events may come: an admin hears of what happens to users. */
static bool stream_goes_on(struct sse *s)
{
	enum sse_news news;

	while ((news = sse_next(s, 100)) == SSE_EVENT)
		;
	return news == SSE_SILENT;
}

/* Ends the session by a request to the first server, while a stream is open at the second one. */
TEST(test_streams_end)
{
	static const char *const ways[] = {"DELETE session", "DELETE key", "parent", "disable", "revoke"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct browser_tab tab;
		struct sse s, others;
		const struct json *made = KITH_JSON("key", "create", "--user", rig.ben.id);
		int64_t since_us;
		tab_sign_in(&tab, 0, command_text(made, "key"));
		stream_begin(&s, 1, tab_key(&tab));
		stream_begin(&others, 1, rig.ada.key);
		since_us = clock_mono_us(); /* of a command, the time from its start */
		caller_turn(&tab.caller, servers[0]->base);
		if (i == 0)
			caller_good(caller_send_with(&tab.caller, "DELETE", "/v1/session", NULL, tab.headers));
		else if (i == 1)
			caller_good(SEND("DELETE", NULL, "/v1/keys/%s", tab.id));
		else if (i == 2)
			caller_good(SEND("DELETE", NULL, "/v1/keys/%s", command_text(made, "id")));
		else if (i == 3)
			assert_int_equal(KITH("user", "disable", rig.ben.id), 0);
		else
			assert_int_equal(KITH("key", "revoke", tab.id), 0);
		assert_true(stream_end_us(&s, since_us) < ENDS_US);
		assert_int_equal(tab_ask(&tab, 0), 401);
		assert_int_equal(tab_ask(&tab, 1), 401);
		assert_true(stream_goes_on(&others));
		sse_free(&others);
		tab_close(&tab);
		if (i == 3)
			assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
	}
}

struct long_poll {
	const char *key;
	struct caller_answer answer;
	struct caller caller;
	_Atomic bool begun;
};

static void wait_or_end(void *ctx, int i)
{
	struct long_poll *w = ctx;

	if (i == 0) {
		struct feed_page end = feed_get(&w->caller, "", 100, 0);
		while (end.more)
			end = feed_get(&w->caller, end.cursor, 100, 0);
		w->begun = true;
		w->answer = caller_send(&w->caller, "GET",
		    arena_printf(&w->caller.arena, "/v1/events?wait=30&after=%s", end.cursor), NULL, NULL);
		return;
	}
	await_true(w->begun);
	patience_rest(300); /* it waits by now; if not, the answer is the same */
	SQL("update api_keys set revoked_at = now() where key_hash = sha256('%s')", w->key);
}

/* Nobody is told of it: the process finds out by itself. */
TEST(test_waiting_ends)
{
	const struct json *made = KITH_JSON("key", "create", "--user", rig.ben.id);
	struct long_poll w = {.key = command_text(made, "key")};

	caller_init(&w.caller, servers[1]->base, w.key);
	caller_crowd_run(2, wait_or_end, &w);
	assert_int_equal(w.answer.status, 401);
	assert_true(w.answer.took_us < ENDS_US);
	caller_free(&w.caller);
}

/* --- the clock ------------------------------------------------------------------------------- */

static const char *tab_row(const struct browser_tab *t)
{
	return TEXT("key_hash = sha256('%s')", tab_key(t));
}

TEST(test_idle)
{
	struct browser_tab tab;
	struct sse s;

	tab_sign_in(&tab, 0, rig.ben.key);
	assert_rows(1, "api_keys where %s and idle_s = 43200 and kind = 'session'", tab_row(&tab));
	assert_rows(1,
	    "api_keys where %s and expires_at between now() + interval '29 days' and now() + interval '30 days'",
	    tab_row(&tab));
	/* its use is recorded, but not that of its stream */
	rows_change("update api_keys set created_at = now() - interval '20 days', last_used_at = now() - interval '11 "
	            "hours' where %s",
	    tab_row(&tab));
	stream_begin(&s, 1, tab_key(&tab));
	assert_int_equal(tab_ask(&tab, 0), 200);
	await_rows(1, "api_keys where %s and last_used_at > now() - interval '2 minutes'", tab_row(&tab));
	patience_rest(2500); /* both servers have recorded the requests so far */
	rows_change("update api_keys set last_used_at = now() - interval '2 hours' where %s", tab_row(&tab));
	MAKE("{}", "/v1/people"); /* makes the stream look up its key */
	assert_int_equal(sse_next_event(&s, SOON_MS), SSE_EVENT);
	patience_rest(1500);
	assert_rows(1, "api_keys where %s and last_used_at < now() - interval '1 hour'", tab_row(&tab));
	rows_change("update api_keys set last_used_at = now() - interval '13 hours' where %s", tab_row(&tab));
	stream_end_us(&s, 0);
	assert_int_equal(tab_ask(&tab, 0), 401);
	assert_int_equal(tab_ask(&tab, 1), 401);
	tab_close(&tab);
}

TEST(test_expiry)
{
	struct browser_tab tab;

	tab_sign_in(&tab, 0, rig.ben.key);
	rows_change("update api_keys set expires_at = now() where %s", tab_row(&tab));
	for (int i = 0; i < 2; i++)
		assert_int_equal(tab_ask(&tab, i), 401);
	tab_close(&tab);
}

/* The parent's end counts, however it is written: here as by a process that knows no sessions. */
TEST(test_parent)
{
	static const char *const ends[] = {"revoked_at = now()", "expires_at = now()"};

	for (int i = 0; i < 2; i++) {
		const struct json *made = KITH_JSON("key", "create", "--user", rig.ben.id);
		struct browser_tab tab;
		tab_sign_in(&tab, 0, command_text(made, "key"));
		assert_int_equal(tab_ask(&tab, 1), 200);
		SQL("update api_keys set %s where key_hash = sha256('%s')", ends[i], command_text(made, "key"));
		assert_int_equal(tab_ask(&tab, 1), 401);
		tab_close(&tab);
	}
}

/* --- how many ---------------------------------------------------------------------------------- */

#define BENS "api_keys where user_id = '%s' and kind = 'session'"

static const char *bens_uuid(void)
{
	return rig.ben.id + strlen("usr_");
}

TEST(test_oldest_goes)
{
	struct browser_tab first, tab;

	rows_change("delete from " BENS, bens_uuid());
	tab_sign_in(&first, 0, rig.ben.key);
	rows_change("update api_keys set created_at = now() - interval '1 hour', last_used_at = null where %s",
	    tab_row(&first));
	for (int i = 1; i < SESSIONS_MAX; i++) {
		tab_sign_in(&tab, i % 2, rig.ben.key);
		tab_close(&tab);
	}
	assert_rows(SESSIONS_MAX, BENS " and revoked_at is null", bens_uuid());
	tab_sign_in(&tab, 1, rig.ben.key);
	assert_rows(SESSIONS_MAX, BENS " and revoked_at is null", bens_uuid());
	assert_int_equal(tab_ask(&first, 0), 401);
	assert_int_equal(tab_ask(&tab, 0), 200);
	tab_close(&first);
	tab_close(&tab);
}

/* Anyone who has a key ends only sessions that were made from it. */
TEST(test_sessions_of_a_key)
{
	struct browser_tab other, tab;

	rows_change("delete from " BENS, bens_uuid());
	tab_sign_in(&other, 0, command_text(KITH_JSON("key", "create", "--user", rig.ben.id), "key"));
	rows_change("update api_keys set created_at = now() - interval '1 hour', last_used_at = null where %s",
	    tab_row(&other));
	for (int i = 0; i <= SESSIONS_MAX; i++) {
		tab_sign_in(&tab, i % 2, rig.ben.key);
		tab_close(&tab);
	}
	assert_rows(SESSIONS_MAX + 1, BENS " and revoked_at is null", bens_uuid());
	assert_int_equal(tab_ask(&other, 0), 200);
	tab_close(&other);
}

TEST(test_rows_go)
{
	struct browser_tab tab;

	rows_change(
	    "update api_keys set revoked_at = now() - interval '31 days' where user_id = '%s' and kind = 'session'",
	    bens_uuid());
	tab_sign_in(&tab, 0, rig.ben.key);
	assert_rows(1, BENS, bens_uuid());
	tab_close(&tab);
	/* of those that have just ended, the newest 500 */
	SQL("insert into api_keys (key_hash, workspace_id, id, user_id, kind, last4, revoked_at) select "
	    "sha256(n::text::bytea), "
	    "u.workspace_id, gen_random_uuid(), u.id, 'session', '', now() from users u, generate_series(1, 520) n "
	    "where "
	    "u.id = '%s'",
	    bens_uuid());
	tab_sign_in(&tab, 1, rig.ben.key);
	assert_rows(500, BENS " and revoked_at is not null", bens_uuid());
	tab_close(&tab);
}

/* --- an earlier process beside this one ------------------------------------------------------------ */

/* It does not set kith.keys, and so gets no keys that it could take for ordinary ones. */
TEST(test_earlier_process)
{
	static const char *const kinds[] = {"session", "grant", "contacts", "calendar"};
	struct browser_tab tab;

	tab_sign_in(&tab, 0, rig.ben.key);
	assert_number(1, "select count(*) from kith_keys(array[sha256('%s')], array[1::bigint])", rig.ben.key);
	for (int i = 0; i < 4; i++) {
		rows_change("update api_keys set kind = '%s' where %s", kinds[i], tab_row(&tab));
		assert_number(
		    0, "select count(*) from kith_keys(array[sha256('%s')], array[1::bigint])", tab_key(&tab));
	}
	tab_close(&tab);
}

/* An access token for /mcp opens nothing else, by whatever process. */
TEST(test_audience)
{
	const struct json *made = KITH_JSON("key", "create", "--user", rig.ben.id);
	const char *key = command_text(made, "key");
	struct caller c;

	SQL("update api_keys set kind = 'grant', audience = 'mcp' where key_hash = sha256('%s')", key);
	for (int i = 0; i < 2; i++) {
		caller_init(&c, servers[i]->base, key);
		assert_int_equal(caller_send(&c, "GET", "/v1/people", NULL, NULL).status, 401);
		assert_int_equal(caller_send(&c, "GET", "/v1/session", NULL, NULL).status, 401);
		assert_int_equal(
		    caller_send(&c, "POST", "/mcp", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}")
		        .status,
		    200);
		caller_free(&c);
	}
}
