/* Finds the names and the dates in words in a filter, and the names of groups in names of fields: see refer.h. */
#include "server/mcp/refer.h"

#include <string.h>

#define ENTITIES (MCP_BIT(MCP_PERSON) | MCP_BIT(MCP_COMPANY) | MCP_BIT(MCP_OBJECT))

enum custom_entity refer_entity(const struct refer_scope *s)
{
	return s->kind == &kinds[MCP_PERSON]    ? ENTITY_PERSON
	       : s->kind == &kinds[MCP_COMPANY] ? ENTITY_COMPANY
	                                        : ENTITY_OBJECT;
}

/* The kinds whose ids a filter takes; bits: of enum id_kind. */
static unsigned kinds_of_ids(unsigned bits)
{
	unsigned found = 0;

	for (int i = 0; i < MCP_KINDS; i++)
		if (bits & 1u << kinds[i].resource->id_kind)
			found |= MCP_BIT(i);
	return found;
}

/* --- names of custom fields -------------------------------------------------------------------- */

#define CUSTOM "customFieldValues."

/* Returns what follows "customFieldValues." at the beginning of a name, or behind a colon as in "sum:"; NULL: the name
 * is of another field. */
static const char *custom_part(const char *name)
{
	const char *at = strstr(name, CUSTOM);

	return at && (at == name || at[-1] == ':') ? at + strlen(CUSTOM) : NULL;
}

void refer_field_name(struct refer_places *p, const struct refer_scope *s, struct json *name, const struct path *path)
{
	struct arena *a = &p->r->arena;
	const char *part, *end;
	struct json *group;

	part = name->type == JSON_STRING && s->kind != &kinds[MCP_OBJECT] ? custom_part(name->text) : NULL;
	end = part ? strchr(part, '.') : NULL;
	if (!end)
		return;
	group = json_make_text(a, arena_dup(a, part, (size_t)(end - part)), (size_t)(end - part));
	refer_text(p, group, MCP_BIT(MCP_GROUP), path);
	name->text = arena_printf(a, "%.*s%s%s", (int)(part - name->text), name->text, group->text, end);
	name->len = strlen(name->text);
}

/* Returns how the values of the custom field with that name are filtered; NULL: there is no such field. */
static const struct filter_field *custom_named(struct refer_places *p, const struct refer_scope *s, const char *part)
{
	const struct group *g = s->group;
	const struct custom_field *f;
	struct uuid id;

	if (s->kind != &kinds[MCP_OBJECT]) {
		if (strlen(part) <= ID_LEN || part[ID_LEN] != '.' || !id_parse(ID_GROUP, part, ID_LEN, &id))
			return NULL;
		g = visible_group(p->r->caller.ws, &id, &p->r->caller.viewer);
		part += ID_LEN + 1;
	}
	f = g ? group_field(g, refer_entity(s), s->type ? &s->type->id : NULL, part, strlen(part)) : NULL;
	return f ? filter_custom_field(custom_type_name(f->type)) : NULL;
}

/* --- filters ---------------------------------------------------------------------------------------- */

/* The field that a key of a filter names, also of related records. */
static const struct filter_field *filter_named(
    struct refer_places *p, const struct refer_scope *s, struct json *m, const struct path *path)
{
	struct json *key = json_make_text(&p->r->arena, m->key, m->key_len);
	const struct filter_relation *relation;
	const char *dot = strchr(m->key, '.');

	refer_field_name(p, s, key, path);
	m->key = key->text;
	m->key_len = key->len;
	if (custom_part(m->key))
		return custom_named(p, s, custom_part(m->key));
	relation = dot ? filter_relation_find(s->kind->filters, m->key, (size_t)(dot - m->key)) : NULL;
	return relation ? filter_field_find(relation->target, dot + 1, strlen(dot + 1))
	                : filter_field_find(s->kind->filters, m->key, m->key_len);
}

/* The value of an operator. References with sub-keys are {"id": names}; only the names will do, too. */
static void refer_operand(
    struct refer_places *p, const struct filter_field *f, struct json *value, const struct path *path)
{
	bool days = f->type == FILTER_DATE || f->type == FILTER_DAY;
	unsigned allowed = kinds_of_ids(f->kinds);

	if (allowed) {
		if (f->subkeys & FILTER_SUBKEY_ID && value->type != JSON_OBJECT && value->type != JSON_BOOL)
			refer_wrap(p, value, "id");
		if (value->type == JSON_OBJECT)
			value = json_member(value, "id");
		if (value)
			refer_texts(p, value, allowed, path);
	} else if (days || f->type == FILTER_INSTANT) {
		/* The API compares an instant with the day of UTC, and here it is the user's. */
		enum words_form form = days ? WORDS_DAYS : strcmp(value->key, "gt") == 0 ? WORDS_END : WORDS_START;
		words_replace(p->r, value, form, WHEN_ANY, path, NULL);
		for (struct json *item = refer_items(value); item; item = item->next)
			words_replace(p->r, item, form, WHEN_ANY, path, NULL);
	}
}

static void refer_condition(
    struct refer_places *p, const struct refer_scope *s, struct json *m, const struct path *path)
{
	const struct filter_field *f;
	size_t n = 0;

	if (strcmp(m->key, "and") == 0 || strcmp(m->key, "or") == 0) {
		for (struct json *part = refer_items(m); part; part = part->next)
			refer_filter(p, s, part, refer_path_index(p, path, n++));
		return;
	}
	f = filter_named(p, s, m, path);
	if (f && m->type == JSON_OBJECT)
		for (struct json *value = m->first; value; value = value->next)
			refer_operand(p, f, value, refer_path_named(p, path, value->key));
	else if (f && f->kinds) /* of tasks: only the id */
		refer_texts(p, m, kinds_of_ids(f->kinds), path);
}

/* Lists without filters have parameters. */
static void refer_parameter(struct refer_places *p, struct json *m, const struct path *path)
{
	if (strcmp(m->key, "entity") == 0)
		refer_text(p, m, ENTITIES, path);
	else if (strcmp(m->key, "userId") == 0)
		refer_text(p, m, MCP_BIT(MCP_USER), path);
	else
		words_replace(p->r, m, WORDS_START, WHEN_ANY, path, NULL);
}

void refer_filter(struct refer_places *p, const struct refer_scope *s, struct json *filter, const struct path *path)
{
	for (struct json *m = refer_members(filter); m; m = m->next) {
		if (s->kind->filters)
			refer_condition(p, s, m, refer_path_named(p, path, m->key));
		else
			refer_parameter(p, m, refer_path_named(p, path, m->key));
	}
}
