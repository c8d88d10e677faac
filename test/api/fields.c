#include "test/api/fields.h"

#include <string.h>

#include "server/base/clock.h"
#include "test/api/placeholder.h"

enum form {
	ID,        /* according to the resource's prefix */
	TEXT,      /* any string */
	TEXT_NULL, /* string or null */
	STAMP,
	STAMP_NULL,
	NUMBER, /* not negative, whole */
	DAY,
	DAY_NULL,
	CLOCK_NULL, /* "HH:MM" or null */
	TRUTH,
	TEXTS, /* array of strings */
	NAMED, /* array of {id, name} */
	NAMED_NULL,
	PERSONS, /* array of {id, fullName} */
	USER,    /* user reference */
	USERS,
	ENTITY, /* entity reference */
	PARTY,  /* {type, value, name} */
	AUTHOR,
	PARENT,   /* a note's parent, or null */
	METADATA, /* interactionMetadata */
	GROUPED,  /* custom field values by group id and name */
	VALUES,   /* custom field values by name */
	OBJECT,   /* any object */
	OBJECT_NULL,
	OBJECTS, /* array of objects */
	REASONS, /* of a duplicate: array of {field, value}, at least one */
	OPTIONS, /* of a select field: array of {id, label, color} */
	CONFIG,  /* of a numeric field */
	FIELD_TYPE,
	GENDER,
	VISIBILITY,
	ROLE,
	RIGHTS, /* in the workspace */
	STATUS,
	HEALTH,
	KEY_KIND,
	STATE /* one of their words */
};

struct api_field {
	const char *name; /* with '?': not always present */
	enum form form;
};

static const struct api_field person[] = {{"id", ID}, {"firstName", TEXT}, {"lastName", TEXT}, {"fullName", TEXT},
    {"description", TEXT}, {"birthday", DAY_NULL}, {"gender", GENDER}, {"jobTitle", TEXT}, {"createdAt", STAMP},
    {"createdBy", USER}, {"updatedAt", STAMP}, {"groups", NAMED}, {"companies", NAMED}, {"addresses", TEXTS},
    {"emails", TEXTS}, {"phones", TEXTS}, {"urls", TEXTS}, {"customFieldValues", GROUPED},
    {"interactionMetadata", METADATA}, {"strongestConnection", OBJECT}, {NULL, ID}};

static const struct api_field company[] = {{"id", ID}, {"name", TEXT}, {"description", TEXT}, {"industry", TEXT_NULL},
    {"fundingRaised", TEXT_NULL}, {"lastFundingDate", DAY_NULL}, {"foundationYear", TEXT_NULL},
    {"employeeRange", TEXT_NULL}, {"groups", NAMED}, {"addresses", TEXTS}, {"emails", TEXTS}, {"phones", TEXTS},
    {"urls", TEXTS}, {"createdAt", STAMP}, {"createdBy", USER}, {"updatedAt", STAMP}, {"customFieldValues", GROUPED},
    {NULL, ID}};

/* Others that may be the same. */
static const struct api_field person_duplicate[] = {{"id", ID}, {"fullName", TEXT}, {"reasons", REASONS}, {NULL, ID}};
static const struct api_field company_duplicate[] = {{"id", ID}, {"name", TEXT}, {"reasons", REASONS}, {NULL, ID}};

static const struct api_field group[] = {
    {"id", ID}, {"name", TEXT}, {"visibility", VISIBILITY}, {"createdAt", STAMP}, {"createdBy", USER}, {NULL, ID}};

/* From the users endpoint, with a role from a group's member list, and with everything that admins see of an account.
 */
static const struct api_field user[] = {{"id", ID}, {"fullName", TEXT}, {"email", TEXT}, {"role?", ROLE},
    {"timeZone?", TEXT_NULL}, {"createdAt?", STAMP}, {"updatedAt?", STAMP}, {"passwordAt?", STAMP_NULL},
    {"disabledAt?", STAMP_NULL}, {"invitationUrl?", TEXT_NULL}, {NULL, ID}};

static const struct api_field object[] = {{"id", ID}, {"name", TEXT}, {"companies", NAMED}, {"people", PERSONS},
    {"createdAt", STAMP}, {"createdBy", USER}, {"updatedAt", STAMP}, {"customFieldValues", VALUES}, {NULL, ID}};

static const struct api_field task[] = {{"id", ID}, {"title", TEXT}, {"description", TEXT}, {"entity", ENTITY},
    {"dueAt", DAY}, {"dueTime", CLOCK_NULL}, {"completedAt", STAMP_NULL}, {"recurrenceFrequency", TEXT_NULL},
    {"isPublic", TRUTH}, {"assignedUsers", USERS}, {"createdBy", USER}, {"createdAt", STAMP}, {"updatedAt", STAMP},
    {NULL, ID}};

static const struct api_field reminder[] = {{"id", ID}, {"name", TEXT}, {"entity", ENTITY}, {"recurrenceRule", TEXT},
    {"visibility", VISIBILITY}, {"assignedUsers", USERS}, {"nextTriggerTime", STAMP_NULL},
    {"lastTriggerTime", STAMP_NULL}, {"createdBy", USER}, {"createdAt", STAMP}, {NULL, ID}};

static const struct api_field interaction[] = {{"id", ID}, {"interactionType", TEXT}, {"from", PARTY}, {"to", PARTY},
    {"title", TEXT}, {"content", TEXT}, {"entity", ENTITY}, {"dateTime", STAMP}, {"privacyLevel", TEXT}, {"type", TEXT},
    {"activityType", TEXT}, {NULL, ID}};

static const struct api_field note[] = {{"id", ID}, {"entity", ENTITY}, {"visibility", VISIBILITY}, {"content", TEXT},
    {"author", AUTHOR}, {"createdAt", STAMP}, {"parentNote", PARENT}, {NULL, ID}};

static const struct api_field webhook[] = {{"id", ID}, {"name", TEXT}, {"targetUrl", TEXT},
    {"subscribedEvents", OBJECTS}, {"redactedSigningSecret?", TEXT}, {"signingSecret?", TEXT_NULL}, {"status", STATUS},
    {"createdAt", STAMP}, {"createdBy", USER}, {NULL, ID}};

static const struct api_field webhook_health[] = {{"id", ID}, {"state", HEALTH}, {"failingSince", STAMP_NULL},
    {"lagSeconds", NUMBER}, {"pending", NUMBER}, {"lastDeliveredAt", STAMP_NULL}, {"lastFailedAt", STAMP_NULL},
    {"lastError", TEXT_NULL}, {NULL, ID}};

static const struct api_field delivery[] = {{"id", ID}, {"eventId", TEXT}, {"eventType", TEXT}, {"state", STATE},
    {"createdAt", STAMP}, {"nextAttemptAt", STAMP_NULL}, {"attempts", OBJECTS}, {"body?", TEXT_NULL},
    {"webhookTimestamp?", TEXT_NULL}, {"webhookSignature?", TEXT_NULL}, {NULL, ID}};

static const struct api_field api_key[] = {{"id", ID}, {"name", TEXT}, {"kind", KEY_KIND}, {"user", USER},
    {"role", RIGHTS}, {"readOnly", TRUTH}, {"scopes", TEXTS}, {"groups", NAMED_NULL}, {"last4", TEXT},
    {"key?", TEXT_NULL}, {"url?", TEXT_NULL}, {"createdAt", STAMP}, {"expiresAt", STAMP_NULL},
    {"lastUsedAt", STAMP_NULL}, {"rotatedAt", STAMP_NULL}, {"address", TEXT_NULL}, {"userAgent", TEXT_NULL},
    {NULL, ID}};

static const struct api_field grant[] = {{"id", ID}, {"name", TEXT}, {"clientId", TEXT}, {"host", TEXT}, {"user", USER},
    {"audience", TEXT_NULL}, {"scopes", TEXTS}, {"groups", NAMED_NULL}, {"createdAt", STAMP}, {"expiresAt", STAMP_NULL},
    {"lastUsedAt", STAMP_NULL}, {NULL, ID}};

static const struct api_field view[] = {{"id", ID}, {"name", TEXT}, {"kind", TEXT}, {"groupId", TEXT_NULL},
    {"objectType", TEXT_NULL}, {"query", OBJECT}, {"columns", TEXTS}, {"board", OBJECT_NULL}, {"chart", OBJECT_NULL},
    {"visibility", VISIBILITY}, {"createdBy", USER}, {"createdAt", STAMP}, {"updatedAt", STAMP}, {NULL, ID}};

static const struct api_field address_book[] = {{"id", TEXT}, {"name", TEXT}, {"shown", TRUTH}, {NULL, ID}};

#define FIELD_TYPES "textField|numericField|dateField|singleSelect|multipleSelect|contactField|userField|objectField"

static const struct api_field custom_field[] = {
    {"name", TEXT}, {"type", FIELD_TYPE}, {"options?", OPTIONS}, {"config?", CONFIG}, {NULL, ID}};

static const struct api_field object_type[] = {{"name", TEXT}, {"createdAt", STAMP}, {NULL, ID}};

/* other: a member that only this form of the record has. */
static const struct api_resource {
	const char *prefix, *name;
	const struct api_field *fields;
	const char *other;
} resources[] = {
    {"per", "duplicate", person_duplicate, "reasons"},
    {"com", "duplicate", company_duplicate, "reasons"},
    {"wbk", "health", webhook_health, "lagSeconds"},
    {"grp", "address book", address_book, "shown"},
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
    {"dlv", "delivery", delivery},
    {"key", "key", api_key},
    {"gnt", "grant", grant},
    {"vew", "view", view},
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

static bool all_are(const struct json *v, bool (*one)(const struct json *))
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

static bool is_reason(const struct json *v)
{
	return is_object(v, 2) && is_text(json_member(v, "field")) && is_text(json_member(v, "value"));
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
	       all_are(json_member(json_member(v, "workspace"), "lastInteractedBy"), is_user);
}

/* An item of a contact field, a user field or an object field; of the latter only the id is described. */
static bool is_reference(const struct json *v)
{
	const struct json *id = v->type == JSON_OBJECT ? json_member(v, "id") : NULL;

	return is_user(v) || is_id(id, "obj") || (is_entity(v) && !is_id(id, "obj"));
}

/* What one custom field of any type may read as. An unset one is null, never empty. */
static bool is_custom_value(const struct json *v)
{
	if (v->type == JSON_NULL || (is_text(v) && v->len))
		return true;
	return v->type == JSON_ARRAY && v->first && (all_are(v, is_text) || all_are(v, is_reference));
}

static bool is_values(const struct json *v)
{
	for (const struct json *m = v->first; m; m = m->next)
		if (!is_custom_value(m))
			return false;
	return v->type == JSON_OBJECT;
}

/* No group without fields. */
static bool is_grouped(const struct json *v)
{
	for (const struct json *m = v->first; m; m = m->next)
		if (!shape_is_id("grp", m->key, m->key_len) || !is_values(m) || !m->first)
			return false;
	return v->type == JSON_OBJECT;
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

static bool is_option(const struct json *v)
{
	const struct json *id = is_object(v, 3) ? json_member(v, "id") : NULL,
	                  *color = id ? json_member(v, "color") : NULL;

	return (is_id(id, "gcfo") || is_id(id, "grpo")) && is_text(json_member(v, "label")) && is_text(color) &&
	       color->len == 7 && color->text[0] == '#' && strspn(color->text + 1, "0123456789abcdefABCDEF") == 6;
}

static bool is_config(const struct json *v)
{
	const struct json *format = v->type == JSON_OBJECT ? json_member(v, "format") : NULL;
	const struct json *currency = format ? json_member(v, "currency") : NULL;
	bool money = format && is_word(format, "currency");

	return is_word(format, "default|number|percent|currency|none") && (!currency || is_text(currency)) &&
	       (!money || currency);
}

/* The words of forms that are one of some words. */
static const char *const words[] = {[FIELD_TYPE] = FIELD_TYPES,
    [GENDER] = "Male|Female|Other|Unknown",
    [VISIBILITY] = "public|private",
    [ROLE] = "admin|contributor|reader|member",
    [RIGHTS] = "admin|member",
    [STATUS] = "active|inactive",
    [HEALTH] = "active|failing|inactive",
    [KEY_KIND] = "key|session|grant|contacts|calendar",
    [STATE] = "pending|delivered|failed|cancelled"};

static bool is_number(const struct json *v)
{
	return v->type == JSON_NUMBER && strspn(v->text, "0123456789") == v->len;
}

static bool is_clock(const struct json *v)
{
	int minutes;

	return is_text(v) && clock_time_parse(v->text, v->len, &minutes);
}

static bool is_truth(const struct json *v)
{
	return v->type == JSON_BOOL;
}

/* clang-format off */
/* The forms that are not words: what a value is, or what the items of a list are. */
static const struct {
	bool null; /* null has the form, too */
	bool (*is)(const struct json *v);
	bool (*items)(const struct json *v);
} forms[STATE + 1] = {
	[TEXT] = {.is = is_text}, [TEXT_NULL] = {true, is_text}, [TEXTS] = {.items = is_text},
	[STAMP] = {.is = is_stamp}, [STAMP_NULL] = {true, is_stamp}, [DAY] = {.is = is_day}, [DAY_NULL] = {true, is_day},
	[CLOCK_NULL] = {true, is_clock}, [NUMBER] = {.is = is_number}, [TRUTH] = {.is = is_truth},
	[NAMED] = {.items = is_named}, [NAMED_NULL] = {true, .items = is_named}, [PERSONS] = {.items = is_person},
	[USER] = {.is = is_user}, [USERS] = {.items = is_user}, [AUTHOR] = {.is = is_author},
	[ENTITY] = {.is = is_entity}, [PARTY] = {.is = is_party}, [PARENT] = {.is = is_parent},
	[METADATA] = {.is = is_metadata}, [GROUPED] = {.is = is_grouped}, [VALUES] = {.is = is_values},
	[OBJECT] = {.is = is_any_object}, [OBJECT_NULL] = {true, is_any_object}, [OBJECTS] = {.items = is_any_object},
	[REASONS] = {.items = is_reason}, [OPTIONS] = {.items = is_option}, [CONFIG] = {.is = is_config},
};
/* clang-format on */

static bool has_form(const struct api_field *f, const struct json *v, const char *prefix)
{
	if (f->form == ID)
		return is_id(v, prefix);
	if (forms[f->form].null && v->type == JSON_NULL)
		return true;
	if (forms[f->form].items)
		return all_are(v, forms[f->form].items) && (f->form != REASONS || v->first);
	return forms[f->form].is ? forms[f->form].is(v) : is_word(v, words[f->form]);
}

/* The field's value; the length of its name without the mark. */
static const struct json *value_of(const struct json *resource, const struct api_field *f, size_t *len)
{
	const struct json *v = resource->first;

	*len = strcspn(f->name, "?");
	while (v && (v->key_len != *len || memcmp(v->key, f->name, *len) != 0))
		v = v->next;
	return v;
}

static bool is_field(const struct api_field *f, const struct json *member)
{
	while (
	    f->name && (strcspn(f->name, "?") != member->key_len || memcmp(f->name, member->key, member->key_len) != 0))
		f++;
	return f->name != NULL;
}

bool fields_are_named(const struct json *list)
{
	return all_are(list, is_named);
}

static void check_fields(
    const char *name, const char *prefix, const struct api_field *fields, const struct json *resource, struct buf *out)
{
	size_t len;

	for (const struct api_field *f = fields; f->name; f++) {
		const struct json *v = value_of(resource, f, &len);
		if (!v && !f->name[len])
			buf_printf(out, "    every %s: %s is missing\n", name, f->name);
		else if (v && !has_form(f, v, prefix))
			buf_printf(out, "    every %s: %.*s has not its form\n", name, (int)len, f->name);
	}
	for (const struct json *m = resource->first; m; m = m->next)
		if (!is_field(fields, m))
			buf_printf(out, "    every %s: %s is not a field of it in test/api/fields.c\n", name, m->key);
}

/* Values are shown only under groups that the record is shown in. */
static void check_groups_of_values(const char *name, const struct json *resource, struct buf *out)
{
	const struct json *values = json_member(resource, "customFieldValues"),
	                  *groups = json_member(resource, "groups");

	if (!values || !groups || values->type != JSON_OBJECT || groups->type != JSON_ARRAY)
		return;
	for (const struct json *m = values->first; m; m = m->next) {
		const struct json *g = groups->first;
		while (g && (g->type != JSON_OBJECT || !is_text(json_member(g, "id")) ||
		                strcmp(json_member(g, "id")->text, m->key) != 0))
			g = g->next;
		if (!g)
			buf_printf(out, "    every %s: it has values of a group that it is not in, %s\n", name, m->key);
	}
}

void fields_check(const struct json *resource, struct buf *out)
{
	const struct json *id = resource->type == JSON_OBJECT ? json_member(resource, "id") : NULL;
	const struct api_resource *r = resources, *end = r + sizeof(resources) / sizeof(*resources);

	/* A search hit has its own case. */
	if (!is_text(id) || resource->count == 1 || json_member(resource, "matched"))
		return;
	while (r < end && (strncmp(id->text, r->prefix, 3) != 0 || id->text[3] != '_' ||
	                      (r->other && !json_member(resource, r->other))))
		r++;
	if (r < end)
		check_fields(r->name, r->prefix, r->fields, resource, out);
	if (r < end && (r->fields == person || r->fields == company))
		check_groups_of_values(r->name, resource, out);
}

void fields_check_custom_field(const struct json *resource, struct buf *out)
{
	const struct json *type = resource->type == JSON_OBJECT ? json_member(resource, "type") : NULL;

	if (!is_word(type, FIELD_TYPES)) {
		buf_addz(out, "    every custom field: type is none of the eight\n");
		return;
	}
	check_fields("custom field", "", custom_field, resource, out);
	if ((json_member(resource, "options") != NULL) != is_word(type, "singleSelect|multipleSelect"))
		buf_addz(out, "    every custom field: options are there if and only if it is a select\n");
	if ((json_member(resource, "config") != NULL) != is_word(type, "numericField"))
		buf_addz(out, "    every custom field: config is there if and only if it is numeric\n");
}

void fields_check_object_type(const struct json *resource, struct buf *out)
{
	if (resource->type == JSON_OBJECT)
		check_fields("object type", "", object_type, resource, out);
	else
		buf_addz(out, "    every object type: it is not an object\n");
}
