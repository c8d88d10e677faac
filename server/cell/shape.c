/* Compares JSON with a shape. A shape is read again for each value. Each function returns where its part of the shape
 * ends. */
#include "server/cell/shape.h"

#include <string.h>

#include "server/base/id.h"

enum { NUMBER_MAX = 40 };

static const char *shape_read(const char *shape, const struct json *value, bool *fits);

static const char *array_read(const char *shape, const struct json *value, bool *fits)
{
	bool ignored;
	const char *end = shape_read(shape + 1, NULL, &ignored);

	*fits = value && value->type == JSON_ARRAY;
	for (const struct json *i = *fits ? value->first : NULL; i && *fits; i = i->next)
		shape_read(shape + 1, i, fits);
	return end + 1; /* the bracket */
}

static bool is_uuid(const char *text, size_t len)
{
	struct uuid id;

	return uuid_parse(text, len, &id);
}

/* True when the member has the rule's name. */
static bool member_named(const char *name, size_t len, const struct json *m)
{
	if (len == 1 && *name == '*')
		return true;
	if (len == 1 && *name == 'u')
		return is_uuid(m->key, m->key_len);
	return m->key_len == len && memcmp(m->key, name, len) == 0;
}

/* Reads the rule of one member: NAME:X, NAME?:X, *:X or u:X. *seen counts the members that have a rule. */
static const char *member_read(const char *shape, const struct json *value, bool *fits, size_t *seen)
{
	size_t len = strcspn(shape, "?:");
	const char *rule = shape + len + (shape[len] == '?') + 1;
	bool ignored, all = len == 1 && (*shape == '*' || *shape == 'u'), needed = shape[len] == ':' && !all;
	const char *end = shape_read(rule, NULL, &ignored);

	for (const struct json *m = value ? value->first : NULL; m; m = m->next) {
		bool fits_one = true;
		if (!member_named(shape, len, m))
			continue;
		shape_read(rule, m, &fits_one);
		*fits = *fits && fits_one && !memchr(m->key, '\0', m->key_len);
		needed = false;
		++*seen;
	}
	*fits = *fits && !needed;
	return end;
}

static const char *object_read(const char *shape, const struct json *value, bool *fits)
{
	size_t seen = 0;

	if (!value || value->type != JSON_OBJECT)
		value = NULL;
	*fits = value;
	do
		shape = member_read(shape + 1, value, fits, &seen);
	while (*shape == ',');
	*fits = *fits && seen == value->count;
	return shape + 1; /* the brace */
}

/* PostgreSQL's jsonb has no numbers of more than 131,072 digits. */
static bool number_plain(const struct json *value)
{
	return value->len <= NUMBER_MAX && !strpbrk(value->text, "eE");
}

/* The text must not contain U+0000, which jsonb cannot hold either. */
static bool any_fits(const struct json *value)
{
	bool fits = !value->has_nul && (value->type != JSON_NUMBER || number_plain(value));

	for (const struct json *i = value->first; i && fits; i = i->next)
		fits = any_fits(i);
	return fits;
}

static bool letter_fits(char letter, const struct json *value)
{
	switch (letter) {
	case '*':
		return true;
	case 'u':
		return value->type == JSON_STRING && is_uuid(value->text, value->len);
	case 's':
		return value->type == JSON_STRING;
	case 'n':
		return value->type == JSON_NUMBER;
	case 'b':
		return value->type == JSON_BOOL;
	default:
		return value->type == JSON_NULL;
	}
}

static const char *one_read(const char *shape, const struct json *value, bool *fits)
{
	if (*shape == '[')
		return array_read(shape, value, fits);
	if (*shape == '{')
		return object_read(shape, value, fits);
	*fits = value && letter_fits(*shape, value) && any_fits(value);
	return shape + 1;
}

static const char *shape_read(const char *shape, const struct json *value, bool *fits)
{
	bool one;

	shape = one_read(shape, value, fits);
	while (*shape == '|') {
		shape = one_read(shape + 1, value, &one);
		*fits = *fits || one;
	}
	return shape;
}

bool shape_fits(const char *shape, const struct json *value)
{
	bool fits;

	shape_read(shape, value, &fits);
	return fits;
}
