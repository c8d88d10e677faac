#include "test/lib/server/web.h"

#include <stdio.h>
#include <stdlib.h>

#include "test/lib/server/child.h"

#define WEB_MODULES "build/web"

enum { WEB_VARIABLES_MAX = 16 };

int web_run(const char *script, const struct server_process *server, const char *key, char *const more[])
{
	const char *const install[] = {"test/web/install", WEB_MODULES, NULL};
	char path[256], url[128], own_key[256], web[] = "KITH_WEB=" WEB_MODULES;
	char *variables[WEB_VARIABLES_MAX] = {url, own_key, web};
	/* the link to the script is not resolved, so that packages are searched for beside it */
	const char *const run[] = {"node", "--preserve-symlinks", "--preserve-symlinks-main", path, NULL};
	int n = 3;

	if (child_wait(child_start(&(struct child){.argv = install, .ends_with_us = true})) != 0)
		return 1;
	snprintf(path, sizeof path, WEB_MODULES "/scripts/%s", script);
	snprintf(url, sizeof url, "KITH_URL=%s", server->base);
	snprintf(own_key, sizeof own_key, "KITH_KEY=%s", key);
	for (; more && *more && n < WEB_VARIABLES_MAX - 1; more++)
		variables[n++] = *more;
	char **environment = child_environment("KITH_", variables);
	int code =
	    child_wait(child_start(&(struct child){.argv = run, .environment = environment, .ends_with_us = true}));
	free(environment);
	return code;
}
