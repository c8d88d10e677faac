/* The order of deliveries, and receivers that fail for long. Longer with WEBHOOK_UPDATES (the number of events of
 * the case with concurrent writers). */
#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"
#include "test/lib/webhook/hook_rig.h"

enum { WAIT_MS = 60000, WRITERS = 8, RECORDS = 5, UPDATES = 20 };

HOOKS("webhooks_order", .settings = {"clock_scale=10000"}, .neighbour = true);

BEFORE_ALL()
{
	patience_seed(3);
}

/* --- concurrent writers ------------------------------------------------------------------------ */

struct order_writers {
	const char *records[RECORDS];
	int each;
};

static void update_person(void *ctx, int i)
{
	const struct order_writers *w = ctx;
	struct caller c;

	caller_init(&c, server->base, rig.ada.key);
	for (int n = 0; n < w->each; n++)
		caller_sendf(&c, "PATCH", arena_printf(&c.arena, "/v1/people/%s", w->records[(n + i) % RECORDS]), NULL,
		    "{\"jobTitle\":\"%d of %d\"}", n, i);
	caller_free(&c);
}

/* What arrived, in order, in a form that SQL can read. */
static char *arrivals_sql(struct receiver *r)
{
	struct arena a;
	struct buf text;
	size_t len;
	int n = receiver_count(r);

	arena_init(&a);
	buf_init(&text, 64 << 20);
	buf_addc(&text, '{');
	for (int i = 0; i < n; i++)
		buf_printf(&text, "%s%s", i ? "," : "", hooked_event(&a, receiver_request(r, i)).id + strlen("evt_"));
	buf_addc(&text, '}');
	arena_free(&a);
	return buf_take(&text, &len);
}

static int64_t ask_of(const char *ids, const char *before, const char *behind)
{
	struct buf sql;
	int64_t n;

	buf_init(&sql, 64 << 20);
	buf_printf(&sql, "%s unnest('%s'::uuid[]) with ordinality r (id, n) %s", before, ids, behind);
	n = database_int(rig.program, sql.data);
	buf_free(&sql);
	return n;
}

/* Each event once, and those of a record in commit order. */
TEST(test_commit_order)
{
	struct receiver *r = RECEIVE(0);
	struct order_writers w = {.each = rig_setting("WEBHOOK_UPDATES", 400) / WRITERS};
	int events;
	char *ids;

	for (int i = 0; i < RECORDS; i++)
		w.records[i] = hook_rig_person("Written");
	hooked_make(&ada, receiver_url(r, "/"), "[{\"eventType\":\"person.updated\",\"filter\":{}}]");
	caller_crowd_run(WRITERS, update_person, &w);
	events = (int)rows_count("events where type = 'person.updated' and %s", rig.own);
	assert_true(events > w.each);
	assert_true(receiver_wait(r, events, WAIT_MS));
	assert_false(receiver_wait(r, events + 1, 300));
	ids = arrivals_sql(r);
	assert_int_equal(ask_of(ids, "select count(distinct id) from", ""), events);
	assert_int_equal(
	    ask_of(ids,
	        "select count(*) from (select e.xid, e.seq, lag(e.xid) over w as xid0, lag(e.seq) over w as seq0 from",
	        "join events e using (id) window w as (partition by e.record_id order by r.n)) s "
	        "where (xid, seq) < (xid0, seq0)"),
	    0);
	free(ids);
}

/* --- with failures -------------------------------------------------------------------------------- */

/* The number in the title set by an update; -1: another event. */
static int number_of(const struct receiver_request *q)
{
	const char *value = strstr(q->body, "\"value\":\"#");

	return value ? (int)strtol(value + strlen("\"value\":\"#"), NULL, 10) : -1;
}

struct history {
	const char *record;
	int failed[UPDATES];
	bool done[UPDATES];
};

/* Every earlier one was delivered, or has failed three times. */
static void check_order(struct history *h, const struct receiver_request *q)
{
	int n = number_of(q);

	assert_in_range(n, 0, UPDATES - 1);
	for (int i = 0; i < n; i++)
		if (!h->done[i] && h->failed[i] < 3)
			fail_msg("update %d came before %d", n, i);
	if (q->status == 200) {
		assert_false(h->done[n]);
		h->done[n] = true;
	} else
		h->failed[n]++;
}

TEST(test_order_with_failures)
{
	struct receiver *r = RECEIVE(.fail_percent = 30);
	struct history all[RECORDS] = {0};
	struct hooked h;
	struct arena a;

	for (int i = 0; i < RECORDS; i++)
		all[i].record = hook_rig_person("Failing");
	h = hooked_make(&ada, receiver_url(r, "/"), "[{\"eventType\":\"person.updated\",\"filter\":{}}]");
	for (int n = 0; n < UPDATES; n++)
		for (int i = 0; i < RECORDS; i++)
			caller_sendf(
			    &ada, "PATCH", TEXT("/v1/people/%s", all[i].record), NULL, "{\"jobTitle\":\"#%d\"}", n);
	await_rows(
	    (int64_t)UPDATES * RECORDS, "deliveries where state = 'delivered' and webhook_id = '%s'", hook_rig_bare(h));
	arena_init(&a);
	for (int i = 0; i < receiver_count(r); i++)
		for (int k = 0; k < RECORDS; k++)
			if (strcmp(hooked_event(&a, receiver_request(r, i)).record, all[k].record) == 0)
				check_order(&all[k], receiver_request(r, i));
	for (int i = 0; i < RECORDS * UPDATES; i++)
		assert_true(all[i / UPDATES].done[i % UPDATES]);
	arena_free(&a);
}

/* --- failing for long ---------------------------------------------------------------------------------- */

/* After five days of nothing but failures the webhook becomes inactive, with an event. */
TEST(test_given_up)
{
	struct receiver *r = RECEIVE(.behaviour = {.status = 500});
	struct hooked h;
	int64_t end = patience_ms(WAIT_MS);
	const char *id;

	assert_true(server_stop(server));
	server = rig_serve(&rig, false, (const char *const[]){"clock_scale=300000", NULL}); /* five days are 1.4 s */
	caller_turn(&ada, server->base);
	h = hooked_make(&ada, receiver_url(r, "/"), NULL);
	id = hook_rig_bare(h);
	hook_rig_person("Given up");
	while (rows_count("webhooks where id = '%s' and status = 'active'", id) && patience_pause(end))
		if (patience_chance(20) == 0)
			hook_rig_person("Given up");
	assert_rows(1,
	    "events where type = 'webhook.deactivated' and record_id = '%s' and data::jsonb = '{\"details\": "
	    "{\"reason\": \"failing\"}}'",
	    id);
	assert_rows(0, "webhooks where id = '%s' and failing_since is null", id);
	assert_true(server_stop(server));
}
