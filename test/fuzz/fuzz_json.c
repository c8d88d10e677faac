/* Arbitrary bytes to the JSON reader. What it accepts is written and read again: the canonical form must stay the
 * same, and must itself be canonical. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/json.h"
#include "server/base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

/* Checks the invariants of the tree. */
static void check_tree(const struct json *value, unsigned depth)
{
	size_t count = 0;
	must_hold(depth <= JSON_DEPTH_MAX + 1);
	if (value->type == JSON_STRING || value->type == JSON_NUMBER)
		must_hold(value->text[value->len] == '\0' && text_utf8_valid(value->text, value->len));
	if (value->key)
		must_hold(value->key[value->key_len] == '\0' && text_utf8_valid(value->key, value->key_len));
	bool has_nul = (value->key && memchr(value->key, 0, value->key_len)) ||
	               (value->type == JSON_STRING && memchr(value->text, 0, value->len));
	must_hold(value->has_nul == has_nul);
	for (const struct json *child = value->first; child; child = child->next, count++) {
		must_hold((child->key != NULL) == (value->type == JSON_OBJECT));
		check_tree(child, depth + 1);
	}
	must_hold(count == value->count);
}

static void must_be_same(const struct buf *a, const struct buf *b)
{
	must_hold(!a->overflow && !b->overflow && a->len == b->len && memcmp(a->data, b->data, a->len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MAX = 64 << 20 };
	struct arena a;
	struct buf written, first, again;
	struct json_out o;
	const char *error = NULL;
	arena_init(&a);
	struct json *value = json_read(&a, (const char *)data, size, &error);
	must_hold((value == NULL) == (error != NULL));
	if (!value) {
		must_hold(strncmp(error, "at byte ", 8) == 0 && strtoull(error + 8, NULL, 10) <= size);
		arena_free(&a);
		return 0;
	}
	must_hold(text_utf8_valid((const char *)data, size));
	check_tree(value, 1);
	buf_init(&written, MAX);
	buf_init(&first, MAX);
	buf_init(&again, MAX);
	json_out_init(&o, &written);
	json_value(&o, value);
	json_canonical(&first, value);
	value = json_read(&a, written.data, written.len, &error);
	must_hold(value != NULL);
	json_canonical(&again, value);
	must_be_same(&first, &again);
	value = json_read(&a, first.data, first.len, &error);
	must_hold(value != NULL);
	buf_clear(&written);
	json_out_init(&o, &written);
	json_value(&o, value);
	must_be_same(&first, &written);
	buf_free(&written);
	buf_free(&first);
	buf_free(&again);
	arena_free(&a);
	return 0;
}
