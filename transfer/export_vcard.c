/* Records as vCard 4.0. */
#include <ctype.h>
#include <stdio.h>

#include "server/base/vcard_text.h"
#include "transfer/export_record.h"

enum { PROPERTY_SIZE = 64, HEAD_SIZE = PROPERTY_SIZE + 16 };

/* before and behind are written around the text without escaping. */
static void export_vcard_line(struct buf *out, const char *before, const char *text, const char *behind)
{
	struct buf line;

	if (!*text)
		return;
	buf_init(&line, 16 << 20);
	buf_addz(&line, before);
	vcard_escape(&line, text, strncmp(before, "ORG", 3) == 0 || strncmp(before, "ADR", 3) == 0);
	buf_addz(&line, behind);
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

static void export_vcard_uri(struct buf *out, const char *before, const char *text)
{
	struct buf line;

	buf_init(&line, 16 << 20);
	buf_addz(&line, before);
	vcard_escape_uri(&line, text);
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

/* The first of several is the primary one. */
static void export_vcard_list(struct buf *out, const struct json *record, const char *member, const char *name,
    const char *before, const char *behind)
{
	const struct json *list = json_member(record, member);
	char head[HEAD_SIZE];

	json_each(i, list) {
		const char *text = i->type == JSON_OBJECT ? json_text(i, "name") : i->text;
		snprintf(head, sizeof head, "%s%s:%s", name, i == list->first && i->next ? ";PREF=1" : "", before);
		if (strcmp(name, "URL") == 0)
			export_vcard_uri(out, head, text);
		else
			export_vcard_line(out, head, text, behind);
	}
}

static void export_vcard_categories(struct buf *out, const struct json *groups)
{
	struct buf line;

	if (!json_items(groups))
		return;
	buf_init(&line, 1 << 20);
	buf_addz(&line, "CATEGORIES:");
	json_each(g, groups) {
		if (g != groups->first)
			buf_addc(&line, ',');
		vcard_escape(&line, json_text(g, "name"), false);
	}
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

/* 2026-01-31T10:00:00.123Z is 20260131T100000Z. */
static void export_vcard_time(struct buf *out, const char *name, const char *text)
{
	struct buf line;

	if (!*text)
		return;
	buf_init(&line, 256);
	buf_addz(&line, name);
	for (; *text && *text != '.'; text++)
		if (!strchr("-:", *text))
			buf_addc(&line, *text);
	if (*text == '.')
		buf_addc(&line, 'Z');
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

/* FN is required: a person without a name gets the name of their company, or an address. */
static const char *export_vcard_name(const struct json *record)
{
	static const char *const lists[] = {"companies", "emails", "phones"};
	const char *name = *json_text(record, "fullName") ? json_text(record, "fullName") : json_text(record, "name");

	for (size_t i = 0; !*name && i < sizeof lists / sizeof *lists; i++) {
		const struct json *first = json_items(json_member(record, lists[i]));
		name = !first ? "" : first->type == JSON_STRING ? first->text : json_text(first, "name");
	}
	return *name ? name : json_text(record, "id");
}

static void export_vcard_names(struct buf *out, const struct json *record)
{
	struct buf line;

	buf_init(&line, 1 << 20);
	buf_addz(&line, "N:");
	vcard_escape(&line, json_text(record, "lastName"), true);
	buf_addc(&line, ';');
	vcard_escape(&line, json_text(record, "firstName"), true);
	buf_addz(&line, ";;;");
	vcard_fold(out, line.data, line.len);
	buf_free(&line);
}

/* FN and N have these. */
static bool export_vcard_is_name(const struct transfer_field *f)
{
	static const char *const names[] = {"firstName", "lastName", "fullName", "name"};
	bool found = false;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		found |= strcmp(f->name, names[i]) == 0;
	return found;
}

/* The name of a property for the field: one that other programs know, else one of our own. */
static void export_vcard_property(const struct transfer_field *f, char *out, size_t size)
{
	const char *known = header_property(f->name);

	snprintf(out, size, "%s%s", known ? "" : HEADER_OWN_PROPERTY, known ? known : f->name);
	for (char *c = out; !known && *c; c++)
		*c = (char)toupper((unsigned char)*c);
}

/* Fields of other shapes are left out; no field of people and companies has one. */
static void export_vcard_field(struct buf *out, const struct transfer_field *f, const struct json *record)
{
	const char *text = json_text(record, f->name);
	bool address = strcmp(f->name, "addresses") == 0;
	char name[PROPERTY_SIZE], line[PROPERTY_SIZE + 1];

	export_vcard_property(f, name, sizeof name);
	snprintf(line, sizeof line, "%s:", name);
	switch (f->shape) {
	case SHAPE_GENDER:
		if (*text && strcmp(text, f->unset) != 0)
			buf_printf(out, "%s%c\r\n", line, *text);
		return;
	case SHAPE_DATE:
		export_vcard_time(out, line, text);
		return;
	case SHAPE_COMMAS:
	case SHAPE_LIST:
	case SHAPE_COMPANIES:
		export_vcard_list(out, record, f->name, name, address ? ";;" : "", address ? ";;;;" : "");
		return;
	case SHAPE_GROUPS:
		export_vcard_categories(out, json_member(record, f->name));
		return;
	case SHAPE_TEXT:
	case SHAPE_LINES:
	case SHAPE_NUMBER:
	case SHAPE_YEAR:
	case SHAPE_RANGE:
		export_vcard_line(out, line, text, "");
		return;
	default:
		return;
	}
}

void export_vcard_record(struct buf *out, enum transfer_kind kind, const struct json *record)
{
	const char *id = json_text(record, "id");
	const struct transfer_field *f;

	buf_addz(out, "BEGIN:VCARD\r\nVERSION:4.0\r\n");
	if (strlen(id) == ID_LEN)
		buf_printf(out, "UID:urn:uuid:%s\r\n", id + 4);
	export_vcard_line(out, "FN:", export_vcard_name(record), "");
	if (kind == TRANSFER_PEOPLE)
		export_vcard_names(out, record);
	else
		buf_addz(out, "KIND:org\r\n");
	for (size_t i = 0; (f = field_at(kind, i)); i++)
		if (!f->from_admin && !export_vcard_is_name(f))
			export_vcard_field(out, f, record);
	export_vcard_time(out, "REV:", json_text(record, "updatedAt"));
	buf_addz(out, "END:VCARD\r\n");
}
