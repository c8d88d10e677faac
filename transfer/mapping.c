/* Maps columns to fields by --map, by kith's own names, by the headers of other programs, and by the group's custom
 * fields. */
#include "transfer/mapping.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "transfer/value.h"

enum { RULES_MAX = ENTRY_COLUMNS_MAX, LINE_MAX_BYTES = 8192, SUGGESTION_MAX = 4096, NAME_SIZE = 256 };

/* --- the file of --map ---------------------------------------------------------------- */

/* Removes blanks at both ends. */
static char *mapping_trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t\r\n", text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* The position after the closing quote of the JSON string at text; NULL: it has no end. */
static char *mapping_string_end(char *text)
{
	for (text++; *text && *text != '"'; text++)
		text += *text == '\\' && text[1];
	return *text ? text + 1 : NULL;
}

/* The column is the text before the last "=", or a JSON string. */
static bool mapping_read_line(struct mapping *m, char *line)
{
	char *text = mapping_trim(line), *end = *text == '"' ? mapping_string_end(text) : NULL;
	char *equals = end ? end + strspn(end, " \t") : strrchr(text, '=');
	const struct json *quoted = NULL;
	const char *error;
	struct arena a;

	if (!*text || *text == '#')
		return true;
	if (!equals || *equals != '=' || m->n_rules == RULES_MAX)
		return false;
	arena_init(&a);
	*equals = '\0';
	if (end)
		quoted = json_read(&a, text, strlen(text), &error);
	if (!end || quoted) {
		m->rules = mem_realloc(m->rules, (m->n_rules + 1) * sizeof *m->rules);
		m->rules[m->n_rules++] =
		    (struct mapping_rule){.column = mem_dupz(quoted ? quoted->text : mapping_trim(text)),
		        .field = mem_dupz(mapping_trim(equals + 1)),
		        .plain = !end};
	}
	arena_free(&a);
	return !end || quoted;
}

bool mapping_read(struct mapping *m, const char *path)
{
	FILE *f = fopen(path, "r");
	char line[LINE_MAX_BYTES];
	bool ok = true;
	int n = 0;

	if (!f) {
		fprintf(stderr, "kith: %s: %s\n", path, strerror(errno));
		return false;
	}
	while (ok && fgets(line, sizeof line, f)) {
		n++;
		ok = strlen(line) < sizeof line - 1 && mapping_read_line(m, line);
	}
	fclose(f);
	if (!ok)
		fprintf(stderr, "kith: %s, line %d: write \"Column = field\"\n", path, n);
	return ok;
}

void mapping_free(struct mapping *m)
{
	for (size_t i = 0; i < m->n_rules; i++) {
		free(m->rules[i].column);
		free(m->rules[i].field);
	}
	free(m->rules);
}

/* --- one column ------------------------------------------------------------------------- */

const struct mapping_custom *mapping_custom_named(const struct mapping *m, const char *name)
{
	for (size_t i = 0; i < m->n_custom; i++)
		if (strcmp(m->custom[i].name, name) == 0)
			return &m->custom[i];
	return NULL;
}

static const struct mapping_custom *mapping_custom_normal(const struct mapping *m, const char *normal)
{
	char own[NAME_SIZE];

	for (size_t i = 0; i < m->n_custom; i++) {
		header_normal(m->custom[i].name, own, sizeof own);
		if (strcmp(own, normal) == 0)
			return &m->custom[i];
	}
	return NULL;
}

/* The custom field that a row of the headings means. The group may call it as any program or language does: "Amount"
 * is also the field "Value" or "Betrag". */
static const struct mapping_custom *mapping_custom_meant(const struct mapping *m, const char *field)
{
	const struct mapping_custom *custom;
	const struct transfer_header *h;
	char normal[NAME_SIZE];

	header_normal(field + strlen(HEADER_CUSTOM), normal, sizeof normal);
	custom = mapping_custom_normal(m, normal);
	for (size_t i = 0; !custom && m->n_custom && (h = header_at(m->kind, i)); i++)
		if (strcmp(h->field, field) == 0)
			custom = mapping_custom_normal(m, h->normal);
	return custom;
}

static void mapping_set_custom(struct mapping_column *c, const struct mapping_custom *custom)
{
	c->use = custom->type == MAPPING_OTHER ? MAPPING_NO_FIELD : MAPPING_CUSTOM;
	c->custom = custom->name;
	c->type = custom->type;
}

static void mapping_set_field(
    const struct mapping *m, struct mapping_column *c, const struct transfer_field *f, int number)
{
	bool other_id = f->shape == SHAPE_OTHER_ID || strcmp(f->name, "id") == 0;

	c->elsewhere = f->shape == SHAPE_LABEL || (f->shape == SHAPE_KIND && !m->tells);
	c->use = f->shape == SHAPE_READ || other_id || c->elsewhere ? MAPPING_SKIP : MAPPING_FIELD;
	c->field = f;
	c->number = number;
	if (other_id && m->keep_ids && m->kind <= TRANSFER_OBJECTS)
		mapping_set_custom(c, &(struct mapping_custom){m->keep_ids, MAPPING_TEXT});
}

/* The column has kith's own name of the field, which says that there may be several. */
static void mapping_set_own(const struct mapping *m, struct mapping_column *c, const struct transfer_field *f)
{
	mapping_set_field(m, c, f, 1);
	c->several = true;
}

/* Another column has the field already, which holds one value. */
static bool mapping_is_taken(const struct mapping *m, const struct mapping_custom *custom)
{
	for (size_t i = 0; i < m->n_columns; i++)
		if (m->columns[i].use == MAPPING_CUSTOM && strcmp(m->columns[i].custom, custom->name) == 0)
			return true;
	return false;
}

static void mapping_set_header(
    const struct mapping *m, struct mapping_column *c, const struct transfer_header *h, int number)
{
	const struct mapping_custom *custom = NULL;

	c->several = h->several;
	if (strncmp(h->field, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0)
		custom = mapping_custom_meant(m, h->field);
	c->elsewhere = strcmp(h->field, "-") == 0;
	if (c->elsewhere)
		c->use = MAPPING_SKIP;
	else if (custom && !mapping_is_taken(m, custom))
		mapping_set_custom(c, custom);
	else if (!custom && field_named(m->kind, h->field))
		mapping_set_field(m, c, field_named(m->kind, h->field), number);
	else
		c->use = MAPPING_NO_FIELD;
}

/* Finds a field by its name in the API, "customFieldValues.Name", or "-". */
static bool mapping_by_name(const struct mapping *m, struct mapping_column *c, const char *name)
{
	const struct transfer_field *f = field_named(m->kind, name);
	const struct mapping_custom *custom = NULL;

	if (strncmp(name, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0)
		custom = mapping_custom_named(m, name + strlen(HEADER_CUSTOM));
	if (strcmp(name, "-") == 0)
		c->use = MAPPING_SKIP;
	else if (custom)
		mapping_set_custom(c, custom);
	else if (f && f->shape != SHAPE_CUSTOM)
		mapping_set_own(m, c, f);
	else
		return false;
	return true;
}

/* Blanks around a column's name do not show in a line of the file. */
static bool mapping_names(const struct mapping_rule *rule, const char *column)
{
	static const char blanks[] = " \t\r\n";
	size_t len = strlen(rule->column), at = rule->plain ? strspn(column, blanks) : 0;

	if (strncmp(column + at, rule->column, len) != 0)
		return false;
	at += len;
	return !column[rule->plain ? at + strspn(column + at, blanks) : at];
}

const char *mapping_rule_for(const struct mapping *m, const char *column)
{
	for (size_t i = 0; i < m->n_rules; i++)
		if (mapping_names(&m->rules[i], column))
			return m->rules[i].field;
	return NULL;
}

/* Finds a field by kith's own name, in any case and with any blanks. In a vCard it may have the prefix of our exports.
 */
static const struct transfer_field *mapping_own(const struct mapping *m, const char *column)
{
	size_t prefix = strlen(HEADER_OWN_PROPERTY);
	char name[NAME_SIZE], own[NAME_SIZE];
	const struct transfer_field *f;

	header_normal(strncmp(column, HEADER_OWN_PROPERTY, prefix) == 0 ? column + prefix : column, name, sizeof name);
	for (size_t i = 0; (f = field_at(m->kind, i)); i++) {
		header_normal(f->name, own, sizeof own);
		if (strcmp(name, own) == 0)
			return f;
	}
	return NULL;
}

/* Finds a custom field by its name in any case and with any blanks. */
static const struct mapping_custom *mapping_custom_like(const struct mapping *m, const char *column)
{
	char normal[NAME_SIZE];

	header_normal(column, normal, sizeof normal);
	return mapping_custom_normal(m, normal);
}

/* True for a column that tells people from companies in files of one program, or in vCards. It tells this for both
 * kinds, also if the group has a field of its name for one of them. */
static bool mapping_tells(const struct mapping *m, const char *column, const struct transfer_header **h)
{
	const char *program = m->cards ? "vCard" : m->origin;

	*h = program ? header_of_program(m->kind, program, column, &(int){0}) : NULL;
	return *h && strcmp((*h)->field, "recordKind") == 0;
}

static void mapping_resolve_column(
    const struct mapping *m, struct mapping_column *c, size_t column, const struct entry_columns *columns)
{
	const char *name = columns->names[column];
	const struct mapping_custom *custom = mapping_custom_named(m, name);
	const struct transfer_field *f = field_named(m->kind, name);
	const struct transfer_header *h;
	int number;

	if (mapping_tells(m, name, &h)) {
		mapping_set_header(m, c, h, 1);
		return;
	}
	if (f || mapping_by_name(m, c, name)) {
		if (f)
			mapping_by_name(m, c, name);
		return;
	}
	if (header_is_salutation(m->kind, columns, column))
		mapping_by_name(m, c, "name.prefix");
	else if (custom)
		mapping_set_custom(c, custom);
	else if (m->origin && (h = header_of_program(m->kind, m->origin, name, &number)))
		mapping_set_header(m, c, h, number);
	else if ((f = mapping_own(m, name)) && f->shape != SHAPE_CUSTOM)
		mapping_set_own(m, c, f);
	else if ((h = header_find(m->kind, name, &number)) && strcmp(h->field, "recordKind") != 0)
		mapping_set_header(m, c, h, number);
	else if ((custom = mapping_custom_like(m, name)))
		mapping_set_custom(c, custom);
	else /* a word such as "Type" means more than people and companies in other files */
		c->use = h ? MAPPING_NO_FIELD : MAPPING_UNKNOWN;
}

bool mapping_refuse_rule(const struct mapping *m, const char *column, const char *field)
{
	struct buf near;

	buf_init(&near, SUGGESTION_MAX);
	if (!*field)
		fprintf(stderr,
		    "kith: --map: the column \"%s\" has no field; name one, or write \"-\" to leave it out\n", column);
	else if (mapping_suggest(m, field, false, &near))
		fprintf(
		    stderr, "kith: --map: the field \"%s\" does not exist; did you mean \"%s\"?\n", field, near.data);
	else
		fprintf(stderr, "kith: --map: the field \"%s\" does not exist\n", field);
	buf_free(&near);
	return false;
}

/* A rule may name the field as this program or any other one does: "emails", "E-mail", "customFieldValues.Stage",
 * "Stage". */
static bool mapping_by_rule(const struct mapping *m, struct mapping_column *c, const char *rule)
{
	const struct mapping_custom *custom = mapping_custom_named(m, rule);
	const struct transfer_field *own = mapping_own(m, rule);
	const struct transfer_header *h;
	int number;

	if (mapping_by_name(m, c, rule))
		return true;
	if (!custom && !own)
		custom = mapping_custom_like(m, rule);
	if (custom)
		mapping_set_custom(c, custom);
	else if (own && own->shape != SHAPE_CUSTOM)
		mapping_set_own(m, c, own);
	else if (*rule && (h = header_find(m->kind, rule, &number)) && *h->field && strcmp(h->field, "-") != 0)
		mapping_set_header(m, c, h, number);
	else
		return false;
	return c->use != MAPPING_NO_FIELD || custom;
}

/* True for a field of companies in a file of people, or the other way round. */
static bool mapping_is_foreign(const struct mapping *m, const char *rule)
{
	struct mapping other = {.kind = m->kind == TRANSFER_PEOPLE ? TRANSFER_COMPANIES : TRANSFER_PEOPLE};
	struct mapping_column column = {0};

	return m->tells &&
	       (strncmp(rule, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0 || mapping_by_rule(&other, &column, rule));
}

/* The first column with the same field as this one, if the field holds one value. */
static size_t mapping_lead(const struct mapping *m, size_t column)
{
	const struct mapping_column *c = &m->columns[column];
	bool single = c->use == MAPPING_CUSTOM || (c->use == MAPPING_FIELD && shape_is_single(c->field->shape));

	for (size_t i = 0; single && i < column; i++) {
		const struct mapping_column *other = &m->columns[i];
		if (other->use == c->use &&
		    (c->use == MAPPING_FIELD ? other->field == c->field : strcmp(other->custom, c->custom) == 0))
			return i;
	}
	return column;
}

bool mapping_resolve(struct mapping *m, const struct entry_columns *columns)
{
	if (!m->origin && m->n_columns < columns->count)
		m->origin = header_origin(m->kind, columns);
	for (; m->n_columns < columns->count; m->n_columns++) {
		struct mapping_column *c = &m->columns[m->n_columns];
		const char *name = columns->names[m->n_columns], *rule = mapping_rule_for(m, name);
		c->by_word = !rule && strcasecmp(name, "Name") == 0;
		if (!rule) {
			mapping_resolve_column(m, c, m->n_columns, columns);
		} else if (!mapping_by_rule(m, c, rule)) {
			c->foreign = mapping_is_foreign(m, rule);
			c->use = MAPPING_NO_FIELD;
			if (!c->foreign)
				return mapping_refuse_rule(m, name, rule);
		}
		c->lead = mapping_lead(m, m->n_columns);
	}
	return true;
}

/* --- values ------------------------------------------------------------------------------- */

bool mapping_is_fax(const struct mapping *m, const struct entry *e, const struct entry_value *v)
{
	const struct mapping_column *c = &m->columns[v->column];

	if (!c->field || strcmp(c->field->name, "phones") != 0)
		return false;
	for (size_t i = 0; i < e->n_values; i++) {
		const struct mapping_column *label = &m->columns[e->values[i].column];
		if (label->field && label->field->shape == SHAPE_LABEL && label->number == c->number &&
		    value_is_fax(e->values[i].text))
			return true;
	}
	return false;
}

enum transfer_kind mapping_record_kind(const struct mapping *m, const struct entry *e)
{
	for (size_t i = 0; i < e->n_values; i++) {
		const struct mapping_column *c = &m->columns[e->values[i].column];
		const char *told = c->use == MAPPING_FIELD && c->field->shape == SHAPE_KIND
		                       ? header_choice(m->kind, c->field, e->values[i].text)
		                       : NULL;
		if (told && transfer_kind_parse(told) == TRANSFER_COMPANIES)
			return TRANSFER_COMPANIES;
	}
	return TRANSFER_PEOPLE;
}

/* Counts a value that finds no place in its field. */
static void mapping_observe_place(
    struct mapping *m, struct mapping_column *c, const struct entry *e, const struct entry_value *v)
{
	struct mapping_column *lead = &m->columns[c->lead];
	bool chooses = c->use == MAPPING_FIELD && c->field->choices;

	c->faxes += mapping_is_fax(m, e, v);
	c->unknown +=
	    c->use == MAPPING_FIELD && c->field->shape == SHAPE_KIND && !header_choice(m->kind, c->field, v->text);
	if (c->use != MAPPING_CUSTOM && (c->use != MAPPING_FIELD || !shape_is_single(c->field->shape)))
		return;
	c->surplus += lead->filled && strcmp(lead->filled, v->text) != 0;
	c->unknown += chooses && ((c->field->shape == SHAPE_GENDER && !header_choice(m->kind, c->field, v->text)) ||
	                             (c->field->shape == SHAPE_RANGE && !value_range(c->field->choices, v->text)));
	lead->filled = lead->filled ? lead->filled : v->text;
}

/* The value of the record's field; NULL: none. */
static const char *mapping_value(const struct mapping *m, const struct entry *e, const char *field)
{
	for (size_t i = 0; i < e->n_values; i++) {
		const struct mapping_column *c = &m->columns[e->values[i].column];
		if (c->use == MAPPING_FIELD && strcmp(c->field->name, field) == 0)
			return e->values[i].text;
	}
	return NULL;
}

static void mapping_observe_names(struct mapping *m, const struct entry *e)
{
	const char *first = mapping_value(m, e, "firstName"), *whole = first ? mapping_value(m, e, "fullName") : NULL;

	m->whole_names += whole && strstr(whole, first);
	m->other_names += whole && !strstr(whole, first);
}

void mapping_settle_names(struct mapping *m)
{
	struct mapping_column *name = NULL;

	if (m->kind != TRANSFER_PEOPLE || m->other_names <= m->whole_names)
		return;
	for (size_t i = 0; i < m->n_columns; i++) {
		struct mapping_column *c = &m->columns[i];
		if (c->use != MAPPING_FIELD || !c->values)
			continue;
		if (strcmp(c->field->name, "lastName") == 0)
			return;
		name = c->by_word && strcmp(c->field->name, "fullName") == 0 ? c : name;
	}
	if (name)
		name->field = field_named(m->kind, "lastName");
}

void mapping_observe(struct mapping *m, const struct entry *e)
{
	mapping_observe_names(m, e);
	for (size_t i = 0; i < e->n_values; i++)
		m->columns[m->columns[e->values[i].column].lead].filled = NULL;
	for (size_t i = 0; i < e->n_values; i++) {
		struct mapping_column *c = &m->columns[e->values[i].column];
		if (value_is_empty_date(e->values[i].text))
			continue;
		c->values++;
		mapping_observe_place(m, c, e, &e->values[i]);
		c->not_number |= !value_is_number(e->values[i].text);
		c->decimal_comma |= value_has_decimal_comma(e->values[i].text);
		c->not_date |= !value_is_date(e->values[i].text, &c->day_first);
	}
}

enum mapping_type mapping_guess_type(const struct mapping_column *c)
{
	return c->values == 0   ? MAPPING_TEXT
	       : !c->not_date   ? MAPPING_DATE
	       : !c->not_number ? MAPPING_NUMBER
	                        : MAPPING_TEXT;
}
