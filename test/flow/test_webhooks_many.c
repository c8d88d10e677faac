/* Receivers that do not answer affect neither deliveries to others nor memory. Longer with WEBHOOK_BACKLOG (events
 * that wait for a dead receiver) and WEBHOOK_WRITES_MANY; WEBHOOK_DELAY_PERCENT is the delay of others that is
 * allowed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/webhook/hook_rig.h"

enum { WAIT_MS = 120000, GOOD = 40, BAD = 10, GROWTH_MAX_MB = 40 };

HOOKS("webhooks_many", .neighbour = true, .keep_little = true);

/* --- delay -------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return x < y ? -1 : x > y;
}

enum { WRITES_MAX = 1000 };

struct written {
	const char *id;
	int64_t at_us;
};

static int64_t delay_us(const struct written *all, int n, const struct receiver_request *q)
{
	for (int i = 0; i < n; i++)
		if (strstr(q->body, all[i].id))
			return q->at_us - all[i].at_us;
	fail_msg("a delivery of nothing that was written: %s", q->body);
	return 0;
}

/* The median time from the answer to a write to each of its deliveries. */
static int64_t median_delay_us(struct receiver *good, int writes)
{
	static struct written all[WRITES_MAX];
	static int64_t took[WRITES_MAX * GOOD];

	receiver_clear(good);
	for (int i = 0; i < writes; i++) {
		struct caller_answer a = SEND("POST", "{\"firstName\":\"Many\"}", "/v1/people");
		assert_int_equal(a.status, 200);
		all[i] = (struct written){.id = a.id, .at_us = clock_mono_us()};
		assert_true(receiver_wait(good, (i + 1) * GOOD, WAIT_MS));
	}
	for (int k = 0; k < writes * GOOD; k++)
		took[k] = delay_us(all, writes, receiver_request(good, k));
	qsort(took, (size_t)(writes * GOOD), sizeof *took, by_size);
	return took[writes * GOOD / 2];
}

TEST(test_delay)
{
	struct receiver *good = RECEIVE(0);
	struct receiver *bad = RECEIVE(0);
	int writes = rig_setting("WEBHOOK_WRITES_MANY", 20), percent = rig_setting("WEBHOOK_DELAY_PERCENT", 50);
	int64_t without, with;

	for (int i = 0; i < GOOD; i++)
		hooked_make(&ada, receiver_url(good, "/"), NULL);
	for (int i = 0; i < BAD; i++)
		hooked_make(&ada, receiver_url(bad, "/"), NULL);
	median_delay_us(good, 3);
	without = median_delay_us(good, writes);
	receiver_behave(bad, (struct receiver_behaviour){.mode = RECEIVER_NEVER});
	with = median_delay_us(good, writes);
	printf("median delay: %lld us, with %d of %d hanging %lld us\n", (long long)without, BAD, BAD + GOOD,
	    (long long)with);
	assert_true(with * 100 <= without * (100 + percent));
}

/* --- a backlog ------------------------------------------------------------------------------------ */

static int64_t resident_kb(void)
{
	return server_resident(server) / 1024;
}

static int make_backlog(int n)
{
	return (int)rows_change("insert into events (workspace_id, id, type, record_id, data) select workspace_id, "
	                        "gen_random_uuid(), 'person.updated', gen_random_uuid(), "
	                        "'{\"changes\":[{\"path\":[\"firstName\"],\"type\":\"set\",\"value\":\"Backlog\"}]}' "
	                        "from workspaces, generate_series(1, %d) where %s",
	    n, rig.own);
}

TEST(test_backlog)
{
	struct receiver *live = RECEIVE(0);
	struct receiver *dead = receiver_start(&(struct receiver_config){0});
	int port = receiver_port(dead), n = rig_setting("WEBHOOK_BACKLOG", 5000);
	int64_t before, began;

	hooked_make(&ada, receiver_url(dead, "/"), "[{\"eventType\":\"person.updated\",\"filter\":{}}]");
	hooked_make(&ada, receiver_url(live, "/"), "[{\"eventType\":\"person.created\",\"filter\":{}}]");
	receiver_stop(dead);
	before = resident_kb();
	assert_int_equal(make_backlog(n), n);
	for (int i = 1; i <= 20; i++) {
		assert_int_equal(
		    caller_sendf(&ada, "POST", "/v1/people", NULL, "{\"firstName\":\"Live\"}").status, 200);
		assert_true(receiver_wait(live, i, WAIT_MS));
	}
	await_number(1, "select (count(*) > 20)::int from deliveries where state = 'pending' and %s", rig.own);
	printf("memory: %lld KB before, %lld KB with %d events that wait\n", (long long)before,
	    (long long)resident_kb(), n);
	assert_true(resident_kb() < before + GROWTH_MAX_MB * 1024);
	/* Most of them were not tried: they stay in the events. */
	assert_true(rows_count("deliveries where state = 'pending' and %s", rig.own) < n / 2);
	dead = RECEIVE(.port = port, .forget = true);
	began = clock_mono_us();
	assert_true(receiver_wait(dead, n * 9 / 10, WAIT_MS * (1 + n / 100000)));
	printf("%.0f deliveries a second after the receiver came back\n",
	    (double)n * 0.9e6 / (double)(clock_mono_us() - began));
	assert_true(resident_kb() < before + GROWTH_MAX_MB * 1024);
}
