/* Creates the login of the embedded cluster; see login.h. */
#include "server/embedded/login.h"

#include "server/base/built_in.h"
#include "server/embedded/cluster_place.h"
#include "store/db_probe.h"

const char login_name[] = "kith_login";

bool login_make(const char *url, char error[512])
{
	char message[DB_PROBE_MESSAGE];

	return db_probe_execute(url, built_in_text("login"), message) ||
	       place_fail(error, "cannot create the login of the database: %.300s", message);
}
