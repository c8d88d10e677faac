/* See flow.h. */
#include "test/lib/flow.h"

struct rig rig;
struct server_process *servers[RIG_SERVERS_MAX], *server;
struct caller ada, ben;

void flow_open(const struct rig_plan *plan)
{
	int n = plan->servers == RIG_NO_SERVER ? 0 : plan->servers ? plan->servers : 1;

	if (plan->keep_little)
		rig_keep_little();
	rig_open(&rig, plan->name, plan->own_cluster);
	if (plan->neighbour)
		rig_neighbour(&rig);
	if (plan->faults)
		rig_write(rig.orders, "");
	for (int i = 0; i < n; i++)
		servers[i] = (plan->faults ? rig_serve_faulty : rig_serve)(&rig, false, plan->settings);
	server = servers[0];
	caller_init(&ada, n ? servers[0]->base : "http://127.0.0.1:1", rig.ada.key);
	caller_init(&ben, n ? servers[n - 1]->base : "http://127.0.0.1:1", rig.ben.key);
}

void flow_close(void)
{
	bool clean = rig_stop(&rig);

	caller_free(&ada);
	caller_free(&ben);
	rig_close(&rig);
	assert_true(clean);
}
