/* Parameters of lists, over the program's own table of routes: keys that look like filters are parsed where filters
 * are accepted and ignored elsewhere; every list by entity accepts the entity in each spelling, has only that
 * entity's records, and none for an entity that is unknown, of another kind or hidden. */
#include <string.h>

#include "server/base/clock.h"
#include "server/base/json.h"
#include "test/lib/model/worlds.h"

enum { ALMA, BEN_PRIVATE, OTHER, WORLDS_MADE };

static struct world worlds[WORLDS_MADE];

WORLDS("queries");

BEFORE_ALL()
{
	struct test_user other = rig_stranger(&rig, "other");

	world_init(&suite, &worlds[ALMA], "alma", &rig.ben, false);
	world_init(&suite, &worlds[BEN_PRIVATE], "ben, private", &rig.ada, true);
	world_init(&suite, &worlds[OTHER], "other", &other, false);
	worlds[OTHER].admin = true;
	for (int i = 0; i < WORLDS_MADE; i++)
		world_seed(&suite, &worlds[i]);
}

/* The answer to a list with that query, as alma; of one for admins as other. */
static struct client_reply get_list(const struct endpoint *list, const char *query)
{
	struct isolation_sample sample = {.query = query};
	struct world *w = &worlds[isolation_for_admins(list) ? OTHER : ALMA];
	struct client_reply reply;
	struct request q;

	request_make(&suite, w, list, &sample, (struct replacement){.at = -1}, &q);
	request_send(&suite, w, &q, NULL, &reply);
	return reply;
}

static bool endpoint_takes(const struct endpoint *e, const char *param)
{
	for (int i = 0; e->params[i]; i++)
		if (strcmp(e->params[i], param) == 0)
			return true;
	return false;
}

/* --- keys that look like filters ------------------------------------------------------- */

static const char *const unknown[] = {"filter[unknown][eq]=x", "filter%5Bunknown%5D%5Beq%5D=x", "filter[unknown]=x",
    "filter[=x", "filter[]=x", "filter[unknown][unknown]=x"};

/* The body without its warning of an unknown parameter, which follows the warning of a deprecated route; NULL without
 * such a one. */
static const char *cut_warning(const char *body)
{
	static const char begin[] = "{\"code\":\"unknown_parameter\",\"message\":\"Unknown parameter", end[] = "\"]}",
	                  list[] = ",\"warnings\":[";
	const char *from = strstr(body, begin), *to = from ? strstr(from, end) : NULL;
	size_t before = from && from[-1] == '[' ? strlen(list) : 1;

	if (!to)
		return NULL;
	to += strlen(end) + (before > 1);
	return arena_printf(&suite.arena, "%.*s%s", (int)(from - body) - (int)before, body, to);
}

static void check_unknown(const struct endpoint *list, const char *key)
{
	const char *needed = endpoint_takes(list, "entity.id") ? "entity.id={{person}}"
	                     : endpoint_takes(list, "q")       ? "q=none"
	                     : endpoint_takes(list, "limit")   ? "limit=100"
	                                                       : "";
	struct client_reply plain, asked;
	const char *body;
	bool good = false;

	/* A delivery may be attempted between the two. */
	for (int tries = 0; tries < 5 && !good; tries++) {
		plain = get_list(list, needed);
		asked = get_list(list, arena_printf(&suite.arena, "%s%s%s", needed, *needed ? "&" : "", key));
		body = cut_warning(asked.body);
		good = list->filtered ? asked.status == 422 && strstr(asked.body, "unrecognized_keys")
		                      : asked.status == 200 && body && strcmp(body, plain.body) == 0;
	}
	if (plain.status != 200)
		suite_fail(&suite, "%s?%s: %d %s", list->path, needed, plain.status, plain.body);
	if (!good)
		suite_fail(
		    &suite, "%s with %s: %d %s, and without %s", list->path, key, asked.status, asked.body, plain.body);
}

TEST(test_unknown_filters)
{
	int lists = 0;

	for (int i = 0; i < n_endpoints; i++) {
		if (!endpoints[i].list || strcmp(endpoints[i].method, "GET") != 0)
			continue;
		lists++;
		for (size_t k = 0; k < sizeof unknown / sizeof *unknown; k++)
			check_unknown(&endpoints[i], unknown[k]);
	}
	assert_true(lists > 12);
}

/* --- by entity ------------------------------------------------------------------------- */

/* %s: the id. When a parameter is repeated the last one counts. */
static const char *const spellings[] = {"entity.id=%s", "entity%%2Eid=%s", "entity[id]=%s", "entity%%5Bid%%5D=%s",
    "entity%%5bid%%5d=%s", "filter[entity.id][eq]=%s", "filter%%5Bentity.id%%5D%%5Beq%%5D=%s",
    "filter[entity.id][eq][]=%s", "entity.id[]=%s", "entity.id[0]=%s", "entity[id][]=%s",
    "entity%%5Bid%%5D%%5B12%%5D=%s", "filter[entity.id][eq][0]=%s", "entity.id={{company}}&entity[id]=%s",
    "entity[id]={{company}}&entity[id]=%s", "filter[entity.id][eq]=x&entity.id=%s"};
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

/* The number of records of that entity in the list; -1: there are others. */
static int count_of(const struct endpoint *list, const char *spelling, const char *id)
{
	const char *error, *query;
	const struct json *items;
	struct client_reply reply;
	int n = 0;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	query = arena_printf(&suite.arena, spelling, id);
#pragma GCC diagnostic pop
	reply = get_list(list, query);
	if (reply.status != 200)
		return -1;
	items = json_member(json_member(json_read(&suite.arena, reply.body, reply.body_len, &error), "data"), "items");
	for (const struct json *i = items->first; i; i = i->next, n++)
		if (strcmp(json_member(json_member(i, "entity"), "id")->text, id) != 0)
			return -1;
	return n;
}

static void check_spellings(const struct endpoint *list, const char *what, const char *id, bool some)
{
	for (int i = 0; i < SPELLINGS; i++) {
		int n = count_of(list, spellings[i], id);
		if (n < 0 || (n > 0) != some)
			suite_fail(&suite, "%s?%s of %s: %d records", list->path, spellings[i], what, n);
	}
}

/* The same UUID, as an id of another kind. */
static const char *as_kind(const char *prefix, const char *id)
{
	return arena_printf(&suite.arena, "%s%s", prefix, id + 4);
}

#define ABOUT(word) "{\"entity\": {\"id\": \"{{" word "}}\"}, \"visibility\": \"public\", "

/* Records that alma cannot see, because their entity is hidden from her; and one dated in the future. */
static void add_records(void)
{
	struct world *hidden = &worlds[BEN_PRIVATE];

	world_must(hidden, "POST /v1/notes", ABOUT("object") "\"content\": \"x\"}");
	world_must(hidden, "POST /v1/reminders",
	    ABOUT("object") "\"name\": \"x\", \"recurrenceRule\": \"DTSTART;TZID=Europe/Berlin:20300105T090000\\n"
	                    "RRULE:FREQ=WEEKLY\", \"assignedUsers\": [{\"id\": \"{{user}}\"}]}");
	world_must(&worlds[ALMA], "POST /v1/interactions",
	    "{\"entity\": {\"id\": \"{{person}}\"}, \"title\": \"x\", \"dateTime\": \"2999-01-01T00:00:00Z\", "
	    "\"activityType\": \"call\"}");
}

TEST(test_entities)
{
	const char *own = world_get(&worlds[ALMA], "person");
	int lists = 0;

	add_records();
	for (int i = 0; i < n_endpoints; i++) {
		const struct endpoint *list = &endpoints[i];
		if (!list->list || !endpoint_takes(list, "entity.id"))
			continue;
		lists++;
		check_spellings(list, "a person", own, true);
		check_spellings(list, "nobody", world_random(&suite, &worlds[ALMA], own), false);
		check_spellings(list, "a company of a person's number", as_kind("com_", own), false);
		check_spellings(list, "a user", world_get(&worlds[ALMA], "user"), false);
		check_spellings(list, "no kind at all", as_kind("xyz_", own), false);
		check_spellings(list, "another workspace", world_get(&worlds[OTHER], "person"), false);
		check_spellings(list, "an object not to be seen", world_get(&worlds[BEN_PRIVATE], "object"), false);
		for (int k = 0; k < SPELLINGS; k++)
			assert_int_equal(count_of(list, spellings[k], "per_1"), -1);
	}
	assert_int_equal(lists, 5);
}

/* --- many parameters --------------------------------------------------------------------- */

/* The shortest time of several answers to a list of notes with that many unknown parameters. */
static int64_t shortest_us(int params)
{
	int64_t best = INT64_MAX;
	const char *query;
	struct buf text;

	buf_init(&text, 1 << 16);
	for (int i = 0; i < params; i++)
		buf_printf(&text, "&unknown%d=1", i);
	query = arena_dup(&suite.arena, text.data + 1, text.len - 1);
	buf_free(&text);
	for (int i = 0; i < 15; i++) {
		int64_t began = clock_mono_us(), took;
		assert_int_equal(get_list(route_named("GET /v1/notes"), query).status, 200);
		took = clock_mono_us() - began;
		if (took < best)
			best = took;
	}
	return best;
}

/* Each is examined once: quadratic handling would take a hundred times as long for ten times as many. */
TEST(test_many_parameters)
{
	int64_t few = shortest_us(50), many = shortest_us(500);

	print_message("50 parameters: %d us, 500: %d us\n", (int)few, (int)many);
	assert_true(many < 6 * few);
}
