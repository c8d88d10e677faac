/* The part of an event that a listener may see, and its JSON. */
#include <string.h>

#include "webhook/event.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

static const struct uuid record = {{1, 2, 3}}, open = {{1}}, hidden = {{2}}, me = {{3}}, other = {{4}};

#define PER "per_01020300-0000-0000-0000-000000000000"
#define OPEN "grp_01000000-0000-0000-0000-000000000000"
#define HIDDEN "grp_02000000-0000-0000-0000-000000000000"
#define BASE "https://kith.test"
#define PERSON "{\"id\":\"" PER "\",\"url\":\"" BASE "/v1/people/" PER "\""
#define SET(path, value) "{\"path\":" path ",\"type\":\"set\",\"value\":" value "}"
#define JOB SET("[\"jobTitle\"]", "\"Boss\"")
#define LEVEL(group) SET("[\"customFieldValues\",\"" group "\",\"Level \\\"1\\\"\"]", "null")
#define GROUPS(type, ids) "{\"path\":[\"groups\"],\"type\":\"" type "\",\"value\":[" ids "]}"
#define ID(group) "{\"id\":\"" group "\"}"

static const struct {
	enum event_type type;
	bool names_hidden;
	const char *data;     /* as written */
	const char *expected; /* for users who may not see the hidden group; NULL: nothing */
} cases[] = {
    {EVENT_PERSON_UPDATED, false, "{\"changes\":[" JOB "]}", PERSON ",\"changes\":[" JOB "]}"},
    {EVENT_PERSON_UPDATED, false, "{\"changes\" : [] }", PERSON ",\"changes\" : [] }"},
    {EVENT_PERSON_UPDATED, false, "{}", PERSON "}"},
    {EVENT_PERSON_CREATED, false, NULL, PERSON "}"},
    {EVENT_PERSON_UPDATED, true, "{\"changes\":[" JOB "," LEVEL(HIDDEN) "," LEVEL(OPEN) "]}",
        PERSON ",\"changes\":[" JOB "," LEVEL(OPEN) "]}"},
    {EVENT_PERSON_UPDATED, true, "{\"changes\":[" LEVEL(HIDDEN) "]}", NULL},
    {EVENT_PERSON_GROUPS_UPDATED, true, "{\"changes\":[" GROUPS("add", ID(HIDDEN)) "]}", NULL},
    {EVENT_PERSON_GROUPS_UPDATED, true,
        "{\"changes\":[" GROUPS("add", ID(HIDDEN)) "," GROUPS("remove", ID(HIDDEN) "," ID(OPEN)) "]}",
        PERSON ",\"changes\":[" GROUPS("remove", ID(OPEN)) "]}"},
    /* Creation and deletion are events even without visible changes. */
    {EVENT_PERSON_CREATED, true, "{\"changes\":[" GROUPS("add", ID(HIDDEN)) "]}", PERSON "}"},
    {EVENT_PERSON_DELETED, true, "{\"changes\":[" GROUPS("remove", ID(HIDDEN)) "],\"details\":{\"name\":\"A\"}}",
        PERSON ",\"details\":{\"name\":\"A\"}}"},
    /* What cannot be read names nothing. */
    {EVENT_PERSON_UPDATED, true, "[]", NULL},
};

TEST(test_cases)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct uuid named[] = {open, hidden};
		struct event_row e = {.type = cases[i].type,
		    .record = record,
		    .named = named,
		    .n_named = cases[i].names_hidden ? 2 : 1,
		    .data = cases[i].data,
		    .data_len = cases[i].data ? strlen(cases[i].data) : 0};
		const struct event_listener all = {.user = me}, some = {.user = me, .hidden = &hidden, .n_hidden = 1};
		struct buf out;
		buf_init(&out, 1 << 16);
		assert_true(event_visible(&e, &all, &a));
		assert_int_equal(event_visible(&e, &some, &a), cases[i].expected != NULL);
		if (cases[i].expected) {
			event_data_write(&out, &e, &some, BASE, &a);
			assert_string_equal(out.data, cases[i].expected);
		}
		buf_free(&out);
	}
}

TEST(test_who_hears)
{
	struct uuid audience[] = {other, me};
	const struct event_listener l = {.user = me, .hidden = &hidden, .n_hidden = 1};
	struct event_row e = {.type = EVENT_NOTE_CREATED, .record = record};

	assert_true(event_visible(&e, &l, &a));
	e.has_audience = true;
	assert_false(event_visible(&e, &l, &a)); /* nobody */
	e.audience = audience;
	e.n_audience = 1;
	assert_false(event_visible(&e, &l, &a));
	e.n_audience = 2;
	assert_true(event_visible(&e, &l, &a));
	e.is_within = true;
	e.within = open;
	assert_true(event_visible(&e, &l, &a));
	e.within = hidden;
	assert_false(event_visible(&e, &l, &a));
	e.is_within = false;
	e.type = EVENT_TYPES; /* of a later release */
	assert_false(event_visible(&e, &l, &a));
}

TEST(test_address_of_an_object)
{
	const struct event_listener l = {.user = me};
	struct event_row e = {.type = EVENT_OBJECT_DELETED,
	    .record = record,
	    .is_within = true,
	    .within = open,
	    .object_type = "Big/Deals ü"};
	struct buf out;

	buf_init(&out, 4096);
	event_data_write(&out, &e, &l, BASE, &a);
	assert_string_equal(out.data,
	    "{\"id\":\"obj_01020300-0000-0000-0000-000000000000\",\"url\":\"" BASE "/v1/groups/" OPEN
	    "/Big%2FDeals%20%C3%BC/obj_01020300-0000-0000-0000-000000000000\"}");
	buf_free(&out);
}
