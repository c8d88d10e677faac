/*
 * Searches whose records take long to test: those that an older version wrote, whose folded texts are not stored, and
 * long texts. Such a search answers with what there was time for, instead of a 503.
 */
#include <string.h>

#include "test/lib/flow.h"
#include "test/lib/http/caller_data.h"
#include "test/lib/rows.h"

enum { PEOPLE = 1000, PAGES_MOST = 5 };

RIG("search_slow", .faults = true);

/* No index finds a word of two Chinese characters. Only the newest person has this one. */
#define WORD "%E6%9D%B1%E4%BA%AC"

/* Makes each test of a person whose name has the pattern take so long. */
static void named_slow(const char *names, const char *seconds)
{
	SQL("create or replace function kith_search_lines(texts text[], emails text[], phones text[], urls text[]) "
	    "returns "
	    "text language plpgsql immutable parallel safe cost 10000 as $$ begin perform pg_sleep(%s) where texts[1] "
	    "like '%s'; return "
	    "kith_search_fold(e'\\n' || array_to_string(texts, e'\\n') || e'\\n'); end $$",
	    seconds, names);
}

static void people_slow(const char *seconds)
{
	named_slow("%", seconds);
}

/* The list of all people takes longer than any page may. */
BEFORE_ALL()
{
	rig_write(rig.orders, "texts_wait 1 errors\n");
	SQL("alter table people disable trigger people_search");
	SQL("alter table companies disable trigger companies_search");
	rows_change("insert into people (workspace_id, id, full_name, created_at, created_by, updated_at) "
	            "select '%s', ('018f0000-0000-7000-8000-' || lpad(to_hex(k), 12, '0'))::uuid, case k when %d then "
	            "'東京' else 'P ' || k end, now(), '%s', now() from generate_series(1, %d) k",
	    rig.workspace.id + 4, PEOPLE, rig.ada.id + 4, PEOPLE);
	people_slow("0.004");
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
		if (json_member(data, "items")->first)
			return;
		assert_non_null(link);
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

/* A part of the number is in too many names of companies, the other word has two letters, and testing all people takes
 * longer than a page may. */
TEST(the_index_finds_a_part_of_a_number_and_a_word_of_two_letters)
{
	enum { COMPANIES = 3000, OLDER = 12000 };
	const struct json *data;

	named_slow("Kofi", "0.001");
	rows_change("insert into companies (workspace_id, id, name, created_at, created_by, updated_at) select '%s', "
	            "gen_random_uuid(), 'Works 555 ' || k, now(), '%s', now() from generate_series(1, %d) k",
	    rig.workspace.id + 4, rig.ada.id + 4, COMPANIES);
	rows_change(
	    "insert into people (workspace_id, id, full_name, search_text, created_at, created_by, updated_at) "
	    "select '%s', ('018f0000-0000-7001-8000-' || lpad(to_hex(k), 12, '0'))::uuid, 'Kofi', "
	    "case when k = %d then e'\nmuller\n+15550885008\n15550885008\n' when k %% 10 > 0 then e'\nkofi\n' end, "
	    "now(), '%s', now() "
	    "from generate_series(1, %d) k",
	    rig.workspace.id + 4, OLDER, rig.ada.id + 4, OLDER);
	data = caller_data(&ada.arena, caller_get(&ada, "/v1/people?search=555%200885008"));
	assert_int_equal(json_member(data, "items")->count, 1);
	data = caller_data(&ada.arena, caller_get(&ada, "/v1/people?search=m%C3%BC"));
	assert_int_equal(json_member(data, "items")->count, 1);
	rows_change("delete from people where full_name = 'Kofi'");
	people_slow("0.004");
}

/* Looking up the names with "works" takes longer than it may, so each person's company is tested. */
TEST(names_that_take_too_long_are_not_looked_up)
{
	const char *company = rows_text("select id::text from companies where name = 'Works 555 2999'");
	const char *person =
	    POST(TEXT("{\"firstName\": \"Far\", \"companies\": [{\"id\": \"com_%s\"}]}", company), "/v1/people");
	const struct json *items;

	people_slow("0");
	rows_change("insert into people (workspace_id, id, full_name, search_text, created_at, created_by, updated_at) "
	            "select '%s', ('018f0000-0000-7002-8000-' || lpad(to_hex(k), 12, '0'))::uuid, 'Near', e'\nnear\n', "
	            "now(), '%s', now() from generate_series(1, 1000) k",
	    rig.workspace.id + 4, rig.ada.id + 4);
	named_slow("Works%", "0.002");
	items = json_member(caller_data(&ada.arena, caller_get(&ada, "/v1/people?search=works%202999")), "items");
	people_slow("0");
	assert_int_equal(items->count, 1);
	assert_string_equal(json_member(items->first, "id")->text, person);
	rows_change("delete from people where full_name in ('Near', 'Far')");
	people_slow("0.004");
}

/* The first part of a total ends early, because its records take long. Later ones do not. */
TEST(a_part_of_a_total_is_not_larger_than_the_one_before)
{
	const char *path = "/v1/people/aggregate?search=" WORD;
	const struct json *first = pagination_of(caller_data(&ada.arena, caller_get(&ada, path)));
	const struct json *second;

	people_slow("0");
	path = strstr(json_member(first, "nextLink")->text, "/v1/");
	second = pagination_of(caller_data(&ada.arena, caller_get(&ada, path)));
	assert_string_equal(json_member(second, "tested")->text, json_member(first, "tested")->text);
	people_slow("0.004");
}

/* The 50 newest people take 2.5 seconds. */
TEST(a_kind_that_is_too_slow_is_left_out)
{
	const char *person = rows_text("select id::text from people order by id limit 1"), *path = "/v1/search?q=" WORD;
	const struct json *data, *items;

	people_slow("0.05");
	MAKE(TEXT("{\"content\":\"東京\",\"entity\":{\"id\":\"per_%s\"},\"visibility\":\"public\"}", person),
	    "/v1/notes");
	data = caller_data(&ada.arena, caller_get(&ada, path));
	items = json_member(data, "items");
	assert_int_equal(items->count, 1);
	assert_string_equal(json_member(items->first, "kind")->text, "notes");
	assert_non_null(json_member(pagination_of(data), "scanned"));
	assert_int_equal(SEND("GET", NULL, "%s&kinds=people", path).status, 503);
}

/* No index finds the word, so the newest 200,000 people are tested, and the one who has it is older. */
TEST(the_search_over_all_kinds_says_that_older_records_were_not_tested)
{
	enum { NEWER = 200000 };
	const char *path = "/v1/search?kinds=people&q=" WORD;

	SQL("drop index people_search"); /* makes the insert fast */
	rows_change(
	    "insert into people (workspace_id, id, search_text, created_at, created_by, updated_at) select '%s', "
	    "('018f0000-0001-7000-8000-' || lpad(to_hex(k), 12, '0'))::uuid, e'\n', now(), '%s', now() from "
	    "generate_series(1, %d) k",
	    rig.workspace.id + 4, rig.ada.id + 4, NEWER);
	const struct json *data = caller_data(&ada.arena, caller_get(&ada, path));
	assert_null(json_member(data, "items")->first);
	assert_string_equal(json_member(pagination_of(data), "scanned")->text, "0");
}
