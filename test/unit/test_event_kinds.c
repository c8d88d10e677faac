/* The table of event types: complete, and found by name. */
#include <string.h>

#include "webhook/event.h"
#include "test/lib/test.h"

TEST(test_names)
{
	for (int i = 0; i < EVENT_TYPES; i++) {
		const char *name = event_kinds[i].name;
		assert_non_null(name);
		assert_int_equal(event_type_parse(name, strlen(name)), i);
		assert_int_equal(event_type_parse(name, strlen(name) - 1), EVENT_TYPES);
	}
	assert_int_equal(event_type_parse("", 0), EVENT_TYPES);
	assert_int_equal(event_type_parse("Person.created", 14), EVENT_TYPES);
}

/* An event is named after its record's resource; only objects have an address that is composed. */
TEST(test_records)
{
	for (int i = 0; i < EVENT_TYPES; i++) {
		const struct event_kind *k = &event_kinds[i];
		assert_int_equal(k->path == NULL, k->id_kind == ID_OBJECT);
		assert_int_equal(k->id_kind == ID_OBJECT, strncmp(k->name, "object.", 7) == 0);
		assert_int_equal(k->can_subscribe, i != EVENT_WEBHOOK_TEST);
		if (k->filters & (EVENT_BY_PATH | EVENT_BY_TYPE))
			assert_true(k->filters & EVENT_BY_GROUP);
		if (k->path)
			assert_true(k->path[strlen(k->path) - 1] == '/');
	}
}
