/* Parts of the command line for developers of receivers: secrets, lists of events, samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "server/base/json.h"
#include "webhook/listen.h"

static void test_secret(void **state)
{
	static const char *const wrong[] = {"", "whsec_", "whsec_AAAA",
	    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=x",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA*=", "whsec_%n"};
	unsigned char secret[SIGN_SECRET_MAX], read[SIGN_SECRET_MAX];
	char text[SIGN_SECRET_TEXT], signature[SIGN_SIGNATURE_TEXT], other[SIGN_SIGNATURE_TEXT];

	(void)state;
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

static void test_events(void **state)
{
	bool only[EVENT_TYPES];
	char wrong[64];

	(void)state;
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

static void test_samples(void **state)
{
	(void)state;
	for (int i = 0; i < EVENT_TYPES; i++) {
		const struct event_kind *kind = &event_kinds[i];
		struct arena arena;
		struct buf text;
		const char *error = NULL;
		struct uuid id;
		arena_init(&arena);
		buf_init(&text, 1 << 16);
		listen_sample(&text, (enum event_type)i, "http://127.0.0.1:1");
		struct json *data = json_read(&arena, text.data, text.len, &error);
		assert_non_null(data);
		assert_true(id_parse(kind->id_kind, json_member(data, "id")->text, ID_LEN, &id));
		assert_non_null(strstr(json_member(data, "url")->text, "http://127.0.0.1:1/v1/"));
		if (strstr(kind->name, "updated") && kind->filters & EVENT_BY_PATH)
			assert_non_null(json_member(data, "changes"));
		if (strstr(kind->name, "note.") || strstr(kind->name, "reminder."))
			assert_non_null(json_member(json_member(data, "details"), "entity"));
		buf_free(&text);
		arena_free(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_secret), cmocka_unit_test(test_events), cmocka_unit_test(test_samples)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
