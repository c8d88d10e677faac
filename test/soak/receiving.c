/* See receiving.h. */
#include "test/soak/receiving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/http/caller.h"
#include "test/lib/webhook/hooked.h"
#include "webhook/event.h"
#include "test/soak/ledger.h"
#include "test/soak/soak.h"

enum hook_kind {
	HOOK_GOOD,
	HOOK_FLAKY, /* a tenth fails */
	HOOK_BACK,  /* does not respond now and then */
	HOOK_GONE,  /* answers 410; is activated again */
	HOOK_HANGS, /* never answers */
	HOOK_DEAD,  /* nobody listens */
	HOOK_KINDS
};
enum {
	HOOKS = SOAK_SPACES - 1 + HOOK_KINDS,
	FLAKY_OF = 10,
	PHASE_MS = 6000,
	GONE_MS = 15000,
	DRAIN_MS = 90000,
	SUBSCRIBED_MAX = 20
};

static const char *const kind_names[] = {"good", "flaky", "back", "gone", "hangs", "dead"};

static struct soak_hook {
	enum hook_kind kind;
	const struct soak_space *space;
	struct receiver *receiver;
	int port;
	char id[ID_SIZE];
	atomic_llong taken, again, refused;
	atomic_llong gone_ms; /* when it answered 410 last */
	unsigned chance;
} hooks[HOOKS];
static atomic_bool all_good;

/* --- receiving ------------------------------------------------------------------------------------- */

/* What it does now; status 200 and a usual answer: it takes the event. */
static struct receiver_behaviour hook_behaviour(struct soak_hook *h)
{
	static const struct receiver_behaviour phases[] = {{0}, {.status = 500}, {0}, {.mode = RECEIVER_NEVER}, {0},
	    {.mode = RECEIVER_RESET}, {0}, {.status = 503, .headers = "Retry-After: 60\r\n"}};

	if (atomic_load(&all_good) && h->kind != HOOK_HANGS)
		return phases[0];
	switch (h->kind) {
	case HOOK_FLAKY:
		h->chance = h->chance * 1664525u + 1013904223u;
		return phases[(h->chance >> 8) % FLAKY_OF == 0];
	case HOOK_BACK:
		return phases[(uint64_t)clock_now_ms() / PHASE_MS % (sizeof phases / sizeof *phases)];
	case HOOK_GONE:
		atomic_store(&h->gone_ms, clock_now_ms());
		return (struct receiver_behaviour){.status = 410};
	case HOOK_HANGS:
		return phases[3];
	default:
		return phases[0];
	}
}

static struct receiver_behaviour hook_receives(void *ctx, const struct receiver_request *q)
{
	struct soak_hook *h = ctx;
	struct receiver_behaviour b = hook_behaviour(h);
	char *event = receiver_header(q, "webhook-id");
	int64_t now_ms = clock_now_ms();

	for (int i = 0; i < SOAK_SPACES; i++)
		if (&soak.spaces[i] != h->space && strstr(q->body, soak.spaces[i].mark))
			finding_add("tenants", "a webhook gets another workspace's texts: %.600s", q->body);
	if (b.mode != RECEIVER_ANSWER || b.status >= 300) {
		atomic_fetch_add(&h->refused, 1);
	} else if (strstr(q->body, "\"type\":\"webhook.test\"")) {
		;
	} else if (ledger_taken(h->id, event ? event : "")) {
		atomic_fetch_add(&h->taken, 1);
	} else {
		atomic_fetch_add(&h->again, 1);
		if (!outage_between(now_ms - 30000, now_ms))
			finding_add("webhooks: twice", "%s to %s, and nothing had ended", event, kind_names[h->kind]);
	}
	free(event);
	return b;
}

static void hook_open(struct soak_hook *h)
{
	h->receiver = receiver_start(
	    &(struct receiver_config){.port = h->port, .decide = hook_receives, .ctx = h, .forget = true});
	h->port = receiver_port(h->receiver);
}

/* --- making -------------------------------------------------------------------------------------------- */

/* As many kinds of events as a webhook may have: of each webhook others, so that together they have all. */
static const char *some_events(struct arena *a, int first, const char **types)
{
	const char *out = "[", *separator = "";

	*types = "";
	for (int i = 0, n = 0; i < EVENT_TYPES && n < SUBSCRIBED_MAX; i++) {
		const char *name = event_kinds[(first + i) % EVENT_TYPES].name;
		if ((first + i) % EVENT_TYPES == EVENT_WEBHOOK_TEST)
			continue;
		out = arena_printf(a, "%s%s{\"eventType\":\"%s\",\"filter\":{}}", out, separator, name);
		*types = arena_printf(a, "%s%s%s", *types, separator, name);
		separator = ",";
		n++;
	}
	return arena_printf(a, "%s]", out);
}

static void hook_make(struct soak_hook *h)
{
	struct caller c;
	const char *types, *events;
	char url[64];

	caller_init(&c, side_base(0), h->space->admin.key);
	events = some_events(&c.arena, 7 * (int)(h - hooks), &types);
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", h->port);
	snprintf(h->id, sizeof h->id, "%s", hooked_make(&c, url, events).id);
	rig_int(&soak.rig,
	    "with h as (insert into soak.hooks select id, '%s', workspace_id, created_by, position_generation, "
	    "position_xid, "
	    "position_seq, string_to_array('%s', ',') from webhooks where id = '%s' returning 1) select count(*) from "
	    "h",
	    kind_names[h->kind], types, h->id + 4);
	caller_free(&c);
}

void receiving_begin(void)
{
	for (int i = 0; i < HOOKS; i++) {
		struct soak_hook *h = &hooks[i];
		h->kind = i < HOOK_KINDS ? (enum hook_kind)i : HOOK_GOOD;
		h->space = &soak.spaces[i < HOOK_KINDS ? 0 : i - HOOK_KINDS + 1];
		hook_open(h);
		hook_make(h);
		if (h->kind == HOOK_DEAD) {
			receiver_stop(h->receiver);
			h->receiver = NULL;
		}
	}
}

void receiving_restart(void)
{
	for (int i = 0; i < HOOKS; i++)
		if (hooks[i].receiver)
			receiver_stop(hooks[i].receiver);
	soak_pause(300);
	for (int i = 0; i < HOOKS; i++)
		if (hooks[i].receiver)
			hook_open(&hooks[i]);
}

/* --- in the course of the load --------------------------------------------------------------------------- */

static void hook_activate(const struct soak_hook *h)
{
	struct caller c;

	caller_init(&c, side_base(0), h->space->admin.key);
	struct caller_answer a =
	    caller_send(&c, "PATCH", arena_printf(&c.arena, "/v1/webhooks/%s", h->id), NULL, "{\"status\":\"active\"}");
	if (a.status != 200 && !outage_between(clock_now_ms() - 30000, clock_now_ms()))
		finding_add("webhooks", "is not activated: %d %.300s", a.status, a.status ? a.reply.body : a.error);
	caller_free(&c);
}

/* Its first 410 made it inactive at once: more than those under way do not come. */
void receiving_turn(void)
{
	struct soak_hook *h = &hooks[HOOK_GONE];
	int64_t gone_ms = atomic_load(&h->gone_ms);

	if (!gone_ms || clock_now_ms() - gone_ms < GONE_MS)
		return;
	atomic_store(&h->gone_ms, 0);
	hook_activate(h);
}

static int64_t receiving_pending(void)
{
	char error[256];
	int64_t n = -1;

	database_try(soak.rig.program,
	    "select count(*) from deliveries d join soak.hooks h on h.webhook = d.webhook_id join webhooks w on w.id = "
	    "h.webhook and w.status = 'active' where d.state = 'pending' and h.kind not in ('hangs', 'dead')",
	    &n, error);
	return n;
}

static long long receiving_taken(void)
{
	long long n = 0;

	for (int i = 0; i < HOOKS; i++)
		n += atomic_load(&hooks[i].taken);
	return n;
}

void receiving_end(void)
{
	int64_t until_ms = clock_now_ms() + DRAIN_MS;
	long long before = -1;

	soak.ended_ms = clock_now_ms();
	atomic_store(&all_good, true);
	hook_activate(&hooks[HOOK_GONE]);
	do {
		before = receiving_taken();
		soak_pause(3000);
	} while ((receiving_pending() != 0 || receiving_taken() != before) && clock_now_ms() < until_ms);
	soak.drained_ms = clock_now_ms() - 3000;
	if (receiving_pending() != 0)
		finding_add("webhooks", "%lld deliveries are still due", (long long)receiving_pending());
}

void receiving_free(void)
{
	for (int i = 0; i < HOOKS; i++)
		if (hooks[i].receiver)
			receiver_stop(hooks[i].receiver);
}

void receiving_print(void)
{
	for (int i = 0; i < HOOKS; i++)
		printf("soak: webhook %s of %s: %lld events taken, %lld again, %lld attempts refused\n",
		    kind_names[hooks[i].kind], hooks[i].space->mark, atomic_load(&hooks[i].taken),
		    atomic_load(&hooks[i].again), atomic_load(&hooks[i].refused));
}
