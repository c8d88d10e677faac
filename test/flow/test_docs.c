/* The examples of the guides (docs/guides) run as they are written, in their order (test/web/guides.mjs); the front
 * page, the guides and the reference in a browser (test/web/docs.mjs). */
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
	rig_open(&rig, "docs", false);
	server = rig_serve(&rig, false, NULL);
	return 0;
}

static int close_rig(void **state)
{
	bool ok = server_stop(server);

	(void)state;
	rig_close(&rig);
	return ok ? 0 : -1;
}

static void test_guides(void **state)
{
	(void)state;
	assert_int_equal(web_run("guides.mjs", server, rig.ada.key, NULL), 0);
}

static void test_docs(void **state)
{
	(void)state;
	assert_int_equal(web_run("docs.mjs", server, rig.ada.key, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_guides), cmocka_unit_test(test_docs)};

	return cmocka_run_group_tests_name("docs", tests, open_rig, close_rig);
}
