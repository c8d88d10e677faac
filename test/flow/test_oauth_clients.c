/* Strict clients from npm connect by OAuth (test/web/oauth.mjs), and clients that are documents (oauth_documents.mjs).
 */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("oauth_clients");

static int run_with_session(const char *script)
{
	char *session = TEXT("KITH_SESSION=%s", rig_session(&rig, rig.ada.id));

	return web_run(script, server, rig.ada.key, (char *const[]){session, NULL});
}

TEST(strict_clients_connect)
{
	assert_int_equal(run_with_session("oauth.mjs"), 0);
}

TEST(the_conformance_suite_passes)
{
	assert_int_equal(run_with_session("oauth_conformance.mjs"), 0);
}

TEST(documents_of_clients)
{
	assert_int_equal(run_with_session("oauth_documents.mjs"), 0);
}
