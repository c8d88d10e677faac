/* References to contacts, objects and users in the columns of a file: by id, e-mail address, name, or the id in the
 * other program that wrote the file. */
#include "transfer/compose_private.h"

enum { LINKS_MAX = COMPOSE_ITEMS_MAX };

/* A member that gets its references from two columns, or more. */
struct link_member {
	struct compose *b;
	struct entry *e;
	const char *list;
	bool expects; /* only notes what will be looked for */
	const char *ids[LINKS_MAX];
	size_t n;
};

static const struct {
	const char *list, *one, *prefix;
} link_lists[] = {{"people", "person", "per_"}, {"companies", "company", "com_"}, {"objects", "object", "obj_"}};

enum { LINK_LISTS = sizeof link_lists / sizeof *link_lists };

static int link_list_number(const char *list)
{
	int i = 0;

	while (i < LINK_LISTS - 1 && strcmp(link_lists[i].list, list) != 0)
		i++;
	return i;
}

/* --- one reference --------------------------------------------------------------------------- */

void compose_name_and_email(struct arena *a, const char *text, const char **name, const char **email)
{
	size_t len = strlen(text), open = len;
	bool closed = len && strchr(")>", text[len - 1]);

	/* The name may have brackets, too. */
	while (closed && open && !strchr("(<", text[open - 1]))
		open--;
	*name = text;
	*email = "";
	if (closed && open && memchr(text + open, '@', len - open)) {
		open--;
		*email = arena_dup(a, text + open + 1, len - open - 2);
		while (open && text[open - 1] == ' ')
			open--;
		*name = arena_dup(a, text, open);
	} else if (strchr(text, '@') && !strchr(text, ' ')) {
		*email = text;
	}
}

static const char *link_ask(struct link_member *m, enum compose_key key, const char *text, size_t *n)
{
	*n = 0;
	if (!*text)
		return NULL;
	if (!m->expects)
		return m->b->find(m->b->find_ctx, m->list, key, text, "", n);
	m->b->expect(m->b->find_ctx, m->list, key, text);
	return NULL;
}

/* The id of the only record that the text means, else NULL. *n: how many records it may mean. */
static const char *link_find(struct link_member *m, const char *text, bool other_id, size_t *n)
{
	const char *id = NULL, *name, *email;

	*n = 0;
	if (!other_id && strncmp(text, link_lists[link_list_number(m->list)].prefix, 4) == 0)
		return link_ask(m, COMPOSE_BY_ID, text, n);
	if (!other_id) {
		compose_name_and_email(&m->e->arena, text, &name, &email);
		if (strcmp(m->list, "objects") != 0)
			id = link_ask(m, COMPOSE_BY_EMAIL, email, n);
		if (!id && !*n)
			id = link_ask(m, COMPOSE_BY_NAME, name, n);
	}
	if (!id && !*n && m->b->keeps_ids)
		id = link_ask(m, COMPOSE_BY_OTHER_ID, text, n);
	return id;
}

/* Makes the contact if the options say so. */
static const char *link_make(struct link_member *m, const char *text)
{
	const char *name, *email;

	if (m->expects || strcmp(m->list, "objects") == 0 ||
	    strncmp(text, link_lists[link_list_number(m->list)].prefix, 4) == 0)
		return NULL;
	compose_name_and_email(&m->e->arena, text, &name, &email);
	return m->b->make(m->b->find_ctx, m->list, name, email);
}

/* A dry run has no id for a contact that it would make, or add to the group: the id is "". */
static void link_add(struct link_member *m, const char *id)
{
	m->e->assumed |= !*id;
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->ids[i], id) == 0)
			return;
	if (*id && m->n < LINKS_MAX)
		m->ids[m->n++] = arena_dupz(&m->e->arena, id);
}

static const char *link_why(const struct link_member *m, const char *text, bool other_id, size_t n)
{
	const char *one = link_lists[link_list_number(m->list)].one;

	if (other_id && !m->b->keeps_ids)
		return "ids of another program are found only with --keep-ids";
	return arena_printf(&m->e->arena,
	    n ? "several of the %s have the %s \"%.200s\"" : "there is no %s with the %s \"%.200s\"", n ? m->list : one,
	    other_id ? "other program's id" : "name, address or id", text);
}

static void link_lose(struct link_member *m, const struct entry_value *v, const char *text, const char *why)
{
	if (!m->expects)
		entry_lose(m->e,
		    arena_printf(&m->e->arena, "column \"%s\", \"%.60s\"", m->b->columns->names[v->column], text), "%s",
		    why);
}

/* --- one cell ---------------------------------------------------------------------------------- */

static const char *link_item(struct link_member *m, const struct compose_item *item)
{
	return arena_dup(&m->e->arena, item->text, item->len);
}

/* Adds the record that the text means, or counts the reference as lost. */
static void link_take(struct link_member *m, const struct entry_value *v, const char *text, bool other_id)
{
	size_t n;
	const char *id = link_find(m, text, other_id, &n);

	if (!id && !n && !other_id)
		id = link_make(m, text);
	if (id)
		link_add(m, id);
	else
		link_lose(m, v, text, link_why(m, text, other_id, n));
}

/* A part of a cell between semicolons. It is a list with commas only if one of its items is found, because names have
 * commas, too. */
static void link_part(struct link_member *m, const struct entry_value *v, const char *text)
{
	struct compose_items items = {0};
	bool list = false;
	size_t n;

	if (strchr(text, ',') && (m->expects || (!link_find(m, text, false, &n) && !n))) {
		compose_split_items(&items, text, ",");
		for (size_t i = 0; i < items.n; i++)
			list |= link_find(m, link_item(m, &items.items[i]), false, &n) != NULL;
	}
	for (size_t i = 0; list && i < items.n; i++)
		link_take(m, v, link_item(m, &items.items[i]), false);
	if (!list)
		link_take(m, v, text, false);
}

/* The whole cell is tried as a name before it is split. */
static void link_cell(struct link_member *m, const struct entry_value *v)
{
	struct compose_items items = {0};
	const char *id;
	size_t n;

	if (m->b->split && compose_quoted_items(&items, v->text)) {
		for (size_t i = 0; i < items.n; i++)
			link_take(m, v, link_item(m, &items.items[i]), false);
		return;
	}
	compose_split_items(&items, v->text, ";\n");
	id = items.n > 1 ? link_find(m, v->text, false, &n) : NULL;
	if (id)
		link_add(m, id);
	for (size_t i = 0; !id && i < items.n; i++)
		link_part(m, v, link_item(m, &items.items[i]));
}

/* --- one member ---------------------------------------------------------------------------------- */

/* The ids in the other program, beside the names of a member. */
struct link_other_ids {
	struct compose_items items;
	const char *ids[COMPOSE_ITEMS_MAX]; /* NULL: not found */
	const struct entry_value *value;    /* the last one */
	bool all;                           /* all are found */
};

static void link_read_other_ids(struct link_member *m, const struct transfer_field *f, struct link_other_ids *others)
{
	const struct entry_value *v;
	size_t n;

	memset(others, 0, sizeof *others);
	for (size_t at = 0; f && (v = compose_value(m->b, m->e, f, &at));) {
		compose_split_items(&others->items, v->text, ";,\n");
		others->value = v;
	}
	others->all = others->items.n > 0;
	for (size_t i = 0; i < others->items.n; i++) {
		others->ids[i] = link_find(m, link_item(m, &others->items.items[i]), true, &n);
		others->all &= others->ids[i] != NULL;
		if (others->ids[i])
			link_add(m, others->ids[i]);
	}
}

/* Names count where these ids are unknown. If there are as many names as ids, each name belongs to an id. */
static void link_names(struct link_member *m, const struct transfer_field *f, const struct link_other_ids *others)
{
	const struct entry_value *v;
	struct compose_items items = {0};
	size_t cells = 0;

	for (size_t at = 0; (v = compose_value(m->b, m->e, f, &at)); cells++)
		compose_split_items(&items, v->text, ";\n");
	for (size_t at = 0, i = 0; (v = compose_value(m->b, m->e, f, &at));) {
		if (others->items.n != items.n || cells > 1) {
			link_cell(m, v);
			continue;
		}
		for (; i < items.n; i++)
			if (!others->ids[i])
				link_part(m, v, link_item(m, &items.items[i]));
	}
	for (size_t i = 0; !cells && i < others->items.n; i++)
		if (!others->ids[i])
			link_take(m, others->value, link_item(m, &others->items.items[i]), true);
}

/* Finds all references of a member; f: the field itself. Its part ".otherId" has the ids in the other program. */
static void link_collect(struct link_member *m, const struct transfer_field *f)
{
	struct link_other_ids others;

	link_read_other_ids(m, field_named(m->b->kind, arena_printf(&m->e->arena, "%s.otherId", f->name)), &others);
	if (!others.all || m->expects)
		link_names(m, f, &others);
}

void compose_links(struct compose *b, struct entry *e, const struct transfer_field *f, struct json_out *o)
{
	struct link_member m = {.b = b, .e = e, .list = f->shape == SHAPE_PEOPLE ? "people" : "companies"};

	link_collect(&m, f);
	if (!m.n)
		return;
	json_key(o, f->name);
	json_begin_array(o);
	for (size_t i = 0; i < m.n; i++) {
		json_begin_object(o);
		json_add_string(o, "id", m.ids[i]);
		json_end_object(o);
	}
	json_end_array(o);
}

/* --- the record that a note or task is about ---------------------------------------------------- */

/* In this order: a note about a deal names its contacts, too. */
static const struct link_entity {
	const char *field, *list;
} link_entities[] = {{"entity.object", "objects"}, {"entity.person", "people"}, {"entity.company", "companies"},
    {"entity", "people"}, {"entity", "companies"}, {"entity", "objects"}};

enum { LINK_ENTITIES = sizeof link_entities / sizeof *link_entities };

/* True when the records of the list can be found. */
static bool link_has_list(const struct compose *b, const char *list)
{
	return strcmp(list, "objects") != 0 || b->finds_objects;
}

/* Looks for the record by the columns of one field. A reference that is not found counts as lost only if no other
 * column names the record. */
static const char *link_entity(struct compose *b, struct entry *e, const struct link_entity *l, bool expects)
{
	struct link_member m = {.b = b, .e = e, .list = l->list, .expects = expects};
	struct entry_lost **end = &e->lost;

	if (!link_has_list(b, l->list) || !field_named(b->kind, l->field))
		return NULL;
	while (*end)
		end = &(*end)->next;
	link_collect(&m, field_named(b->kind, l->field));
	*end = NULL;
	for (size_t i = 1; i < m.n; i++)
		entry_lose(e, "entity", "the record refers to several %s, and gets the first one", l->list);
	return m.n ? m.ids[0] : NULL;
}

void compose_entity(struct compose *b, struct entry *e, struct json_out *o)
{
	const char *id = NULL, *text = NULL;

	for (int i = 0; i < LINK_ENTITIES && !id; i++) {
		const struct transfer_field *f = field_named(b->kind, link_entities[i].field);
		const struct entry_value *v;
		size_t at = 0;
		if (f && !text && (v = compose_value(b, e, f, &at)))
			text = v->text;
		id = link_entity(b, e, &link_entities[i], false);
	}
	if (!id && e->assumed)
		return;
	if (!id)
		entry_refuse(e,
		    text ? "entity: there is no record with the name, address or id \"%.200s\", or there are several"
		         : "entity: no column names the record that it is about",
		    text);
	json_key(o, "entity");
	json_begin_object(o);
	json_add_string(o, "id", id ? id : text ? text : "");
	json_end_object(o);
}

/* --- users ------------------------------------------------------------------------------------------ */

static const struct roster_name *link_user(const struct compose *b, struct entry *e, const char *text)
{
	const struct roster_name *u = roster_user(b->roster, text);
	const char *name, *email;

	compose_name_and_email(&e->arena, text, &name, &email);
	if (!u && *email)
		u = roster_user(b->roster, email);
	return u ? u : roster_user(b->roster, name);
}

static void link_put_user(
    struct compose *b, struct entry *e, const struct entry_value *v, const char *text, struct json_out *o)
{
	const struct roster_name *u = link_user(b, e, text);
	bool server = !u && compose_column(b, v)->use == MAPPING_CUSTOM && strchr(text, '@');

	if (!u && !server) {
		entry_lose(e, arena_printf(&e->arena, "column \"%s\", \"%.60s\"", b->columns->names[v->column], text),
		    "there is no user, or several, with the name, address or id \"%.200s\"", text);
		return;
	}
	/* The server says which addresses are unknown. */
	json_begin_object(o);
	json_add_string(o, u ? "id" : "email", u ? u->id : text);
	json_end_object(o);
}

void compose_users(struct compose *b, struct entry *e, const struct entry_value *v, struct json_out *o)
{
	struct compose_items items = {0};

	if (link_user(b, e, v->text)) {
		link_put_user(b, e, v, v->text, o);
		return;
	}
	compose_split_items(&items, v->text, ";,\n");
	for (size_t i = 0; i < items.n; i++)
		link_put_user(b, e, v, arena_dup(&e->arena, items.items[i].text, items.items[i].len), o);
}

/* --- what will be looked for ---------------------------------------------------------------------- */

bool compose_has_links(const struct compose *b, const struct entry *e, const struct transfer_field *f)
{
	size_t at = 0;

	if (f->shape != SHAPE_COMPANIES || b->kind != TRANSFER_PEOPLE)
		return f->shape == SHAPE_PEOPLE || f->shape == SHAPE_COMPANIES;
	/* The server links people to companies by their names. */
	return !compose_value(b, e, f, &at) &&
	       compose_value(b, e, field_named(b->kind, "companies.otherId"), &(size_t){0});
}

void compose_expect(struct compose *b, struct entry *e)
{
	const struct transfer_field *f;

	for (size_t i = 0; !e->object && (f = field_at(b->kind, i)); i++) {
		struct link_member m = {
		    .b = b, .e = e, .list = f->shape == SHAPE_PEOPLE ? "people" : "companies", .expects = true};
		if (compose_has_links(b, e, f))
			link_collect(&m, f);
	}
	for (size_t i = 0; !e->object && i < e->n_values; i++)
		if (compose_may_split(b, &e->values[i]))
			b->expect(b->find_ctx, "companies", COMPOSE_BY_NAME, e->values[i].text);
	for (int i = 0; !e->object && i < LINK_ENTITIES; i++)
		link_entity(b, e, &link_entities[i], true);
}
