/* Compares JSON with a shape. A shape is read as often as there are values for it; each function returns where it ends.
 */
#include "server/cell/shape.h"

#include <string.h>

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

/* One member's rule: NAME:X, NAME?:X or *:X. *seen counts the members that have a rule. */
static const char *member_read(const char *shape, const struct json *value, bool *fits, size_t *seen)
{
	size_t len = strcspn(shape, "?:");
	const char *rule = shape + len + (shape[len] == '?') + 1;
	bool ignored, all = len == 1 && *shape == '*', needed = shape[len] == ':' && !all;
	const char *end = shape_read(rule, NULL, &ignored);

	for (const struct json *m = value ? value->first : NULL; m; m = m->next) {
		bool fits_one = true;
		if (!all && (m->key_len != len || memcmp(m->key, shape, len) != 0))
			continue;
		shape_read(rule, m, &fits_one);
		*fits = *fits && fits_one;
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

static const char *one_read(const char *shape, const struct json *value, bool *fits)
{
	static const char letters[] = {[JSON_NULL] = '0', [JSON_BOOL] = 'b', [JSON_NUMBER] = 'n', [JSON_STRING] = 's'};

	if (*shape == '[')
		return array_read(shape, value, fits);
	if (*shape == '{')
		return object_read(shape, value, fits);
	*fits = value && (*shape == '*' || (value->type <= JSON_STRING && letters[value->type] == *shape)) &&
	        !value->has_nul;
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
