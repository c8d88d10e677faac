#include "test/lib/model/card_api.h"

#include "test/lib/test.h"

static const char person_empty[] =
    "{\"id\":\"per_01990000-0000-7000-8000-000000000001\",\"firstName\":\"\",\"lastName\":\"\",\"fullName\":\"\","
    "\"description\":\"\",\"birthday\":null,\"gender\":\"Unknown\",\"jobTitle\":\"\",\"groups\":[],\"companies\":[],"
    "\"addresses\":[],\"emails\":[],\"phones\":[],\"urls\":[],\"customFieldValues\":{},"
    "\"updatedAt\":\"2026-01-31T10:00:00.123Z\"}";
static const char company_empty[] =
    "{\"id\":\"com_01990000-0000-7000-8000-000000000001\",\"name\":\"\",\"description\":\"\",\"industry\":null,"
    "\"fundingRaised\":null,\"lastFundingDate\":null,\"foundationYear\":null,\"employeeRange\":null,\"groups\":[],"
    "\"addresses\":[],\"emails\":[],\"phones\":[],\"urls\":[],\"customFieldValues\":{},"
    "\"updatedAt\":\"2026-01-31T10:00:00.123Z\"}";

static void record_set(struct arena *a, struct json *record, const char *member, const struct json *value)
{
	json_remove(record, member);
	json_attach(a, record, member, value);
}

static void record_set_text(struct arena *a, struct json *record, const char *member, const char *text)
{
	record_set(a, record, member, json_make_text(a, text, strlen(text)));
}

/* Companies and groups: by id those that the record has, by name any. */
static const struct json *references_made(struct arena *a, const struct json *record, const struct json *list)
{
	struct json *made = json_make(a, JSON_ARRAY), *reference;
	const struct json *known;
	unsigned hash;

	json_each(item, list) {
		known = NULL;
		json_each(old, json_member(record, list->key))
			if (strcmp(json_text(old, "id"), json_text(item, "id")) == 0)
				known = old;
		if (known) {
			json_attach(a, made, NULL, known);
			continue;
		}
		assert_string_not_equal(json_text(item, "name"), "");
		hash = 5381;
		for (const char *c = json_text(item, "name"); *c; c++)
			hash = hash * 33 + (unsigned char)*c;
		reference = json_make(a, JSON_OBJECT);
		record_set_text(a, reference, "id", arena_printf(a, "com_01990000-0000-7000-8000-0000%08x", hash));
		record_set_text(a, reference, "name", json_text(item, "name"));
		json_attach(a, made, NULL, reference);
	}
	return made;
}

static const struct json *items_once(struct arena *a, const struct json *list)
{
	struct json *once = json_make(a, JSON_ARRAY);
	bool repeated;

	json_each(item, list) {
		repeated = false;
		json_each(other, once)
			repeated = repeated || strcmp(other->text, item->text) == 0;
		if (!repeated)
			json_attach(a, once, NULL, item);
	}
	return once;
}

void card_api_update(struct arena *a, struct card_api *api, const struct json *body)
{
	struct json *r = api->record;
	const char *first, *last, *derived;

	json_each_member(member, body) {
		assert_non_null(json_member(r, member->key));
		if (strcmp(member->key, "companies") == 0 || strcmp(member->key, "groups") == 0)
			record_set(a, r, member->key, references_made(a, r, member));
		else if (member->type == JSON_ARRAY)
			record_set(a, r, member->key, items_once(a, member));
		else if (strcmp(member->key, "birthday") == 0 && !*member->text)
			record_set(a, r, member->key, json_make(a, JSON_NULL));
		else
			record_set(a, r, member->key, member);
	}
	if (api->kind == ID_COMPANY)
		return;
	if (strcmp(json_text(r, "gender"), "") == 0)
		record_set_text(a, r, "gender", "Unknown");
	first = json_text(r, "firstName");
	last = json_text(r, "lastName");
	derived = arena_printf(a, "%s%s%s", first, *first && *last ? " " : "", last);
	if (json_member(body, "fullName") && (api->named || strcmp(json_text(body, "fullName"), derived) != 0))
		api->named = *json_text(body, "fullName");
	if (!api->named)
		record_set_text(a, r, "fullName", derived);
}

void card_api_create(struct arena *a, struct card_api *api, enum id_kind kind, const struct json *body)
{
	const char *empty = kind == ID_PERSON ? person_empty : company_empty, *error, *full;
	size_t len;

	api->kind = kind;
	api->named = false;
	api->record = json_read(a, empty, strlen(empty), &error);
	assert_non_null(api->record);
	card_api_update(a, api, body);
	if (kind == ID_COMPANY)
		return;
	full = json_text(body, "fullName");
	api->named = *full;
	if (!*full || *json_text(api->record, "firstName") || *json_text(api->record, "lastName"))
		return;
	len = strcspn(full, " ");
	record_set_text(a, api->record, "firstName", arena_dup(a, full, len));
	record_set_text(a, api->record, "lastName", full + len + strspn(full + len, " "));
}
