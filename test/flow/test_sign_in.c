/* Signing in with a password, in two processes at once: every attempt does the same work; right ones do not count; an
 * invitation is used once; what dies or leaves meanwhile does no harm; and a workspace keeps an admin. The limits are
 * in test_sign_in_limits.c. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/signin/password_hash.h"
#include "test/lib/await.h"
#include "test/lib/http/raw.h"
#include "test/lib/kith.h"
#include "test/lib/patience.h"
#include "test/lib/server/logged.h"
#include "test/lib/server/operated.h"
#include "test/lib/signin/page_post.h"

enum { SERVERS = 2, PAIR = 10 };

static const char right[] = "eleven green llamas", wrong[] = "eleven green lamas";

static struct operated operated; /* of the first server */

RIG("sign_in", .servers = RIG_NO_SERVER, .faults = true);

static struct server_process *serve_with(bool first)
{
	const char *const settings[] = {first ? operated.setting : "log_level=info", "rate_default=0", NULL};
	struct server_process *s;

	setenv("FAULT_FILE", rig.orders, 1);
	s = rig_serve(&rig, false, settings);
	unsetenv("FAULT_FILE");
	return s;
}

BEFORE_ALL()
{
	rig_write(rig.orders, "");
	operated_init(&operated);
	for (int i = 0; i < SERVERS; i++)
		servers[i] = serve_with(i == 0);
	server = servers[0];
	caller_turn(&ada, server->base);
	caller_turn(&ben, servers[1]->base);
}

AFTER_ALL()
{
	operated_free(&operated);
}

/* --- browsers -------------------------------------------------------------------------------- */

/* The link of a new invitation. */
static const char *link_new(const char *user)
{
	struct caller_answer a = MAKE(NULL, "/v1/users/%s/invite", user);
	const char *link = strstr(a.reply.body, "\"invitationUrl\":\"");

	assert_non_null(link);
	link += strlen("\"invitationUrl\":\"");
	return TEXT("%.*s", (int)strcspn(link, "\""), link);
}

static struct caller_answer accept_link(struct caller *c, const char *link, const char *password)
{
	return page_post(c, "/auth/invitation", "198.51.100.200",
	    arena_printf(&c->arena, "{\"token\":\"%s\",\"password\":\"%s\"}", link, password));
}

static void give_password(const char *user, const char *password)
{
	struct caller c = stranger_at(0);

	caller_good(accept_link(&c, link_new(user), password));
	caller_free(&c);
}

static const char *new_user(const char *email)
{
	return POST(TEXT("{\"email\":\"%s\"}", email), "/v1/users");
}

/* --- equal work ------------------------------------------------------------------------------ */

static int64_t hashes_now(void)
{
	return (int64_t)operated_value(&operated, "kith_password_hashes_total");
}

/* The exchanges with the database of the request that got this answer, from its line in the log. */
static const char *exchanges_of(const struct caller_answer *a)
{
	const struct json *line = logged_of(&ada.arena, server, a);
	const struct json *exchanges = json_member(line, "exchanges");

	assert_non_null(exchanges);
	return exchanges->text;
}

/* Counts, not milliseconds: a wrong password costs as much with a user as without, and with users of three workspaces.
 */
TEST(test_every_attempt_does_the_same_work)
{
	static const char *const emails[] = {
	    "nobody@example.com", "without@example.com", "once@example.com", "thrice@example.com", "gone@example.com"};
	const char *once = new_user("once@example.com"), *gone = new_user("gone@example.com");
	struct caller c = stranger_at(0);
	const char *exchanges = NULL;

	new_user("without@example.com");
	give_password(once, right);
	give_password(gone, right);
	MAKE(NULL, "/v1/users/%s/disable", gone);
	for (int i = 0; i < 3; i++) {
		const char *workspace = command_text(KITH_JSON("workspace", "create", "--name", "Thrice"), "id");
		const struct json *made = KITH_JSON(
		    "user", "create", "--workspace", workspace, "--email", "thrice@example.com", "--name", "Thrice");
		caller_good(accept_link(&c, command_text(made, "invitationUrl"), right));
	}
	for (size_t i = 0; i < sizeof emails / sizeof *emails; i++) {
		int64_t before = hashes_now();
		struct caller_answer a = sign_in(&c, "198.51.100.1", emails[i], wrong);
		assert_int_equal(a.status, 401);
		assert_non_null(strstr(a.reply.body, "The e-mail address or the password is wrong"));
		assert_int_equal(hashes_now() - before, 1);
		exchanges = exchanges ? exchanges : exchanges_of(&a);
		assert_string_equal(exchanges_of(&a), exchanges);
	}
	caller_free(&c);
}

static int64_t cost_of(struct caller *c, const char *email, const char *password, int status)
{
	int64_t before = hashes_now();

	assert_int_equal(sign_in(c, "198.51.100.2", email, password).status, status);
	return hashes_now() - before;
}

/* A hash that came with a workspace from another installation needs a derivation of its own, until it is replaced. */
TEST(test_a_hash_of_another_installation_is_replaced)
{
	static const unsigned char elsewhere[32] = "another installation";
	struct caller c = stranger_at(0);
	char text[PASSWORD_TEXT_SIZE];
	struct password_hash h;

	new_user("moved@example.com");
	password_hash_begin(&h, elsewhere, "moved@example.com", strlen("moved@example.com"));
	h.cost.log_n = 10;
	assert_true(password_hash_derive(&h, right, strlen(right)));
	SQL("update users set password_hash = '%s' where email = 'moved@example.com'", password_hash_format(&h, text));
	assert_int_equal(cost_of(&c, "moved@example.com", wrong, 401), 2);
	assert_int_equal(cost_of(&c, "moved@example.com", right, 200), 2);
	assert_int_equal(cost_of(&c, "moved@example.com", right, 200), 1);
	assert_int_equal(cost_of(&c, "moved@example.com", wrong, 401), 1);
	SQL("update users set password_hash = 'nonsense' where email = 'moved@example.com'");
	assert_int_equal(cost_of(&c, "moved@example.com", right, 401), 1);
	caller_free(&c);
}

/* --- limits ---------------------------------------------------------------------------------- */

/* Right passwords do not count, however many come at once, and those that failed before still do. */
TEST(test_right_passwords_do_not_count)
{
	struct caller c = stranger_at(1);

	give_password(new_user("right@example.com"), right);
	for (int i = 0; i < PAIR - 1; i++)
		assert_int_equal(sign_in(&c, "198.51.100.4", "right@example.com", wrong).status, 401);
	for (int i = 0; i < 5; i++) {
		caller_good(sign_in(&c, "198.51.100.4", "RIGHT@example.com", right));
		await_true(rig_int(&rig, "select sum(n) from sign_in_failures where counted = "
		                         "(kith_sign_in_keys('right@example.com', '198.51.100.4'))[1]") == PAIR - 1);
	}
	assert_int_equal(sign_in(&c, "198.51.100.4", "right@example.com", wrong).status, 401);
	assert_int_equal(sign_in(&c, "198.51.100.4", "right@example.com", right).status, 429);
	caller_free(&c);
}

/* The window slides: never more than the limit in it, and a wait as long as was said is enough. */
TEST(test_the_window_slides)
{
	enum { BUCKET_US = 50000, LIMIT = 3, TURNS = 4 };
	int64_t at[LIMIT * TURNS], n = 0;

	while (n < LIMIT * TURNS) {
		int64_t now_us = clock_mono_us();
		int64_t counted =
		    rig_int(&rig, "select kith_sign_in_try('slides', 'here', '{%d,100,100}', %d)", LIMIT, BUCKET_US);
		if (counted < 0) {
			assert_in_range(-counted, 1, 11 * BUCKET_US);
			patience_rest((int)(-counted / 1000 + 1));
			continue;
		}
		at[n] = now_us; /* the attempt was counted later than this */
		if (n >= LIMIT)
			assert_true(clock_mono_us() - at[n - LIMIT] >= 9 * BUCKET_US);
		n++;
	}
	SQL("delete from sign_in_failures where counted = any (kith_sign_in_keys('slides', 'here'))");
}

/* --- invitations ----------------------------------------------------------------------------- */

struct accepting {
	const char *link;
	atomic_int good, refused, other;
};

static void accept_one(void *ctx, int i)
{
	struct accepting *t = ctx;
	struct caller c = stranger_at(i % SERVERS);
	int status = accept_link(&c, t->link, right).status;

	atomic_fetch_add(status == 200 ? &t->good : status == 422 ? &t->refused : &t->other, 1);
	caller_free(&c);
}

TEST(test_a_link_is_used_once)
{
	const char *user = new_user("link@example.com");

	for (int round = 0; round < 3; round++) {
		struct accepting t = {.link = link_new(user)};
		caller_crowd_run(8, accept_one, &t);
		assert_int_equal(atomic_load(&t.other), 0);
		assert_int_equal(atomic_load(&t.good), 1);
	}
	assert_int_equal(
	    rig_int(&rig, "select count(*) from api_keys where kind = 'session' and revoked_at is null and "
	                  "user_id = (select id from users where email = 'link@example.com')"),
	    1);
}

/* Killed before and after COMMIT: the link is either still valid and nothing has changed, or used, and the password is
 * set. */
TEST(test_killed_while_a_link_is_used)
{
	static const char *const points[] = {"opened", "changes", "commit_sent", "commit_answered", "reply"};
	struct caller c = stranger_at(0);

	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		const char *user = new_user(TEXT("killed%zu@example.com", i)), *link = link_new(user);
		struct caller killed;
		bool used;
		rig_write(rig.orders, TEXT("%s 1 kill\n", points[i]));
		caller_init(&killed, servers[1]->base, NULL);
		await_true(accept_link(&killed, link, right).status == 0);
		rig_write(rig.orders, "");
		caller_free(&killed);
		server_kill(servers[1]);
		servers[1] = serve_with(false);
		await_true(rig_int(&rig, "select count(*) from pg_stat_activity where backend_type = 'client backend' "
		                         "and xact_start is not null and pid <> pg_backend_pid()") == 0);
		used = rig_int(&rig,
		           "select count(*) from invitations where used_at is not null and user_id = (select id "
		           "from users where email = 'killed%zu@example.com')",
		           i) == 1;
		assert_int_equal(
		    sign_in(&c, "198.51.100.5", TEXT("killed%zu@example.com", i), right).status, used ? 200 : 401);
		assert_int_equal(accept_link(&c, link, right).status, used ? 422 : 200);
	}
	caller_turn(&ben, servers[1]->base);
	caller_free(&c);
}

/* --- floods ---------------------------------------------------------------------------------- */

static char *sign_in_bytes(int i)
{
	const char *body = TEXT("{\"email\":\"gone%d@example.com\",\"password\":\"%s\"}", i, wrong);

	return TEXT("POST /auth/password HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Kith-Console: 1\r\nX-Forwarded-For: "
	            "2001:db8:55:%x::1\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    i, strlen(body), body);
}

static int send_and_keep(int i)
{
	int fd = raw_open(servers[0]->base);
	char *bytes = sign_in_bytes(i);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
	return fd;
}

/* Clients that have left cost no derivation while they wait for their turn. */
TEST(test_clients_that_leave)
{
	enum { CLIENTS = 60 };
	int fd[CLIENTS];
	int64_t before = hashes_now();

	for (int i = 0; i < CLIENTS; i++)
		fd[i] = send_and_keep(i);
	for (int i = 0; i < CLIENTS; i++)
		raw_reset(fd[i]);
	await_true(operated_value(&operated, "kith_http_requests_in_flight") == 0);
	caller_get(&ada, "/v1/users/me");
	assert_in_range(hashes_now() - before, 0, CLIENTS - 1);
}

/* --- admins ---------------------------------------------------------------------------------- */

struct duel {
	struct caller *of[2];
	const char *other[2];
	struct caller_answer answers[2];
};

static void duel_one(void *ctx, int i)
{
	struct duel *d = ctx;

	d->answers[i] = caller_sendf(
	    d->of[i], "POST", arena_printf(&d->of[i]->arena, "/v1/users/%s/disable", d->other[i]), NULL, "{}");
}

/* The two admins of a workspace disable each other at once, in two processes: one stays. */
TEST(test_a_workspace_keeps_an_admin)
{
	struct duel d = {.of = {&ada, &ben}, .other = {rig.ben.id, rig.ada.id}};

	for (int round = 0; round < 10; round++) {
		caller_good(SEND("PATCH", "{\"role\":\"admin\"}", "/v1/users/%s", rig.ben.id));
		caller_crowd_run(2, duel_one, &d);
		assert_int_equal((d.answers[0].status == 200) + (d.answers[1].status == 200), 1);
		assert_int_equal(rig_int(&rig,
		                     "select count(*) from users where %s and role = 'admin' and disabled_at is "
		                     "null",
		                     rig.own),
		    1);
		assert_int_equal(KITH("user", "enable", rig.ada.id), 0);
		assert_int_equal(KITH("user", "enable", rig.ben.id), 0);
	}
	caller_good(SEND("PATCH", "{\"role\":\"member\"}", "/v1/users/%s", rig.ben.id));
}

/* --- the end --------------------------------------------------------------------------------- */

/* SIGTERM while passwords are being hashed: each request gets an answer, and the process ends well. */
TEST(test_a_stop_while_hashing)
{
	enum { CLIENTS = 20 };
	int fd[CLIENTS];

	servers[2] = serve_with(false);
	for (int i = 0; i < CLIENTS; i++) {
		fd[i] = raw_open(servers[2]->base);
		assert_true(fd[i] >= 0);
		assert_true(write(fd[i], sign_in_bytes(1000 + i), strlen(sign_in_bytes(1000 + i))) > 0);
	}
	assert_true(server_stop(servers[2]));
	servers[2] = NULL;
	for (int i = 0; i < CLIENTS; i++) {
		int status = raw_status(fd[i]);
		if (status != 401 && status != 503 && status != -1)
			fail_msg("status %d", status);
		raw_reset(fd[i]);
	}
}

/* Last, because in this server's hurry every attempt of the others is old. */
TEST(test_old_attempts_are_deleted)
{
	assert_true(rig_int(&rig, "select count(*) from sign_in_failures") > 0);
	servers[2] = rig_serve(&rig, false, (const char *const[]){"clock_scale=1000", NULL});
	await_true(rig_int(&rig, "select count(*) from sign_in_failures") == 0);
	assert_true(server_stop(servers[2]));
	servers[2] = NULL;
}
