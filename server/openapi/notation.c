/* Writes the description: schemas in short notation, and the schemas that are named where they are used. */
#include <ctype.h>
#include <string.h>

#include "server/base/built_in.h"
#include "server/base/fatal.h"
#include "server/openapi/document_private.h"

/* A schema that was written as #Name{…}, in the order of the first mentions. */
struct openapi_named {
	struct openapi_named *next;
	const char *name, *text; /* text in the notation */
	bool written;
};

/* --- names ---------------------------------------------------------------------------- */

const char *openapi_name(struct openapi_doc *d, const char *name, const char *suffix)
{
	char *out = arena_alloc(&d->arena, strlen(name) + strlen(suffix) + 1), *p = out;
	bool up = true;

	for (; *name; name++) {
		if (isalnum((unsigned char)*name))
			*p++ = up ? (char)toupper((unsigned char)*name) : *name;
		up = !isalnum((unsigned char)*name);
	}
	memcpy(p, suffix, strlen(suffix) + 1);
	return out;
}

const char *openapi_schema_name(struct openapi_doc *d, const struct resource *res, const char *suffix)
{
	return openapi_name(d, res->title ? res->title : res->name, suffix);
}

/* --- named schemas ----------------------------------------------------------------------- */

/* Returns the length of the object in the notation that begins the text. */
static size_t named_length(const char *text)
{
	size_t len = 0;
	int depth = 0;

	do {
		depth += (text[len] == '{') - (text[len] == '}');
		if (!text[len])
			fatal_abort("the API's description: a named schema is not closed");
		len++;
	} while (depth);
	return len;
}

/* A name may be given again for the same schema. */
static void named_add(struct openapi_doc *d, const char *name, const char *text)
{
	struct openapi_named **end = &d->named, *n;

	for (; (n = *end); end = &n->next) {
		if (strcmp(n->name, name) != 0)
			continue;
		if (strcmp(n->text, text) != 0)
			fatal_abort("the API's description: two schemas have the same name");
		return;
	}
	n = arena_alloc(&d->arena, sizeof *n);
	*n = (struct openapi_named){.name = name, .text = text};
	*end = n;
}

/* --- the notation ------------------------------------------------------------------------ */

static void notation_put(struct openapi_doc *d, const char *text);

/* Writes the example of an id by its prefix; false when there is no such prefix. */
static bool notation_put_id(struct openapi_doc *d, const char *prefix, size_t len)
{
	char text[ID_SIZE];
	struct uuid id;

	for (enum id_kind kind = 0; kind < ID_KINDS; kind++) {
		if (strlen(id_prefix(kind)) != len || memcmp(id_prefix(kind), prefix, len) != 0)
			continue;
		uuid_parse("019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", 36, &id);
		id.b[15] = (unsigned char)(id.b[15] + kind);
		buf_printf(&d->out, "\"%s\"", id_format(kind, &id, text));
		return true;
	}
	return false;
}

/* Writes a reference, with the description that may follow in parentheses. */
static size_t notation_put_reference(struct openapi_doc *d, const char *text, size_t len)
{
	size_t about = text[len] == '(' ? strcspn(text + len, ")") + 1 : 0;

	buf_printf(&d->out, "{\"$ref\":\"" OPENAPI_SCHEMAS "%.*s\"", (int)len, text);
	if (about)
		buf_printf(&d->out, ",\"description\":\"%.*s\"", (int)about - 2, text + len + 1);
	buf_addc(&d->out, '}');
	return len + about;
}

/* Writes what the sign at the start of the text stands for. Returns the length that it read. */
static size_t notation_put_sign(struct openapi_doc *d, const char *text)
{
	size_t len = 0, all;
	bool is_name = isupper((unsigned char)text[1]);

	while (isalnum((unsigned char)text[1 + len]))
		len++;
	if (*text == '@' && is_name) {
		openapi_want(d, text + 1, len);
		return 1 + notation_put_reference(d, text + 1, len);
	}
	if (*text == '#' && is_name && text[1 + len] == '{') {
		all = named_length(text + 1 + len);
		named_add(d, arena_dup(&d->arena, text + 1, len), arena_dup(&d->arena, text + 1 + len, all));
		notation_put_reference(d, text + 1, len);
		return 1 + len + all;
	}
	if (*text == '$' && notation_put_id(d, text + 1, len))
		return 1 + len;
	if ((*text == '}' || *text == ']') && d->out.len && d->out.data[d->out.len - 1] == ',')
		d->out.len--;
	buf_addc(&d->out, *text == '\'' ? '"' : *text);
	return 1;
}

static void notation_put(struct openapi_doc *d, const char *text)
{
	for (size_t len; *text; text += len) {
		len = strcspn(text, "'@#$}]");
		buf_add(&d->out, text, len);
		if (len == 0)
			len = notation_put_sign(d, text);
	}
}

void openapi_put(struct openapi_doc *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	notation_put(d, arena_vprintf(&d->arena, format, args));
	va_end(args);
}

const struct json *openapi_read(struct openapi_doc *d, const char *name)
{
	const char *text = built_in_text(name), *error;
	const struct json *read = json_read(&d->arena, text, strlen(text), &error);

	if (!read || read->type != JSON_OBJECT)
		fatal_abort("a file of the API's description is not a JSON object");
	return read;
}

void openapi_string(struct openapi_doc *d, const char *text)
{
	struct json_out o;

	json_out_init(&o, &d->out);
	json_string(&o, text);
}

void openapi_text(struct openapi_doc *d, const char *key, const char *text)
{
	openapi_put(d, "'%s':", key);
	openapi_string(d, text);
	openapi_put(d, ",");
}

void openapi_schema(struct openapi_doc *d, const char *name, const char *about, const char *schema)
{
	openapi_put(d, "'%s':%s", name, schema);
	if (about) {
		d->out.len--; /* its closing bracket */
		buf_addz(&d->out, d->out.data[d->out.len - 1] == '{' ? "" : ",");
		openapi_text(d, "description", about);
		openapi_put(d, "}");
	}
	openapi_put(d, ",");
}

const char *openapi_words(struct openapi_doc *d, const char *const *words)
{
	const char *list = "";

	for (int i = 0; words && words[i]; i++)
		list = arena_printf(&d->arena, "%s'%s',", list, words[i]);
	return list;
}

bool openapi_named(struct openapi_doc *d)
{
	bool any = false;

	for (struct openapi_named *n = d->named; n; n = n->next) {
		if (n->written)
			continue;
		n->written = any = true;
		buf_printf(&d->out, "\"%s\":", n->name);
		notation_put(d, n->text);
		buf_addc(&d->out, ',');
	}
	return any;
}
