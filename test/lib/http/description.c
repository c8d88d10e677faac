/* The API's description, as a client reads it; see description.h. */
#include "test/lib/http/description.h"

#include <stdarg.h>
#include <string.h>

#include "server/openapi/document.h"

struct json *description_read(struct arena *a, const char *base, const char **copy)
{
	struct buf text;
	const char *error = NULL;
	struct json *document;

	buf_init(&text, 16 << 20);
	openapi_write(base, &text);
	document = json_read(a, text.data, text.len, &error);
	if (copy)
		*copy = arena_dup(a, text.data, text.len);
	buf_free(&text);
	return document;
}

const struct json *description_at(const struct json *value, ...)
{
	const char *key;
	va_list args;

	va_start(args, value);
	while (value && (key = va_arg(args, const char *)))
		value = value->type == JSON_OBJECT ? json_member(value, key) : NULL;
	va_end(args);
	return value;
}

const struct json *description_target(struct arena *a, const struct json *document, const char *ref)
{
	const struct json *found = document;

	if (strncmp(ref, "#/", 2) != 0)
		return NULL;
	for (const char *p = ref + 2; p && *p;) {
		size_t len = strcspn(p, "/");
		found = found ? json_member(found, arena_dup(a, p, len)) : NULL;
		p += len + (p[len] == '/');
	}
	return found;
}

const struct json *description_operation(const struct json *document, const struct route *r)
{
	const char *method = r->method == HTTP_GET     ? "get"
	                     : r->method == HTTP_POST  ? "post"
	                     : r->method == HTTP_PATCH ? "patch"
	                     : r->method == HTTP_PUT   ? "put"
	                                               : "delete";

	return description_at(document, "paths", r->path, method, NULL);
}
