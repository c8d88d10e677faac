/* See hook_rig.h. */
#include "test/lib/webhook/hook_rig.h"

#include <string.h>

enum { RECEIVERS_MAX = 8 };

static struct receiver *receivers[RECEIVERS_MAX];
static int n_receivers;

struct receiver *hook_rig_receive(const struct receiver_config *config)
{
	struct receiver *r = receiver_start(config);

	assert_non_null(r);
	assert_true(n_receivers < RECEIVERS_MAX);
	return receivers[n_receivers++] = r;
}

const char *hook_rig_person(const char *first_name)
{
	return POST(TEXT("{\"firstName\":\"%s\"}", first_name), "/v1/people");
}

const char *hook_rig_bare(struct hooked h)
{
	return h.id + strlen("wbk_");
}

void hook_rig_end(void)
{
	rows_change("delete from webhooks w using workspaces s where s.workspace_id = w.workspace_id and s.name <> "
	            "'neighbour'");
	while (n_receivers > 0)
		receiver_stop(receivers[--n_receivers]);
}
