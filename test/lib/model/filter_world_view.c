/* What a user of the world sees; see filter_world.h. */
#include <string.h>

#include "server/base/text.h"
#include "test/lib/model/filter_world.h"

enum { TARGET_MAX = 4096 };

static const struct model_field *const own_fields[KINDS] = {
    [KIND_COMPANY] = model_companies,
    [KIND_PERSON] = model_people,
    [KIND_OBJECT] = model_objects,
    [KIND_TASK] = model_tasks,
};
static const char *const kind_words[KINDS] = {"companies", "people", "objects", "tasks"};
static const char *const entities[KINDS] = {"company", "person", filter_type, ""};

static bool maker_sees(enum filter_maker maker, enum filter_group group)
{
	return group != GROUP_BARE && (group != GROUP_PRIVATE || maker != MAKER_BEN);
}

/* The custom fields of the kind that the user sees. */
static void add_customs(struct filter_world *w, struct filter_view *v, struct filter_list *l, enum filter_kind kind,
    enum filter_maker maker)
{
	for (int i = 0; i < n_filter_customs; i++) {
		const struct world_custom *c = &filter_customs[i];
		struct model_field *f = &l->fields[l->n_fields];
		bool object = kind == KIND_OBJECT;
		if (strcmp(c->entity, entities[kind]) != 0 || !maker_sees(maker, c->group))
			continue;
		/* Objects cannot be filtered by their objects (docs/filters.md). */
		if (!model_custom(c->type, f) || (object && strcmp(c->type, "objectField") == 0))
			continue;
		const char *group = w->groups[c->group];
		f->name = object ? arena_printf(&v->arena, "customFieldValues.%s", c->name)
		                 : arena_printf(&v->arena, "customFieldValues.%s.%s", group, c->name);
		f->path[0] = "customFieldValues";
		f->path[1] = object ? c->name : group;
		f->path[2] = object ? NULL : c->name;
		l->n_fields++;
	}
}

static void read_list(struct filter_view *v, struct filter_list *l)
{
	const char *target = arena_printf(&v->arena, "%s?limit=100", l->target);

	l->records = arena_alloc(&v->arena, WORLD_RECORDS_MAX * sizeof *l->records);
	while (target) {
		const struct json *page = filter_ask(&v->caller, &v->arena, "GET", target, NULL, NULL);
		struct json *item = json_member(json_member(page, "data"), "items")->first;
		for (; item && l->n_records < WORLD_RECORDS_MAX; item = item->next)
			l->records[l->n_records++] = item;
		target = filter_next(page);
	}
}

static void view_relate(
    struct filter_view *v, enum filter_kind from, enum filter_kind to, const char *ours, const char *theirs)
{
	struct filter_list *l = &v->lists[from], *o = &v->lists[to];

	l->relations[l->n_relations++] = (struct model_relation){.name = o->kind,
	    .ours = ours,
	    .theirs = theirs,
	    .others = o->records,
	    .n_others = o->n_records,
	    .fields = own_fields[to]};
}

void filter_view_open(struct filter_world *w, struct filter_view *v, enum filter_maker maker)
{
	struct buf type;

	v->name = w->users[maker].name;
	arena_init(&v->arena);
	caller_init(&v->caller, w->server->base, w->users[maker].key);
	for (int g = 0; g < GROUPS_MADE; g++)
		if (maker_sees(maker, (enum filter_group)g))
			v->groups[v->n_groups++] = w->groups[g];
	buf_init(&type, TARGET_MAX);
	text_percent_encode(&type, filter_type, strlen(filter_type));
	for (int k = 0; k < KINDS; k++) {
		struct filter_list *l = &v->lists[k];
		l->kind = kind_words[k];
		l->strays = w->strays;
		l->n_strays = w->n_strays;
		l->target = k == KIND_OBJECT
		                ? arena_printf(&v->arena, "/v1/groups/%s/%s", w->groups[GROUP_SALES], type.data)
		                : arena_printf(&v->arena, "/v1/%s", l->kind);
		for (const struct model_field *f = own_fields[k]; f->name; f++)
			l->fields[l->n_fields++] = *f;
		add_customs(w, v, l, (enum filter_kind)k, maker);
		read_list(v, l);
	}
	buf_free(&type);
	view_relate(v, KIND_PERSON, KIND_COMPANY, "companies", NULL);
	view_relate(v, KIND_COMPANY, KIND_PERSON, NULL, "companies");
	view_relate(v, KIND_OBJECT, KIND_PERSON, "people", NULL);
	view_relate(v, KIND_OBJECT, KIND_COMPANY, "companies", NULL);
}

void filter_view_close(struct filter_view *v)
{
	caller_free(&v->caller);
	arena_free(&v->arena);
}
