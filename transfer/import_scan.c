/* The first reading of a file, before anything is sent. */
#include <stdio.h>

#include "server/base/text.h"
#include "transfer/compose_private.h"
#include "transfer/import_private.h"

enum { LINE_MAX_BYTES = 8192 };

/* --- what kind of records ------------------------------------------------------------------- */

/* The prefix of a record's id shows its kind. */
static enum transfer_kind scan_kind_of_id(const char *id)
{
	static const struct {
		const char *prefix;
		enum transfer_kind kind;
	} prefixes[] = {{"per_", TRANSFER_PEOPLE}, {"com_", TRANSFER_COMPANIES}, {"obj_", TRANSFER_OBJECTS},
	    {"nte_", TRANSFER_NOTES}, {"tsk_", TRANSFER_TASKS}, {"lit_", TRANSFER_INTERACTIONS}};

	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (strncmp(id, prefixes[i].prefix, 4) == 0)
			return prefixes[i].kind;
	return TRANSFER_KINDS;
}

/* The kind that has most of the members. */
static enum transfer_kind scan_guess(const struct json *object)
{
	enum transfer_kind best = scan_kind_of_id(json_text(object, "id"));
	int most = 0;

	if (best != TRANSFER_KINDS)
		return best;
	best = TRANSFER_PEOPLE;
	for (int kind = 0; kind < TRANSFER_EVENTS; kind++) {
		int n = 0;
		json_each_member(m, object)
			n += field_named((enum transfer_kind)kind, m->key) != NULL;
		if (n > most) {
			most = n;
			best = (enum transfer_kind)kind;
		}
	}
	return best;
}

bool import_load_fields(struct import *im)
{
	if (!*im->group || im->kind > TRANSFER_OBJECTS)
		return true;
	if (!roster_load_fields(&im->roster, im->group, import_entity_type(im)))
		return false;
	im->mapping.custom = im->roster.custom;
	im->mapping.n_custom = im->roster.n_custom;
	return true;
}

static bool scan_begin_kind(struct import *im, enum transfer_kind kind)
{
	const struct import_options *o = im->options;

	im->kind = im->mapping.kind = im->compose.kind = kind;
	if (kind == TRANSFER_OBJECTS && (!o->group || !o->type)) {
		import_say(im, "objects belong to a group and a type: add --group and --type");
		return false;
	}
	if (kind == TRANSFER_OBJECTS && im->makes_group) {
		import_say(im,
		    "the group \"%s\" does not exist, and --make-groups creates no types; create the group and its "
		    "type "
		    "\"%s\" first",
		    o->group, o->type);
		return false;
	}
	return import_load_fields(im);
}

/* --- one record ------------------------------------------------------------------------------- */

/* Notes the first person or company that a record refers to, and whether one has only a name. */
static void scan_note_contact(struct import *im, const struct json *object)
{
	static const char *const members[] = {"companies", "people", "entity"};

	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		const struct json *m = json_member(object, members[i]);
		bool looks = im->kind > TRANSFER_COMPANIES;
		im->by_name |= looks && m && m->type != JSON_ARRAY && !*json_text(m, "id");
		json_each(c, m)
			im->by_name |= looks && !*json_text(c, "id");
	}
	for (size_t i = 0; i < sizeof members / sizeof *members && !*im->contact_id; i++) {
		const struct json *m = json_member(object, members[i]),
		                  *one = m && m->type == JSON_ARRAY ? m->first : m;
		enum id_kind kind;
		struct uuid id;
		const char *text = json_text(one, "id");
		if (id_parse_any(text, strlen(text), &kind, &id) && (kind == ID_PERSON || kind == ID_COMPANY))
			snprintf(im->contact_id, sizeof im->contact_id, "%s", text);
	}
}

/* Members of NDJSON are named as in the API: headers of other programs, and parts of names and addresses, do not count.
 */
static enum mapping_use scan_member(const struct import *im, const char *name)
{
	const char *rule = mapping_rule_for(&im->mapping, name);
	const struct transfer_field *f;

	if (rule && strcmp(rule, "-") == 0)
		return MAPPING_SKIP;
	name = rule ? rule : name;
	f = field_named(im->kind, name);
	return f && !shape_is_part(f->shape) ? MAPPING_FIELD : MAPPING_UNKNOWN;
}

/* The members of an object are treated as columns. */
static bool scan_object(struct import *im, const struct entry *e)
{
	struct entry_columns *columns = &im->scanned.reader.columns;

	json_each_member(m, e->object) {
		size_t column = entry_column(columns, m->key, m->key_len);
		if (column == ENTRY_COLUMNS_MAX)
			continue;
		if (column >= im->mapping.n_columns) {
			im->mapping.columns[column].use = scan_member(im, m->key);
			im->mapping.n_columns = columns->count;
		}
		im->mapping.columns[column].values++;
	}
	scan_note_contact(im, e->object);
	import_fields_observe(im, e->object);
	import_options_observe_object(im, e->object);
	im->has_authors |= json_member(e->object, "createdAt") || json_member(e->object, "createdBy") ||
	                   json_member(e->object, "author") || *json_text(json_member(e->object, "from"), "value");
	const struct json *groups = json_member(e->object, "groups");
	json_each(g, groups)
		if (*json_text(g, "name") && !roster_group(&im->roster, json_text(g, "id"), strlen(json_text(g, "id"))))
			compose_group(&im->compose, NULL, json_text(g, "name"), strlen(json_text(g, "name")));
	return true;
}

static bool scan_values(struct import *im, const struct entry *e)
{
	if (!mapping_resolve(&im->mapping, &im->scanned.reader.columns))
		return false;
	mapping_observe(&im->mapping, e);
	compose_observe(&im->compose, e);
	for (size_t i = 0; i < e->n_values; i++)
		im->by_name |= compose_may_split(&im->compose, &e->values[i]);
	import_options_observe(im, e);
	return true;
}

static bool scan_entry(struct import *im, const struct entry *e)
{
	if (e->refused || e->object || e->n_values)
		im->records++;
	if (im->kind == TRANSFER_KINDS && !e->refused && (e->object || e->n_values)) {
		enum transfer_kind guess = e->object ? scan_guess(e->object) : TRANSFER_PEOPLE;
		if (!scan_begin_kind(im, im->options->type ? TRANSFER_OBJECTS : guess))
			return false;
	}
	if (e->refused)
		return true;
	return e->object ? scan_object(im, e) : scan_values(im, e);
}

/* --- what is left over -------------------------------------------------------------------------- */

/* True when --make-fields creates a field for the column. */
static bool scan_makes(const struct import *im, const struct mapping_column *c)
{
	return im->options->make_fields && im->scanned.format != SOURCE_NDJSON && c->values &&
	       (c->use == MAPPING_UNKNOWN || (c->use == MAPPING_NO_FIELD && c->type != MAPPING_OTHER));
}

/* True when the column is left out: a known header without a field, an unknown property of a vCard, or a column that
 * somebody has added in a program whose files kith knows. */
static bool scan_leaves(const struct import *im, const struct mapping_column *c)
{
	bool foreign = im->scanned.format == SOURCE_VCARD || im->mapping.origin;

	return c->values && !scan_makes(im, c) &&
	       (c->use == MAPPING_NO_FIELD || (c->use == MAPPING_UNKNOWN && foreign));
}

static void scan_suggest(const struct import *im, const char *column)
{
	struct buf field, line;

	buf_init(&field, LINE_MAX_BYTES);
	buf_init(&line, LINE_MAX_BYTES);
	mapping_suggest(&im->mapping, column, im->scanned.format == SOURCE_NDJSON, &field);
	mapping_put_line(&line, column, field.len ? field.data : "");
	fprintf(stderr, "  %s\n", line.data);
	buf_free(&field);
	buf_free(&line);
}

static bool scan_left_over(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	bool any = false;

	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		if (!c->values || c->use != MAPPING_UNKNOWN || scan_makes(im, c) || scan_leaves(im, c))
			continue;
		if (!any)
			import_say(im, "%s has columns that kith does not know; nothing was imported:", im->name);
		any = true;
		scan_suggest(im, columns->names[i]);
	}
	if (any)
		fprintf(stderr,
		    "Write these lines to a file, put a field after each \"=\" (or \"-\" to leave the column out), and "
		    "add --map THAT_FILE.\n%s",
		    im->scanned.format == SOURCE_NDJSON ? ""
		    : im->options->group                ? "Or add --make-fields to create custom fields.\n"
		                         : "Or add --make-fields and --group to create custom fields.\n");
	return any;
}

/* Reports lines of --map whose column the file does not have: the name may be mistyped. */
static void scan_tell_unused(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;

	for (size_t i = 0; i < im->mapping.n_rules; i++) {
		const struct mapping_rule *rule = &im->mapping.rules[i];
		bool used = false;
		for (size_t k = 0; k < columns->count; k++)
			used |= mapping_rule_for(&im->mapping, columns->names[k]) == rule->field;
		if (!used)
			import_say(im, "--map: the file has no column \"%s\"", rule->column);
	}
}

/* Names all skipped columns of one kind in one message. */
static void scan_tell_skipped(struct import *im, bool ids, const char *why)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	struct buf list;

	buf_init(&list, ENTRY_MAX);
	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		bool id = c->field && c->field->shape == SHAPE_OTHER_ID;
		if (c->use == MAPPING_SKIP && c->values && (ids ? id : c->elsewhere))
			buf_printf(
			    &list, "%s%s (%lld values)", list.len ? ", " : "", columns->names[i], (long long)c->values);
	}
	if (list.len)
		import_say(im, "left out %s: %s", why, list.data);
	buf_free(&list);
}

/* Names the columns of fields that do not take all of the values. */
static void scan_tell_values(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;

	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		const char *field = c->use == MAPPING_CUSTOM ? c->custom : c->field ? c->field->name : "";
		if (c->surplus)
			import_say(im,
			    "left out because the column \"%s\" fills the field %s already: %s (%lld values)",
			    columns->names[c->lead], field, columns->names[i], (long long)c->surplus);
		if (c->unknown)
			import_say(im, "left out because the field %s has no such choice: %s (%lld values)", field,
			    columns->names[i], (long long)c->unknown);
	}
}

static void scan_tell(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	bool any = false;

	for (size_t i = 0; i < columns->count; i++) {
		if (!scan_leaves(im, &im->mapping.columns[i]))
			continue;
		any = true;
		import_say(im, "left out because %s: %s (%lld values)",
		    im->mapping.columns[i].type == MAPPING_OTHER ? "a column cannot fill a field of this type"
		                                                 : "kith has no field for it",
		    columns->names[i], (long long)im->mapping.columns[i].values);
	}
	scan_tell_values(im);
	scan_tell_skipped(im, false, "because they mean nothing outside of the program that wrote them");
	scan_tell_skipped(im, true, "without --keep-ids");
	if (any && im->mapping.origin && !im->options->make_fields)
		import_say(im,
		    "the file is one of %s; a group's field of the same name, or --map, gives a column a place%s",
		    im->mapping.origin, im->kind <= TRANSFER_OBJECTS ? ", and --make-fields creates the fields" : "");
	for (size_t i = 0; i < im->compose.n_labels && !im->options->make_groups; i++)
		import_say(im,
		    "left out because the group does not exist: label %s (%lld records); add --make-groups to create "
		    "it",
		    im->compose.labels[i].name, (long long)im->compose.labels[i].records);
}

/* True when the values of such a column refer to records that have to be looked for. */
static bool scan_links(const struct import *im, enum transfer_shape shape)
{
	if (im->kind == TRANSFER_PEOPLE)
		return shape == SHAPE_LINK && im->compose.keeps_ids;
	return shape == SHAPE_LINK || shape == SHAPE_PEOPLE || shape == SHAPE_ENTITY || shape == SHAPE_COMPANIES;
}

static bool scan_all(struct import *im)
{
	struct entry e;
	bool ok = true;

	entry_init(&e);
	while (ok && source_next(&im->scanned, &e))
		ok = scan_entry(im, &e);
	entry_free(&e);
	if (ok && *source_error(&im->scanned)) {
		import_say(im, "%s: %s", im->name, source_error(&im->scanned));
		ok = false;
	}
	return ok;
}

bool import_scan(struct import *im)
{
	enum transfer_kind kind = im->options->type && im->kind == TRANSFER_KINDS ? TRANSFER_OBJECTS : im->kind;

	if (kind != TRANSFER_KINDS && !scan_begin_kind(im, kind))
		return false;
	if (!scan_all(im))
		return false;
	for (size_t i = 0; i < im->mapping.n_columns; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		im->by_name |= c->use == MAPPING_FIELD && c->field && c->values && scan_links(im, c->field->shape);
		im->has_authors |= c->use == MAPPING_FIELD && c->field && c->values && c->field->from_admin;
	}
	text_hex(im->sum, im->scanned.reader.in.sum, SHA256_SIZE);
	scan_tell_unused(im);
	if (scan_left_over(im))
		return false;
	if (im->options->make_fields && !im->options->group && im->scanned.format != SOURCE_NDJSON) {
		import_say(im, "--make-fields needs --group, because custom fields belong to a group");
		return false;
	}
	scan_tell(im);
	if (im->options->keep_ids && !im->options->group) {
		import_say(im, "--keep-ids needs --group, because the field for the ids belongs to a group");
		return false;
	}
	return import_fields_settle(im, false);
}

/* --- making groups and fields ----------------------------------------------------------------------- */

/* Creates the group of --group if it does not exist. */
static bool scan_make_own_group(struct import *im)
{
	const char *name = im->options->group;

	if (!im->makes_group)
		return true;
	if (im->options->dry_run) {
		import_say(im, "would create the group \"%s\"", name);
		return true;
	}
	if (!import_make_group(im, name))
		return false;
	snprintf(im->group, sizeof im->group, "%s", roster_group(&im->roster, name, strlen(name)));
	im->compose.group = im->group;
	return true;
}

/* Creates the field of --keep-ids if it does not exist and some record has an id in the other program. */
static bool scan_make_id_field(struct import *im)
{
	const char *field = im->options->keep_ids;
	bool any = false, exists = false;

	for (size_t i = 0; field && i < im->mapping.n_columns; i++)
		any |= im->mapping.columns[i].use == MAPPING_CUSTOM && im->mapping.columns[i].custom == field;
	for (size_t i = 0; any && i < im->roster.n_custom; i++)
		exists |= strcmp(im->roster.custom[i].name, field) == 0;
	if (!any || exists)
		return true;
	if (!im->options->dry_run)
		return import_make_field(im, im->group, field, roster_type_name(MAPPING_TEXT), NULL, 0);
	import_say(im, "would create the %s field \"%s\"", roster_type_name(MAPPING_TEXT), field);
	for (size_t i = 0; i < im->mapping.n_columns; i++)
		if (im->mapping.columns[i].use == MAPPING_CUSTOM && im->mapping.columns[i].custom == field)
			im->mapping.columns[i].use = MAPPING_SKIP;
	return true;
}

bool import_make(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;

	if (!scan_make_own_group(im) || !scan_make_id_field(im))
		return false;
	for (size_t i = 0; i < columns->count; i++) {
		struct mapping_column *c = &im->mapping.columns[i];
		enum mapping_type type = mapping_guess_type(c);
		if (!scan_makes(im, c))
			continue;
		if (!im->options->dry_run &&
		    !import_make_field(im, im->group, columns->names[i], roster_type_name(type), NULL, 0))
			return false;
		if (im->options->dry_run) {
			import_say(im, "would create the %s field \"%s\"", roster_type_name(type), columns->names[i]);
			c->use = MAPPING_SKIP;
			continue;
		}
		c->use = MAPPING_CUSTOM;
		c->custom = columns->names[i];
		c->type = type;
	}
	for (size_t i = 0; i < im->compose.n_labels && im->options->make_groups; i++) {
		if (roster_group(&im->roster, im->compose.labels[i].name, strlen(im->compose.labels[i].name)))
			continue;
		if (im->options->dry_run)
			import_say(im, "would create the group \"%s\"", im->compose.labels[i].name);
		else if (!import_make_group(im, im->compose.labels[i].name))
			return false;
	}
	return import_fields_settle(im, true) && import_options_settle(im);
}
