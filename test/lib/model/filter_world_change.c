/* Changes to the world after its creation; see filter_world.h. */
#include <string.h>

#include "test/lib/model/filter_world.h"
#include "test/lib/patience.h"

enum { CHANGES = 12, DELETES = 4 };

/* New values and other groups: values of groups that a record leaves are removed. */
static void change_records(struct filter_world *w, enum filter_kind kind)
{
	struct json_out o;
	struct buf b;

	filter_batch_begin(&b, &o);
	for (int i = 0; i < CHANGES; i++) {
		struct filter_made *r = &w->made[kind][i * w->n_made[kind] / CHANGES];
		r->groups = patience_chance(1 << GROUPS_MADE);
		filter_record(w, &o, kind, r->groups, r->id);
	}
	filter_batch_send(w, MAKER_ADA, kind, "update", &b, &o);
}

/* Other records refer to some of them. */
static void delete_records(struct filter_world *w, enum filter_kind kind)
{
	struct json_out o;
	struct buf b;

	filter_batch_begin(&b, &o);
	for (int i = 0; i < DELETES; i++) {
		json_begin_object(&o);
		json_key(&o, "id");
		json_string(&o, w->made[kind][1 + i * 7].id);
		json_end_object(&o);
	}
	filter_batch_send(w, MAKER_ADA, kind, "delete", &b, &o);
}

/* Deletes one label and renames another. */
static void change_options(struct filter_world *w, const struct world_custom *c)
{
	const char *target = arena_printf(&w->arena, "/v1/groups/%s/custom-fields/%s/%s", w->groups[c->group],
	    filter_encoded(&w->arena, c->entity), filter_encoded(&w->arena, c->name));
	const struct json *field =
	    json_member(filter_ask(&w->callers[MAKER_ADA], &w->arena, "GET", target, NULL, NULL), "data");
	const struct json *first = json_member(field, "options")->first, *second = first->next;

	filter_ask(&w->callers[MAKER_ADA], &w->arena, "PATCH", target,
	    arena_printf(&w->arena,
	        "{\"removeOptions\":[\"%s\"],\"updateOptions\":[{\"id\":\"%s\",\"label\":\"new \\\"label\\\"\"}]}",
	        json_member(first, "id")->text, json_member(second, "id")->text),
	    NULL);
}

void filter_world_change(struct filter_world *w)
{
	for (int kind = 0; kind < KIND_TASK; kind++)
		change_records(w, (enum filter_kind)kind);
	for (int i = 0; i < n_filter_customs; i++)
		if (strstr(filter_customs[i].type, "Select"))
			change_options(w, &filter_customs[i]);
	for (int kind = 0; kind < KIND_TASK; kind++)
		delete_records(w, (enum filter_kind)kind);
}
