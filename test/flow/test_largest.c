/* The largest input of every route: no request holds the loop for long, and none takes much memory. The table below
 * has a row for each route of the program: its largest input, or why it has none of its own. test_held has other
 * requests that are costly for the loop, test_memory for memory. */
#include <stdio.h>
#include <string.h>

#include "server/base/guarded.h"
#include "test/lib/http/endpoints.h"
#include "test/lib/model/largest_world.h"
#include "test/lib/patience.h"
#include "test/lib/server/cost.h"
#include "test/lib/test.h"

#ifdef KITH_GUARDED
enum { MOST_MS = 80, MOST_KB = 96 * 1024 };
#else
enum { MOST_MS = 20, MOST_KB = 64 * 1024 };
#endif

enum { PAGE = 4 << 20, TRIES = 10, PAUSE_MS = 200 };

static int failed;

/* --- the table --------------------------------------------------------------------- */

#define NONE(text) .why = text
/* clang-format off */
static const struct row {
	const char *method, *path;
	int status;
	const char *query; /* appended to the path */
	largest_fn *body;
	const char *why;   /* why it is not sent: it has no large input, or another row has the same */
} rows[] = {
	{"GET",    "/v1/people", 200, "?limit=100&sort=-updatedAt&count=exact"},
	{"POST",   "/v1/people", 200, "", largest_one_record},
	{"POST",   "/v1/people/batch/create", 200, "", largest_batch_create},
	{"POST",   "/v1/people/batch/update", 200, "", largest_batch_update},
	{"POST",   "/v1/people/batch/upsert", 200, "", largest_batch_upsert},
	{"POST",   "/v1/people/batch/delete", 200, "", largest_batch_delete},
	{"POST",   "/v1/people/search", 200, "?limit=100", largest_search},
	{"GET",    "/v1/people/aggregate", 200, "?groupBy=jobTitle,companies&measures=max:birthday&limit=1000"},
	{"POST",   "/v1/people/aggregate", 200, "", largest_search},
	{"GET",    "/v1/people/{personId}", 200, ""},
	{"PATCH",  "/v1/people/{personId}", 200, "", largest_one_record},
	{"GET",    "/v1/people/{personId}/duplicates", 200, ""},
	{"POST",   "/v1/people/{personId}/merge", 200, "", largest_other},
	{"GET",    "/v1/companies", 200, "?limit=100&sort=-updatedAt&count=exact"},
	{"POST",   "/v1/companies", 200, "", largest_one_record},
	{"POST",   "/v1/companies/batch/create", 200, "", largest_batch_create},
	{"POST",   "/v1/companies/batch/update", 200, "", largest_batch_update},
	{"POST",   "/v1/companies/batch/upsert", 200, "", largest_batch_upsert},
	{"POST",   "/v1/companies/batch/delete", 200, "", largest_batch_delete},
	{"POST",   "/v1/companies/search", 200, "?limit=100", largest_search},
	{"GET",    "/v1/companies/aggregate", 200, "?groupBy=industry,groups&measures=sum:fundingRaised&limit=1000"},
	{"POST",   "/v1/companies/aggregate", 200, "", largest_search},
	{"GET",    "/v1/companies/{companyId}", 200, ""},
	{"PATCH",  "/v1/companies/{companyId}", 200, "", largest_one_record},
	{"GET",    "/v1/companies/{companyId}/duplicates", 200, ""},
	{"POST",   "/v1/companies/{companyId}/merge", 200, "", largest_other},
	{"GET",    "/v1/groups/{groupId}/{objectType}", 200, "?limit=100&sort=-updatedAt&count=exact"},
	{"POST",   "/v1/groups/{groupId}/{objectType}", 200, "", largest_one_record},
	{"POST",   "/v1/groups/{groupId}/{objectType}/batch/create", 200, "", largest_batch_create},
	{"POST",   "/v1/groups/{groupId}/{objectType}/batch/update", 200, "", largest_batch_update},
	{"POST",   "/v1/groups/{groupId}/{objectType}/batch/upsert", 200, "", largest_batch_upsert},
	{"POST",   "/v1/groups/{groupId}/{objectType}/batch/delete", 200, "", largest_batch_delete},
	{"POST",   "/v1/groups/{groupId}/{objectType}/search", 200, "?limit=100", largest_search},
	{"GET",    "/v1/groups/{groupId}/{objectType}/aggregate", 200, "?groupBy=people,companies&limit=1000"},
	{"POST",   "/v1/groups/{groupId}/{objectType}/aggregate", 200, "", largest_search},
	{"GET",    "/v1/groups/{groupId}/{objectType}/{objectId}", 200, ""},
	{"PATCH",  "/v1/groups/{groupId}/{objectType}/{objectId}", 200, "", largest_one_record},

	{"GET",    "/v1/groups", 200, "?limit=100"},
	{"POST",   "/v1/groups", 200, "", largest_group},
	{"GET",    "/v1/groups/{groupId}", 200, ""},
	{"PATCH",  "/v1/groups/{groupId}", 200, "", largest_name},
	{"GET",    "/v1/groups/{groupId}/members", 200, "?limit=100"},
	{"POST",   "/v1/groups/{groupId}/members", 200, "", largest_member},
	{"PATCH",  "/v1/groups/{groupId}/members/{userId}", 200, "", largest_role},
	{"DELETE", "/v1/groups/{groupId}/members/{userId}", 200, ""},
	{"GET",    "/v1/groups/{groupId}/object-types", 200, "?limit=100"},
	{"POST",   "/v1/groups/{groupId}/object-types", 200, "", largest_name},
	{"PATCH",  "/v1/groups/{groupId}/object-types/{objectType}", 0, NULL, NULL, NONE("as its creation")},
	{"GET",    "/v1/groups/{groupId}/custom-fields/{entityType}", 200, "?limit=100"},
	{"POST",   "/v1/groups/{groupId}/custom-fields/{entityType}", 200, "", largest_field},
	{"GET",    "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", 200, ""},
	{"PATCH",  "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", 200, "", largest_options},

	{"GET",    "/v1/notes", 200, "?limit=100"},
	{"POST",   "/v1/notes", 200, "", largest_note},
	{"POST",   "/v1/notes/batch/create", 200, "", largest_batch_notes},
	{"GET",    "/v1/notes/{noteId}", 200, ""},
	{"PATCH",  "/v1/notes/{noteId}", 200, "", largest_note},
	{"GET",    "/v1/tasks", 200, "?limit=100&count=exact"},
	{"POST",   "/v1/tasks", 200, "", largest_task},
	{"POST",   "/v1/tasks/batch/create", 200, "", largest_batch_tasks},
	{"GET",    "/v1/tasks/aggregate", 200, "?groupBy=assigneeUserId,createdAt:day&measures=max:dueAt&limit=1000"},
	{"POST",   "/v1/tasks/aggregate", 0, NULL, NULL, NONE("as the one above; largest_search has no task's filter")},
	{"GET",    "/v1/tasks/{taskId}", 200, ""},
	{"PATCH",  "/v1/tasks/{taskId}", 200, "", largest_task},
	{"POST",   "/v1/tasks/{taskId}/mark-as-done", 0, NULL, NULL, NONE("a time; the task is shown as by GET")},
	{"POST",   "/v1/tasks/{taskId}/mark-as-todo", 200, ""},
	{"GET",    "/v1/reminders", 200, "?limit=100"},
	{"POST",   "/v1/reminders", 200, "", largest_reminder},
	{"GET",    "/v1/reminders/{reminderId}", 0, NULL, NULL, NONE("a page has a hundred of them")},
	{"PATCH",  "/v1/reminders/{reminderId}", 200, "", largest_reminder},
	{"GET",    "/v1/interactions", 200, "?limit=100"},
	{"POST",   "/v1/interactions", 200, "", largest_interaction},
	{"POST",   "/v1/interactions/batch/create", 200, "", largest_batch_interactions},
	{"GET",    "/v1/interactions/past", 200, "?entity.id={personId}"},
	{"GET",    "/v1/interactions/upcoming", 200, "?entity.id={personId}"},
	{"GET",    "/v1/interactions/{interactionId}", 200, ""},
	{"PATCH",  "/v1/interactions/{interactionId}", 200, "", largest_interaction},

	{"GET",    "/v1/users", 200, "?limit=100"},
	{"GET",    "/v1/users/me", 0, NULL, NULL, NONE("a page has a hundred of them")},
	{"GET",    "/v1/usage", 0, NULL, NULL, NONE("nine numbers, whatever the workspace holds")},
	{"GET",    "/v1/users/{userId}", 0, NULL, NULL, NONE("a page has a hundred of them")},
	{"GET",    "/v1/users/accounts", 200, "?limit=100"},
	{"GET",    "/v1/users/{userId}/account", 0, NULL, NULL, NONE("a page has a hundred of them")},
	{"POST",   "/v1/users", 200, "", largest_account},
	{"PATCH",  "/v1/users/{userId}", 200, "", largest_account_name},
	{"POST",   "/v1/users/{userId}/enable", 200, ""},
	{"POST",   "/v1/users/{userId}/invite", 200, ""},
	{"POST",   "/v1/users/{userId}/disable", 0, NULL, NULL, NONE("one user, whom it changes as enabling does")},
	{"POST",   "/v1/session/password", 0, NULL, NULL, NONE("two short texts, and hashes beside the loop")},
	{"GET",    "/v1/search", 200, "?q=m&limit=50"},
	{"GET",    "/v1/views", 200, "?limit=100"},
	{"POST",   "/v1/views", 200, "", largest_view},
	{"GET",    "/v1/views/{viewId}", 200, ""},
	{"PATCH",  "/v1/views/{viewId}", 200, "", largest_name},
	{"DELETE", "/v1/views/{viewId}", 200, ""},
	{"GET",    "/v1/events", 200, "?limit=100"},
	{"GET",    "/v1/events/stream", 0, NULL, NULL, NONE("its pages are smaller than those of the feed")},

	{"GET",    "/v1/keys", 200, "?limit=100"},
	{"GET",    "/v1/keys/me", 200, ""},
	{"POST",   "/v1/keys", 200, "", largest_name},
	{"POST",   "/v1/keys/{keyId}/rotate", 200, ""},
	{"DELETE", "/v1/keys/{keyId}", 200, ""},
	{"GET",    "/v1/address-books", 200, "?limit=100"},
	{"PATCH",  "/v1/address-books/{addressBook}", 0, NULL, NULL, NONE("a name and a flag")},
	{"GET",    "/v1/session", 200, ""},
	{"DELETE", "/v1/session", 0, NULL, NULL, NONE("only a browser has one, and the answer is its id")},
	{"GET",    "/v1/grants", 200, "?limit=100"},
	{"DELETE", "/v1/grants/{grantId}", 200, ""},

	{"GET",    "/v1/webhooks", 200, "?limit=100"},
	{"POST",   "/v1/webhooks/{webhookId}/rotate-secret", 200, ""},
	{"POST",   "/v1/webhooks/{webhookId}/test", 200, ""},
	{"PATCH",  "/v1/webhooks/{webhookId}", 200, "", largest_webhook},
	{"GET",    "/v1/webhooks/{webhookId}", 200, ""},
	{"GET",    "/v1/webhooks/health", 200, "?limit=100"},
	{"GET",    "/v1/webhooks/{webhookId}/deliveries", 200, "?limit=100"},
	{"GET",    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}", 200, ""},
	{"POST",   "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/retry", 200, ""},
	{"POST",   "/v1/webhooks/{webhookId}/recover", 200, "", largest_since},
	{"DELETE", "/v1/webhooks/{webhookId}", 200, ""},
	{"POST",   "/v1/webhooks", 200, "", largest_webhook},

	/* Last, because most of the above belongs to what is deleted. */
	{"DELETE", "/v1/notes/{noteId}", 200, ""},
	{"DELETE", "/v1/tasks/{taskId}", 200, ""},
	{"DELETE", "/v1/reminders/{reminderId}", 200, ""},
	{"DELETE", "/v1/interactions/{interactionId}", 200, ""},
	{"DELETE", "/v1/people/{personId}", 200, ""},
	{"DELETE", "/v1/companies/{companyId}", 200, ""},
	{"DELETE", "/v1/groups/{groupId}/{objectType}/{objectId}", 200, ""},
	{"DELETE", "/v1/groups/{groupId}/custom-fields/{entityType}/{customFieldName}", 200, ""},
	{"DELETE", "/v1/groups/{groupId}/object-types/{objectType}", 200, "?force=true"},
	{"DELETE", "/v1/groups/{groupId}", 200, ""},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof *rows };

TEST(test_table)
{
	endpoints_read();
	for (int i = 0; i < n_endpoints; i++) {
		int n = 0;
		for (int k = 0; k < ROWS; k++)
			n += strcmp(rows[k].method, endpoints[i].method) == 0 &&
			     strcmp(rows[k].path, endpoints[i].path) == 0;
		if (n != 1)
			fail_msg("%s %s has %d rows in the table of largest inputs", endpoints[i].method,
			    endpoints[i].path, n);
	}
	assert_int_equal(n_endpoints, ROWS);
}

/* The path with its parameters substituted, and the query. */
static const char *target_of(const struct row *row)
{
	const char *text = arena_printf(&rig.arena, "%s%s", row->path, row->query), *open;

	while ((open = strchr(text, '{'))) {
		size_t len = strcspn(open + 1, "}");
		text = arena_printf(
		    &rig.arena, "%.*s%s%s", (int)(open - text), text, largest_value(open + 1, len), open + len + 2);
	}
	return text;
}

static void keep_records(const struct caller_answer *a)
{
	const char *at = a->reply.body;

	for (int i = 0; i < LARGEST_RECORDS; i++) {
		at = strstr(at, "{\"status\":\"succeeded\"");
		assert_non_null(at);
		at = strstr(at, "\"id\":\"") + strlen("\"id\":\"");
		snprintf(largest.records[i], LARGEST_VALUE, "%.*s", (int)strcspn(at, "\""), at);
	}
}

/* A page of 8 MiB is rendered in slices, whatever it lists: its longest turn is about that of a page of contacts, which
 * come first. Without slices it is three times that. */
static bool in_slices(const struct row *row, const struct caller_answer *a, int64_t turn_us)
{
	static int64_t contacts_us;

	if (strcmp(row->method, "GET") != 0 || a->reply.body_len < PAGE)
		return true;
	if (strstr(row->query, "sort=-updatedAt")) {
		contacts_us = turn_us > contacts_us ? turn_us : contacts_us;
		return true;
	}
	return turn_us <= 2 * contacts_us;
}

/* A turn takes longer beside a program that uses memory a lot, so a read that takes too long is sent again. */
static struct caller_answer send_some(const struct row *row, struct cost *cost)
{
	int64_t most_us = rig_setting("LARGEST_MS", MOST_MS) * 1000;
	struct caller_answer a;
	bool good = false;

	for (int i = 0; !good && i < (strcmp(row->method, "GET") == 0 ? TRIES : 1); i++) {
		if (i > 0)
			patience_rest(PAUSE_MS);
		a = cost_send(&ada, row->method, target_of(row), NULL, row->body ? largest.body.data : NULL, cost);
		good = a.status == row->status && cost->turn_us <= most_us && cost->memory_kb <= MOST_KB &&
		       in_slices(row, &a, cost->turn_us);
	}
	failed += !good;
	if (!good)
		print_error("%s %s: %d in a turn of %lld us, %ld kB %s %.300s\n", row->method, row->path, a.status,
		    (long long)cost->turn_us, cost->memory_kb, a.error, a.status == row->status ? "" : a.reply.body);
	return a;
}

static void send_row(const struct row *row)
{
	struct caller_answer a;
	struct cost cost;

	buf_clear(&largest.body);
	if (row->body)
		row->body(row->path);
	assert_false(largest.body.overflow);
	a = send_some(row, &cost);
	print_message("%-6s %-75s %d %7zu %7zu bytes %7lld us %6ld kB %8lld us\n", row->method, row->path, a.status,
	    largest.body.len, a.reply.body_len, (long long)cost.turn_us, cost.memory_kb, (long long)a.took_us);
	if (row->body == largest_batch_create && a.status == 200)
		keep_records(&a);
	arena_free(&ada.arena);
	arena_init(&ada.arena);
}

TEST(test_rows)
{
	for (int i = 0; i < ROWS; i++)
		if (!rows[i].why)
			send_row(&rows[i]);
	assert_int_equal(failed, 0);
}

RIG("largest", .servers = RIG_NO_SERVER);

BEFORE_ALL()
{
	cost_prepare();
	server = rig_serve(&rig, false, (const char *const[]){"log_level=debug", NULL});
	caller_turn(&ada, server->base);
	largest_make();
	SEND("GET", NULL, "/v1/users/me"); /* loads the settings */
	cost_of(server);
}

AFTER_ALL()
{
	buf_free(&largest.body);
}
