/* Places in a call's arguments where a name may stand for an id: see refer.h. */
#include "server/mcp/refer.h"

#include <string.h>

#define CONTACTS (MCP_BIT(MCP_PERSON) | MCP_BIT(MCP_COMPANY))
#define LOOKED_UP (CONTACTS | MCP_BIT(MCP_OBJECT) | MCP_BIT(MCP_TASK))
#define KNOWN (MCP_BIT(MCP_USER) | MCP_BIT(MCP_GROUP))

/* The arguments are the call's own, so their values can be replaced. */
struct json *refer_items(const struct json *list)
{
	return (struct json *)json_items(list);
}

struct json *refer_members(const struct json *object)
{
	return (struct json *)json_members(object);
}

/* --- paths ---------------------------------------------------------------------------------- */

const struct path *refer_path_named(struct refer_places *p, const struct path *up, const char *name)
{
	struct path *path = arena_alloc(&p->r->arena, sizeof *path);

	*path = PATH_NAME(up, name);
	return path;
}

const struct path *refer_path_index(struct refer_places *p, const struct path *up, size_t index)
{
	struct path *path = arena_alloc(&p->r->arena, sizeof *path);

	*path = PATH_INDEX(up, index);
	return path;
}

/* True for an id, and for a text that was meant to be one, such as "per_5". */
static bool is_id(const struct json *text)
{
	for (int i = 0; i < ID_KINDS; i++) {
		const char *prefix = id_prefix((enum id_kind)i);
		size_t n = strlen(prefix);
		if (strncmp(text->text, prefix, n) == 0 && text->text[n] == '_')
			return true;
	}
	return false;
}

/* The name of a user or group is compared with all of them, and the loop waits: a call may do this much of that. */
static bool known_within_work(struct refer_places *p, const struct refer_place *place)
{
	const struct workspace *ws = p->r->caller.ws;
	size_t names = (place->kinds & MCP_BIT(MCP_USER) ? ws->n_users : 0) +
	               (place->kinds & MCP_BIT(MCP_GROUP) ? ws->n_groups : 0);
	bool told = p->work > REFER_WORK;

	p->work += (names + 1) * (1 + place->at->len / 8);
	if (p->work <= REFER_WORK)
		return true;
	if (!told)
		issue_custom(&p->r->given.issues, place->path,
		    "Too many users and groups are given by their names, or by long ones: give ids, as describe shows "
		    "them");
	return false;
}

/* Notes the place of a name, or replaces the name at once. */
void refer_text(struct refer_places *p, struct json *at, unsigned allowed, const struct path *path)
{
	struct refer_place place = {at, path, allowed & LOOKED_UP};

	if (at->type != JSON_STRING || at->has_nul || !at->text[strspn(at->text, " \t")] || is_id(at))
		return;
	if (place.kinds) {
		if (p->n < REFER_PLACES_MAX)
			p->places[p->n++] = place;
		return;
	}
	place.kinds = allowed & KNOWN;
	if (place.kinds && known_within_work(p, &place))
		refer_known(p->r, &place);
}

/* Turns a value into an object that has it as this member. */
void refer_wrap(struct refer_places *p, struct json *value, const char *key)
{
	struct json *holder = json_make(&p->r->arena, JSON_OBJECT);

	json_attach(&p->r->arena, holder, key, value);
	holder->key = value->key;
	holder->key_len = value->key_len;
	holder->next = value->next;
	*value = *holder;
}

/* Turns a value into a list of it. */
void refer_wrap_list(struct refer_places *p, struct json *value)
{
	struct json *list = json_make(&p->r->arena, JSON_ARRAY);

	json_attach(&p->r->arena, list, NULL, value);
	list->key = value->key;
	list->key_len = value->key_len;
	list->next = value->next;
	*value = *list;
}

/* {"id": name}, or only a name. */
void refer_object(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path)
{
	struct json *id;

	if (value->type == JSON_STRING)
		refer_wrap(p, value, "id");
	id = json_member(value, "id");
	if (id)
		refer_text(p, id, allowed, path);
}

/* A list of those, or only one. */
void refer_objects(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path)
{
	size_t n = 0;

	if (value->type == JSON_STRING && value->len)
		refer_wrap_list(p, value);
	for (struct json *item = refer_items(value); item; item = item->next)
		refer_object(p, item, allowed, refer_path_index(p, path, n++));
}

/* A list of names, or only one. */
void refer_texts(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path)
{
	size_t n = 0;

	refer_text(p, value, allowed, path);
	for (struct json *item = refer_items(value); item; item = item->next)
		refer_text(p, item, allowed, refer_path_index(p, path, n++));
}
