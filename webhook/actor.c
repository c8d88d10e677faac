/* See actor.h. */
#include "webhook/actor.h"

#include <string.h>

#include "server/base/json.h"

const char *const event_via_names[] = {"api", "console", "mcp", "import", "carddav", "command", NULL};
_Static_assert(sizeof event_via_names / sizeof *event_via_names == EVENT_VIAS - VIA_API + 1, "names");

const struct event_actor event_actor_system = {.via = VIA_SYSTEM}, event_actor_command = {.via = VIA_COMMAND};

enum event_via event_via_claimed(const char *header)
{
	static const enum event_via claimed[] = {VIA_CONSOLE, VIA_IMPORT};

	for (size_t i = 0; header && i < sizeof claimed / sizeof *claimed; i++)
		if (strcmp(header, event_via_names[claimed[i] - VIA_API]) == 0)
			return claimed[i];
	return VIA_API;
}

void event_actor_sql(struct sql *s, const struct event_actor *a)
{
	sql_int4(s, a->via);
	sql_add_uuid(s, ", ", a->has_user ? &a->user : NULL);
	sql_add_uuid(s, ", ", a->has_key ? &a->key : NULL);
}

void event_actor_arguments(struct sql *s, const struct event_actor *a)
{
	sql_add(s, ", actor_via => ");
	sql_int4(s, a->via);
	sql_add_uuid(s, ", actor_id => ", a->has_user ? &a->user : NULL);
	sql_add_uuid(s, ", actor_key_id => ", a->has_key ? &a->key : NULL);
	sql_add(s, ")");
}

void event_actor_columns(struct sql *s)
{
	sql_add(s, "e.actor_via, e.actor_id, e.actor_key_id, (select u.full_name from users u where "
	           "u.workspace_id = e.workspace_id and u.id = e.actor_id), (select k.name from api_keys k where "
	           "k.workspace_id = e.workspace_id and k.id = e.actor_key_id)");
}

static const char *actor_name(const struct db_exchange *x, int statement, int row, int column)
{
	return db_null(x, statement, row, column) ? NULL : db_text(x, statement, row, column, NULL);
}

void event_actor_read(const struct db_exchange *x, int statement, int row, int column, struct event_actor *out)
{
	int64_t via = db_null(x, statement, row, column) ? VIA_UNKNOWN : db_int(x, statement, row, column);

	/* A later release may know other ways. */
	*out = (struct event_actor){.via = via > VIA_UNKNOWN && via < EVENT_VIAS ? (enum event_via)via : VIA_UNKNOWN};
	out->has_user = db_uuid_read(x, statement, row, column + 1, &out->user);
	out->has_key = db_uuid_read(x, statement, row, column + 2, &out->key);
	out->user_name = actor_name(x, statement, row, column + 3);
	out->key_name = actor_name(x, statement, row, column + 4);
}

static void actor_add_text(struct json_out *o, const char *name, const char *text)
{
	json_key(o, name);
	if (text)
		json_string(o, text);
	else
		json_null(o);
}

static void actor_add_id(struct json_out *o, const char *name, enum id_kind kind, const struct uuid *id)
{
	char text[ID_SIZE];

	actor_add_text(o, name, id ? id_format(kind, id, text) : NULL);
}

void event_actor_write(struct json_out *o, const struct event_actor *a, const struct uuid *reader, bool admin)
{
	bool shows_key = a->has_key && (admin || (a->has_user && uuid_equal(&a->user, reader)));

	if (a->via == VIA_UNKNOWN) {
		json_null(o);
		return;
	}
	json_begin_object(o);
	json_add_string(o, "type", a->has_user ? "user" : "system");
	actor_add_id(o, "id", ID_USER, a->has_user ? &a->user : NULL);
	actor_add_text(o, "fullName", a->user_name);
	actor_add_id(o, "keyId", ID_KEY, shows_key ? &a->key : NULL);
	actor_add_text(o, "keyName", shows_key ? a->key_name : NULL);
	actor_add_text(o, "via", a->via < VIA_API ? NULL : event_via_names[a->via - VIA_API]);
	json_end_object(o);
}
