/* --undo of what an import has made for its records: contacts, groups and fields. */
#include <stdio.h>

#include "server/base/text.h"
#include "transfer/undo_private.h"

bool undo_is_empty(struct undo *u, struct remote_call *c)
{
	const struct json *items;
	bool empty;

	c = undo_send(u, c);
	items = c ? json_typed(remote_data(c), "items", JSON_ARRAY) : NULL;
	empty = items && !items->count && !remote_next(c);
	remote_call_free(c);
	return empty;
}

static void undo_delete(struct undo *u, struct remote_call *c, enum undo_count count)
{
	c = undo_send(u, c);
	if (c && c->status == 200)
		u->counts[count]++;
	else if (c && c->status != 404)
		undo_say(u, c->path, remote_reason(c));
	remote_call_free(c);
}

/* Deletes a contact that was made for records, unless a person, note, task, interaction or reminder refers to it, or an
 * object of the imported type. get: the answer that shows the contact. */
static void undo_contact(
    struct undo *u, const struct remote_call *get, const char *id, bool unused, enum undo_count count)
{
	static const char *const lists[] = {"people?filter[companies][in][id]=", "notes?entity.id=",
	    "tasks?filter[entity][in]=", "interactions?entity.id=", "reminders?entity.id="};
	bool person = strncmp(id, "per_", 4) == 0;
	struct remote_call *c;

	for (size_t i = person ? 1 : 0; unused && i < sizeof lists / sizeof *lists; i++)
		unused = undo_is_empty(u, remote_call_new("GET", "/v1/%s%s&limit=1", lists[i], id));
	if (unused && u->path && strncmp(u->path, "/v1/groups/", strlen("/v1/groups/")) == 0)
		unused = undo_is_empty(u, remote_call_new("GET", "%s?filter[%s][in][id]=%s&limit=1", u->path,
		                              person ? "people" : "companies", id));
	if (!unused) {
		undo_say(u, id, "is in use and was kept");
		return;
	}
	c = remote_call_new("DELETE", "%s?unused=true", get->path); /* somebody may have begun to use it */
	snprintf(c->if_match, sizeof c->if_match, "%s", get->etag);
	undo_delete(u, c, count);
}

/* A contact that --make-contacts has made. */
static void undo_made_contact(struct undo *u, const char *id, const char *state)
{
	const char *list = strncmp(id, "per_", 4) == 0 ? "people" : "companies";
	struct remote_call *get = undo_send(u, remote_call_new("GET", "/v1/%s/%s", list, id));
	char now[PROGRESS_STATE_SIZE];

	if (get && get->status == 200) {
		progress_state(remote_data(get), now);
		undo_contact(u, get, id, strcmp(now, state) == 0, UNDO_CONTACTS);
	}
	remote_call_free(get);
}

static void undo_field(struct undo *u, const struct json *made)
{
	const char *name = json_text(made, "field"), *group = json_text(made, "in"), *of = json_text(made, "of");
	bool objects = strcmp(of, "person") != 0 && strcmp(of, "company") != 0;
	struct buf field, type;
	struct remote_call *c;

	buf_init(&field, 8192);
	buf_init(&type, 8192);
	text_percent_encode(&field, name, strlen(name));
	text_percent_encode(&type, of, strlen(of));
	if (objects)
		c = remote_call_new("GET", "/v1/groups/%s/%s?limit=1&filter[customFieldValues.%s][not_empty]", group,
		    type.data, field.data);
	else
		c = remote_call_new("GET", "/v1/%s?limit=1&filter[customFieldValues.%s.%s][not_empty]",
		    strcmp(of, "person") == 0 ? "people" : "companies", group, field.data);
	if (undo_is_empty(u, c))
		undo_delete(u,
		    remote_call_new("DELETE", "/v1/groups/%s/custom-fields/%s/%s", group, type.data, field.data),
		    UNDO_FIELDS);
	else
		undo_say(u, name, "has values and was kept");
	buf_free(&field);
	buf_free(&type);
}

static void undo_group(struct undo *u, const char *id)
{
	if (undo_is_empty(u, remote_call_new("GET", "/v1/people?limit=1&filter[groups][in][id]=%s", id)) &&
	    undo_is_empty(u, remote_call_new("GET", "/v1/companies?limit=1&filter[groups][in][id]=%s", id)) &&
	    undo_is_empty(u, remote_call_new("GET", "/v1/groups/%s/object-types?limit=1", id)))
		undo_delete(u, remote_call_new("DELETE", "/v1/groups/%s", id), UNDO_GROUPS);
	else
		undo_say(u, id, "is in use and was kept");
}

void undo_made(struct undo *u, const struct json *made)
{
	if (*json_text(made, "contact"))
		undo_made_contact(u, json_text(made, "contact"), json_text(made, "state"));
	if (*json_text(made, "field"))
		undo_field(u, made);
	if (*json_text(made, "group"))
		undo_group(u, json_text(made, "group"));
}
