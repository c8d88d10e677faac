/* See unsent.h. */
#include "test/lib/webhook/unsent.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/base/id.h"

void unsent_serve(void)
{
	assert_true(server_stop(server));
	server = rig_serve(&rig, false, NULL);
	caller_turn(&ada, server->base);
}

void unsent_open(void)
{
	flow_open(&(const struct rig_plan){.name = "unsent", .neighbour = true, .faults = true});
	setenv("FAULT_FILE", rig.orders, 1); /* for the next server */
}

const char *unsent_make(const char *event)
{
	return caller_good(caller_sendf(&ada, "POST", "/v1/webhooks", NULL, UNSENT_HOOK, event)).id;
}

struct caller_answer unsent_act(const char *id, const char *method, const char *what, const char *body)
{
	char target[160];

	snprintf(target, sizeof target, "/v1/webhooks/%s%s", id, what);
	return caller_send(&ada, method, target, NULL, body);
}

const char *unsent_bare(const char *id)
{
	return id + 4;
}

void unsent_event(int hours, char id[37])
{
	struct uuid uuid = id_new(), record = id_new();
	char of[37];

	uuid_format(&uuid, id);
	assert_int_equal(rig_int(&rig,
	                     "insert into events (workspace_id, id, type, record_id, created_at) values ('%s', '%s', "
	                     "'task.created', '%s', now() - interval '%d hours') returning 1",
	                     unsent_bare(rig.workspace.id), id, uuid_format(&record, of), hours),
	    1);
}

void unsent_delivery(const char *hook, const char *event, const char *state)
{
	struct uuid uuid = id_new();
	char id[37];

	assert_int_equal(
	    rig_int(&rig,
	        "insert into deliveries (workspace_id, webhook_id, generation, xid, seq, created_at, id, event_id, "
	        "event_type, record_id, state, next_attempt_at, n_attempts) select workspace_id, '%s', generation, "
	        "xid, "
	        "seq, created_at, '%s', id, type, record_id, '%s', case when '%s' = 'pending' then now() + interval "
	        "'20 hours' end, 9 from events where id = '%s' returning 1",
	        unsent_bare(hook), uuid_format(&uuid, id), state, state, event),
	    1);
}

int64_t unsent_deliveries(const char *hook, const char *event, const char *condition)
{
	return rig_int(&rig, "select count(*) from deliveries where webhook_id = '%s' and event_id = '%s' and %s",
	    unsent_bare(hook), event, condition);
}
