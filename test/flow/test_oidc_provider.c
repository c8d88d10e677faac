/* People sign in through npm's oidc-provider (test/web/oidc.mjs). */
#include "test/lib/flow.h"
#include "test/lib/server/web.h"

RIG("oidcprovider");

TEST(test_provider)
{
	assert_int_equal(
	    web_run("oidc.mjs", server, rig.ada.key,
	        (char *const[]){TEXT("KITH_EMAIL=%s", rig.ben.email), TEXT("KITH_USER=%s", rig.ben.id),
	            TEXT("KITH_PROGRAM=%s", rig.program->path), TEXT("KITH_DATABASE_URL=%s", rig.program->database_url),
	            TEXT("KITH_DATA_DIR=%s", rig.program->data_dir), NULL}),
	    0);
}
