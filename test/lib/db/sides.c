/* See sides.h. */
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"
#include "server/base/log.h"
#include "store/migrate.h"
#include "test/lib/db/sides.h"
#include "test/lib/test.h"

struct side sides[SIDES];
struct cluster *sides_cluster;
static struct event_base *base;
static bool inside; /* admission_ask() is running */
static const struct admission_rate usual[ADMISSION_POLICIES] = {{600, 60}, {20, 2}};

void sides_turn(void)
{
	for (int i = 0; i < SIDES; i++) {
		admission_flush(sides[i].admission);
		db_flush(sides[i].db);
	}
	assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
	log_flush();
}

void sides_sql(const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	assert_true(vasprintf(&text, format, args) >= 0);
	va_end(args);
	if (!cluster_sql(sides_cluster, text, NULL, 0))
		fail_msg("failed: %.300s", text);
	free(text);
}

long long sides_int(const char *text)
{
	char out[64];
	assert_true(cluster_sql(sides_cluster, text, out, sizeof(out)));
	return strtoll(out, NULL, 10);
}

static void on_done(struct admission_ticket *t)
{
	struct sides_ask *a = t->owner;
	assert_false(inside);
	a->done++;
}

void sides_ask(struct side *s, struct sides_ask *a, int user, const char *key)
{
	char text[64];
	memset(a, 0, sizeof(*a));
	memset(&a->t, 0xee, sizeof(a->t)); /* only the first four members are set by the owner */
	snprintf(text, sizeof(text), "%d/%s", user, key);
	sha256_digest(text, strlen(text), a->t.key_hash);
	a->t.done = on_done;
	a->t.owner = a;
	a->t.uncounted = a->t.no_burst = false;
	inside = true;
	admission_ask(s->admission, &a->t);
	inside = false;
}

int sides_ended(const struct sides_ask *asks, int n)
{
	int count = 0;
	for (int i = 0; i < n; i++)
		count += asks[i].done;
	return count;
}

enum admission_status sides_ask_one(struct side *s, struct sides_ask *a, int user, const char *key)
{
	sides_ask(s, a, user, key);
	UNTIL(a->done);
	assert_int_equal(a->done, 1);
	return a->t.status;
}

void sides_rates(int limit, int window_s, int burst, int burst_s)
{
	const struct admission_rate r[ADMISSION_POLICIES] = {{limit, window_s}, {burst, burst_s}};
	for (int i = 0; i < SIDES; i++)
		admission_set_rates(sides[i].admission, r);
}

static void seed_sides(void)
{
	sides_sql(
	    "insert into workspaces (workspace_id, name, version) values ('00000000-0000-0000-0000-000000000001', 'w', "
	    "7);"
	    "insert into users (workspace_id, id, email, full_name, role) select workspace_id, "
	    "('00000000-0000-0000-0000-' || lpad(to_hex(i), 12, '0'))::uuid, 'u' || i, 'u', "
	    "case when i = 2 then 'admin' else 'member' end from workspaces, generate_series(0, %d) as i;"
	    "insert into api_keys (key_hash, workspace_id, id, user_id, last4, read_only, last_used_at) select "
	    "sha256((u.email || '/' || k)::bytea), workspace_id, "
	    "('00000000-0000-7000-8000-' || lpad(to_hex(row_number() over ()), 12, '0'))::uuid, u.id, 'last', k = 'b', "
	    "now() "
	    "from (select workspace_id, id, substr(email, 2) as email from users) as u, unnest('{a,b}'::text[]) as k;"
	    "insert into api_keys (key_hash, workspace_id, id, user_id, last4, expires_at) select sha256(('4/' || "
	    "k)::bytea), "
	    "workspace_id, ('00000000-0000-7000-9000-' || lpad(length(k)::text || ascii(right(k, 1)), 12, '0'))::uuid, "
	    "'00000000-0000-0000-0000-000000000004', 'last', "
	    "now() + case when k = 'expires' then interval '1 h' else interval '-1 s' end "
	    "from workspaces, unnest('{expires,expired}'::text[]) as k",
	    SIDES_USERS - 1);
}

void sides_open(void)
{
	char error[CLUSTER_ERROR_SIZE];

	sides_cluster = cluster_start(error);
	if (!sides_cluster)
		fail_msg("%s", error);
	base = event_base_new();
	for (int i = 0; i < SIDES; i++) {
		struct db_config config;
		db_config_default(&config, cluster_url(sides_cluster), 2);
		sides[i].db = db_open(base, &config);
		sides[i].admission = admission_new(sides[i].db, usual);
	}
	UNTIL(db_ready(sides[0].db) && db_ready(sides[1].db));
	if (!migrate_apply(sides[0].db, false, NULL, NULL, error))
		fail_msg("%s", error);
	seed_sides();
}

void sides_close(void)
{
	for (int i = 0; i < SIDES; i++) {
		db_close(sides[i].db);
		admission_free(sides[i].admission);
	}
	event_base_free(base);
	cluster_stop(sides_cluster);
}
