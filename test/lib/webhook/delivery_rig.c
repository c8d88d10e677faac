/* See delivery_rig.h. */
#include "test/lib/webhook/delivery_rig.h"

#include <event2/event.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/clock.h"
#include "test/lib/test.h"

enum { BATCH_MAX = 100000, TICK_MS = 5, WAIT_MS = 60000 };

void delivery_start(struct delivery *d, const char *allow, struct deliver_config c)
{
	const char *error = NULL;
	*d = (struct delivery){.loop = loop_new(), .names = nameserver_start(), .config = c};
	d->rules = target_rules_parse(allow, &error);
	assert_non_null(d->rules);
	d->resolver = resolver_new(loop_base(d->loop), nameserver_address(d->names));
	assert_non_null(d->resolver);
	d->config.loop = d->loop;
	d->config.rules = d->rules;
	d->config.resolver = d->resolver;
	d->config.timeout_ms = c.timeout_ms ? c.timeout_ms : 10000;
	d->config.connections_max = c.connections_max ? c.connections_max : 300;
	d->config.idle_ms = c.idle_ms ? c.idle_ms : 10000;
	d->deliverer = deliverer_new(&d->config);
	assert_non_null(d->deliverer);
}

void delivery_stop(struct delivery *d)
{
	if (d->deliverer)
		deliverer_free(d->deliverer);
	resolver_free(d->resolver);
	free(d->rules);
	loop_free(d->loop);
	nameserver_stop(d->names);
}

/* Identifies a delivery of a batch. */
struct ticket {
	struct delivery_batch *batch;
	int number;
};

static void on_done(void *ctx, const struct deliver_result *result)
{
	struct ticket *t = ctx;
	t->batch->results[t->number] = *result;
	t->batch->done++;
	free(t);
}

void delivery_begin(struct delivery *d, struct delivery_batch *b, const char *url, int n, const char *body, size_t len)
{
	static struct target target;
	const struct deliver_header headers[] = {{"Content-Type", "application/json"}, {"webhook-id", "evt_1"}};
	assert_int_equal(target_parse(&target, d->rules, url, strlen(url)), TARGET_OK);
	if (!b->results)
		b->results = mem_zalloc(BATCH_MAX * sizeof(*b->results));
	for (int i = 0; i < n; i++) {
		struct ticket *t = mem_alloc(sizeof(*t));
		assert_true(b->n < BATCH_MAX);
		*t = (struct ticket){b, b->n++};
		deliver_start(d->deliverer,
		    &(struct deliver_request){
		        .target = &target, .headers = headers, .n_headers = 2, .body = body, .body_len = len},
		    on_done, t);
	}
}

bool delivery_turn(struct delivery *d, int ms, bool (*holds)(void *ctx), void *ctx)
{
	int64_t until = clock_mono_us() + ms * INT64_C(1000);
	struct timeval tick = {0, TICK_MS * 1000};
	bool yes = false;
	while (!(yes = holds && holds(ctx)) && clock_mono_us() < until) {
		event_base_loopexit(loop_base(d->loop), &tick);
		event_base_loop(loop_base(d->loop), EVLOOP_ONCE);
	}
	return yes;
}

static bool all_done(void *ctx)
{
	const struct delivery_batch *b = ctx;
	return b->done == b->n;
}

bool delivery_wait(struct delivery *d, struct delivery_batch *b, int ms)
{
	return delivery_turn(d, ms, all_done, b);
}

void delivery_finish(struct delivery_batch *b)
{
	free(b->results);
	*b = (struct delivery_batch){0};
}

struct deliver_result delivery_send(struct delivery *d, const char *url)
{
	struct delivery_batch b = {0};
	delivery_begin(d, &b, url, 1, "{}", 2);
	assert_int_equal(b.done, 0); /* never within the call */
	assert_true(delivery_wait(d, &b, WAIT_MS));
	struct deliver_result result = b.results[0];
	delivery_finish(&b);
	return result;
}

/* AddressSanitizer's, which has its own allocator. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t memory_in_use(void)
{
	if (__sanitizer_get_current_allocated_bytes)
		return __sanitizer_get_current_allocated_bytes();
	struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}

size_t delivery_cost(struct delivery *d, const char *url, int n)
{
	struct delivery_batch b = {0};
	delivery_begin(d, &b, url, 1, "{}", 2); /* allocations that are made once */
	assert_true(delivery_wait(d, &b, WAIT_MS));
	size_t before = memory_in_use(), most = before;
	delivery_begin(d, &b, url, n, "{}", 2);
	for (int64_t until = clock_mono_us() + WAIT_MS * INT64_C(1000); clock_mono_us() < until && b.done < b.n;) {
		delivery_turn(d, TICK_MS, NULL, NULL);
		size_t now = memory_in_use();
		most = now > most ? now : most;
	}
	assert_int_equal(b.done, b.n);
	delivery_finish(&b);
	return (most - before) / (size_t)n;
}
