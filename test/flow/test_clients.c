/* Linters and generators of clients read the API's description, and generated clients use the API
 * (test/web/clients.mjs). */
#include "test/lib/rig.h"
#include "test/lib/test.h"
#include "test/lib/web.h"

static struct rig rig;
static struct server_process *server;

BEFORE_ALL()
{
	rig_open(&rig, "clients", false);
	server = rig_serve(&rig, false, NULL);
}

AFTER_ALL()
{
	bool good = server_stop(server);

	rig_close(&rig);
	assert_true(good);
}

TEST(test_clients)
{
	assert_int_equal(web_run("clients.mjs", server, rig.ada.key, NULL), 0);
}
