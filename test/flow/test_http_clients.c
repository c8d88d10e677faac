/* The HTTP edge and independent clients, with their own parsers, over persistent connections. */
#include <string.h>

#include "test/lib/http/edge.h"
#include "test/lib/server/child.h"
#include "test/lib/test.h"

EDGE();

/* Runs a script of test/http with the server's port and a count; it prints errors. */
static void run_script(const char *program, const char *script, const char *count)
{
	const char *port = strrchr(edge_child.bound, ':') + 1;
	int code =
	    child_wait(child_start(&(struct child){.argv = (const char *const[]){program, script, port, count, NULL}}));

	if (code != 0)
		fail_msg("%s %s ended with %d", program, script, code);
}

TEST(test_node)
{
	edge_start(edge_config());
	run_script("node", "test/http/keepalive.mjs", "400");
}

TEST(test_python_and_curl)
{
	edge_start(edge_config());
	run_script("python3", "test/http/keepalive.py", "400");
}

TEST(test_strict_reader)
{
	edge_start(edge_config());
	run_script("python3", "test/http/strict.py", "300");
}
