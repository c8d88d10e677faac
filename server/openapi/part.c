/* Shared schemas: part.json has those without arguments. They are written only if something refers to them. */
#include <string.h>

#include "server/base/fatal.h"
#include "server/openapi/document_private.h"
#include "server/request/warning.h"
#include "webhook/event.h"

static const struct {
	const char *name, *noun;
} ids[ID_KINDS] = {[ID_PERSON] = {"PersonId", "a person"},
    [ID_COMPANY] = {"CompanyId", "a company"},
    [ID_GROUP] = {"GroupId", "a group"},
    [ID_USER] = {"UserId", "a user"},
    [ID_OBJECT] = {"ObjectId", "an object"},
    [ID_TASK] = {"TaskId", "a task"},
    [ID_REMINDER] = {"ReminderId", "a reminder"},
    [ID_INTERACTION] = {"InteractionId", "an interaction"},
    [ID_NOTE] = {"NoteId", "a note"},
    [ID_WEBHOOK] = {"WebhookId", "a webhook"},
    [ID_EVENT] = {"EventId", "an event"},
    [ID_WORKSPACE] = {"WorkspaceId", "a workspace"},
    [ID_KEY] = {"KeyId", "a key"},
    [ID_GRANT] = {"GrantId", "a grant"},
    [ID_DELIVERY] = {"DeliveryId", "a delivery"},
    [ID_VIEW] = {"ViewId", "a view"},
    [ID_GROUP_OPTION] = {"GroupOptionId", "an option"},
    [ID_OBJECT_OPTION] = {"ObjectOptionId", "an option"}};

static const char *part_event_types(struct openapi_doc *d)
{
	return arena_printf(&d->arena, "{'type':'string','enum':[%s]}", openapi_words(d, event_type_names()));
}

static const char *part_warning_codes(struct openapi_doc *d)
{
	const char *list = "", *about = "Which warning it is, for programs.";

	for (int i = 0; i < WARNING_CODES; i++) {
		list = arena_printf(&d->arena, "%s'%s',", list, warning_rows[i].code);
		about = arena_printf(&d->arena, "%s `%s`: %s.", about, warning_rows[i].code, warning_rows[i].about);
	}
	return arena_printf(&d->arena, "{'type':'string','enum':[%s],'description':'%s'}", list, about);
}

/* The schemas that are null in part.json: from tables of the program. */
static const struct {
	const char *name, *about;
	const char *(*make)(struct openapi_doc *d);
} made[] = {
    {"EventType", "A type of event that can be subscribed to.", part_event_types},
    {"WarningCode", NULL, part_warning_codes},
};

const char *openapi_id_name(enum id_kind kind)
{
	return ids[kind].name;
}

void openapi_want(struct openapi_doc *d, const char *name, size_t len)
{
	int i = 0;

	json_each_member(p, d->parts) {
		if (p->key_len == len && memcmp(p->key, name, len) == 0)
			d->wanted[i] = true;
		i++;
	}
	for (i = 0; i < ID_KINDS; i++)
		if (strlen(ids[i].name) == len && memcmp(ids[i].name, name, len) == 0)
			d->wanted_ids[i] = true;
}

/* Marks the schemas to which a schema refers. */
static void part_want(struct openapi_doc *d, const struct json *schema)
{
	const struct json *reference = json_member(schema, "$ref");

	if (reference && strncmp(reference->text, OPENAPI_SCHEMAS, strlen(OPENAPI_SCHEMAS)) == 0)
		openapi_want(d, reference->text + strlen(OPENAPI_SCHEMAS), reference->len - strlen(OPENAPI_SCHEMAS));
	json_each(item, schema)
		part_want(d, item);
	json_each_member(m, schema)
		part_want(d, m);
}

void openapi_member(struct openapi_doc *d, const struct json *member)
{
	struct json_out o;

	buf_printf(&d->out, "\"%s\":", member->key);
	json_out_init(&o, &d->out);
	json_value(&o, member);
	buf_addc(&d->out, ',');
	part_want(d, member);
}

void openapi_parts_read(struct openapi_doc *d)
{
	d->parts = openapi_read(d, "part.json");
	if (d->parts->count > OPENAPI_PARTS_MAX)
		fatal_abort("part.json has more schemas than marks");
}

static void part_write(struct openapi_doc *d, const struct json *part)
{
	if (part->type != JSON_NULL) {
		openapi_member(d, part);
		return;
	}
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		if (strcmp(part->key, made[i].name) == 0)
			openapi_schema(d, made[i].name, made[i].about, made[i].make(d));
}

/* Any UUID is valid: if there is no such record, it is an unknown record. */
static void part_id(struct openapi_doc *d, enum id_kind kind)
{
	const char *prefix = id_prefix(kind);

	openapi_schema(d, ids[kind].name,
	    arena_printf(&d->arena, "Id of %s: `%s_` and a UUID.", ids[kind].noun, prefix),
	    arena_printf(&d->arena,
	        "{'type':'string','minLength':%d,'maxLength':%d,'pattern':'^%s_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"
	        "[0-9a-f]{4}-[0-9a-f]{12}$'}",
	        ID_LEN, ID_LEN, prefix));
}

void openapi_parts(struct openapi_doc *d)
{
	bool written[OPENAPI_PARTS_MAX] = {false}, more = true;

	while (more) { /* a schema may refer to an earlier one */
		int i = 0;

		more = openapi_named(d);
		json_each_member(p, d->parts) {
			if (d->wanted[i] && !written[i]) {
				part_write(d, p);
				written[i] = more = true;
			}
			i++;
		}
	}
	for (int i = 0; i < ID_KINDS; i++)
		if (d->wanted_ids[i])
			part_id(d, (enum id_kind)i);
}
