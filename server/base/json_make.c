/* Makes trees of JSON that were not read from a text. */
#include "server/base/json.h"

struct json *json_make(struct arena *a, enum json_type type)
{
	struct json *value = arena_alloc(a, sizeof *value);

	value->type = type;
	return value;
}

struct json *json_make_text(struct arena *a, const char *text, size_t len)
{
	struct json *value = json_make(a, JSON_STRING);

	value->text = text;
	value->len = len;
	value->has_nul = memchr(text, '\0', len) != NULL;
	return value;
}

void json_attach(struct arena *a, struct json *holder, const char *key, const struct json *value)
{
	struct json *copy = json_make(a, value->type), **at = &holder->first;

	*copy = *value;
	copy->key = key;
	copy->key_len = key ? strlen(key) : 0;
	copy->next = NULL;
	while (*at)
		at = &(*at)->next;
	*at = copy;
	holder->count++;
}

struct json *json_copy(struct arena *a, const struct json *value)
{
	struct json *copy = json_make(a, value->type), **end = &copy->first;

	*copy = *value;
	copy->next = copy->first = NULL;
	copy->key = value->key ? arena_dup(a, value->key, value->key_len) : NULL;
	copy->text = value->text ? arena_dup(a, value->text, value->len) : NULL;
	for (const struct json *child = value->first; child; child = child->next) {
		*end = json_copy(a, child);
		end = &(*end)->next;
	}
	return copy;
}
