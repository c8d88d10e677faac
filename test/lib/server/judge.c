#include "test/lib/server/judge.h"

#include <stdlib.h>

#include "server/base/json.h"
#include "test/lib/flow.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/server/child.h"
#include "test/lib/server/web.h"

/* Debian's interpreter has Debian's libraries. */
#define PYTHON "/usr/bin/python3"

enum { JUDGE_VARIABLES = 8 };

/* Ends with NULL; the first two are those of web_run(). */
static void judge_environment(char *variables[JUDGE_VARIABLES + 1])
{
	struct caller_answer made = MAKE("{\"name\":\"Phone\",\"scopes\":[\"contacts\",\"delete\"]}", "/v1/keys");
	const char *password = json_member(caller_data(&ada.arena, made), "key")->text;
	char *const all[JUDGE_VARIABLES + 1] = {TEXT("KITH_URL=%s", server->base), TEXT("KITH_KEY=%s", rig.ada.key),
	    TEXT("KITH_CARDDAV_URL=%s", server->base), TEXT("KITH_CARDDAV_USER=%s", rig.ada.email),
	    TEXT("KITH_CARDDAV_PASSWORD=%s", password), TEXT("KITH_PROGRAM=%s", rig.program->path),
	    TEXT("KITH_DATABASE_URL=%s", rig.program->database_url), TEXT("KITH_DATA_DIR=%s", rig.program->data_dir)};

	for (int i = 0; i <= JUDGE_VARIABLES; i++)
		variables[i] = all[i];
}

int judge_run(const char *script, const char *word)
{
	const char *const argv[] = {PYTHON, "-B", TEXT("test/dav/%s", script), word, NULL};
	char *variables[JUDGE_VARIABLES + 1];

	judge_environment(variables);
	char **environment = child_environment("KITH_", variables);
	int code =
	    child_wait(child_start(&(struct child){.argv = argv, .environment = environment, .ends_with_us = true}));
	free(environment);
	return code;
}

int judge_run_node(const char *script)
{
	char *variables[JUDGE_VARIABLES + 1];

	judge_environment(variables);
	return web_run(script, server, rig.ada.key, variables + 2);
}
