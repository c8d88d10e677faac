/* The custom fields of NDJSON records. Fields that the workspace lacks stop the import, or are created (--make-fields).
 */
#include <stdio.h>
#include <stdlib.h>

#include "transfer/import_private.h"
#include "transfer/value.h"

enum { CUSTOM_MAX = 2000, LABELS_MAX = 1000 };

/* A field that some record has a value of. */
struct import_field {
	char *group, *name; /* group: its name, or id when there is no name */
	int64_t values;
	bool not_number, not_date;
	const char *list_type; /* of lists: "multipleSelect", "userField", ...; NULL: not a list */
	char **labels;         /* of a multipleSelect */
	size_t n_labels;
};

struct import_fields {
	struct import_field items[CUSTOM_MAX];
	size_t count;
};

static struct import_field *fields_find(struct import_fields *fields, const char *group, const char *name)
{
	struct import_field *f;

	for (size_t i = 0; i < fields->count; i++)
		if (strcmp(fields->items[i].name, name) == 0 && strcmp(fields->items[i].group, group) == 0)
			return &fields->items[i];
	if (fields->count == CUSTOM_MAX)
		return NULL;
	f = &fields->items[fields->count++];
	f->group = mem_dupz(group);
	f->name = mem_dupz(name);
	return f;
}

static void fields_add_label(struct import_field *f, const char *label)
{
	for (size_t i = 0; i < f->n_labels; i++)
		if (strcmp(f->labels[i], label) == 0)
			return;
	if (f->n_labels == LABELS_MAX)
		return;
	f->labels = mem_realloc(f->labels, (f->n_labels + 1) * sizeof *f->labels);
	f->labels[f->n_labels++] = mem_dupz(label);
}

static void fields_note_list(struct import_field *f, const struct json *list)
{
	const char *entity = json_text(list->first, "entityType");

	f->list_type = list->first->type == JSON_STRING   ? "multipleSelect"
	               : *json_text(list->first, "email") ? "userField"
	               : strcmp(entity, "object") == 0    ? "objectField"
	                                                  : "contactField";
	for (const struct json *i = list->first; i && i->type == JSON_STRING; i = i->next)
		fields_add_label(f, i->text);
}

static void fields_note(struct import_field *f, const struct json *v)
{
	bool day_first = false;

	f->values++;
	if (v->type == JSON_ARRAY) {
		fields_note_list(f, v);
		return;
	}
	f->not_number |= v->type != JSON_NUMBER && (v->type != JSON_STRING || !value_is_number(v->text));
	f->not_date |= v->type != JSON_STRING || v->len != 10 || !value_is_date(v->text, &day_first);
}

static void fields_note_group(struct import_fields *fields, const char *group, const struct json *values)
{
	json_each_member(v, values) {
		bool empty =
		    v->type == JSON_NULL || (v->type == JSON_STRING && !v->len) || (v->type == JSON_ARRAY && !v->first);
		struct import_field *f = empty ? NULL : fields_find(fields, group, v->key);
		if (f)
			fields_note(f, v);
	}
}

/* The name that the record has for a group's id, else the id. */
static const char *fields_group_name(const struct json *record, const char *id)
{
	const struct json *groups = json_member(record, "groups");

	json_each(g, groups)
		if (strcmp(json_text(g, "id"), id) == 0 && *json_text(g, "name"))
			return json_text(g, "name");
	return id;
}

void import_fields_observe(struct import *im, const struct json *record)
{
	const struct json *custom = json_typed(record, "customFieldValues", JSON_OBJECT);

	if (!custom || im->kind > TRANSFER_OBJECTS)
		return;
	if (!im->fields)
		im->fields = mem_zalloc(sizeof *im->fields);
	if (im->kind == TRANSFER_OBJECTS) {
		fields_note_group(im->fields, im->group, custom);
		return;
	}
	json_each_member(g, custom)
		fields_note_group(im->fields,
		    roster_group(&im->roster, g->key, g->key_len) ? g->key : fields_group_name(record, g->key), g);
}

/* --- what is missing ------------------------------------------------------------------------------ */

static const char *fields_type(const struct import_field *f)
{
	return f->list_type ? f->list_type : !f->not_date ? "dateField" : !f->not_number ? "numericField" : "textField";
}

static bool fields_has(const struct roster *r, const char *name)
{
	for (size_t i = 0; i < r->n_custom; i++)
		if (strcmp(r->custom[i].name, name) == 0)
			return true;
	return false;
}

static bool fields_make(struct import *im, const char *group, const struct import_field *f)
{
	if (!im->options->dry_run)
		return import_make_field(im, group, f->name, fields_type(f), (const char *const *)f->labels,
		    strcmp(fields_type(f), "multipleSelect") == 0 ? f->n_labels : 0);
	import_say(im, "would create the %s field \"%s\" in the group %s", fields_type(f), f->name, f->group);
	return true;
}

/* Handles the fields of one group, beginning with the first of them. */
static bool fields_settle_group(struct import *im, size_t first, bool make, bool *missing)
{
	struct import_fields *fields = im->fields;
	const char *name = fields->items[first].group, *group = roster_group(&im->roster, name, strlen(name));
	bool ok = !group || roster_load_fields(&im->roster, group, import_entity_type(im));

	for (size_t i = first; ok && i < fields->count; i++) {
		struct import_field *f = &fields->items[i];
		if (strcmp(f->group, name) != 0 || (group && fields_has(&im->roster, f->name)))
			continue;
		if (make && group) {
			ok = fields_make(im, group, f);
		} else if (!im->options->make_fields || (!group && !im->options->make_groups)) {
			if (!*missing)
				import_say(im,
				    "%s has values of custom fields that do not exist on this server; nothing was "
				    "imported:",
				    im->name);
			*missing = true;
			fprintf(stderr, "  %s of group %s (%lld values)%s\n", f->name, name, (long long)f->values,
			    group ? "" : "   # this group does not exist");
		}
	}
	return ok;
}

bool import_fields_settle(struct import *im, bool make)
{
	struct import_fields *fields = im->fields;
	bool ok = true, missing = false;

	for (size_t i = 0; ok && fields && i < fields->count; i++) {
		bool again = false;
		for (size_t k = 0; k < i; k++)
			again |= strcmp(fields->items[k].group, fields->items[i].group) == 0;
		if (!again)
			ok = fields_settle_group(im, i, make, &missing);
	}
	/* fields_settle_group() has left the fields of the last group loaded; load those of --group again. */
	if (fields && fields->count)
		ok = ok && import_load_fields(im);
	if (missing)
		fprintf(
		    stderr, "Add --make-fields to create the fields, and --make-groups to create missing groups.\n");
	return ok && !missing;
}

void import_fields_free(struct import *im)
{
	struct import_fields *fields = im->fields;

	for (size_t i = 0; fields && i < fields->count; i++) {
		for (size_t k = 0; k < fields->items[i].n_labels; k++)
			free(fields->items[i].labels[k]);
		free(fields->items[i].labels);
		free(fields->items[i].group);
		free(fields->items[i].name);
	}
	free(fields);
}
