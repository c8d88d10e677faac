/*
 * Searches whose records take long to test: those that an older version wrote, whose folded texts are not stored, and
 * long texts. Such a search answers with what there was time for, instead of a 503.
 */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/rows.h"

enum { PEOPLE = 1000, PAGES_MOST = 5 };

RIG("search_slow");

/* No index finds a word of two Chinese characters. Only the newest person has this one. */
#define WORD "%E6%9D%B1%E4%BA%AC"

/* Each test of a person takes 4 ms, so that the list of all of them takes longer than any page may. */
BEFORE_ALL()
{
	SQL("alter table people disable trigger people_search");
	rows_change("insert into people (workspace_id, id, full_name, created_at, created_by, updated_at) "
	            "select '%s', ('018f0000-0000-7000-8000-' || lpad(to_hex(k), 12, '0'))::uuid, case k when %d then "
	            "'東京' else 'P ' || k end, now(), '%s', now() from generate_series(1, %d) k",
	    rig.workspace.id + 4, PEOPLE, rig.ada.id + 4, PEOPLE);
	SQL("create or replace function kith_search_lines(texts text[], emails text[], phones text[], urls text[]) "
	    "returns "
	    "text language plpgsql immutable parallel safe cost 10000 as $$ begin perform pg_sleep(0.004); return "
	    "e'\\n' || array_to_string(texts, e'\\n') || e'\\n'; end $$");
}

static const struct json *pagination_of(const struct json *data)
{
	return json_member(data, "pagination");
}

TEST(a_page_ends_early)
{
	const char *path = "/v1/people?search=" WORD;

	for (int page = 0; path; page++) {
		const struct json *data = caller_data(&ada.arena, caller_get(&ada, path)), *link;
		assert_true(page < PAGES_MOST);
		link = json_member(pagination_of(data), "nextLink");
		if (!link) {
			assert_non_null(json_member(data, "items")->first);
			return;
		}
		assert_non_null(json_member(pagination_of(data), "scanned"));
		path = strstr(link->text, "/v1/");
	}
}

TEST(the_search_over_all_kinds_says_that_it_is_not_complete)
{
	const struct json *data = caller_data(&ada.arena, caller_get(&ada, "/v1/search?q=" WORD));

	assert_non_null(json_member(data, "items")->first);
	assert_non_null(json_member(pagination_of(data), "scanned"));
	data = caller_data(&ada.arena, caller_get(&ada, "/v1/search?q=%E4%BA%AC%E9%83%BD"));
	assert_null(json_member(data, "items")->first);
	assert_non_null(json_member(pagination_of(data), "scanned"));
}
