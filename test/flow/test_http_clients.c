/* The HTTP edge and clients that others wrote: each parses the answers in its own way, over connections that are kept.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "test/lib/edge.h"

/* A script of test/http with the server's port and a count; it prints what is wrong. */
static void run(const char *program, const char *script, const char *count)
{
	const char *port = strrchr(edge_child.bound, ':') + 1;
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		execlp(program, program, script, port, count, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		fail_msg("%s %s ended with %d", program, script, status);
}

static void test_node(void **state)
{
	(void)state;
	edge_start(edge_config());
	run("node", "test/http/keepalive.mjs", "400");
	edge_canary();
	edge_stop();
}

static void test_python_and_curl(void **state)
{
	(void)state;
	edge_start(edge_config());
	run("python3", "test/http/keepalive.py", "400");
	edge_canary();
	edge_stop();
}

static void test_strict_reader(void **state)
{
	(void)state;
	edge_start(edge_config());
	run("python3", "test/http/strict.py", "300");
	edge_canary();
	edge_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test_node, edge_teardown),
	    cmocka_unit_test_teardown(test_python_and_curl, edge_teardown),
	    cmocka_unit_test_teardown(test_strict_reader, edge_teardown)};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
