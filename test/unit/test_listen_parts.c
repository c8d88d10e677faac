/* Parts of the command line for developers of receivers: secrets, lists of events, samples. */
#include <string.h>

#include "server/base/json.h"
#include "webhook/listen.h"
#include "test/lib/test.h"

TEST(test_secret)
{
	static const char *const wrong[] = {"", "whsec_", "whsec_AAAA",
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=x",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA*=", "whsec_%n"};
	unsigned char secret[SIGN_SECRET_MAX], read[SIGN_SECRET_MAX];
	char text[SIGN_SECRET_TEXT], signature[SIGN_SIGNATURE_TEXT], other[SIGN_SIGNATURE_TEXT];

	for (int round = 0; round < 100; round++) {
		random_bytes(secret, sizeof secret);
		size_t len = SIGN_SECRET_MIN + (size_t)round % (SIGN_SECRET_MAX - SIGN_SECRET_MIN + 1);
		assert_int_equal(listen_secret_parse(read, sign_secret_text(text, secret, len)), len);
		assert_memory_equal(read, secret, len);
		/* All of its bytes count. */
		sign_signature(signature, secret, len, "evt_1", 1, "x", 1);
		secret[len - 1] ^= 1;
		assert_string_not_equal(signature, sign_signature(other, secret, len, "evt_1", 1, "x", 1));
	}
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(listen_secret_parse(read, wrong[i]));
}

static int count_types(const bool only[EVENT_TYPES])
{
	int n = 0;

	for (int i = 0; i < EVENT_TYPES; i++)
		n += only[i];
	return n;
}

TEST(test_events)
{
	bool only[EVENT_TYPES];
	char wrong[64];

	assert_true(listen_events_parse(only, NULL, wrong));
	assert_int_equal(count_types(only), EVENT_TYPES);
	assert_true(listen_events_parse(only, "", wrong));
	assert_int_equal(count_types(only), EVENT_TYPES);
	assert_true(listen_events_parse(only, "person.created,note.deleted", wrong));
	assert_int_equal(count_types(only), 2);
	assert_true(only[EVENT_PERSON_CREATED] && only[EVENT_NOTE_DELETED]);
	assert_false(listen_events_parse(only, "person.created,person.creates", wrong));
	assert_string_equal(wrong, "person.creates");
}

/* The members of real events (docs/api.md, "Events feed"): creations of contacts and objects have none. */
static bool has_changes(const char *name)
{
	return strstr(name, ".updated") || strstr(name, ".groups_updated") || strcmp(name, "task.completed") == 0;
}

static const char *detail_of(enum event_type type)
{
	switch (event_kinds[type].id_kind) {
	case ID_NOTE:
	case ID_REMINDER:
	case ID_TASK:
	case ID_INTERACTION:
		return "entity";
	case ID_USER:
		return type == EVENT_USER_SIGN_IN_FAILED ? "address" : NULL;
	case ID_WEBHOOK:
		return type == EVENT_WEBHOOK_DEACTIVATED ? "reason" : NULL;
	default:
		return strstr(event_kinds[type].name, ".deleted") ? "name" : NULL;
	}
}

TEST(test_samples)
{
	for (int i = 0; i < EVENT_TYPES; i++) {
		const struct event_kind *kind = &event_kinds[i];
		struct arena arena;
		struct buf text;
		const char *error = NULL;
		struct uuid record = id_new(), id;
		arena_init(&arena);
		buf_init(&text, 1 << 16);
		listen_sample(&text, (enum event_type)i, &record, "http://127.0.0.1:1");
		struct json *data = json_read(&arena, text.data, text.len, &error);
		assert_non_null(data);
		assert_true(id_parse(kind->id_kind, json_member(data, "id")->text, ID_LEN, &id));
		assert_true(uuid_equal(&id, &record));
		assert_non_null(strstr(json_member(data, "url")->text, "http://127.0.0.1:1/v1/"));
		const struct json *changes = json_member(data, "changes"), *details = json_member(data, "details");
		const char *detail = detail_of((enum event_type)i);
		assert_int_equal(changes != NULL, has_changes(kind->name));
		assert_int_equal(changes != NULL, kind->has_changes);
		assert_int_equal(details != NULL, detail != NULL);
		assert_int_equal(data->count, 2 + has_changes(kind->name) + (detail != NULL));
		if (detail)
			assert_non_null(json_member(details, detail));
		if (detail && strcmp(detail, "entity") == 0)
			assert_int_equal(json_member(details, "entity")->count, 2); /* without a name */
		buf_free(&text);
		arena_free(&arena);
	}
}
