/* Lists of issues: hints, and what is left out of a long list. */
#include <string.h>

#include "server/base/issues.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

/* The list as JSON, which it must be. */
static const struct json *issues_read(const struct issues *is)
{
	struct buf text;
	const char *error;
	const struct json *json;

	buf_init(&text, 4 << 20);
	issues_details(is, &text);
	json = json_read(&a, arena_dup(&a, text.data, text.len), text.len, &error);
	assert_non_null(json);
	buf_free(&text);
	return json_member(json, "issues");
}

static const char *hint_of(const struct json *issue)
{
	const struct json *hint = json_member(issue, "hint");

	return hint ? hint->text : "";
}

TEST(test_hints)
{
	static const char *const names[] = {"emails", "phones", NULL};
	static const char *const options[] = {"Male", "Female", NULL};
	struct path at = PATH_NAME(NULL, "x");
	struct issue_keys keys;
	const struct json *i;
	struct issues is;

	issues_init(&is);
	issue_hint(&is, "of no issue");
	issue_custom(&is, &at, "one");
	issue_hint(&is, "say \"%s\"", "so");
	issue_custom(&is, &at, "two");
	issue_choice(&is, &at, options, "male", 4);
	issue_choice(&is, &at, options, "none", 4);
	issue_string(&is, &at, "date");
	issue_custom(&is, &at, "three");
	issue_hint_near(&is, "xyz", 3, near_list, names, "fields");
	issue_keys_begin(&keys, &is, near_list, names, "fields");
	issue_keys_add(&keys, "emial", 5);
	issue_keys_add(&keys, "xyz", 3);
	issue_keys_end(&keys, &at);
	issue_keys_begin(&keys, &is, NULL, NULL, NULL);
	issue_keys_add(&keys, "emial", 5);
	issue_keys_end(&keys, &at);
	i = issues_read(&is)->first;
	assert_string_equal(hint_of(i), "say \"so\"");
	assert_string_equal(hint_of(i = i->next), "");
	assert_string_equal(hint_of(i = i->next), "did you mean `Male`?");
	assert_string_equal(hint_of(i = i->next), "");
	assert_string_equal(json_member(i, "received")->text, "none");
	i = i->next;
	assert_string_equal(json_member(i, "hint")->text, "YYYY-MM-DD");
	assert_string_equal(hint_of(i = i->next), "fields: `emails`, `phones`");
	assert_string_equal(hint_of(i = i->next), "did you mean `emails`?");
	assert_string_equal(hint_of(i = i->next), "");
	assert_null(i->next);
	issues_free(&is);
}

/* More issues than are listed, and more than have a hint. */
TEST(test_long)
{
	const struct json *list;
	struct issues is;
	int n = 0;

	issues_init(&is);
	for (int k = 0; k < ISSUES_MAX + 100; k++) {
		struct path at = PATH_INDEX(NULL, (size_t)k);
		issue_string(&is, &at, "date");
	}
	list = issues_read(&is);
	assert_int_equal(list->count, ISSUES_MAX);
	for (const struct json *i = list->first; i; i = i->next, n++)
		assert_string_equal(hint_of(i), n < HINTS_MAX ? "YYYY-MM-DD" : "");
	issues_free(&is);
}

/* Issues that are larger than the list are left out whole. */
TEST(test_large)
{
	static char key[100];
	const struct json *list;
	struct issues is;

	issues_init(&is);
	memset(key, 'k', sizeof key);
	for (int k = 0; k < 100; k++) {
		struct path at = PATH_INDEX(NULL, (size_t)k);
		struct issue_keys keys;
		issue_keys_begin(&keys, &is, NULL, NULL, NULL);
		for (int i = 0; i < 500; i++)
			issue_keys_add(&keys, key, sizeof key);
		issue_keys_end(&keys, &at);
		issue_hint(&is, "%d", k);
	}
	assert_true(is.json.overflow);
	list = issues_read(&is);
	assert_in_range(list->count, 10, 90);
	for (const struct json *i = list->first; i; i = i->next)
		assert_int_equal(json_member(i, "keys")->count, 500);
	issues_free(&is);
}
