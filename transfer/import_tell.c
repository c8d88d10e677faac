/* The messages of an import about its records: the place in the file, the column, and what was left out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"
#include "transfer/import_private.h"

enum { SHOWN_MAX = 60 };

/* --- where ------------------------------------------------------------------------------------ */

/* True when the first part of the path is the name. */
static bool tell_begins(const char *path, const char *name, size_t len)
{
	return len && strncmp(path, name, len) == 0 && (!path[len] || strchr(".:", path[len]));
}

/* Follows the path at the beginning of text into a body. *rest: the text after the path. */
static const struct json *tell_walk(const struct json *body, const char *path, const char **rest)
{
	const struct json *at = body;

	for (*rest = path; at && **rest && **rest != ':';) {
		const struct json *next = at->type == JSON_OBJECT ? json_members(at) : json_items(at);
		size_t index = 0, digits = strspn(*rest, "0123456789"), len = digits;
		while (next && at->type == JSON_OBJECT && !tell_begins(*rest, next->key, next->key_len))
			next = next->next;
		for (; next && at->type == JSON_ARRAY && digits && index < strtoul(*rest, NULL, 10); index++)
			next = next->next;
		if (!next || (at->type == JSON_ARRAY && !digits))
			break;
		len = at->type == JSON_OBJECT ? next->key_len : digits;
		*rest += len + ((*rest)[len] == '.');
		at = next;
	}
	return at == body ? NULL : at;
}

/* The member of a body to which a column belongs. */
static const char *tell_member(const struct import *im, struct arena *a, const struct mapping_column *c)
{
	bool grouped = im->kind != TRANSFER_OBJECTS;

	if (c->use == MAPPING_CUSTOM)
		return arena_printf(a, HEADER_CUSTOM "%s%s%s", grouped ? im->group : "", grouped ? "." : "", c->custom);
	if (c->use != MAPPING_FIELD)
		return "";
	return c->field->shape == SHAPE_NAME      ? "fullName"
	       : c->field->shape == SHAPE_ADDRESS ? "addresses"
	       : c->field->shape == SHAPE_LINK    ? arena_dup(a, c->field->name, strcspn(c->field->name, "."))
	                                          : c->field->name;
}

/* The column that the path means; of several columns the one with the value. */
static const char *tell_column(
    const struct import *im, struct arena *a, const struct entry *e, const char *path, const char *value)
{
	const char *column = NULL;

	for (size_t i = 0; i < e->n_values; i++) {
		const struct entry_value *v = &e->values[i];
		const char *member = tell_member(im, a, &im->mapping.columns[v->column]);
		if (!tell_begins(path, member, strlen(member)))
			continue;
		if (!column || (value && strstr(v->text, value)))
			column = im->scanned.reader.columns.names[v->column];
		if (value && strstr(v->text, value))
			break;
	}
	return column;
}

/* Replaces line ends, so that a message is one line. */
static const char *tell_line(char *text)
{
	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
	return text;
}

const char *import_place(
    const struct import *im, struct arena *a, const struct entry *e, const char *body, size_t len, const char *text)
{
	const char *error, *rest, *value, *column;
	const struct json *at = tell_walk(json_read(a, body, len, &error), text, &rest);
	size_t shown, path;

	/* The path may name a member that the body does not have, because it was left out. */
	if (at && *rest && *rest != ':')
		rest = strstr(rest, ": ");
	if (!at || !rest)
		return tell_line(arena_printf(a, "line %" PRId64 ": %s", e->line, text));
	value = at->type == JSON_STRING ? at->text
	        : *json_text(at, "id")  ? json_text(at, "id")
	                                : json_text(at, "email");
	column = tell_column(im, a, e, text, *value ? value : NULL);
	path = (size_t)(rest - text);
	rest += *rest == ':' ? 1 + strspn(rest + 1, " ") : 0;
	shown = strlen(value) < SHOWN_MAX ? strlen(value) : text_utf8_span(value, SHOWN_MAX);
	return tell_line(arena_printf(a, "line %" PRId64 ", %s%s%s%s%s%.*s%s: %s", e->line, column ? "column \"" : "",
	    column ? column : arena_dup(a, text, path), column ? "\"" : "", shown ? ", " : "", shown ? "\"" : "",
	    (int)shown, value, shown ? "\"" : "", rest));
}

/* --- references ------------------------------------------------------------------------------- */

/* The codes of warnings about references (docs/api.md, "Warnings"). */
static bool tell_is_lost(const char *code)
{
	return strcmp(code, "reference_not_found") == 0 || strcmp(code, "reference_outside_group") == 0 ||
	       strcmp(code, "value_not_set") == 0;
}

static void tell_lost(struct import *im, const char *where)
{
	if (im->lost_named++ < IMPORT_NAMED)
		import_say(im, "left out: %s", where);
}

int64_t import_lose(struct import *im, const struct entry *e, const char *body, size_t len, const struct json *result)
{
	const struct json *list = json_member(result, "warnings");
	struct arena a;
	int64_t n = 0;

	arena_init(&a);
	for (const struct entry_lost *l = e->lost; l; l = l->next, n++)
		tell_lost(im, tell_line(arena_printf(&a, "line %" PRId64 ", %s: %s", e->line, l->at, l->why)));
	json_each(w, list) {
		const struct json *path = json_member(w, "path");
		const char *at = "";
		if (!tell_is_lost(json_text(w, "code")))
			continue;
		json_each(p, path)
			at = arena_printf(&a, "%s%s%s", at, *at ? "." : "", p->text);
		at = arena_printf(&a, "%s: %s", at, json_text(w, "message"));
		tell_lost(im, import_place(im, &a, e, body, len, at));
		n++;
	}
	arena_free(&a);
	return n;
}

/* --- the rest ------------------------------------------------------------------------------------ */

/* True when the server warns that the record has no value to match by. */
static bool tell_unmatched(const struct json *result)
{
	const struct json *list = json_member(result, "warnings");

	json_each(w, list)
		if (strcmp(json_text(w, "code"), "no_match_value") == 0)
			return true;
	return false;
}

void import_note_made(struct import *im, const struct entry *e, const struct json *result)
{
	const struct json *data = json_member(result, "data");
	bool people = im->kind == TRANSFER_PEOPLE;

	im->unmatched += tell_unmatched(result);
	if (im->kind > TRANSFER_OBJECTS || *json_text(data, people ? "fullName" : "name"))
		return;
	if (im->nameless++ < IMPORT_NAMED)
		import_say(im, "line %" PRId64 " has no name; its record is created without one", e->line);
}

void import_tell(struct import *im)
{
	const struct compose *b = &im->compose;

	if (b->authors)
		import_say(im,
		    "%lld values of createdAt and createdBy were left out: only the key of a workspace admin may set "
		    "them",
		    (long long)b->authors);
	if (b->no_author)
		import_say(
		    im, "%lld authors were left out: they are not users of this workspace", (long long)b->no_author);
	if (b->no_year)
		import_say(
		    im, "%lld dates were left out: they have no year, or lack another part", (long long)b->no_year);
	if (b->no_due)
		import_say(im,
		    "%lld tasks have no due date: those that are done got the day on which they were completed or "
		    "created, the others %s",
		    (long long)b->no_due, b->today);
	if (b->no_at)
		import_say(im, "%lld e-mail addresses were left out: they have no @; the first is in line %lld",
		    (long long)b->no_at, (long long)b->no_at_line);
	if (im->progress.counts[PROGRESS_LOST])
		import_say(im, "%lld references were left out; their records were imported without them",
		    (long long)im->progress.counts[PROGRESS_LOST]);
	import_tell_contacts(im);
	if (im->nameless)
		import_say(im, "%lld records have no name", (long long)im->nameless);
	if (im->unmatched)
		import_say(im, "%lld records have no value to match by; every import creates them again",
		    (long long)im->unmatched);
	if (im->matches)
		import_say(im,
		    "%lld records match existing records by e-mail address; add --match emails to update these",
		    (long long)im->matches);
	if (im->progress.counts[PROGRESS_REFUSED] && !im->options->dry_run)
		import_say(im,
		    "%lld records were refused; %s has them with the reasons: correct that file, then import it",
		    (long long)im->progress.counts[PROGRESS_REFUSED], im->refusal.path);
}
