/* list_groups shows the list of groups, with the object types and fields of each, from the workspace's snapshot. */
#include "server/mcp/call.h"

#include <string.h>

#include "server/request/page.h"
#include "server/request/slice.h"
#include "server/request/validate.h"

enum { OPTIONS_SHOWN = 100 };

/* A group that is being shown. Its definitions may have megabytes, so definitions beyond the size of a page are only
 * counted. */
struct group_showing {
	struct req *r;
	const struct group *g;
	size_t until; /* end of the page in bytes of the answer */
};

static bool group_is_full(const struct group_showing *s)
{
	return s->r->reply.out.len >= s->until;
}

static void put_options(const struct group_showing *s, const struct custom_field *f)
{
	struct json_out *o = &s->r->reply.json;
	size_t i = 0;

	json_key(o, "options");
	json_begin_array(o);
	for (; i < f->n_options && i < OPTIONS_SHOWN && !group_is_full(s); i++)
		json_string(o, f->options[i].label);
	json_end_array(o);
	if (i < f->n_options)
		json_add_int(o, "optionsLeftOut", (int64_t)(f->n_options - i));
}

static void put_field(const struct group_showing *s, const struct custom_field *f)
{
	struct json_out *o = &s->r->reply.json;

	json_begin_object(o);
	json_add_string(o, "name", f->name);
	json_add_string(o, "type", custom_type_name(f->type));
	if (f->type == CUSTOM_SINGLE || f->type == CUSTOM_MULTIPLE)
		put_options(s, f);
	json_end_object(o);
}

/* The fields of an entity, for objects of a type. */
static void put_fields(
    const struct group_showing *s, const char *key, enum custom_entity entity, const struct uuid *type)
{
	struct json_out *o = &s->r->reply.json;
	int64_t left_out = 0;

	json_key(o, key);
	json_begin_array(o);
	for (size_t i = 0; i < s->g->n_fields; i++) {
		if (!field_of(&s->g->fields[i], entity, type))
			continue;
		if (group_is_full(s))
			left_out++;
		else
			put_field(s, &s->g->fields[i]);
	}
	json_end_array(o);
	if (left_out)
		json_add_int(o, "fieldsLeftOut", left_out);
}

static void put_type(const struct group_showing *s, const struct object_type *t)
{
	struct json_out *o = &s->r->reply.json;
	char group[ID_SIZE];

	json_begin_object(o);
	json_add_string(o, "name", t->name);
	json_add_string(o, "kind", arena_printf(&s->r->arena, "%s/%s", id_format(ID_GROUP, &s->g->id, group), t->name));
	put_fields(s, "fields", ENTITY_OBJECT, &t->id);
	json_end_object(o);
}

static void put_group(struct req *r, const struct group *g)
{
	const struct group_showing s = {r, g, r->reply.out.len + PAGE_BYTES_CARRIED};
	struct json_out *o = &r->reply.json;

	json_begin_object(o);
	json_add_id(o, "id", ID_GROUP, &g->id);
	json_add_string(o, "name", g->name);
	json_add_string(o, "visibility", g->private ? "private" : "public");
	json_add_string(o, "role", role_name(group_role(g, &r->caller.viewer)));
	put_fields(&s, "personFields", ENTITY_PERSON, NULL);
	put_fields(&s, "companyFields", ENTITY_COMPANY, NULL);
	json_key(o, "objectTypes");
	json_begin_array(o);
	for (size_t i = 0; i < g->n_types; i++)
		put_type(&s, &g->types[i]);
	json_end_array(o);
	json_end_object(o);
}

static enum step call_groups_show(struct req *r)
{
	struct page_walk *w = r->state.walk;

	if (!w) {
		w = arena_alloc(&r->arena, sizeof *w);
		if (!page_walk_begin(r, w))
			return DONE;
		r->state.walk = w;
	}
	while (r->done < r->caller.ws->n_groups && !w->more) {
		const struct group *g = &r->caller.ws->groups[r->done++];
		if (group_role(g, &r->caller.viewer) != ROLE_NONE && page_walk_shows(r, w, &g->id))
			put_group(r, g);
		if (slice_over(r))
			return AGAIN;
	}
	return page_walk_end(r, w);
}

static enum step call_groups_enter(struct req *r)
{
	static step_fn *const steps[] = {call_groups_show};

	r->next = steps;
	return PASS;
}

/* Runs the API's list of groups, except the step that shows it. The route stays a row of the table, because metrics
 * count by route. */
enum step call_groups(struct req *r)
{
	static step_fn *const steps[] = {step_check, step_body, call_groups_enter};
	const struct json *limit = call_argument(r, "limit"), *cursor = call_argument(r, "cursor");
	enum step step;

	step = call_send(r, HTTP_GET,
	    arena_printf(&r->arena, "/v1/groups?%s%s%s%s", limit ? "limit=" : "", limit ? limit->text : "",
	        cursor ? "&cursor=" : "", cursor ? call_encoded(r, cursor->text, cursor->len) : ""),
	    NULL);
	if (step == PASS)
		r->next = steps;
	return step;
}
