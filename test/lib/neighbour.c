/* See neighbour.h. */
#include "test/lib/neighbour.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/caller.h"
#include "test/lib/hooked.h"
#include "test/lib/patience.h"

enum { PAUSE_US = 100000, REMINDERS = 60, REMINDER_MS = 250 };

struct neighbour {
	struct rig *rig;
	struct workspace workspace;
	struct user user;
	struct caller caller;
	struct receiver *receiver;
	pthread_t thread;
	atomic_bool stop;
};

static void *write_on(void *ctx)
{
	struct neighbour *n = ctx;

	while (!atomic_load(&n->stop)) {
		caller_send(&n->caller, "POST", "/v1/people", NULL, "{\"firstName\":\"Neighbour\"}");
		patience_chance_us(PAUSE_US);
	}
	return NULL;
}

struct neighbour *neighbour_start(struct rig *r, const struct server *s, bool hooks)
{
	struct neighbour *n = calloc(1, sizeof *n);

	n->rig = r;
	n->workspace = workspace_create(r->program, &r->arena, "neighbour");
	n->user = user_create(
	    r->program, &r->arena, &n->workspace, "neighbour", "Neighbour", "neighbour@example.org", "admin");
	caller_init(&n->caller, s->base, n->user.key);
	n->receiver = receiver_start(&(struct receiver_config){0});
	if (!n->receiver) {
		fprintf(stderr, "no receiver for the neighbour\n");
		exit(1);
	}
	if (hooks)
		hooked_make(&n->caller, receiver_url(n->receiver, "/"), NULL);
	rig_int(r,
	    "with made as (insert into reminders (workspace_id, id, entity_id, entity_type, name, recurrence_rule, "
	    "visibility, next_trigger_at, created_by, created_at) select u.workspace_id, gen_random_uuid(), "
	    "gen_random_uuid(), 'person', 'neighbour', E'DTSTART:20260101T000000Z\\nRRULE:COUNT=1', 'public', "
	    "clock_timestamp() + n * %d * interval '1 ms', u.id, now() from users u, generate_series(1, %d) n "
	    "where u.id = '%s' returning 1) select count(*) from made",
	    REMINDER_MS, REMINDERS, n->user.id + strlen("usr_"));
	if (pthread_create(&n->thread, NULL, write_on, n) != 0) {
		fprintf(stderr, "no thread for the neighbour\n");
		exit(1);
	}
	return n;
}

bool neighbour_complete(struct neighbour *n, int ms)
{
	const char *id = n->workspace.id + strlen("wsp_");

	return hooked_until(n->rig, 0, ms,
	           "select count(*) from events e join webhooks w using (workspace_id) where e.workspace_id = '%s' and "
	           "w.status = 'active' and e.type = 'person.created' and e.created_at < now() - interval '5 s' and "
	           "not "
	           "exists (select from deliveries d where d.workspace_id = e.workspace_id and d.event_id = e.id)",
	           id) &&
	       hooked_until(n->rig, 0, ms,
	           "select count(*) from reminders r where r.workspace_id = '%s' and "
	           "(r.next_trigger_at < now() - interval '3 s' or (r.next_trigger_at is null) <> (exists (select "
	           "from events e where e.workspace_id = r.workspace_id and e.record_id = r.id)))",
	           id);
}

void neighbour_stop(struct neighbour *n)
{
	atomic_store(&n->stop, true);
	pthread_join(n->thread, NULL);
	caller_free(&n->caller);
	receiver_stop(n->receiver);
	free(n);
}
