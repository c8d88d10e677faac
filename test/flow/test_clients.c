/* Linters and generators of clients read the API's description, and generated clients use the API
 * (test/web/clients.mjs). */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("clients");

TEST(test_clients)
{
	assert_int_equal(web_run("clients.mjs", server, rig.ada.key, NULL), 0);
}
