/* Strict clients from npm connect by OAuth (test/web/oauth.mjs). */
#include "test/lib/flow.h"
#include "test/lib/rows.h"
#include "test/lib/server/web.h"

RIG("oauth_clients");

TEST(strict_clients_connect)
{
	const char *id, *session = api_key_create(rig.program, &rig.arena, rig.ada.id, false, &id);

	rows_change("update api_keys set kind = 'session' where %s and id = '%s'", rig.own, id + sizeof "key_" - 1);
	assert_int_equal(
	    web_run("oauth.mjs", server, rig.ada.key, (char *const[]){TEXT("KITH_SESSION=%s", session), NULL}), 0);
}
