/* Making the world; see filter_world.h. */
#include "test/lib/model/filter_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/lib/patience.h"

enum { BODY_MAX = 8 << 20, CHUNK = 20 };

/* --- requests ------------------------------------------------------------------------------- */

static const char *world_post(struct filter_world *w, enum filter_maker maker, const char *target, const char *body)
{
	return json_member(
	    json_member(filter_ask(&w->callers[maker], &w->arena, "POST", target, body, NULL), "data"), "id")
	    ->text;
}

/* --- groups and fields ------------------------------------------------------------------------ */

static void make_type(struct filter_world *w, const char *name)
{
	const char *target = arena_printf(&w->arena, "/v1/groups/%s/object-types", w->groups[GROUP_SALES]);

	filter_ask(&w->callers[MAKER_ADA], &w->arena, "POST", target,
	    arena_printf(&w->arena, "{\"name\":\"%s\"}", name), NULL);
}

static void make_groups(struct filter_world *w)
{
	static const char *const bodies[GROUPS_MADE] = {"{\"name\":\"Sales\",\"visibility\":\"public\"}",
	    "{\"name\":\"Other\",\"visibility\":\"public\"}", "{\"name\":\"Private\",\"visibility\":\"private\"}",
	    "{\"name\":\"Bare\",\"visibility\":\"public\"}"};

	for (int g = 0; g < GROUPS_MADE; g++)
		w->groups[g] = world_post(w, g == GROUP_PRIVATE ? MAKER_CY : MAKER_ADA, "/v1/groups", bodies[g]);
	make_type(w, filter_type);
	make_type(w, filter_other_type);
}

static void make_field(struct filter_world *w, const struct world_custom *c)
{
	const char *target = arena_printf(
	    &w->arena, "/v1/groups/%s/custom-fields/%s", w->groups[c->group], filter_encoded(&w->arena, c->entity));
	struct json_out o;
	struct buf b;

	buf_init(&b, BODY_MAX);
	json_out_init(&o, &b);
	json_begin_object(&o);
	json_key(&o, "name");
	json_string(&o, c->name);
	json_key(&o, "type");
	json_string(&o, c->type);
	if (strstr(c->type, "Select")) {
		json_key(&o, "options");
		json_begin_array(&o);
		for (int i = 0; filter_labels[i]; i++) {
			json_begin_object(&o);
			json_key(&o, "label");
			json_string(&o, filter_labels[i]);
			json_end_object(&o);
		}
		json_end_array(&o);
	}
	json_end_object(&o);
	filter_ask(&w->callers[MAKER_ADA], &w->arena, "POST", target, b.data, NULL);
	buf_free(&b);
}

/* --- records ----------------------------------------------------------------------------------- */

static unsigned some_groups(enum filter_maker maker)
{
	unsigned groups = patience_chance(1 << GROUPS_MADE);

	if (patience_chance(3))
		groups |= 1u << GROUP_SALES;
	return maker == MAKER_BEN ? groups & ~(1u << GROUP_PRIVATE) : groups;
}

static void make_records(struct filter_world *w, enum filter_kind kind, int count)
{
	struct json_out o;
	struct buf b;

	for (int made = 0; made < count; made += CHUNK) {
		enum filter_maker maker = (enum filter_maker)patience_chance(MAKER_NOISE);
		int n = count - made < CHUNK ? count - made : CHUNK;
		unsigned groups[CHUNK];
		filter_batch_begin(&b, &o);
		for (int i = 0; i < n; i++) {
			groups[i] = some_groups(maker);
			filter_record(w, &o, kind, groups[i], NULL);
		}
		const struct json *r = filter_batch_send(w, maker, kind, "create", &b, &o);
		for (int i = 0; i < n; i++, r = r->next)
			w->made[kind][w->n_made[kind]++] = (struct filter_made){
			    .id = json_member(json_member(r, "data"), "id")->text, .groups = groups[i]};
	}
}

static void make_references(struct filter_world *w, enum filter_kind kind)
{
	struct json_out o;
	struct buf b;

	for (int done = 0; done < w->n_made[kind]; done += CHUNK) {
		filter_batch_begin(&b, &o);
		for (int i = done; i < done + CHUNK && i < w->n_made[kind]; i++)
			filter_references(w, &o, kind, &w->made[kind][i]);
		filter_batch_send(w, MAKER_ADA, kind, "update", &b, &o);
	}
}

static void make_activities(struct filter_world *w)
{
	struct json_out o;
	struct buf b;

	for (int i = 0; i < WORLD_TASKS + WORLD_INTERACTIONS; i++) {
		bool task = i < WORLD_TASKS;
		enum filter_maker maker = (enum filter_maker)patience_chance(MAKER_NOISE);
		buf_init(&b, BODY_MAX);
		json_out_init(&o, &b);
		if (task)
			filter_task(w, &o);
		else
			filter_interaction(w, &o);
		const char *id = world_post(w, maker, task ? "/v1/tasks" : "/v1/interactions", b.data);
		if (task)
			w->made[KIND_TASK][w->n_made[KIND_TASK]++].id = id;
		buf_free(&b);
	}
}

/* Objects of another type, and objects of the private group with tasks: not visible in every list. */
static void make_unseen(struct filter_world *w)
{
	const char *target = arena_printf(&w->arena, "/v1/groups/%s/object-types", w->groups[GROUP_PRIVATE]);

	filter_ask(&w->callers[MAKER_CY], &w->arena, "POST", target, "{\"name\":\"Secret\"}", NULL);
	for (int i = 0; i < 5; i++) {
		target = arena_printf(&w->arena, "/v1/groups/%s/Deal", w->groups[GROUP_SALES]);
		world_post(w, MAKER_ADA, target, "{\"name\":\"Ada\"}");
		target = arena_printf(&w->arena, "/v1/groups/%s/Secret", w->groups[GROUP_PRIVATE]);
		const char *id = world_post(w, MAKER_CY, target, "{\"name\":\"Ada\"}");
		world_post(w, MAKER_CY, "/v1/tasks",
		    arena_printf(&w->arena,
		        "{\"entity\":{\"id\":\"%s\"},\"title\":\"t\",\"dueAt\":\"2024-02-29\",\"isPublic\":true,"
		        "\"assignedUsers\":[{\"id\":\"%s\"}]}",
		        id, w->users[i % 2 ? MAKER_BEN : MAKER_ADA].id));
	}
}

/* --- all of it ----------------------------------------------------------------------------------- */

void filter_world_open(struct filter_world *w, const char *name, uint64_t seed)
{
	memset(w, 0, sizeof *w);
	patience_seed(seed);
	rig_open(&w->rig, name, false);
	arena_init(&w->arena);
	snprintf(w->orders, sizeof w->orders, "%s/faults", w->rig.program->data_dir);
	rig_write(w->orders, "");
	setenv("FAULT_FILE", w->orders, 1);
	w->server = rig_serve(&w->rig, false, NULL);
	unsetenv("FAULT_FILE");
	w->users[MAKER_ADA] = w->rig.ada;
	w->users[MAKER_BEN] = w->rig.ben;
	w->users[MAKER_CY] =
	    user_create(w->rig.program, &w->arena, &w->rig.workspace, "cy", "Cy N", "Cy.Mixed@Example.org", "member");
	w->users[MAKER_NOISE] =
	    user_create(w->rig.program, &w->arena, &w->rig.workspace, "noise", "No Ise", "noise@example.org", "member");
	for (int i = 0; i < MAKERS; i++)
		caller_init(&w->callers[i], w->server->base, w->users[i].key);
	make_groups(w);
	for (int i = 0; i < n_filter_customs; i++)
		make_field(w, &filter_customs[i]);
	make_records(w, KIND_COMPANY, WORLD_COMPANIES);
	make_records(w, KIND_PERSON, WORLD_PEOPLE);
	make_records(w, KIND_OBJECT, WORLD_OBJECTS);
	make_references(w, KIND_PERSON);
	make_references(w, KIND_COMPANY);
	make_references(w, KIND_OBJECT);
	make_activities(w);
	make_unseen(w);
	filter_world_change(w);
	filter_world_move(w);
	filter_world_delete(w);
	for (int i = 0; i < MAKER_NOISE; i++)
		filter_view_open(w, &w->views[i], (enum filter_maker)i);
}

bool filter_world_close(struct filter_world *w)
{
	for (int i = 0; i < MAKER_NOISE; i++)
		filter_view_close(&w->views[i]);
	for (int i = 0; i < MAKERS; i++)
		caller_free(&w->callers[i]);
	bool clean = server_stop(w->server);
	rig_close(&w->rig);
	arena_free(&w->arena);
	return clean;
}
