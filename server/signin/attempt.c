/* Counts attempts to sign in; see attempt.h and migrations/0020_sessions.sql. */
#include "server/signin/attempt.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "server/base/crypto.h"
#include "server/base/log.h"
#include "server/request/commit_notify.h"
#include "server/request/server.h"
#include "server/request/transaction.h"
#include "server/signin/browser.h"
#include "store/db_ask.h"
#include "webhook/event.h"

enum { US_PER_S = 1000000, US_PER_MS = 1000, SITE_LEN = 14 /* "2001:0db8:0001" */ };

/* A statement that no request waits for. */
struct aftermath {
	struct db_ask ask;
	struct server *server;
	bool told; /* it writes an event */
};

/* Of the keys of kith_sign_in_keys(). Without an account there are only the last ones. */
static const int64_t limits[] = {ATTEMPTS_PAIR, ATTEMPTS_ACCOUNT, ATTEMPTS_NETWORK, ATTEMPTS_SITE};
enum { LIMITS = sizeof limits / sizeof *limits, LIMITS_OF_ADDRESS = 2 };

const char *attempt_network(const char *address, char out[NETWORK_SIZE])
{
	static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
	unsigned char b[16];

	if (inet_pton(AF_INET6, address, b) != 1)
		snprintf(out, NETWORK_SIZE, "%s", address);
	else if (memcmp(b, mapped, sizeof mapped) == 0)
		snprintf(out, NETWORK_SIZE, "%d.%d.%d.%d", b[12], b[13], b[14], b[15]);
	else
		snprintf(out, NETWORK_SIZE, "%02x%02x:%02x%02x:%02x%02x:%02x%02x::/64", b[0], b[1], b[2], b[3], b[4],
		    b[5], b[6], b[7]);
	return out;
}

struct uuid attempt_site(struct req *r)
{
	static const char of_ipv6[] = "::/64";
	char network[NETWORK_SIZE];
	unsigned char digest[SHA256_SIZE];
	struct uuid site;
	size_t n = strlen(attempt_network(browser_of(r).address, network));

	if (n > sizeof of_ipv6 && strcmp(network + n - strlen(of_ipv6), of_ipv6) == 0)
		n = SITE_LEN;
	sha256_digest(network, n, digest);
	memcpy(site.b, digest, sizeof site.b);
	return site;
}

/* --- counting -------------------------------------------------------------------------------- */

static void attempt_sql(struct sql *s, const struct sign_in_attempt *a, const char *call)
{
	sql_add(s, call);
	sql_text(s, a->email, a->email_len);
	sql_add_textz(s, ", ", a->network);
	sql_add(s, ", ");
}

/* Adds the rest of the call, and sends it. */
static enum step attempt_send(struct req *r, struct sql *s, const struct sign_in_attempt *a)
{
	int64_t window_us = config_scaled_ms(r->server->config, ATTEMPT_WINDOW_S * INT64_C(1000)) * 1000;
	size_t n = a->email ? LIMITS : LIMITS_OF_ADDRESS;

	sql_int8_array(s, &limits[LIMITS - n], n);
	sql_add_int8(s, "::int[], ", window_us / ATTEMPT_BUCKETS);
	sql_add(s, ")");
	return req_ask(r, DB_WRITE);
}

enum step attempt_ask(struct req *r, struct sign_in_attempt *a, const char *email, size_t len)
{
	struct sql *s = exchange_statement(r, &r->at);

	*a = (struct sign_in_attempt){.email = email, .email_len = len};
	a->network = attempt_network(browser_of(r).address, arena_alloc(&r->arena, NETWORK_SIZE));
	sql_begin_system(s, s->arena, "sign_in_try");
	attempt_sql(s, a, "select kith_sign_in_try(");
	return attempt_send(r, s, a);
}

enum step attempt_look(struct req *r, struct sign_in_attempt *a)
{
	struct sql *s = exchange_statement(r, &r->at);

	*a = (struct sign_in_attempt){.looks = true};
	a->network = attempt_network(browser_of(r).address, arena_alloc(&r->arena, NETWORK_SIZE));
	sql_begin_system(s, s->arena, "sign_in_look");
	sql_add_textz(s, "select - kith_sign_in_wait(kith_sign_in_keys(null, ", a->network);
	sql_add(s, "), ");
	return attempt_send(r, s, a);
}

static void attempt_add_policy(struct json_out *o, const struct sign_in_attempt *a, int64_t retry_ms)
{
	char text[TIME_TEXT_SIZE];

	json_add_string(o, "policy", "sign_in");
	json_add_int(o, "limit", a->email ? ATTEMPTS_PAIR : ATTEMPTS_NETWORK);
	json_add_int(o, "remaining", 0);
	json_add_int(o, "windowSeconds", ATTEMPT_WINDOW_S);
	json_add_string(o, "retryAfter", time_format(retry_ms, text));
}

/* The form of every 429. */
static enum step attempt_refuse(struct req *r, const struct sign_in_attempt *a, int64_t wait_us)
{
	int64_t retry_ms = clock_now_ms() + wait_us / US_PER_MS + 1;
	char retry_s[24];
	struct json_out o;
	struct buf details;

	buf_init(&details, 1024);
	json_out_init(&o, &details);
	json_begin_object(&o);
	attempt_add_policy(&o, a, retry_ms);
	json_key(&o, "policies");
	json_begin_array(&o);
	json_begin_object(&o);
	attempt_add_policy(&o, a, retry_ms);
	json_end_object(&o);
	json_end_array(&o);
	json_end_object(&o);
	reply_error_details(r, ERROR_RATE_LIMITED, &details);
	buf_free(&details);
	snprintf(retry_s, sizeof retry_s, "%" PRId64, wait_us / US_PER_S + 1);
	reply_header(r, "Retry-After", retry_s);
	return DONE;
}

enum step attempt_asked(struct req *r, struct sign_in_attempt *a)
{
	int64_t counted = db_int(r->db.last, r->at, 0, 0);

	if (counted >= 0) {
		a->bucket = counted;
		a->counts = !a->looks;
		return PASS;
	}
	log_info("signin", "an attempt to sign in from %s was refused: too many have failed", a->network);
	return attempt_refuse(r, a, -counted);
}

/* --- afterwards ------------------------------------------------------------------------------ */

static void aftermath_done(struct db_exchange *x)
{
	struct aftermath *after = x->owner;

	if (x->status == DB_FAILED)
		log_warn(
		    "signin", "the result of an attempt to sign in was not stored: %s %s", x->sqlstate, x->message);
	else if (x->status == DB_OK && after->told)
		commit_notify_send(after->server);
	db_ask_end(&after->ask);
	free(after);
}

static struct aftermath *aftermath_begin(struct server *s)
{
	struct aftermath *after = mem_zalloc(sizeof *after);

	after->server = s;
	db_ask_begin(&after->ask);
	return after;
}

void attempt_take_back(struct req *r, struct sign_in_attempt *a)
{
	struct aftermath *after;
	struct sql *s;

	if (!a->counts || r->server->closing)
		return;
	a->counts = false;
	after = aftermath_begin(r->server);
	s = db_ask_add(&after->ask);
	sql_begin_system(s, &after->ask.arena, "sign_in_take_back");
	attempt_sql(s, a, "select kith_sign_in_take_back(");
	sql_int8(s, a->bucket);
	sql_add(s, ")");
	db_ask_send(&after->ask, r->server->db, DB_WRITE, aftermath_done, after);
}

/* The event that tells admins and the user. */
static void tell_failure(
    struct server *server, const char *address, const struct uuid *workspace, const struct uuid *user)
{
	struct aftermath *after = aftermath_begin(server);
	struct sql *s = db_ask_add(&after->ask);
	struct json_out o;
	struct buf data;

	buf_init(&data, 1024);
	json_out_init(&o, &data);
	json_begin_object(&o);
	json_key(&o, "details");
	json_begin_object(&o);
	json_add_string(&o, "address", address);
	json_end_object(&o);
	json_end_object(&o);
	after->told = true;
	sql_begin(s, &after->ask.arena, "sign_in_failed", workspace);
	event_user_sql(s, EVENT_USER_SIGN_IN_FAILED, &event_actor_system);
	sql_add(s, "(select workspace_id, id, ");
	sql_json(s, data.data, data.len);
	sql_add_uuid(s, " as data from users where workspace_id = $1 and id = ", user);
	sql_add(s, ") u");
	buf_free(&data);
	db_ask_send(&after->ask, server->db, DB_WRITE, aftermath_done, after);
}

void attempt_tell(struct req *r, const struct uuid *workspace, const struct uuid *user)
{
	if (!r->server->closing)
		tell_failure(r->server, browser_of(r).address, workspace, user);
}

void attempt_failed(struct req *r, const struct uuid *workspace, const struct uuid *user)
{
	const char *address = browser_of(r).address;
	char id[ID_SIZE];

	log_warn("signin", "an attempt to sign in from %s failed: %s%s", address,
	    user ? "wrong password of user " : "no user with this address has a password",
	    user ? id_format(ID_USER, user, id) : "");
	if (user)
		attempt_tell(r, workspace, user);
}
