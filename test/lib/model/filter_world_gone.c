/* References to things that the lists do not show; see filter_world.h. Many records refer to what is deleted here,
 * and the job that removes the references does not run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/model/filter_world.h"

enum { HOLDERS = 7, CHOICES = 3, WAIT_MS = 60000 };

/* Three records count as many, and the job never runs. */
static const char held[] = "small_removals 1 errors\nremovals_wait 1 errors\n";

static const char secret[] = "Secret", leaving[] = "Leaving";

/* What records are made to refer to: something deleted, something not visible to all, and something that exists. */
struct world_held {
	const char *contacts[CHOICES], *people[CHOICES], *companies[CHOICES], *objects[CHOICES];
};

static struct json *world_ask(struct filter_world *w, const char *method, const char *target, const char *body)
{
	return json_member(filter_ask(&w->callers[MAKER_ADA], &w->arena, method, target, body, NULL), "data");
}

static void read_ids(struct filter_world *w, const char *target, const char **ids, size_t n)
{
	const struct json *item = json_member(world_ask(w, "GET", target, NULL), "items")->first;

	for (; n > 0; n--, item = item->next)
		*ids++ = json_member(item, "id")->text;
}

static const char *objects_of(struct filter_world *w, enum filter_group group, const char *type)
{
	return arena_printf(&w->arena, "/v1/groups/%s/%s", w->groups[group], filter_encoded(&w->arena, type));
}

void filter_world_shorten(struct filter_world *w, bool yes)
{
	rig_write(w->orders, arena_printf(&w->arena, "%s%s", held, yes ? "short_stages 1 errors\n" : ""));
}

/* --- records that hold it ----------------------------------------------------------------- */

/* Writes those of the choices that are in the set. */
static void put_choices(struct json_out *o, const char *name, const char *const *choices, int set)
{
	json_key(o, name);
	json_begin_array(o);
	for (int i = 0; i < CHOICES; i++) {
		if (!choices[i] || !(set & 1 << i))
			continue;
		json_begin_object(o);
		json_key(o, "id");
		json_string(o, choices[i]);
		json_end_object(o);
	}
	json_end_array(o);
}

static void put_values(
    struct filter_world *w, struct json_out *o, enum filter_kind kind, const struct world_held *h, int set)
{
	static const char *const entities[] = {"company", "person", filter_type};

	json_key(o, "customFieldValues");
	json_begin_object(o);
	if (kind != KIND_OBJECT) {
		json_key(o, w->groups[GROUP_SALES]);
		json_begin_object(o);
	}
	for (int i = 0; i < n_filter_customs; i++) {
		const struct world_custom *c = &filter_customs[i];
		if (c->group != GROUP_SALES || strcmp(c->entity, entities[kind]) != 0)
			continue;
		if (strcmp(c->type, "contactField") == 0)
			put_choices(o, c->name, h->contacts, set);
		else if (strcmp(c->type, "objectField") == 0)
			put_choices(o, c->name, h->objects, set);
	}
	if (kind != KIND_OBJECT)
		json_end_object(o);
	json_end_object(o);
}

/* Every subset of the choices in a record. */
static void hold_choices(struct filter_world *w, enum filter_kind kind, const char *target, const struct world_held *h)
{
	const char *const groups[CHOICES] = {w->groups[GROUP_BARE], w->groups[GROUP_PRIVATE], w->groups[GROUP_SALES]};
	const char *ids[CHOICES + HOLDERS];
	struct json_out o;
	struct buf b;

	read_ids(w, target, ids, CHOICES + HOLDERS);
	filter_batch_begin(&b, &o);
	for (int set = 1; set <= HOLDERS; set++) {
		json_begin_object(&o);
		json_key(&o, "id");
		json_string(&o, ids[CHOICES + set - 1]); /* after what is deleted */
		if (kind != KIND_OBJECT)
			put_choices(&o, "groups", groups, set | 4);
		if (kind == KIND_OBJECT)
			put_choices(&o, "people", h->people, set);
		if (kind != KIND_COMPANY)
			put_choices(&o, "companies", h->companies, set);
		put_values(w, &o, kind, h, set);
		json_end_object(&o);
	}
	filter_batch_send(w, MAKER_ADA, kind, "update", &b, &o);
}

static void hold_all(struct filter_world *w, struct world_held *h)
{
	const char *ids[CHOICES];

	world_ask(w, "POST", objects_of(w, GROUP_SALES, "object-types"), "{\"name\":\"Leaving\"}");
	h->objects[0] =
	    json_member(world_ask(w, "POST", objects_of(w, GROUP_SALES, leaving), "{\"name\":\"Ada\"}"), "id")->text;
	for (int i = 0; i < HOLDERS; i++)
		world_ask(w, "POST", objects_of(w, GROUP_SALES, leaving), "{\"name\":\"Ben\"}");
	read_ids(w, objects_of(w, GROUP_PRIVATE, secret), &h->objects[1], 1);
	read_ids(w, objects_of(w, GROUP_SALES, filter_type), &h->objects[2], 1);
	read_ids(w, "/v1/people", ids, 2);
	h->contacts[0] = h->people[0] = ids[0];
	h->contacts[2] = h->people[2] = ids[1];
	read_ids(w, "/v1/companies", ids, 2);
	h->contacts[1] = h->companies[0] = ids[0];
	h->companies[2] = ids[1];
	hold_choices(w, KIND_PERSON, "/v1/people", h);
	hold_choices(w, KIND_COMPANY, "/v1/companies", h);
	hold_choices(w, KIND_OBJECT, objects_of(w, GROUP_SALES, filter_type), h);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void add_stray(struct filter_world *w, const char *id)
{
	if (w->n_strays == WORLD_STRAYS_MAX) {
		fprintf(stderr, "more than %d strays\n", WORLD_STRAYS_MAX);
		exit(1);
	}
	w->strays[w->n_strays++] = id;
}

static void add_strays(struct filter_world *w, const struct world_held *h)
{
	static const char *const unknown[] = {"per", "com", "obj", "usr", "grp", "tsk"};
	const char *id;

	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		add_stray(w, arena_printf(&w->arena, "%s_018d6400-0000-7000-8000-000000000000", unknown[i]));
	/* Deleted with all traces; deleted without; hidden from some; existing. */
	for (int kind = 0; kind < KIND_TASK; kind++)
		add_stray(w, w->made[kind][1].id);
	for (int i = 0; i < CHOICES; i++) {
		add_stray(w, h->contacts[i]);
		add_stray(w, h->objects[i]);
	}
	add_stray(w, h->companies[2]);
	add_stray(w, w->groups[GROUP_BARE]);
	add_stray(w, w->groups[GROUP_PRIVATE]);
	add_stray(w, w->groups[GROUP_SALES]);
	add_stray(w, w->users[MAKER_BEN].id);
	read_ids(w, "/v1/tasks", &id, 1);
	add_stray(w, id);
}

void filter_world_delete(struct filter_world *w)
{
	struct world_held h = {.contacts = {NULL}};
	const char *types = objects_of(w, GROUP_SALES, "object-types");

	hold_all(w, &h);
	filter_world_shorten(w, false);
	world_ask(w, "DELETE", arena_printf(&w->arena, "/v1/people/%s", h.people[0]), NULL);
	world_ask(w, "DELETE", arena_printf(&w->arena, "/v1/companies/%s", h.companies[0]), NULL);
	world_ask(w, "DELETE", arena_printf(&w->arena, "%s/%s?force=true", types, leaving), NULL);
	world_ask(w, "DELETE", arena_printf(&w->arena, "/v1/groups/%s", w->groups[GROUP_BARE]), NULL);
	if (database_int(w->rig.program,
	        "select (select count(*) from contacts_gone) + (select count(*) from object_types where removed_at is "
	        "not null) + (select count(*) from groups where removed_at is not null)") != 4) {
		fprintf(stderr, "not all that was deleted is held\n");
		exit(1);
	}
	add_strays(w, &h);
}

bool filter_world_let_go(struct filter_world *w)
{
	rig_write(w->orders, "");
	return rig_removed(&w->rig, WAIT_MS);
}
