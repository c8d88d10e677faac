/* Options, colours and number formats of custom fields. */
#include "server/resource/custom_definition.h"

#include <string.h>

#include "server/base/text.h"
#include "server/input/limits.h"

/* Assigned in turn to options without a colour. */
static const char *const colors[] = {
    "#4f86f7", "#34a853", "#fbbc05", "#ea4335", "#9c6ade", "#00a8a8", "#f28c28", "#8d99ae"};
enum { N_COLORS = sizeof colors / sizeof *colors };

static bool field_selects(const struct custom_field *f)
{
	return f->type == CUSTOM_SINGLE || f->type == CUSTOM_MULTIPLE;
}

/* The options by id or by label. A definition that is being built has no look-up tables of its own. */
static struct table definition_table(struct arena *a, const struct custom_field *f, bool by_id)
{
	struct table t;

	table_init(&t, a, f->n_options);
	for (size_t i = 0; i < f->n_options; i++) {
		struct custom_option *o = &f->options[i];
		const void *key = by_id ? (const void *)&o->id : o->label;
		table_row(&t, key, by_id ? sizeof o->id : strlen(o->label))->value = o;
	}
	return t;
}

static struct custom_option *definition_find_option(
    const struct custom_field *f, const struct table *options, const char *text, size_t len)
{
	enum id_kind kind = f->entity == ENTITY_OBJECT ? ID_OBJECT_OPTION : ID_GROUP_OPTION;
	struct uuid id;

	return id_parse(kind, text, len, &id) ? table_find(options, &id, sizeof id) : NULL;
}

/* Counts the whole workspace. */
static int64_t all_options(const struct workspace *ws)
{
	int64_t n = 0;

	for (size_t i = 0; i < ws->n_fields; i++)
		n += (int64_t)ws->fields[i]->n_options;
	return n;
}

/* removed: the options that the same request removes. */
static void definition_add_options(
    struct req *r, struct custom_field *f, const struct json *list, const char *member, int64_t removed)
{
	struct path at = PATH_NAME(NULL, member);
	struct custom_option *bigger = arena_alloc(&r->arena, (f->n_options + list->count) * sizeof *bigger);
	struct table labels;
	size_t index = 0;

	if (!limit_check(&r->given.issues, &at, LIMIT_OPTIONS, (int64_t)f->n_options, (int64_t)list->count) ||
	    !limit_check(
	        &r->given.issues, &at, LIMIT_ALL_OPTIONS, all_options(r->caller.ws) - removed, (int64_t)list->count))
		return;
	if (f->n_options)
		memcpy(bigger, f->options, f->n_options * sizeof *bigger);
	f->options = bigger;
	labels = definition_table(&r->arena, f, false);
	for (const struct json *item = list->first; item; item = item->next, index++) {
		const struct json *label = json_member(item, "label"), *color = json_member(item, "color");
		struct path here = PATH_INDEX(&at, index), label_path = PATH_NAME(&here, "label");
		if (!table_add(&labels, label->text, strlen(label->text))) {
			issue_custom(&r->given.issues, &label_path, "Another option has this label");
			continue;
		}
		f->options[f->n_options] = (struct custom_option){.id = id_new(),
		    .label = label->text,
		    .color = color ? color->text : colors[f->n_options % N_COLORS]};
		f->n_options++;
	}
}

/* Returns false when another option has the label. */
static bool take_label(struct table *labels, struct custom_option *option, const char *label)
{
	struct table_row *row = table_row(labels, label, strlen(label));

	if (row->value && row->value != option)
		return false;
	table_row(labels, option->label, strlen(option->label))->value = NULL;
	table_row(labels, label, strlen(label))->value = option;
	option->label = label;
	return true;
}

static void update_options(struct req *r, struct custom_field *f, const struct json *list)
{
	struct path at = PATH_NAME(NULL, "updateOptions");
	struct table ids = definition_table(&r->arena, f, true), labels = definition_table(&r->arena, f, false);
	size_t index = 0;

	for (const struct json *item = list->first; item; item = item->next, index++) {
		const struct json *id = json_member(item, "id"), *label = json_member(item, "label"),
		                  *color = json_member(item, "color");
		struct custom_option *option = definition_find_option(f, &ids, id->text, id->len);
		struct path here = PATH_INDEX(&at, index), id_path = PATH_NAME(&here, "id"),
		            label_path = PATH_NAME(&here, "label");
		if (!option) {
			issue_custom(&r->given.issues, &id_path, "Unknown option");
			continue;
		}
		if (label && !take_label(&labels, option, label->text))
			issue_custom(&r->given.issues, &label_path, "Another option has this label");
		if (color)
			option->color = color->text;
	}
}

static void remove_options(
    struct req *r, struct custom_field *f, const struct json *list, struct removed_values *removed)
{
	struct path at = PATH_NAME(NULL, "removeOptions");
	struct table by_id = definition_table(&r->arena, f, true);
	struct uuid *ids = arena_alloc(&r->arena, list->count * sizeof *ids);
	size_t index = 0, kept = 0;

	removed->options = ids;
	for (const struct json *item = list->first; item; item = item->next, index++) {
		struct custom_option *option = definition_find_option(f, &by_id, item->text, item->len);
		struct path here = PATH_INDEX(&at, index);
		if (!option || option->gone) {
			issue_custom(&r->given.issues, &here, "Unknown option");
			continue;
		}
		ids[removed->n_options++] = option->id;
		option->gone = true;
	}
	for (size_t i = 0; i < f->n_options; i++)
		if (!f->options[i].gone)
			f->options[kept++] = f->options[i];
	f->n_options = kept;
}

/* The options that the list names, by id or label, come first. The others follow in their old order. */
static void order_options(struct req *r, struct custom_field *f, const struct json *list)
{
	struct path at = PATH_NAME(NULL, "optionOrder");
	struct table ids = definition_table(&r->arena, f, true), labels = definition_table(&r->arena, f, false), named;
	struct custom_option *ordered = arena_alloc(&r->arena, f->n_options * sizeof *ordered), *next = ordered;
	size_t index = 0;

	table_init(&named, &r->arena, list->count);
	for (const struct json *item = list->first; item; item = item->next, index++) {
		struct custom_option *option = definition_find_option(f, &ids, item->text, item->len);
		struct path here = PATH_INDEX(&at, index);
		if (!option)
			option = table_find(&labels, item->text, item->len);
		if (option && table_add(&named, &option->id, sizeof option->id))
			*next++ = *option;
		else
			issue_custom(&r->given.issues, &here, option ? "The option is named twice" : "Unknown option");
	}
	for (size_t i = 0; i < f->n_options; i++)
		if (table_add(&named, &f->options[i].id, sizeof f->options[i].id))
			*next++ = f->options[i];
	f->options = ordered;
}

static void take_config(struct issues *issues, struct custom_field *f, const struct json *config)
{
	const struct json *format = json_member(config, "format"), *decimals = json_member(config, "decimals"),
	                  *currency = json_member(config, "currency");
	struct path root = {.name = "config", .len = 6}, at = PATH_NAME(&root, "currency");
	uint64_t n = 0;

	if (format)
		f->format = format->text;
	if (decimals && text_uint(decimals->text, decimals->len, &n))
		f->decimals = (int)n;
	if (currency)
		f->currency = currency->text;
	if (strcmp(f->format, "currency") == 0 && !f->currency)
		issue_required(issues, &at, "string");
}

static const struct json *definition_member(const struct input *in, int member)
{
	return in->given & FIELD_BIT(member) ? in->json[member] : NULL;
}

/* Only selects have options; only numbers have a config. */
static void check_belongs(struct req_given *given, const struct custom_field *f)
{
	for (int i = CF_OPTIONS; i < CF_FIELDS; i++) {
		struct path at = PATH_NAME(NULL, given->input->resource->fields[i].name);
		bool fits = i == CF_CONFIG ? f->type == CUSTOM_NUMBER : field_selects(f);
		if (definition_member(given->input, i) && !fits)
			issue_custom(&given->issues, &at, "A field of type %s has no %s", custom_type_name(f->type),
			    i == CF_CONFIG ? "config" : "options");
	}
}

bool definition_apply(struct req *r, struct custom_field *f, struct removed_values *removed)
{
	const struct input *in = r->given.input;

	*removed = (struct removed_values){.entity = f->entity, .field = f->id};
	check_belongs(&r->given, f);
	if (r->given.issues.count)
		return false;
	if (definition_member(in, CF_REMOVE_OPTIONS))
		remove_options(r, f, definition_member(in, CF_REMOVE_OPTIONS), removed);
	if (definition_member(in, CF_UPDATE_OPTIONS))
		update_options(r, f, definition_member(in, CF_UPDATE_OPTIONS));
	if (definition_member(in, CF_OPTIONS))
		definition_add_options(r, f, definition_member(in, CF_OPTIONS), "options", 0);
	if (definition_member(in, CF_ADD_OPTIONS))
		definition_add_options(
		    r, f, definition_member(in, CF_ADD_OPTIONS), "addOptions", (int64_t)removed->n_options);
	if (definition_member(in, CF_OPTION_ORDER))
		order_options(r, f, definition_member(in, CF_OPTION_ORDER));
	if (definition_member(in, CF_CONFIG))
		take_config(&r->given.issues, f, definition_member(in, CF_CONFIG));
	return r->given.issues.count == 0;
}

static void definition_put_options(struct json_out *o, const struct custom_option *options, size_t n, bool removed)
{
	char id[37];

	for (size_t i = 0; i < n; i++) {
		json_begin_object(o);
		json_add_string(o, "id", uuid_format(&options[i].id, id));
		json_add_string(o, "label", options[i].label);
		json_add_string(o, "color", options[i].color);
		if (removed) {
			json_add_bool(o, "removed", true);
		}
		json_end_object(o);
	}
}

void definition_options(struct buf *out, const struct custom_field *f)
{
	struct json_out o;

	json_out_init(&o, out);
	json_begin_array(&o);
	definition_put_options(&o, f->options, f->n_options, false);
	definition_put_options(&o, f->gone, f->n_gone, true);
	json_end_array(&o);
}
