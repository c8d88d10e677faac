/* Scripts of test/web, run by Node.js against a server. */
#ifndef KITH_TEST_LIB_SERVER_WEB_H
#define KITH_TEST_LIB_SERVER_WEB_H

#include "test/lib/server/kith_server.h"

/* Installs the packages of test/web/package.json if need be, and runs test/web/SCRIPT with KITH_URL, KITH_KEY, KITH_WEB
 * (the folder of the packages) and the "NAME=value"s of more (ends with NULL; may be NULL) in its environment. Returns
 * the exit code, -1 when it was killed; 1 when the packages cannot be installed. It may import all packages by name. */
int web_run(const char *script, const struct server_process *server, const char *key, char *const more[]);

#endif
