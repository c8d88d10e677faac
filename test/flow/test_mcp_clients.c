/* The official client of the Model Context Protocol, and its inspector, with every tool (test/web/mcp.mjs). */
#include <stdio.h>

#include "test/lib/rig.h"
#include "test/lib/server/web.h"
#include "test/lib/test.h"

TEST(clients_call_every_tool)
{
	struct server_process *server;
	struct rig rig;
	const char *key_id;
	char reader[300];

	rig_open(&rig, "mcp_clients", false);
	server = rig_serve(&rig, false, NULL);
	snprintf(reader, sizeof reader, "KITH_READONLY_KEY=%s",
	    api_key_create(rig.program, &rig.arena, rig.ada.id, true, &key_id));
	assert_int_equal(web_run("mcp.mjs", server, rig.ada.key, (char *const[]){reader, NULL}), 0);
	assert_true(server_stop(server));
	rig_close(&rig);
}
