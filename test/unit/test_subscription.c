/* Matching of subscriptions: a table of events against one of subscriptions. */
#include <stdio.h>
#include <string.h>

#include "webhook/subscription.h"
#include "test/lib/case_arena.h"

CASE_ARENA();

#define G1 "grp_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b31"
#define G2 "grp_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b32"
#define U1 "usr_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b33"
#define P1 "per_019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b34"
#define SET(path, value) "{\"path\": [" path "], \"type\": \"set\", \"value\": " value "}"
#define ADD(path, value) "{\"path\": [" path "], \"type\": \"add\", \"value\": " value "}"
#define REMOVE(path, value) "{\"path\": [" path "], \"type\": \"remove\", \"value\": " value "}"
#define CUSTOM(group, name) "\"customFieldValues\", \"" group "\", \"" name "\""

static const struct {
	const char *name, *type, *groups, *within, *object_type, *changes;
} events[] = {
    {"person made", "person.created", G1},
    {"person made nowhere", "person.created"},
    {"person changed", "person.updated", G1, NULL, NULL,
        SET("\"jobTitle\"", "\"CEO\"") "," SET("\"birthday\"", "null") "," ADD("\"emails\"",
            "[\"a@x.org\", \"b@x.org\"]") "," REMOVE("\"emails\"", "[\"old@x.org\"]") ",{\"path\": [\"description\"], "
                                                                                      "\"type\": \"set\"}"},
    {"values changed", "person.updated", G1 " " G2, NULL, NULL,
        SET(CUSTOM(G1, "Stage"), "\"Won\"") "," SET(CUSTOM(G1, "Score"), "\"5.5\"") "," ADD(CUSTOM(G2, "Tags"),
            "[\"A\"]") "," ADD(CUSTOM(G1, "Owner"), "[{\"id\": \"" U1 "\"}]") "," SET(CUSTOM(G2, "a.b]"), "\"x\"")},
    {"company changed", "company.updated", NULL, NULL, NULL,
        SET("\"fundingRaised\"", "\"1000000\"") "," SET("\"name\"", "\"007\"")},
    {"deal changed", "object.updated", NULL, G1, "Deals",
        SET("\"name\"", "\"Big\"") "," SET("\"customFieldValues\", \"Stage\"", "\"Won\"")},
    {"deal made", "object.created", NULL, G1, "Deals"},
    {"note made", "note.created"},
};

/* The events above that each subscription matches; "/" separates names. hidden: a group that the listener may not
 * see. */
static const struct {
	const char *type, *filter, *asks_for, *hidden;
} subscriptions[] = {
    {"person.created", "{}", "person made/person made nowhere"},
    {"person.created", "{\"groupId\": \"" G1 "\"}", "person made"},
    {"person.created", "{\"groupId\": \"" G2 "\"}", ""},
    {"person.created", "{\"groupId\": \"" G1 "\"}", "", G1},
    {"person.deleted", "{}", ""},
    {"note.created", "{}", "note made"},
    {"person.updated", "{}", "person changed/values changed"},
    {"person.updated", "{\"groupId\": \"" G2 "\"}", "values changed"},
    {"person.updated", "{\"path\": [\"jobTitle\"]}", "person changed"},
    {"person.updated", "{\"path\": [\"lastName\"]}", ""},
    {"person.updated", "{\"path\": [\"jobTitle\"], \"value\": \"CEO\"}", "person changed"},
    {"person.updated", "{\"path\": [\"jobTitle\"], \"value\": \"ceo\"}", ""},
    {"person.updated", "{\"path\": [\"jobTitle\"], \"value\": \"CEO\", \"groupId\": \"" G2 "\"}", ""},
    {"person.updated", "{\"path\": [\"birthday\"], \"value\": \"\"}", "person changed"},
    {"person.updated", "{\"path\": [\"birthday\"], \"value\": \"1990-01-01\"}", ""},
    {"person.updated", "{\"path\": [\"description\"]}", "person changed"},
    {"person.updated", "{\"path\": [\"description\"], \"value\": \"x\"}", ""},
    /* what was added, not what was taken away; any of it */
    {"person.updated", "{\"path\": [\"emails\"]}", "person changed"},
    {"person.updated", "{\"path\": [\"emails\"], \"value\": \"b@x.org\"}", "person changed"},
    {"person.updated", "{\"path\": [\"emails\"], \"value\": [\"c@x.org\", \"a@x.org\"]}", "person changed"},
    {"person.updated", "{\"path\": [\"emails\"], \"value\": \"old@x.org\"}", ""},
    {"person.updated", "{\"path\": [\"emails\"], \"value\": [\"c@x.org\"]}", ""},
    /* whole paths only */
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Stage") "]}", "values changed"},
    {"person.updated", "{\"path\": [\"customFieldValues\"]}", ""},
    {"person.updated", "{\"path\": [\"customFieldValues\", \"" G1 "\"]}", ""},
    {"person.updated", "{\"path\": [" CUSTOM(G2, "Stage") "]}", ""},
    {"person.updated", "{\"path\": [" CUSTOM(G2, "a.b]") "]}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Stage") "]}", "", G1},
    {"person.updated", "{\"path\": [" CUSTOM(G2, "Tags") "]}", "values changed", G1},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Stage") "], \"value\": \"Won\"}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Stage") "], \"value\": \"Lost\"}", ""},
    {"person.updated", "{\"path\": [" CUSTOM(G2, "Tags") "], \"value\": [\"B\", \"A\"]}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Owner") "], \"value\": [{\"id\": \"" U1 "\"}]}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Owner") "], \"value\": {\"id\": \"" U1 "\"}}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Owner") "], \"value\": \"" U1 "\"}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Owner") "], \"value\": [{\"id\": \"" P1 "\"}]}", ""},
    /* numbers by what they are, texts by their characters */
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Score") "], \"value\": 5.50}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Score") "], \"value\": \"5.5\"}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Score") "], \"value\": 55e-1}", "values changed"},
    {"person.updated", "{\"path\": [" CUSTOM(G1, "Score") "], \"value\": 5}", ""},
    {"company.updated", "{\"path\": [\"fundingRaised\"], \"value\": 1e6}", "company changed"},
    {"company.updated", "{\"path\": [\"name\"], \"value\": \"7\"}", ""},
    {"company.updated", "{\"path\": [\"name\"], \"value\": \"007\"}", "company changed"},
    {"company.updated", "{\"groupId\": \"" G1 "\"}", ""},
    /* objects by their group and type */
    {"object.created", "{}", "deal made"},
    {"object.created", "{\"groupId\": \"" G1 "\"}", "deal made"},
    {"object.created", "{\"groupId\": \"" G1 "\", \"objectType\": \"Deals\"}", "deal made"},
    {"object.created", "{\"groupId\": \"" G1 "\", \"objectType\": \"deals\"}", ""},
    {"object.created", "{\"groupId\": \"" G2 "\", \"objectType\": \"Deals\"}", ""},
    {"object.updated", "{\"groupId\": \"" G1 "\", \"objectType\": \"Deals\", \"path\": [\"name\"]}", "deal changed"},
    {"object.updated",
        "{\"groupId\": \"" G1 "\", \"objectType\": \"Deals\", \"path\": [\"customFieldValues\", \"Stage\"], \"value\": "
        "\"Won\"}",
        "deal changed"},
    {"object.updated", "{\"groupId\": \"" G1 "\", \"objectType\": \"Boats\", \"path\": [\"name\"]}", ""},
    /* from another release */
    {"person.exploded", "{}", ""},
};

static size_t read_groups(const char *text, struct uuid *out)
{
	size_t n = 0;

	for (; text && strlen(text) >= ID_LEN; text += text[ID_LEN] ? ID_LEN + 1 : ID_LEN)
		assert_true(id_parse(ID_GROUP, text, ID_LEN, &out[n++]));
	return n;
}

static struct event_row event_of(size_t i)
{
	struct event_row e = {.type = event_type_parse(events[i].type, strlen(events[i].type))};

	assert_int_not_equal(e.type, EVENT_TYPES);
	e.groups = arena_alloc(&a, 2 * sizeof *e.groups);
	e.n_groups = read_groups(events[i].groups, e.groups);
	e.is_within = read_groups(events[i].within, &e.within) > 0;
	e.object_type = events[i].object_type;
	if (events[i].changes) {
		e.data = arena_printf(&a, "{\"changes\": [%s]}", events[i].changes);
		e.data_len = strlen(e.data);
	}
	return e;
}

static bool names_list(const char *names, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = names; (at = strstr(at, name)) != NULL; at += len)
		if ((at == names || at[-1] == '/') && (at[len] == '/' || at[len] == '\0'))
			return true;
	return false;
}

TEST(test_table)
{
	int wrong = 0;

	for (size_t i = 0; i < sizeof subscriptions / sizeof *subscriptions; i++) {
		struct subscriptions s;
		struct uuid hidden[1];
		struct event_listener l = {.hidden = hidden, .n_hidden = read_groups(subscriptions[i].hidden, hidden)};
		const char *json = arena_printf(
		    &a, "[{\"eventType\": \"%s\", \"filter\": %s}]", subscriptions[i].type, subscriptions[i].filter);
		subscriptions_read(&s, &a, json, strlen(json));
		for (size_t k = 0; k < sizeof events / sizeof *events; k++) {
			struct event_row e = event_of(k);
			if (subscriptions_match(&s, &e, &l, &a) ==
			    names_list(subscriptions[i].asks_for, events[k].name))
				continue;
			fprintf(stderr, "%s and \"%s\"\n", json, events[k].name);
			wrong++;
		}
	}
	assert_int_equal(wrong, 0);
}

/* Any of several will do. */
TEST(test_several)
{
	static const char json[] = "[{\"eventType\": \"note.created\", \"filter\": {}}, {\"eventType\": \"no.such\"}, "
	                           "{\"eventType\": \"person.updated\", \"filter\": {\"path\": [\"lastName\"]}}, "
	                           "{\"eventType\": \"person.updated\", \"filter\": {\"path\": [\"jobTitle\"]}}]";
	struct event_listener l = {.n_hidden = 0};
	struct subscriptions s;
	struct event_row e;

	subscriptions_read(&s, &a, json, sizeof json - 1);
	assert_int_equal(s.count, 3);
	e = event_of(2);
	assert_true(subscriptions_match(&s, &e, &l, &a));
	e = event_of(3);
	assert_false(subscriptions_match(&s, &e, &l, &a));
}

/* No stored content does harm. */
TEST(test_rubbish)
{
	static const char *const texts[] = {"", "null", "{}", "[1, null, []]", "[{}]", "[{\"eventType\": 5}]",
	    "[{\"eventType\": \"person.updated\", \"filter\": {\"path\": [1]}}]",
	    "[{\"eventType\": \"person.updated\", \"filter\": {\"path\": [\"a\", \"b\", \"c\", \"d\"]}}]",
	    "[{\"eventType\": \"person.created\", \"filter\": {\"groupId\": \"x\"}}]"};
	static const char *const datas[] = {"", "null", "{\"changes\": 5}", "{\"changes\": [1, {}, {\"path\": \"x\"}]}",
	    "{\"changes\": [{\"path\": [5], \"type\": \"set\"}, {\"path\": [\"jobTitle\"], \"type\": 5}]}"};
	static const char good[] =
	    "[{\"eventType\": \"person.updated\", \"filter\": {\"path\": [\"jobTitle\"], \"value\": \"x\"}}]";
	struct event_listener l = {.n_hidden = 0};
	struct subscriptions s;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		subscriptions_read(&s, &a, texts[i], strlen(texts[i]));
		assert_int_equal(s.count, 0);
	}
	subscriptions_read(&s, &a, good, sizeof good - 1);
	for (size_t i = 0; i < sizeof datas / sizeof *datas; i++) {
		struct event_row e = {.type = EVENT_PERSON_UPDATED, .data = datas[i], .data_len = strlen(datas[i])};
		assert_false(subscriptions_match(&s, &e, &l, &a));
	}
}
