/* The examples of the guides (docs/guides) run as they are written, in their order (test/web/guides.mjs); the front
 * page, the guides and the reference in a browser (test/web/docs.mjs). */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("docs");

TEST(test_guides)
{
	assert_int_equal(web_run("guides.mjs", server, rig.ada.key, NULL), 0);
}

TEST(test_docs)
{
	assert_int_equal(web_run("docs.mjs", server, rig.ada.key, NULL), 0);
}
