/* Linters and generators of clients read the API's description, and generated clients use the API
 * (test/web/clients.mjs). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/lib/rig.h"
#include "test/lib/web.h"

static struct rig rig;
static struct server_process *server;

static int open_rig(void **state)
{
	(void)state;
	rig_open(&rig, "clients", false);
	server = rig_serve(&rig, false, NULL);
	return 0;
}

static int close_rig(void **state)
{
	bool good = server_stop(server);

	(void)state;
	rig_close(&rig);
	return good ? 0 : -1;
}

static void test_clients(void **state)
{
	(void)state;
	assert_int_equal(web_run("clients.mjs", server, rig.ada.key, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_clients)};

	return cmocka_run_group_tests(tests, open_rig, close_rig);
}
