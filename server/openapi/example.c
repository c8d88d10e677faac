/* Example values: one case a type; texts by the name of their field. */
#include <string.h>

#include "server/openapi/private.h"
#include "store/entity_kind.h"

static const struct {
	const char *field, *text;
} texts[] = {
    {"firstName", "Ada"},
    {"lastName", "Lovelace"},
    {"fullName", "Ada Lovelace"},
    {"email", "ada@example.com"},
    {"description", "Met at the spring conference"},
    {"jobTitle", "Analyst"},
    {"name", "Analytical Engines"},
    {"industry", "Computing"},
    {"addresses", "12 St James's Square, London"},
    {"emails", "ada@example.com"},
    {"phones", "+44 20 7946 0000"},
    {"urls", "https://example.com/ada"},
    {"title", "Send the proposal"},
    {"content", "We talked about the new engine."},
    {"targetUrl", "https://hooks.example.com/kith"},
    {"redactedSigningSecret", "whsec_****************************************Zm8="},
    {"signingSecret", "whsec_qkgqDhpK0V8p3xX4sUu0TzO5j8aXv0l2w3b4c5d6Zm8="},
    {"eventType", "person.updated"},
    {"recurrenceRule", "DTSTART;TZID=Europe/London:20260131T093000\nRRULE:FREQ=WEEKLY;INTERVAL=2"},
};

/* The field's own name when the table has no better word. */
static const char *text_of(const struct field *f)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strcmp(texts[i].field, f->name) == 0)
			return texts[i].text;
	return f->name;
}

/* Of the types that are written as a string. */
static const char *string_of(const struct field *f)
{
	switch (f->type) {
	case FIELD_CHOICE:
	case FIELD_ACTIVITY:
		return f->choices ? f->choices[0] : f->unset;
	case FIELD_DATE:
		return "2026-01-31";
	case FIELD_CLOCK:
		return "09:30";
	case FIELD_YEAR:
		return "1843";
	case FIELD_DECIMAL:
		return "1250000.5";
	case FIELD_TIME:
		return "2026-01-31T09:30:00.000Z";
	default:
		return text_of(f);
	}
}

void openapi_example_id(struct json_out *o, enum id_kind kind)
{
	struct uuid id;
	char text[ID_SIZE];

	uuid_parse("019a9d5e-7c1a-7b3e-9f42-5d8c6a1e2b30", 36, &id);
	id.b[15] = (unsigned char)(id.b[15] + kind);
	json_string(o, id_format(kind, &id, text));
}

static void member_id(struct json_out *o, enum id_kind kind)
{
	json_key(o, "id");
	openapi_example_id(o, kind);
}

static void member(struct json_out *o, const char *key, const char *text)
{
	json_key(o, key);
	json_string(o, text);
}

static void user(struct json_out *o)
{
	json_begin_object(o);
	member_id(o, ID_USER);
	member(o, "fullName", "Charles Babbage");
	member(o, "email", "charles@example.com");
	json_end_object(o);
}

static void only_id(struct json_out *o, enum id_kind kind)
{
	json_begin_object(o);
	member_id(o, kind);
	json_end_object(o);
}

/* A list of one reference; name NULL: by id alone. */
static void list_of(struct json_out *o, enum id_kind kind, const char *key, const char *name)
{
	json_begin_array(o);
	json_begin_object(o);
	member_id(o, kind);
	if (name)
		member(o, key, name);
	json_end_object(o);
	json_end_array(o);
}

/* {<group id>: …} is begun; the caller writes the value and ends the object. */
static void by_group(struct json_out *o)
{
	char text[ID_SIZE];
	struct buf id;
	struct json_out quoted;

	buf_init(&id, 128);
	json_out_init(&quoted, &id);
	openapi_example_id(&quoted, ID_GROUP);
	memcpy(text, id.data + 1, id.len - 2);
	text[id.len - 2] = '\0';
	buf_free(&id);
	json_begin_object(o);
	json_key(o, text);
}

static void custom(struct json_out *o, const struct resource *res)
{
	bool grouped = res->id_kind != ID_OBJECT;

	if (grouped)
		by_group(o);
	json_begin_object(o);
	member(o, "Stage", "Negotiation");
	json_end_object(o);
	if (grouped)
		json_end_object(o);
}

static void metadata(struct json_out *o)
{
	json_begin_object(o);
	for (int i = 0; i < 2; i++) {
		json_key(o, i ? "workspace" : "user");
		json_begin_object(o);
		json_key(o, "approximateCount");
		json_int(o, 3 + i);
		member(o, "lastInteractedAt", "2026-01-30T16:20:00.000Z");
		if (i) {
			json_key(o, "lastInteractedBy");
			json_begin_array(o);
			user(o);
			json_end_array(o);
		}
		json_end_object(o);
	}
	json_end_object(o);
}

/* One end of an interaction. */
static void party(struct json_out *o, const char *type, enum id_kind kind, const char *name)
{
	json_begin_object(o);
	member(o, "type", type);
	json_key(o, "value");
	openapi_example_id(o, kind);
	member(o, "name", name);
	json_end_object(o);
}

static void entity(struct json_out *o)
{
	json_begin_object(o);
	member_id(o, ID_PERSON);
	member(o, "entityType", entity_kind_of(ID_PERSON)->type);
	member(o, "fullName", "Ada Lovelace");
	json_end_object(o);
}

static void author(struct json_out *o)
{
	json_begin_object(o);
	member(o, "type", "user");
	member_id(o, ID_USER);
	member(o, "fullName", "Charles Babbage");
	member(o, "email", "charles@example.com");
	json_key(o, "deleted");
	json_bool(o, false);
	json_end_object(o);
}

static void events(struct json_out *o)
{
	json_begin_array(o);
	json_begin_object(o);
	member(o, "eventType", "person.updated");
	json_key(o, "filter");
	json_begin_object(o);
	json_key(o, "groupId");
	openapi_example_id(o, ID_GROUP);
	json_key(o, "path");
	json_begin_array(o);
	json_string(o, "jobTitle");
	json_end_array(o);
	json_end_object(o);
	json_end_object(o);
	json_end_array(o);
}

static void attempts(struct json_out *o)
{
	json_begin_array(o);
	json_begin_object(o);
	member(o, "at", "2026-01-31T09:30:00.000Z");
	json_key(o, "durationMs");
	json_int(o, 183);
	json_key(o, "statusCode");
	json_int(o, 503);
	member(o, "error", "http_error");
	json_end_object(o);
	json_end_array(o);
}

/* What only webhooks and their deliveries have. */
static void of_webhook(struct json_out *o, const struct field *f)
{
	switch (f->type) {
	case FIELD_URL:
		json_string(o, text_of(f));
		break;
	case FIELD_EVENTS:
		events(o);
		break;
	case FIELD_ATTEMPTS:
		attempts(o);
		break;
	case FIELD_EVENT_ID:
		openapi_example_id(o, ID_EVENT);
		break;
	case FIELD_COUNT:
		json_int(o, 42);
		break;
	default: /* in answers only, or never shown; parts of a definition belong to one type of custom field each */
		break;
	}
}

/* What looks alike in answers and in bodies. */
static void either(struct json_out *o, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_ID:
		openapi_example_id(o, res->id_kind);
		break;
	case FIELD_TEXT:
	case FIELD_RULE:
	case FIELD_CHOICE:
	case FIELD_ACTIVITY:
	case FIELD_DATE:
	case FIELD_CLOCK:
	case FIELD_YEAR:
	case FIELD_DECIMAL:
	case FIELD_TIME:
		json_string(o, string_of(f));
		break;
	case FIELD_FLAG:
		json_bool(o, true);
		break;
	case FIELD_TEXTS:
		json_begin_array(o);
		json_string(o, text_of(f));
		json_end_array(o);
		break;
	case FIELD_GROUPS:
		list_of(o, ID_GROUP, NULL, NULL);
		break;
	case FIELD_COMPANIES:
		list_of(o, ID_COMPANY, NULL, NULL);
		break;
	case FIELD_PEOPLE:
		list_of(o, ID_PERSON, NULL, NULL);
		break;
	case FIELD_USERS:
		list_of(o, ID_USER, NULL, NULL);
		break;
	case FIELD_ENTITY:
		only_id(o, ID_PERSON);
		break;
	case FIELD_PARENT:
		json_null(o);
		break;
	case FIELD_USER_ID:
		openapi_example_id(o, ID_USER);
		break;
	case FIELD_CUSTOM:
		custom(o, res);
		break;
	default:
		of_webhook(o, f);
		break;
	}
}

void openapi_example_in(struct json_out *o, const struct resource *res, const struct field *f)
{
	either(o, res, f);
}

void openapi_example_out(struct json_out *o, const struct resource *res, const struct field *f)
{
	switch (f->type) {
	case FIELD_GROUPS:
		list_of(o, ID_GROUP, "name", "Investors");
		break;
	case FIELD_COMPANIES:
		list_of(o, ID_COMPANY, "name", "Analytical Engines");
		break;
	case FIELD_PEOPLE:
		list_of(o, ID_PERSON, "fullName", "Ada Lovelace");
		break;
	case FIELD_USERS:
		json_begin_array(o);
		user(o);
		json_end_array(o);
		break;
	case FIELD_ENTITY:
		entity(o);
		break;
	case FIELD_USER:
		user(o);
		break;
	case FIELD_METADATA:
		metadata(o);
		break;
	case FIELD_CONNECTION:
		by_group(o);
		user(o);
		json_end_object(o);
		break;
	case FIELD_FROM:
		party(o, "user", ID_USER, "Charles Babbage");
		break;
	case FIELD_TO:
		party(o, entity_kind_of(ID_PERSON)->type, ID_PERSON, "Ada Lovelace");
		break;
	case FIELD_AUTHOR:
		author(o);
		break;
	default:
		either(o, res, f);
		break;
	}
}

/* --- of whole answers ------------------------------------------------------------------- */

static void results(struct json_out *o, const struct route *r)
{
	json_begin_object(o);
	json_key(o, "results");
	json_begin_array(o);
	json_begin_object(o);
	member(o, "status", "succeeded");
	json_key(o, "data");
	if (r->input == INPUT_BATCH_DELETE)
		only_id(o, r->resource->id_kind);
	else
		openapi_resource_example(o, r->resource);
	json_end_object(o);
	json_end_array(o);
	json_end_object(o);
}

static void list(struct json_out *o, const struct route *r)
{
	json_begin_object(o);
	json_key(o, "items");
	json_begin_array(o);
	openapi_resource_example(o, r->resource);
	json_end_array(o);
	json_key(o, "pagination");
	json_begin_object(o);
	if (r->input == INPUT_SEARCH)
		member(o, "nextCursor", "AZqdXnwaez6fQl2M");
	else
		member(o, "nextLink", "https://kith.example/v1/people?limit=1&cursor=AZqdXnwaez6fQl2M");
	json_end_object(o);
	json_end_object(o);
}

void openapi_data_example(struct json_out *o, const struct route *r)
{
	switch (r->answer) {
	case ANSWER_ONE:
		openapi_resource_example(o, r->resource);
		break;
	case ANSWER_LIST:
		list(o, r);
		break;
	case ANSWER_ID:
		only_id(o, r->resource->id_kind);
		break;
	case ANSWER_NAME:
		json_begin_object(o);
		member(o, "name", "Deals");
		json_end_object(o);
		break;
	case ANSWER_BATCH:
		results(o, r);
		break;
	case ANSWER_PLAIN:
		json_null(o);
		break;
	}
}
