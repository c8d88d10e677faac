/* Tools about many records in one request of the API: aggregate and upsert. */
#include "server/mcp/refer.h"

#include <string.h>

/* Attaches the arguments that the request takes under the same name. */
static void pass_on(struct req *r, struct json *body, const char *const *names)
{
	for (; *names; names++)
		if (call_given(r, *names))
			json_attach(&r->arena, body, *names, call_given(r, *names));
}

static const char *path_of_kind(struct req *r, const struct kind **kind)
{
	const struct json *name = call_argument(r, "kind");
	const char *type;

	*kind = kind_named(r, name->text, name->len, call_of(r)->tool->kinds, &type);
	return call_path(r, *kind, type);
}

/* Of tasks, onlyAssignedToMe is a member beside the filter. */
static void attach_filter(struct req *r, struct json *body)
{
	static const char mine[] = "onlyAssignedToMe";
	const struct json *filter = call_given(r, "filter");
	struct json *rest = json_make(&r->arena, JSON_OBJECT);

	json_each_member(m, filter)
		json_attach(&r->arena, strcmp(m->key, mine) == 0 ? body : rest, m->key, m);
	if (filter)
		json_attach(&r->arena, body, "filter", rest);
}

enum step call_aggregate(struct req *r)
{
	static const char *const passed[] = {"groupBy", "measures", "sort", "limit", "cursor", NULL};
	const struct json *text = call_given(r, "text");
	struct json *body = json_make(&r->arena, JSON_OBJECT);
	const struct kind *kind;
	const char *path = path_of_kind(r, &kind), *zone = words_zone_name(r);

	pass_on(r, body, passed);
	attach_filter(r, body);
	if (text)
		json_attach(&r->arena, body, "search", text);
	json_attach(&r->arena, body, "timeZone", json_make_text(&r->arena, zone, strlen(zone)));
	return call_send(r, HTTP_POST, arena_printf(&r->arena, "%s/aggregate", path), body);
}

enum step call_upsert(struct req *r)
{
	static const char *const passed[] = {"match", "records", NULL};
	struct json *body = json_make(&r->arena, JSON_OBJECT);
	const struct kind *kind;
	const char *path = path_of_kind(r, &kind);

	pass_on(r, body, passed);
	return call_send(r, HTTP_POST, arena_printf(&r->arena, "%s/batch/upsert%s", path, call_dry(r)), body);
}
