/* The examples of the guides (docs/guides) run as they are written, in their order (test/web/guides.mjs); the front
 * page, the guides and the reference in a browser (test/web/docs.mjs). */
#include "test/lib/rig.h"
#include "test/lib/test.h"
#include "test/lib/web.h"

static struct rig rig;
static struct server_process *server;

BEFORE_ALL()
{
	rig_open(&rig, "docs", false);
	server = rig_serve(&rig, false, NULL);
}

AFTER_ALL()
{
	bool ok = server_stop(server);

	rig_close(&rig);
	assert_true(ok);
}

TEST(test_guides)
{
	assert_int_equal(web_run("guides.mjs", server, rig.ada.key, NULL), 0);
}

TEST(test_docs)
{
	assert_int_equal(web_run("docs.mjs", server, rig.ada.key, NULL), 0);
}
