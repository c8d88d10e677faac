/* Similar names: distances, the best of several, bounds on the work. */
#include <string.h>

#include "server/base/near.h"
#include "test/lib/test.h"

TEST(test_distances)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} cases[] = {
	    {"", "", 0},
	    {"emails", "emails", 0},
	    {"email", "emails", 1},
	    {"emial", "email", 1}, /* swapped */
	    {"limt", "limit", 1},
	    {"firstName", "first_name", 0},
	    {"FIRST-NAME", "firstName", 0},
	    {"kitten", "sitting", 3},
	    {"", "abc", 3},
	    {"abc", "", 3},
	    {"caf\xc3\xa9", "cafe", 2}, /* bytes */
	    {"ab", "ba", 1},
	    {"abcdef", "badcfe", 3},
	};
	char most[NEAR_LONGEST + 2];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t a = strlen(cases[i].a), b = strlen(cases[i].b);
		assert_int_equal(near_distance(cases[i].a, a, cases[i].b, b), cases[i].distance);
		assert_int_equal(near_distance(cases[i].b, b, cases[i].a, a), cases[i].distance);
	}
	memset(most, 'x', sizeof most);
	assert_int_equal(near_distance(most, NEAR_LONGEST, "", 0), NEAR_LONGEST);
	assert_int_equal(near_distance(most, NEAR_LONGEST, most, NEAR_LONGEST), 0);
	assert_true(near_distance(most, NEAR_LONGEST + 1, "", 0) == SIZE_MAX);
	assert_true(near_distance("", 0, most, NEAR_LONGEST + 1) == SIZE_MAX);
}

static const char *best_of(const char *given, const char *const *names)
{
	int budget = 100000;
	struct near n;

	near_begin(&n, given, strlen(given), &budget);
	near_list(names, &n);
	return n.best ? n.best : "none";
}

TEST(test_best)
{
	static const char *const names[] = {"firstName", "lastName", "fullName", "emails", "phones", "companies", "id",
	    "mark-as-done", "mark-as-todo", NULL};
	static const struct {
		const char *given, *best;
	} cases[] = {
	    {"emial", "emails"},
	    {"Email", "emails"},
	    {"mail", "emails"}, /* within it */
	    {"phone", "phones"},
	    {"company", "companies"},
	    {"fistName", "firstName"},
	    {"done", "mark-as-done"},
	    {"Id", "id"},
	    {"ib", "none"},
	    {"xyzzy", "none"},
	    {"", "none"},
	    {"lnm", "none"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(best_of(cases[i].given, names), cases[i].best);
}

/* Names are listed whatever the budget, but compared only within it. */
TEST(test_bounds)
{
	char text[40][8];
	int budget = 20;
	struct near n;

	near_begin(&n, "name39", 6, &budget);
	for (int i = 0; i < 40; i++) {
		memcpy(text[i], "name00", 7);
		text[i][4] = (char)('0' + i / 10);
		text[i][5] = (char)('0' + i % 10);
		near_try(&n, text[i], 6);
	}
	assert_true(budget <= 0);
	assert_int_equal(n.count, 40);
	assert_string_equal(n.names[NEAR_LISTED - 1], "name19");
	assert_string_equal(n.best, "name00"); /* the only one compared */
}
