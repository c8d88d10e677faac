/* The official client of the Model Context Protocol, and its inspector, with every tool (test/web/mcp.mjs). */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("mcp_clients");

TEST(clients_call_every_tool)
{
	const char *id, *reader = api_key_create(rig.program, &rig.arena, rig.ada.id, true, &id);

	assert_int_equal(
	    web_run("mcp.mjs", server, rig.ada.key, (char *const[]){TEXT("KITH_READONLY_KEY=%s", reader), NULL}), 0);
}
