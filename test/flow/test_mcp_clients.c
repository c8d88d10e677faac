/* Programs that others wrote for the Model Context Protocol: its official client and inspector with every tool, and its
 * conformance suite. The last case measures what twenty tasks cost. */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("mcp_clients");

TEST(clients_call_every_tool)
{
	const char *id, *reader = api_key_create(rig.program, &rig.arena, rig.ada.id, true, &id);

	assert_int_equal(
	    web_run("mcp.mjs", server, rig.ada.key, (char *const[]){TEXT("KITH_READONLY_KEY=%s", reader), NULL}), 0);
}

TEST(the_conformance_suite_finds_nothing_new)
{
	assert_int_equal(web_run("mcp_conformance.mjs", server, rig.ada.key, NULL), 0);
}

TEST(tasks_cost_less_than_before)
{
	struct test_workspace empty = workspace_create(rig.program, &rig.arena, "Tasks");
	struct test_user eve =
	    user_create(rig.program, &rig.arena, &empty, "eve", "Eve Holt", "eve@example.com", "admin");

	assert_int_equal(web_run("mcp_tasks.mjs", server, eve.key, NULL), 0);
}
