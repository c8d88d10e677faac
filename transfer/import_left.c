/* Columns of a file that no field takes: what is said about them, and how they get a place. */
#include <stdio.h>

#include "transfer/import_private.h"

enum { LINE_MAX_BYTES = 8192, KNOWN_MIN = 3 };

/* True when --make-fields creates a field for the column. */
bool import_makes_field(const struct import *im, const struct mapping_column *c)
{
	return im->options->make_fields && im->kind <= TRANSFER_OBJECTS && im->scanned.format != SOURCE_NDJSON &&
	       c->values && (c->use == MAPPING_UNKNOWN || (c->use == MAPPING_NO_FIELD && c->type != MAPPING_OTHER));
}

/* True for a file that was not made for kith: a vCard, a file of a known program, or one with at least three headings
 * that people or programs write, and with fewer unknown columns that have values. An unknown heading that is nearly the
 * name of a field is probably a typing error, and its values have a place. */
static bool left_is_foreign(const struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	struct buf field;
	size_t known = 0, unknown = 0;
	bool near = false;

	if (im->scanned.format == SOURCE_VCARD || im->mapping.origin)
		return true;
	if (im->scanned.format == SOURCE_NDJSON || im->scanned.reader.ours)
		return false;
	buf_init(&field, LINE_MAX_BYTES);
	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		const char *name = columns->names[i];
		if (mapping_rule_for(&im->mapping, name))
			continue;
		known += c->use != MAPPING_UNKNOWN && !field_named(im->kind, name);
		unknown += c->use == MAPPING_UNKNOWN && c->values;
		near |= c->use == MAPPING_UNKNOWN && c->values && mapping_suggest(&im->mapping, name, false, &field);
	}
	buf_free(&field);
	return known >= KNOWN_MIN && known > unknown && !near;
}

/* True when the column is left out: a known header without a field, or an unknown one of a file that was not made for
 * kith. */
static bool left_out(const struct import *im, const struct mapping_column *c)
{
	return c->values && !import_makes_field(im, c) &&
	       (c->use == MAPPING_NO_FIELD || (c->use == MAPPING_UNKNOWN && im->foreign));
}

/* --- advice --------------------------------------------------------------------------------------- */

/* Appends a word as a shell reads it. */
static void left_put_word(struct buf *out, const char *word)
{
	bool plain =
	    *word &&
	    word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-")] == '\0';

	if (plain) {
		buf_addz(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_addz(out, "'\\''");
		else
			buf_addc(out, *word);
	buf_addc(out, '\'');
}

static void left_put_option(struct buf *out, const char *option, const char *value)
{
	if (!value)
		return;
	buf_printf(out, " %s ", option);
	left_put_word(out, value);
}

struct left_flag {
	bool given;
	const char *option;
};

/* The command of this import, with a mapping or a group. The key is not shown. */
static void left_put_command(const struct import *im, struct buf *out, const char *map, const char *group)
{
	const struct import_options *o = im->options;
	const struct left_flag flags[] = {{o->make_fields, "--make-fields"}, {o->make_groups, "--make-groups"},
	    {o->make_contacts, "--make-contacts"}, {o->make_options, "--make-options"},
	    {o->group_contacts, "--group-contacts"}, {o->dry_run, "--dry-run"}};

	buf_addz(out, "  kith import ");
	left_put_word(out, o->file);
	left_put_option(out, "--as", o->kind == TRANSFER_KINDS ? NULL : transfer_kind_names[o->kind]);
	left_put_option(out, "--group", group);
	left_put_option(out, "--type", o->type);
	left_put_option(out, "--map", map);
	left_put_option(out, "--match", o->match);
	left_put_option(out, "--encoding", o->encoding);
	left_put_option(out, "--keep-ids", o->keep_ids);
	left_put_option(out, "--url", o->url_given ? o->url : NULL);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (flags[i].given)
			buf_printf(out, " %s", flags[i].option);
}

/* Prints commands that complete the mapping, and one that makes fields. They work as they are printed. */
static void left_advise(const struct import *im, const struct buf *lines)
{
	const struct import_options *o = im->options;
	const char *group = o->group                  ? o->group
	                    : im->roster.groups.count ? im->roster.groups.items[0].name
	                                              : "Contacts";
	struct buf text, map;

	buf_init(&text, 16 << 20);
	buf_init(&map, LINE_MAX_BYTES);
	buf_printf(&map, "%s", o->map ? o->map : "");
	if (!o->map)
		buf_printf(&map, "%s.map", im->name);
	buf_addz(&text, "Say where they belong: put a field in place of each \"-\" whose column you need.\n"
	                "cat >");
	buf_addz(&text, o->map ? "> " : " ");
	left_put_word(&text, map.data);
	/* The last line of a mapping that exists may have no end. */
	buf_printf(&text, " <<'END'\n%s%sEND\n", o->map ? "\n" : "", lines->len ? lines->data : "");
	left_put_command(im, &text, map.data, o->group);
	buf_addz(&text, "\n");
	if (im->kind <= TRANSFER_OBJECTS && im->scanned.format != SOURCE_NDJSON) {
		buf_addz(&text, "Or make custom fields of a group for them:\n");
		left_put_command(im, &text, o->map, group);
		buf_printf(&text, " --make-fields%s\n",
		    o->make_groups || o->group || im->roster.groups.count ? "" : " --make-groups");
	}
	fputs(text.data, stderr);
	buf_free(&text);
	buf_free(&map);
}

/* --- columns that stop the import ----------------------------------------------------------------- */

static void left_put_line(const struct import *im, const char *column, struct buf *lines)
{
	struct buf field;

	buf_init(&field, LINE_MAX_BYTES);
	mapping_suggest(&im->mapping, column, im->scanned.format == SOURCE_NDJSON, &field);
	mapping_put_line(lines, column, field.len ? field.data : "-");
	buf_addc(lines, '\n');
	buf_free(&field);
}

/* Reports lines of --map whose column the file does not have: the name may be mistyped. */
static void left_tell_unused(struct import *im)
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

/* Tells of lines and cards that hold no record. */
static void left_tell_beside(struct import *im)
{
	const struct reader *rd = &im->scanned.reader;

	if (rd->beside && im->scanned.format == SOURCE_VCARD)
		import_say(im,
		    "%lld cards were left out because they are lists of contacts; the first begins in line %lld",
		    (long long)rd->beside, (long long)rd->beside_line);
	else if (rd->beside)
		import_say(im, "%lld lines were left out because they are no records; the first is line %lld: %s",
		    (long long)rd->beside, (long long)rd->beside_line, rd->beside_text);
}

bool import_lacks_fields(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	struct buf lines;
	bool any;

	/* Once for a file of people and companies. */
	if (!im->part) {
		left_tell_beside(im);
		left_tell_unused(im);
	}
	im->foreign = left_is_foreign(im);
	buf_init(&lines, 16 << 20);
	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		if (c->values && c->use == MAPPING_UNKNOWN && !import_makes_field(im, c) && !left_out(im, c))
			left_put_line(im, columns->names[i], &lines);
	}
	any = lines.len > 0;
	if (any)
		import_say(im, "%s has columns that kith does not know; nothing was imported.", im->name);
	if (any)
		left_advise(im, &lines);
	buf_free(&lines);
	return any;
}

/* --- columns that are left out --------------------------------------------------------------------- */

/* Names all skipped columns of one kind in one message. */
static void left_tell_skipped(struct import *im, bool ids, const char *why)
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
static void left_tell_values(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;

	for (size_t i = 0; i < columns->count; i++) {
		const struct mapping_column *c = &im->mapping.columns[i];
		const char *field = c->use == MAPPING_CUSTOM ? c->custom : c->field ? c->field->name : "";
		if (c->surplus)
			import_say(im,
			    "left out because the column \"%s\" fills the field %s already: %s (%lld values)",
			    columns->names[c->lead], field, columns->names[i], (long long)c->surplus);
		if (c->faxes)
			import_say(im, "left out because nobody can be called at a fax or pager: %s (%lld values)",
			    columns->names[i], (long long)c->faxes);
		if (c->unknown)
			import_say(im, "left out because the field %s has no such choice: %s (%lld values)", field,
			    columns->names[i], (long long)c->unknown);
	}
}

void import_tell_left(struct import *im)
{
	const struct entry_columns *columns = &im->scanned.reader.columns;
	bool any = false;

	for (size_t i = 0; i < columns->count; i++) {
		if (!left_out(im, &im->mapping.columns[i]))
			continue;
		any = true;
		import_say(im, "left out because %s: %s (%lld values)",
		    im->mapping.columns[i].type == MAPPING_OTHER ? "a column cannot fill a field of this type"
		                                                 : "kith has no field for it",
		    columns->names[i], (long long)im->mapping.columns[i].values);
	}
	left_tell_values(im);
	left_tell_skipped(im, false, "because they mean nothing outside of the program that wrote them");
	left_tell_skipped(im, true, "without --keep-ids");
	if (any && im->scanned.format == SOURCE_CSV && !im->options->make_fields)
		import_say(im, "%s%s%sa group's field of the same name, or --map, gives a column a place%s%s",
		    im->mapping.origin ? "the file is one of " : "", im->mapping.origin ? im->mapping.origin : "",
		    im->mapping.origin ? "; " : "",
		    im->kind <= TRANSFER_OBJECTS ? ", and --make-fields with --group makes fields" : "",
		    im->options->dry_run ? "" : "; undo this import first");
	for (size_t i = 0; i < im->compose.n_labels && !im->options->make_groups; i++)
		import_say(im,
		    "left out because the group does not exist: label %s (%lld records); add --make-groups to create "
		    "it",
		    im->compose.labels[i].name, (long long)im->compose.labels[i].records);
}
