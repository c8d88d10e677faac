/* See neighbour.h. */
#include "test/lib/neighbour.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test/lib/caller.h"
#include "test/lib/hooked.h"
#include "test/lib/patience.h"

enum { PAUSE_US = 100000, WAIT_MS = 20000 };

struct neighbour {
	struct rig *rig;
	struct workspace workspace;
	struct user user;
	struct caller caller;
	struct receiver *receiver;
	pthread_t thread;
	pthread_mutex_t lock; /* of base */
	char base[sizeof((struct server *)0)->base];
	atomic_bool stop;
};

static void remind(struct caller *c, const char *person)
{
	time_t at = time(NULL) + 1;
	char text[40];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(text, sizeof text, "%Y%m%dT%H%M%S", &tm);
	caller_sendf(c, "POST", "/v1/reminders", NULL,
	    "{\"entity\":{\"id\":\"%s\"},\"name\":\"neighbour\",\"visibility\":\"public\",\"recurrenceRule\":"
	    "\"DTSTART;TZID=UTC:%s\\nRRULE:FREQ=DAILY;COUNT=1\"}",
	    person, text);
}

static void come_and_go(struct caller *c)
{
	struct answer group =
	    caller_send(c, "POST", "/v1/groups", NULL, "{\"name\":\"Neighbour\",\"visibility\":\"public\"}");

	if (*group.id)
		caller_send(c, "DELETE", arena_printf(&c->arena, "/v1/groups/%s", group.id), NULL, NULL);
}

/* What fails is of no interest: the database tells what there is. */
static void *write_on(void *ctx)
{
	struct neighbour *n = ctx;

	for (int turn = 0; !atomic_load(&n->stop); turn++) {
		struct answer person =
		    caller_send(&n->caller, "POST", "/v1/people", NULL, "{\"firstName\":\"Neighbour\"}");
		if (person.status != 200) {
			pthread_mutex_lock(&n->lock);
			caller_turn(&n->caller, n->base);
			pthread_mutex_unlock(&n->lock);
		} else if (turn % 3 == 0) {
			remind(&n->caller, person.id);
		} else if (turn % 3 == 1) {
			come_and_go(&n->caller);
		}
		arena_free(&n->caller.arena);
		patience_chance_us(PAUSE_US);
	}
	return NULL;
}

struct neighbour *neighbour_start(struct rig *r, const struct server *s)
{
	struct neighbour *n = calloc(1, sizeof *n);

	n->rig = r;
	pthread_mutex_init(&n->lock, NULL);
	snprintf(n->base, sizeof n->base, "%s", s->base);
	n->workspace = workspace_create(r->program, &r->arena, "neighbour");
	n->user = user_create(
	    r->program, &r->arena, &n->workspace, "neighbour", "Neighbour", "neighbour@example.org", "admin");
	caller_init(&n->caller, s->base, n->user.key);
	n->receiver = receiver_start(&(struct receiver_config){0});
	if (!n->receiver) {
		fprintf(stderr, "no receiver for the neighbour\n");
		exit(1);
	}
	hooked_make(&n->caller, receiver_url(n->receiver, "/"), NULL);
	if (pthread_create(&n->thread, NULL, write_on, n) != 0) {
		fprintf(stderr, "no thread for the neighbour\n");
		exit(1);
	}
	return n;
}

void neighbour_turn(struct neighbour *n, const struct server *s)
{
	pthread_mutex_lock(&n->lock);
	snprintf(n->base, sizeof n->base, "%s", s->base);
	pthread_mutex_unlock(&n->lock);
}

/* All that happened up to now became a delivery, and what was due came. */
static bool complete(const struct neighbour *n)
{
	const char *id = n->workspace.id + strlen("wsp_");

	return hooked_until(n->rig, 0, WAIT_MS,
	           "select case when count(*) > 0 then count(*) filter (where not exists (select from deliveries d "
	           "where d.workspace_id = e.workspace_id and d.event_id = e.id)) else -1 end from events e where "
	           "e.workspace_id = '%s' and e.type = 'person.created'",
	           id) &&
	       hooked_until(n->rig, 0, WAIT_MS,
	           "select count(*) from reminders r where r.workspace_id = '%s' and (r.next_trigger_at < now() or "
	           "(r.next_trigger_at is null) <> (exists (select from events e where e.workspace_id = "
	           "r.workspace_id and e.record_id = r.id and e.type = 'reminder.triggered')))",
	           id);
}

bool neighbour_stop(struct neighbour *n)
{
	bool good;

	atomic_store(&n->stop, true);
	pthread_join(n->thread, NULL);
	good = complete(n);
	caller_free(&n->caller);
	receiver_stop(n->receiver);
	pthread_mutex_destroy(&n->lock);
	free(n);
	return good;
}
