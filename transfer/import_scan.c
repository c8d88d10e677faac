/* The first reading of a file, before anything is sent. */
#include <stdio.h>

#include "server/base/text.h"
#include "transfer/compose_private.h"
#include "transfer/import_private.h"

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

bool import_takes(const struct import *im, const struct entry *e)
{
	return im->kind > TRANSFER_COMPANIES || e->object || !im->mapping.tells ||
	       mapping_record_kind(&im->mapping, e) == im->kind;
}

static bool scan_values(struct import *im, const struct entry *e)
{
	mapping_observe(&im->mapping, e);
	compose_observe(&im->compose, e);
	for (size_t i = 0; i < e->n_values; i++)
		im->by_name |= compose_may_split(&im->compose, &e->values[i]);
	import_options_observe(im, e);
	return true;
}

static bool scan_entry(struct import *im, const struct entry *e)
{
	bool any = e->refused || e->object || e->n_values;

	if (im->kind == TRANSFER_KINDS && e->object && !scan_begin_kind(im, scan_guess(e->object)))
		return false;
	if (im->scanned.format != SOURCE_NDJSON && !mapping_resolve(&im->mapping, &im->scanned.reader.columns))
		return false;
	if (any && !import_takes(im, e)) {
		im->companies += !im->part;
		return true;
	}
	im->records += any;
	if (e->refused)
		return true;
	return e->object ? scan_object(im, e) : scan_values(im, e);
}

/* --- all -------------------------------------------------------------------------------------------- */

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

/* Only records of NDJSON tell of what kind they are. */
static enum transfer_kind scan_given_kind(const struct import *im)
{
	bool open = im->kind == TRANSFER_KINDS;

	return open && im->options->type                     ? TRANSFER_OBJECTS
	       : open && im->scanned.format != SOURCE_NDJSON ? TRANSFER_PEOPLE
	                                                     : im->kind;
}

/* Refuses fields of companies in a mapping for people. */
static bool scan_rules_fit(const struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;

	for (size_t i = 0; i < im->mapping.n_columns && !im->part; i++)
		if (im->mapping.columns[i].foreign)
			return mapping_refuse_rule(
			    &im->mapping, columns->names[i], mapping_rule_for(&im->mapping, columns->names[i]));
	return true;
}

bool import_scan(struct import *im)
{
	enum transfer_kind kind = scan_given_kind(im);

	if (kind != TRANSFER_KINDS && !scan_begin_kind(im, kind))
		return false;
	if (!scan_all(im))
		return false;
	/* The companies must not be imported if a column then stops the people. */
	if (im->companies)
		return !import_lacks_fields(im);
	if (!scan_rules_fit(im))
		return false;
	for (size_t i = 0; i < im->mapping.n_columns; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		im->by_name |= c->use == MAPPING_FIELD && c->field && c->values && scan_links(im, c->field->shape);
		im->has_authors |= c->use == MAPPING_FIELD && c->field && c->values && c->field->from_admin;
	}
	if (im->scanned.format == SOURCE_CSV)
		mapping_settle_names(&im->mapping);
	text_hex(im->sum, im->scanned.reader.in.sum, SHA256_SIZE);
	if (import_lacks_fields(im))
		return false;
	if (im->options->make_fields && !im->options->group && im->scanned.format != SOURCE_NDJSON) {
		import_say(im, "--make-fields needs --group, because custom fields belong to a group");
		return false;
	}
	import_tell_left(im);
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
		if (!import_makes_field(im, c))
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
