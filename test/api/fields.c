#include "test/api/fields.h"

#include <string.h>

#include "server/base/clock.h"
#include "test/api/shape.h"

enum form {
	ID,        /* as the resource's prefix says */
	TEXT,      /* any string */
	TEXT_NULL, /* string or null */
	STAMP,
	STAMP_NULL,
	DAY,
	DAY_NULL,
	CLOCK_NULL, /* "HH:MM" or null */
	TRUTH,
	TEXTS,   /* array of strings */
	NAMED,   /* array of {id, name} */
	PERSONS, /* array of {id, fullName} */
	USER,    /* user reference */
	USERS,
	ENTITY, /* entity reference */
	PARTY,  /* {type, value, name} */
	AUTHOR,
	PARENT,   /* a note's parent, or null */
	METADATA, /* interactionMetadata */
	OBJECT,   /* any object */
	OBJECTS,  /* array of objects */
	GENDER,
	VISIBILITY,
	ROLE,
	STATUS /* one of their words */
};

struct field {
	const char *name; /* with '?' behind it: not always there */
	enum form form;
};

static const struct field person[] = {{"id", ID}, {"firstName", TEXT}, {"lastName", TEXT}, {"fullName", TEXT},
    {"description", TEXT}, {"birthday", DAY_NULL}, {"gender", GENDER}, {"jobTitle", TEXT}, {"createdAt", STAMP},
    {"createdBy", USER}, {"updatedAt", STAMP}, {"groups", NAMED}, {"companies", NAMED}, {"addresses", TEXTS},
    {"emails", TEXTS}, {"phones", TEXTS}, {"urls", TEXTS}, {"customFieldValues", OBJECT},
    {"interactionMetadata", METADATA}, {"strongestConnection", OBJECT}, {NULL, ID}};

static const struct field company[] = {{"id", ID}, {"name", TEXT}, {"description", TEXT}, {"industry", TEXT_NULL},
    {"fundingRaised", TEXT_NULL}, {"lastFundingDate", DAY_NULL}, {"foundationYear", TEXT_NULL},
    {"employeeRange", TEXT_NULL}, {"groups", NAMED}, {"addresses", TEXTS}, {"emails", TEXTS}, {"phones", TEXTS},
    {"urls", TEXTS}, {"createdAt", STAMP}, {"createdBy", USER}, {"updatedAt", STAMP}, {"customFieldValues", OBJECT},
    {NULL, ID}};

static const struct field group[] = {
    {"id", ID}, {"name", TEXT}, {"visibility", VISIBILITY}, {"createdAt", STAMP}, {"createdBy", USER}, {NULL, ID}};

/* From the users endpoint, and with a role from a group's member list. */
static const struct field user[] = {{"id", ID}, {"fullName", TEXT}, {"email", TEXT}, {"role?", ROLE}, {NULL, ID}};

static const struct field object[] = {{"id", ID}, {"name", TEXT}, {"companies", NAMED}, {"people", PERSONS},
    {"createdAt", STAMP}, {"createdBy", USER}, {"updatedAt", STAMP}, {"customFieldValues", OBJECT}, {NULL, ID}};

static const struct field task[] = {{"id", ID}, {"title", TEXT}, {"description", TEXT}, {"entity", ENTITY},
    {"dueAt", DAY}, {"dueTime", CLOCK_NULL}, {"completedAt", STAMP_NULL}, {"recurrenceFrequency", TEXT_NULL},
    {"isPublic", TRUTH}, {"assignedUsers", USERS}, {"createdBy", USER}, {"createdAt", STAMP}, {"updatedAt", STAMP},
    {NULL, ID}};

static const struct field reminder[] = {{"id", ID}, {"name", TEXT}, {"entity", ENTITY}, {"recurrenceRule", TEXT},
    {"visibility", VISIBILITY}, {"assignedUsers", USERS}, {"nextTriggerTime", STAMP_NULL},
    {"lastTriggerTime", STAMP_NULL}, {"createdBy", USER}, {"createdAt", STAMP}, {NULL, ID}};

static const struct field interaction[] = {{"id", ID}, {"interactionType", TEXT}, {"from", PARTY}, {"to", PARTY},
    {"title", TEXT}, {"content", TEXT}, {"entity", ENTITY}, {"dateTime", STAMP}, {"privacyLevel", TEXT}, {"type", TEXT},
    {"activityType", TEXT}, {NULL, ID}};

static const struct field note[] = {{"id", ID}, {"entity", ENTITY}, {"visibility", VISIBILITY}, {"content", TEXT},
    {"author", AUTHOR}, {"createdAt", STAMP}, {"parentNote", PARENT}, {NULL, ID}};

static const struct field webhook[] = {{"id", ID}, {"name", TEXT}, {"targetUrl", TEXT}, {"subscribedEvents", OBJECTS},
    {"redactedSigningSecret?", TEXT}, {"signingSecret?", TEXT}, {"status", STATUS}, {"createdAt", STAMP}, {NULL, ID}};

static const struct {
	const char *prefix, *name;
	const struct field *fields;
} resources[] = {
    {"per", "person", person},
    {"com", "company", company},
    {"grp", "group", group},
    {"usr", "user", user},
    {"obj", "object", object},
    {"tsk", "task", task},
    {"rmd", "reminder", reminder},
    {"lit", "interaction", interaction},
    {"nte", "note", note},
    {"wbk", "webhook", webhook},
};

/* --- forms ---------------------------------------------------------------- */

static bool is_text(const struct json *v)
{
	return v && v->type == JSON_STRING;
}

static bool is_stamp(const struct json *v)
{
	return is_text(v) && shape_is_time(v->text, v->len);
}

static bool is_day(const struct json *v)
{
	int32_t days;

	return is_text(v) && date_parse(v->text, v->len, &days);
}

static bool is_id(const struct json *v, const char *prefix)
{
	return is_text(v) && shape_is_id(prefix, v->text, v->len);
}

static bool is_contact_id(const struct json *v)
{
	return is_id(v, "per") || is_id(v, "com") || is_id(v, "obj");
}

static bool is_object(const struct json *v, size_t members)
{
	return v && v->type == JSON_OBJECT && v->count == members;
}

static bool is_user(const struct json *v)
{
	return is_object(v, 3) && is_id(json_member(v, "id"), "usr") && is_text(json_member(v, "fullName")) &&
	       is_text(json_member(v, "email"));
}

static bool is_named(const struct json *v)
{
	const struct json *id = is_object(v, 2) ? json_member(v, "id") : NULL;

	return (is_id(id, "grp") || is_id(id, "com")) && is_text(json_member(v, "name"));
}

static bool is_person(const struct json *v)
{
	return is_object(v, 2) && is_id(json_member(v, "id"), "per") && is_text(json_member(v, "fullName"));
}

static bool is_entity(const struct json *v)
{
	return is_object(v, 3) && is_contact_id(json_member(v, "id")) && is_text(json_member(v, "entityType")) &&
	       is_text(json_member(v, "fullName"));
}

static bool is_party(const struct json *v)
{
	return is_object(v, 3) && is_text(json_member(v, "type")) && is_text(json_member(v, "value")) &&
	       is_text(json_member(v, "name"));
}

static bool is_author(const struct json *v)
{
	const struct json *deleted = is_object(v, 5) ? json_member(v, "deleted") : NULL;

	return deleted && deleted->type == JSON_BOOL && is_text(json_member(v, "type")) &&
	       is_id(json_member(v, "id"), "usr") && is_text(json_member(v, "fullName")) &&
	       is_text(json_member(v, "email"));
}

/* null, a deleted note's {id, deleted}, or the whole of it. */
static bool is_parent(const struct json *v)
{
	const struct json *deleted = v && v->type == JSON_OBJECT ? json_member(v, "deleted") : NULL;

	if (v && v->type == JSON_NULL)
		return true;
	if (!deleted || deleted->type != JSON_BOOL || !is_id(json_member(v, "id"), "nte"))
		return false;
	return deleted->truth ? v->count == 2
	                      : v->count == 7 && is_entity(json_member(v, "entity")) &&
	                            is_text(json_member(v, "content")) && is_text(json_member(v, "visibility")) &&
	                            is_author(json_member(v, "author")) && is_stamp(json_member(v, "createdAt"));
}

static bool all(const struct json *v, bool (*one)(const struct json *))
{
	if (!v || v->type != JSON_ARRAY)
		return false;
	for (const struct json *i = v->first; i; i = i->next)
		if (!one(i))
			return false;
	return true;
}

static bool is_any_object(const struct json *v)
{
	return v->type == JSON_OBJECT;
}

static bool is_counter(const struct json *v, size_t members)
{
	const struct json *count = is_object(v, members) ? json_member(v, "approximateCount") : NULL;
	const struct json *at = count ? json_member(v, "lastInteractedAt") : NULL;

	return at && count->type == JSON_NUMBER && strspn(count->text, "0123456789") == count->len &&
	       (at->type == JSON_NULL || is_stamp(at));
}

static bool is_metadata(const struct json *v)
{
	return is_object(v, 2) && is_counter(json_member(v, "user"), 2) && is_counter(json_member(v, "workspace"), 3) &&
	       all(json_member(json_member(v, "workspace"), "lastInteractedBy"), is_user);
}

static bool is_word(const struct json *v, const char *words)
{
	while (is_text(v) && *words) {
		size_t len = strcspn(words, "|");
		if (v->len == len && memcmp(v->text, words, len) == 0)
			return true;
		words += len + (words[len] == '|');
	}
	return false;
}

static bool has_form(const struct field *f, const struct json *v, const char *prefix)
{
	int minutes;

	switch (f->form) {
	case ID:
		return is_id(v, prefix);
	case TEXT:
		return is_text(v);
	case TEXT_NULL:
		return v->type == JSON_NULL || is_text(v);
	case STAMP:
		return is_stamp(v);
	case STAMP_NULL:
		return v->type == JSON_NULL || is_stamp(v);
	case DAY:
		return is_day(v);
	case DAY_NULL:
		return v->type == JSON_NULL || is_day(v);
	case CLOCK_NULL:
		return v->type == JSON_NULL || (is_text(v) && clock_time_parse(v->text, v->len, &minutes));
	case TRUTH:
		return v->type == JSON_BOOL;
	case TEXTS:
		return all(v, is_text);
	case NAMED:
		return all(v, is_named);
	case PERSONS:
		return all(v, is_person);
	case USER:
		return is_user(v);
	case USERS:
		return all(v, is_user);
	case ENTITY:
		return is_entity(v);
	case PARTY:
		return is_party(v);
	case AUTHOR:
		return is_author(v);
	case PARENT:
		return is_parent(v);
	case METADATA:
		return is_metadata(v);
	case OBJECT:
		return v->type == JSON_OBJECT;
	case OBJECTS:
		return all(v, is_any_object);
	case GENDER:
		return is_word(v, "Male|Female|Other|Unknown");
	case VISIBILITY:
		return is_word(v, "public|private");
	case ROLE:
		return is_word(v, "admin|contributor|reader");
	case STATUS:
		return is_word(v, "active|inactive");
	}
	return false;
}

/* The field's value; the length of its name without the mark. */
static const struct json *value_of(const struct json *resource, const struct field *f, size_t *len)
{
	const struct json *v = resource->first;

	*len = strcspn(f->name, "?");
	while (v && (v->key_len != *len || memcmp(v->key, f->name, *len) != 0))
		v = v->next;
	return v;
}

static bool is_field(const struct field *f, const struct json *member)
{
	while (
	    f->name && (strcspn(f->name, "?") != member->key_len || memcmp(f->name, member->key, member->key_len) != 0))
		f++;
	return f->name != NULL;
}

void fields_check(const struct json *resource, struct buf *out)
{
	const struct json *id = resource->type == JSON_OBJECT ? json_member(resource, "id") : NULL;
	size_t r = 0, n = sizeof(resources) / sizeof(*resources), len;

	if (!is_text(id) || resource->count == 1)
		return;
	while (r < n && (strncmp(id->text, resources[r].prefix, 3) != 0 || id->text[3] != '_'))
		r++;
	if (r == n)
		return;
	for (const struct field *f = resources[r].fields; f->name; f++) {
		const struct json *v = value_of(resource, f, &len);
		if (!v && !f->name[len])
			buf_printf(out, "    every %s: %s is missing\n", resources[r].name, f->name);
		else if (v && !has_form(f, v, resources[r].prefix))
			buf_printf(out, "    every %s: %.*s has not its form\n", resources[r].name, (int)len, f->name);
	}
	for (const struct json *m = resource->first; m; m = m->next)
		if (!is_field(resources[r].fields, m))
			buf_printf(out, "    every %s: %s is no field of it\n", resources[r].name, m->key);
}
