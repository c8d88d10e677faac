/* See test.h. */
#include "test/lib/test.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MAX = 64, HOOKS_MAX = 8 };

struct test_entry {
	const char *name;
	void (*run)(void);
	int line;
};

static struct test_entry cases[CASES_MAX];
static size_t n_cases;
static struct test_entry hooks[TEST_MOMENTS][HOOKS_MAX];
static size_t n_hooks[TEST_MOMENTS];

/* Constructors of one file run in no certain order. */
static void insert_sorted(struct test_entry *list, size_t *n, size_t max, struct test_entry added)
{
	size_t at = *n;

	if (*n == max) {
		fprintf(stderr, "%s: more than %zu cases in a test program\n", added.name, max);
		abort();
	}
	for (; at > 0 && list[at - 1].line > added.line; at--)
		list[at] = list[at - 1];
	list[at] = added;
	(*n)++;
}

void test_register(const char *name, void (*run)(void), int line)
{
	insert_sorted(cases, &n_cases, CASES_MAX, (struct test_entry){name, run, line});
}

void test_hook(enum test_moment moment, void (*run)(void), int line)
{
	if (run)
		insert_sorted(hooks[moment], &n_hooks[moment], HOOKS_MAX, (struct test_entry){"the frame", run, line});
}

static int run_hooks(enum test_moment moment)
{
	bool closes = moment == TEST_AFTER_ALL || moment == TEST_AFTER_EACH;

	for (size_t i = 0; i < n_hooks[moment]; i++)
		hooks[moment][closes ? n_hooks[moment] - 1 - i : i].run();
	return 0;
}

static int before_all(void **state)
{
	(void)state;
	return run_hooks(TEST_BEFORE_ALL);
}

static bool is_closed; /* what AFTER_ALL does has succeeded */

static int after_all(void **state)
{
	(void)state;
	run_hooks(TEST_AFTER_ALL);
	is_closed = true;
	return 0;
}

static int before_each(void **state)
{
	(void)state;
	return run_hooks(TEST_BEFORE_EACH);
}

static int after_each(void **state)
{
	(void)state;
	return run_hooks(TEST_AFTER_EACH);
}

static void run_case(void **state)
{
	const struct test_entry *c = *state;

	c->run();
}

int test_run(int argc, char **argv)
{
	const char *wanted = argc > 1 ? argv[1] : "";
	struct CMUnitTest tests[CASES_MAX];
	size_t n = 0;
	int failed;

	for (size_t i = 0; i < n_cases; i++) {
		if (strcmp(wanted, "--list") == 0)
			puts(cases[i].name);
		else if (strstr(cases[i].name, wanted))
			tests[n++] = (struct CMUnitTest){
			    .name = cases[i].name,
			    .test_func = run_case,
			    .setup_func = n_hooks[TEST_BEFORE_EACH] ? before_each : NULL,
			    .teardown_func = n_hooks[TEST_AFTER_EACH] ? after_each : NULL,
			    .initial_state = &cases[i],
			};
	}
	if (strcmp(wanted, "--list") == 0)
		return 0;
	if (n == 0) {
		fprintf(stderr, "%s: no case has a name with '%s'; --list prints the names\n", argv[0], wanted);
		return 2;
	}
	failed = _cmocka_run_group_tests(
	    program_invocation_short_name, tests, n, n_hooks[TEST_BEFORE_ALL] ? before_all : NULL, after_all);
	return failed || !is_closed;
}
