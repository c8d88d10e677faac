/* Turns records in the API's own form (NDJSON) into bodies for its create: without read-only members, and with the ids
 * of this workspace. */
#include <stdio.h>

#include "transfer/compose_private.h"

static bool compose_is_empty(const struct json *v)
{
	return v->type == JSON_NULL || (v->type == JSON_STRING && v->len == 0) ||
	       ((v->type == JSON_ARRAY || v->type == JSON_OBJECT) && v->count == 0);
}

static void compose_reference(struct json_out *o, const char *key, const char *value)
{
	json_begin_object(o);
	json_add_string(o, key, value);
	json_end_object(o);
}

/* Writes "groups": the group for all records, and the groups of this record. */
static void compose_json_groups(struct compose *b, const struct json *list, struct json_out *o)
{
	json_key(o, "groups");
	json_begin_array(o);
	if (b->group)
		compose_reference(o, "id", b->group);
	json_each(i, list) {
		const char *id = json_text(i, "id"), *name = json_text(i, "name");
		/* An id of this workspace counts; otherwise the name beside it does. */
		bool known = *id && roster_group(b->roster, id, strlen(id));
		compose_group(b, o, known || !*name ? id : name, strlen(known || !*name ? id : name));
	}
	json_end_array(o);
}

/* The id in this workspace of a contact that a record refers to, or the reason why it has none. */
struct compose_contact {
	const char *id; /* NULL: the reference is left out */
	char why[300];
};

static const char *compose_contact_name(const struct json *reference)
{
	return *json_text(reference, "fullName") ? json_text(reference, "fullName") : json_text(reference, "name");
}

/* The list in which to look for a contact with that name: "companies", "people", NULL: both. */
static const char *compose_contact_list(const struct json *reference, const char *list)
{
	const char *id = json_text(reference, "id"), *type = json_text(reference, "entityType");

	if (strncmp(id, "com_", 4) == 0 || strcmp(type, "company") == 0)
		return "companies";
	return strncmp(id, "per_", 4) == 0 || strcmp(type, "person") == 0 ? "people" : list;
}

/* What a reference has for finding its record. A text is an id, an address, a name, or an id in the other program. */
struct compose_reference {
	const char *id, *name, *email, *other_id, *text;
};

static struct compose_reference compose_read_reference(struct entry *e, const struct json *reference)
{
	struct compose_reference r = {"", "", "", "", ""};
	const struct json *emails = json_member(reference, "emails");

	if (reference->type == JSON_STRING) {
		bool id = strncmp(reference->text, "per_", 4) == 0 || strncmp(reference->text, "com_", 4) == 0 ||
		          strncmp(reference->text, "obj_", 4) == 0;
		if (id) {
			r.id = reference->text;
			return r;
		}
		r.text = reference->text;
		compose_name_and_email(&e->arena, r.text, &r.name, &r.email);
		if (r.name == r.email)
			r.name = "";
		return r;
	}
	r.id = json_text(reference, "id");
	r.name = compose_contact_name(reference);
	r.other_id = json_text(reference, "otherId");
	r.email = json_text(reference, "email");
	if (!*r.email && json_items(emails) && json_items(emails)->type == JSON_STRING)
		r.email = json_items(emails)->text;
	return r;
}

/* Looks in one list by what the reference has, the surest first. *n as find() sets it. */
static const char *compose_find_in(
    const struct compose *b, const struct compose_reference *r, const char *list, size_t *n)
{
	const struct {
		enum compose_key key;
		const char *text;
	} keys[] = {{COMPOSE_BY_OTHER_ID, b->keeps_ids ? r->other_id : ""}, {COMPOSE_BY_EMAIL, r->email},
	    {COMPOSE_BY_NAME, r->name}, {COMPOSE_BY_OTHER_ID, b->keeps_ids ? r->text : ""}};
	const char *id = NULL;

	*n = 0;
	for (size_t i = 0; i < sizeof keys / sizeof *keys && !id && !*n; i++)
		if (*keys[i].text && (strcmp(list, "objects") != 0 || keys[i].key != COMPOSE_BY_EMAIL))
			id = b->find(b->find_ctx, list, keys[i].key, keys[i].text, r->id, n);
	return id;
}

static void compose_say_lost(struct compose_contact *contact, const struct compose_reference *r, size_t n)
{
	const char *text = *r->name ? r->name : *r->email ? r->email : r->other_id;
	const char *what = *r->name ? "name" : *r->email ? "e-mail address" : "other program's id";

	if (!*text)
		snprintf(contact->why, sizeof contact->why, "has neither id nor name");
	else
		snprintf(contact->why, sizeof contact->why,
		    n ? "there are several contacts with the %s \"%.200s\""
		      : "there is no contact with the %s \"%.200s\"",
		    what, text);
}

/* The list of an id in this workspace. */
static const char *compose_id_list(const char *id)
{
	return strncmp(id, "com_", 4) == 0 ? "companies" : strncmp(id, "per_", 4) == 0 ? "people" : "objects";
}

/* list: "people" or "companies", NULL: it may be of any. */
static struct compose_contact compose_find(
    struct compose *b, struct entry *e, const struct json *reference, const char *list)
{
	static const char *const lists[] = {"people", "companies", "objects"};
	const struct compose_reference r = compose_read_reference(e, reference);
	struct compose_contact contact = {0};
	size_t all = 0, n;

	if (*r.id && (b->same_workspace || (!*r.name && !*r.email && !*r.other_id) || strncmp(r.id, "obj_", 4) == 0)) {
		contact.id = b->find(b->find_ctx, compose_id_list(r.id), COMPOSE_BY_ID, r.id, "", &n);
		return contact;
	}
	list = compose_contact_list(reference, list);
	for (int i = 0; i < (b->finds_objects ? 3 : 2); i++) {
		if (list && strcmp(list, lists[i]) != 0)
			continue;
		const char *found = compose_find_in(b, &r, lists[i], &n);
		contact.id = found ? found : contact.id;
		all += n;
	}
	if (all > 1)
		contact.id = NULL;
	if (!all && list && (*r.name || *r.email) && strcmp(list, "objects") != 0)
		contact.id = b->make(b->find_ctx, list, r.name, r.email);
	compose_say_lost(&contact, &r, all);
	return contact;
}

/* The items of a list of references; a text has them between semicolons. */
static const struct json *compose_reference_items(struct entry *e, const struct json *list)
{
	struct json *made = json_make(&e->arena, JSON_ARRAY);
	struct compose_items items = {0};

	if (list->type != JSON_STRING)
		return json_items(list);
	compose_split_items(&items, list->text, ";\n");
	for (size_t i = 0; i < items.n; i++)
		json_attach(&e->arena, made, NULL, json_make_text(&e->arena, items.items[i].text, items.items[i].len));
	return made->first;
}

/* A person may name companies, which creates them; objects refer to contacts only by id. */
static void compose_json_contacts(struct compose *b, struct entry *e, const struct json *list, struct json_out *o)
{
	char at[64];
	int n = 0;

	json_begin_array(o);
	for (const struct json *i = compose_reference_items(e, list); i; i = i->next, n++) {
		const char *name =
		    i->type == JSON_STRING && strncmp(i->text, "com_", 4) != 0 ? i->text : json_text(i, "name");
		if (b->kind == TRANSFER_PEOPLE && *name && (!*json_text(i, "id") || !b->same_workspace || e->by_name)) {
			compose_reference(o, "name", name);
			continue;
		}
		struct compose_contact contact = compose_find(b, e, i, list->key);
		snprintf(at, sizeof at, "%s.%d", list->key, n);
		if (contact.id && *contact.id)
			compose_reference(o, "id", contact.id);
		else if (!contact.id)
			entry_lose(e, at, "%s", contact.why);
	}
	json_end_array(o);
}

static void compose_json_entity(struct compose *b, struct entry *e, const struct json *entity, struct json_out *o)
{
	struct compose_contact contact = compose_find(b, e, entity, NULL);

	e->assumed |= contact.id && !*contact.id;
	if (contact.id)
		compose_reference(o, "id", contact.id);
	else
		json_null(o);
	if (!contact.id)
		entry_refuse(e, "entity: %s", contact.why);
}

static const struct roster_name *compose_known_user(const struct compose *b, const struct json *user)
{
	const char *id = json_text(user, "id"), *email = json_text(user, "email");
	const struct roster_name *known = *id ? roster_user(b->roster, id) : NULL;

	if (user->type == JSON_STRING)
		return roster_user(b->roster, user->text);
	known = known || !*email ? known : roster_user(b->roster, email);
	return known || !*json_text(user, "fullName") ? known : roster_user(b->roster, json_text(user, "fullName"));
}

static void compose_json_users(
    struct compose *b, struct entry *e, const struct json *list, const char *at, struct json_out *o)
{
	int n = 0;

	json_begin_array(o);
	for (const struct json *i = compose_reference_items(e, list); i; i = i->next, n++) {
		const struct roster_name *known = compose_known_user(b, i);
		const char *email = i->type == JSON_STRING ? i->text : json_text(i, "email"),
		           *which = *email ? email : json_text(i, "id");
		if (known)
			compose_reference(o, "id", known->id);
		else
			entry_lose(e, arena_printf(&e->arena, "%s.%d", at, n), "there is no user \"%.200s\"", which);
	}
	json_end_array(o);
}

static void compose_json_author(struct compose *b, const struct json *user, struct json_out *o)
{
	const struct roster_name *known = compose_known_user(b, user);

	if (!b->keeps_authors) {
		b->authors++;
		return;
	}
	b->no_author += !known;
	if (!known)
		return;
	json_key(o, "createdBy");
	compose_reference(o, "id", known->id);
}

/* --- custom fields ------------------------------------------------------------------------------ */

/* True for the value of a userField: users show their address; other programs may write only a name. */
static bool compose_is_users(const struct compose *b, const struct json *v)
{
	const struct mapping_custom *custom = mapping_custom_named(b->mapping, v->key);

	return custom ? custom->type == MAPPING_USERS : *json_text(json_items(v), "email") != '\0';
}

/* A read record shows more members of contacts, users and objects than a body may have. */
static void compose_json_value(
    struct compose *b, struct entry *e, const struct json *v, const char *at, struct json_out *o)
{
	int n = 0;

	if (compose_is_users(b, v)) {
		compose_json_users(b, e, v, at, o);
	} else if (v->type != JSON_ARRAY || !v->first || v->first->type != JSON_OBJECT) {
		json_value(o, v);
	} else {
		json_begin_array(o);
		for (const struct json *i = v->first; i; i = i->next, n++) {
			if (*json_text(i, "id"))
				compose_reference(o, "id", json_text(i, "id"));
			else
				entry_lose(e, arena_printf(&e->arena, "%s.%d", at, n), "has no id");
		}
		json_end_array(o);
	}
}

static void compose_json_values(
    struct compose *b, struct entry *e, const struct json *values, const char *at, struct json_out *o)
{
	json_begin_object(o);
	json_each_member(v, values) {
		const struct mapping_custom *custom = mapping_custom_named(b->mapping, v->key);
		if (compose_is_empty(v) || (custom && custom->left_out))
			continue;
		json_key(o, v->key);
		compose_json_value(b, e, v, arena_printf(&e->arena, "%s.%s", at, v->key), o);
	}
	json_end_object(o);
}

/* The group that a key of customFieldValues means: by id, or by the name that the record has for the id. */
static const char *compose_json_group(const struct compose *b, const struct json *record, const char *key)
{
	const struct json *groups = json_member(record, "groups");
	const char *id = roster_group(b->roster, key, strlen(key));

	for (const struct json *g = json_items(groups); g && !id; g = g->next)
		if (strcmp(json_text(g, "id"), key) == 0)
			id = roster_group(b->roster, json_text(g, "name"), strlen(json_text(g, "name")));
	return id;
}

static void compose_json_custom(struct compose *b, struct entry *e, const struct json *values, struct json_out *o)
{
	json_key(o, values->key);
	if (b->kind == TRANSFER_OBJECTS) {
		compose_json_values(b, e, values, values->key, o);
		return;
	}
	json_begin_object(o);
	json_each_member(g, values) {
		const char *id = compose_json_group(b, e->object, g->key);
		bool any = false;
		json_each_member(v, g)
			any |= !compose_is_empty(v);
		if (!any)
			continue;
		/* An unknown group is sent as it is, and the server refuses it with its reason. */
		json_key(o, id ? id : g->key);
		compose_json_values(b, e, g, arena_printf(&e->arena, "%s.%s", values->key, id ? id : g->key), o);
	}
	json_end_object(o);
}

/* --- all -------------------------------------------------------------------------------------------- */

static bool compose_is_derived(const struct json *record, const struct json *full)
{
	const char *first = json_text(record, "firstName"), *last = json_text(record, "lastName");
	size_t len = strlen(first);

	if (full->type != JSON_STRING || (!*first && !*last))
		return false;
	if (!*first || !*last)
		return strcmp(full->text, *first ? first : last) == 0;
	return strncmp(full->text, first, len) == 0 && full->text[len] == ' ' &&
	       strcmp(full->text + len + 1, last) == 0;
}

/* The author of a note, the user of an interaction. */
static const struct json *compose_other_author(const struct json *m)
{
	return strcmp(m->key, "author") == 0 || (strcmp(m->key, "from") == 0 && *json_text(m, "value")) ? m : NULL;
}

static void compose_json_from(struct compose *b, const struct json *from, struct json_out *o)
{
	const struct roster_name *known = roster_user(b->roster, json_text(from, "value"));

	b->authors += !b->keeps_authors;
	b->no_author += b->keeps_authors && !known;
	if (!b->keeps_authors || !known)
		return;
	json_key(o, "createdBy");
	compose_reference(o, "id", known->id);
}

static void compose_json_member(
    struct compose *b, struct entry *e, const struct json *m, const struct transfer_field *f, struct json_out *o)
{
	const struct json *author = f && f->shape == SHAPE_READ ? compose_other_author(m) : NULL;

	if (author && strcmp(m->key, "from") == 0) {
		compose_json_from(b, m, o);
	} else if (author || (f && f->shape == SHAPE_USER)) {
		compose_json_author(b, m, o);
	} else if (f && f->from_admin && !b->keeps_authors) {
		b->authors++;
	} else if (f && strcmp(f->name, "parentNote") == 0) {
		if (!b->same_workspace) {
			entry_lose(e, f->name, "the note has another id in this workspace");
			return;
		}
		json_key(o, f->name);
		compose_reference(o, "id", json_text(m, "id"));
	} else if (f && (f->shape == SHAPE_COMPANIES || f->shape == SHAPE_PEOPLE)) {
		json_key(o, f->name);
		compose_json_contacts(b, e, m, o);
	} else if (f && f->shape == SHAPE_ENTITY) {
		json_key(o, f->name);
		compose_json_entity(b, e, m, o);
	} else if (f && f->shape == SHAPE_CUSTOM && m->type == JSON_OBJECT) {
		compose_json_custom(b, e, m, o);
	} else if (f && f->shape == SHAPE_USERS) {
		json_key(o, f->name);
		compose_json_users(b, e, m, m->key, o);
	} else if (!f || (f->shape != SHAPE_READ && f->shape != SHAPE_GROUPS)) {
		json_key(o, m->key);
		json_value(o, m);
	}
}

/* A member that --map renames: a text may become the only item of a list. */
static void compose_json_mapped(const struct compose *b, const struct json *m, const char *rule, struct json_out *o)
{
	const struct transfer_field *f = field_named(b->kind, rule);
	bool item = f && (f->shape == SHAPE_LIST || f->shape == SHAPE_COMMAS) && m->type == JSON_STRING;

	if (!f)
		return;
	json_key(o, f->name);
	if (item)
		json_begin_array(o);
	json_value(o, m);
	if (item)
		json_end_array(o);
}

/* True for a refused record that nobody has corrected, from which an empty record would be created. */
static bool compose_is_unmended(const struct json *record)
{
	return json_member(record, "_line") || (record->count == 1 && json_member(record, "_refused"));
}

void compose_object(struct compose *b, struct entry *e, struct json_out *o)
{
	const struct json *groups = json_member(e->object, "groups");
	bool grouped = b->kind == TRANSFER_PEOPLE || b->kind == TRANSFER_COMPANIES;

	json_each_member(m, e->object) {
		const struct transfer_field *f = field_named(b->kind, m->key);
		const char *rule = mapping_rule_for(b->mapping, m->key);
		if (compose_is_empty(m) || (f && f->unset && m->type == JSON_STRING && strcmp(m->text, f->unset) == 0))
			continue;
		if (f && strcmp(f->name, "fullName") == 0 && compose_is_derived(e->object, m))
			continue;
		if (rule)
			compose_json_mapped(b, m, rule, o);
		else
			compose_json_member(b, e, m, f, o);
	}
	if (grouped && (b->group || (groups && groups->count)))
		compose_json_groups(b, groups, o);
	if (compose_is_unmended(e->object))
		entry_refuse(e, "is unchanged since it was refused; correct it first");
}
