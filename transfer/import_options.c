/* Options of the group's selects that the values of a file need and that do not exist yet (--make-options). */
#include <stdlib.h>

#include "server/base/table.h"
#include "server/base/text.h"
#include "transfer/compose_private.h"
#include "transfer/import_private.h"

enum { LABELS_EXPECTED = 100, LABELS_MAX = 1000, CUSTOM_SIZE = 1100 };

/* The labels that the values of a field have. */
struct option_field {
	struct option_field *next;
	const char *name;
	struct table labels;
};

struct import_labels {
	struct arena arena;
	struct option_field *fields;
};

static struct option_field *options_field(struct import *im, const char *name)
{
	struct option_field *f;

	if (!im->labels) {
		im->labels = mem_zalloc(sizeof *im->labels);
		arena_init(&im->labels->arena);
	}
	for (f = im->labels->fields; f; f = f->next)
		if (strcmp(f->name, name) == 0)
			return f;
	f = arena_alloc(&im->labels->arena, sizeof *f);
	f->name = arena_dupz(&im->labels->arena, name);
	f->next = im->labels->fields;
	table_init(&f->labels, &im->labels->arena, LABELS_EXPECTED);
	im->labels->fields = f;
	return f;
}

static void options_add(struct import *im, struct option_field *f, const char *label, size_t len)
{
	if (len && f->labels.count < LABELS_MAX && !table_has(&f->labels, label, len))
		table_add(&f->labels, arena_dup(&im->labels->arena, label, len), len);
}

void import_options_observe(struct import *im, const struct entry *e)
{
	for (size_t i = 0; im->options->make_options && i < e->n_values; i++) {
		const struct entry_value *v = &e->values[i];
		const struct mapping_column *c = &im->mapping.columns[v->column];
		struct compose_items items = {0};
		if (c->use != MAPPING_CUSTOM || (c->type != MAPPING_SELECT && c->type != MAPPING_SELECTS))
			continue;
		compose_put_items(&im->compose, &items, v, c->type == MAPPING_SELECTS ? ";\n" : "");
		for (size_t k = 0; k < items.n; k++)
			options_add(im, options_field(im, c->custom), items.items[k].text, items.items[k].len);
	}
}

static bool options_is_select(const struct import *im, const char *name)
{
	const struct mapping_custom *custom = mapping_custom_named(&im->mapping, name);

	return custom && (custom->type == MAPPING_SELECT || custom->type == MAPPING_SELECTS);
}

void import_options_observe_object(struct import *im, const struct json *record)
{
	const struct json *values = json_typed(record, "customFieldValues", JSON_OBJECT);

	if (im->kind != TRANSFER_OBJECTS)
		values = json_typed(values, im->group, JSON_OBJECT);
	if (!im->options->make_options || !values)
		return;
	json_each_member(v, values) {
		if (!options_is_select(im, v->key))
			continue;
		if (v->type == JSON_STRING)
			options_add(im, options_field(im, v->key), v->text, v->len);
		json_each(label, v)
			if (label->type == JSON_STRING)
				options_add(im, options_field(im, v->key), label->text, label->len);
	}
}

static bool options_has(const struct json *options, const struct table_row *label)
{
	json_each(o, options) {
		const char *text = json_text(o, "label");
		if (strlen(text) == label->len && memcmp(text, label->key, label->len) == 0)
			return true;
	}
	return false;
}

/* A dry run does not make the options, so it leaves out the columns, and the members of NDJSON, that need them. */
static void options_leave_out(struct import *im, const char *field)
{
	for (size_t i = 0; i < im->roster.n_custom; i++)
		im->roster.custom[i].left_out |= strcmp(im->roster.custom[i].name, field) == 0;
	for (size_t i = 0; i < im->mapping.n_columns; i++)
		if (im->mapping.columns[i].use == MAPPING_CUSTOM && strcmp(im->mapping.columns[i].custom, field) == 0)
			im->mapping.columns[i].use = MAPPING_SKIP;
}

static bool options_make(struct import *im, const struct option_field *f, const char *path, const struct json *options)
{
	struct remote_call *c = remote_call_new("PATCH", "%s", path);
	struct json_out o;
	size_t n = 0;
	bool ok;

	json_out_init(&o, &c->body);
	json_begin_object(&o);
	json_key(&o, "addOptions");
	json_begin_array(&o);
	for (size_t i = 0; i < f->labels.count; i++) {
		const struct table_row *label = &f->labels.rows[i];
		if (options_has(options, label))
			continue;
		json_begin_object(&o);
		json_add_string(&o, "label", label->key);
		json_end_object(&o);
		import_say(im, "%s the option \"%s\" of the field \"%s\"",
		    im->options->dry_run ? "would create" : "creates", (const char *)label->key, f->name);
		n++;
	}
	json_end_array(&o);
	json_end_object(&o);
	if (n && im->options->dry_run)
		options_leave_out(im, f->name);
	if (!n || im->options->dry_run) {
		remote_call_free(c);
		return true;
	}
	c = remote_run(im->remote, c);
	ok = c && c->status == 200;
	if (c && !ok)
		import_say(im, "the options of the field \"%s\" cannot be created: %s", f->name, remote_reason(c));
	remote_call_free(c);
	return ok;
}

static bool options_settle(struct import *im, const struct option_field *f)
{
	const char *of = import_entity_type(im);
	struct remote_call *c;
	struct buf path;
	bool ok;

	buf_init(&path, 1 << 16);
	buf_printf(&path, "/v1/groups/%s/custom-fields/", im->group);
	text_percent_encode(&path, of, strlen(of));
	buf_addc(&path, '/');
	text_percent_encode(&path, f->name, strlen(f->name));
	c = remote_run(im->remote, remote_call_new("GET", "%s", path.data));
	ok = c && options_make(im, f, path.data, json_member(remote_data(c), "options"));
	remote_call_free(c);
	buf_free(&path);
	return ok;
}

bool import_options_settle(struct import *im)
{
	bool ok = true;

	for (const struct option_field *f = im->labels ? im->labels->fields : NULL; ok && f; f = f->next)
		ok = options_settle(im, f);
	return ok;
}

void import_options_free(struct import *im)
{
	if (im->labels)
		arena_free(&im->labels->arena);
	free(im->labels);
}
