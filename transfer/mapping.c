/* Columns to fields: by --map, by our own names, by the headers of other programs, by the group's custom fields. */
#include "transfer/mapping.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"
#include "transfer/value.h"

enum { RULES_MAX = ENTRY_COLUMNS_MAX, LINE_MAX_BYTES = 2048, NAME_SIZE = 256 };

static const char custom_prefix[] = "customFieldValues.";

/* --- the file of --map ---------------------------------------------------------------- */

/* Cuts blanks off both ends. */
static char *mapping_trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t\r\n", text[len - 1]))
		text[--len] = '\0';
	return text;
}

static bool mapping_read_line(struct mapping *m, char *line)
{
	char *text = mapping_trim(line), *equals = strrchr(text, '=');

	if (!*text || *text == '#')
		return true;
	if (!equals || m->n_rules == RULES_MAX)
		return false;
	*equals = '\0';
	m->rules = mem_realloc(m->rules, (m->n_rules + 1) * sizeof *m->rules);
	m->rules[m->n_rules++] =
	    (struct mapping_rule){mem_dupz(mapping_trim(text)), mem_dupz(mapping_trim(equals + 1))};
	return true;
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
		fprintf(stderr, "kith: %s, line %d: each line is \"Column = field\"\n", path, n);
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

static const struct mapping_custom *mapping_custom_named(const struct mapping *m, const char *name)
{
	for (size_t i = 0; i < m->n_custom; i++)
		if (strcmp(m->custom[i].name, name) == 0)
			return &m->custom[i];
	return NULL;
}

static void mapping_set_custom(struct mapping_column *c, const struct mapping_custom *custom)
{
	c->use = custom->type == MAPPING_OTHER ? MAPPING_NO_FIELD : MAPPING_CUSTOM;
	c->custom = custom->name;
	c->type = custom->type;
}

static void mapping_set_field(struct mapping_column *c, const struct transfer_field *f, int number)
{
	c->use = f->shape == SHAPE_READ ? MAPPING_SKIP : MAPPING_FIELD;
	c->field = f;
	c->number = number;
}

/* A field by its API name, "customFieldValues.Name", "-". */
static bool mapping_by_name(const struct mapping *m, struct mapping_column *c, const char *name)
{
	const struct transfer_field *f = field_named(m->kind, name);
	const struct mapping_custom *custom = NULL;

	if (strncmp(name, custom_prefix, sizeof custom_prefix - 1) == 0)
		custom = mapping_custom_named(m, name + sizeof custom_prefix - 1);
	if (strcmp(name, "-") == 0)
		c->use = MAPPING_SKIP;
	else if (custom)
		mapping_set_custom(c, custom);
	else if (f && f->shape != SHAPE_CUSTOM)
		mapping_set_field(c, f, 1);
	else
		return false;
	return true;
}

const char *mapping_rule_for(const struct mapping *m, const char *column)
{
	for (size_t i = 0; i < m->n_rules; i++)
		if (strcmp(m->rules[i].column, column) == 0)
			return m->rules[i].field;
	return NULL;
}

/* Our own names, in any case and with any blanks. */
static const struct transfer_field *mapping_own(const struct mapping *m, const char *column)
{
	char name[NAME_SIZE], own[NAME_SIZE];

	header_normal(column, name, sizeof name);
	for (const struct transfer_field *f = field_after(NULL); f; f = field_after(f)) {
		header_normal(f->name, own, sizeof own);
		if (f->kinds & 1U << m->kind && strcmp(name, own) == 0)
			return f;
	}
	return NULL;
}

/* In Outlook's files "Title" stands beside "Job Title" and is a form of address. */
static bool mapping_is_salutation(const char *column, const struct entry_columns *columns)
{
	bool job = false;

	for (size_t i = 0; i < columns->count; i++)
		job |= strcmp(columns->names[i], "Job Title") == 0;
	return job && strcmp(column, "Title") == 0;
}

static void mapping_resolve_column(
    const struct mapping *m, struct mapping_column *c, const char *name, const struct entry_columns *columns)
{
	const struct mapping_custom *custom = mapping_custom_named(m, name);
	const struct transfer_field *f = field_named(m->kind, name);
	const struct transfer_header *h;
	int number;

	if (f || mapping_by_name(m, c, name)) {
		if (f)
			mapping_by_name(m, c, name);
		return;
	}
	if (mapping_is_salutation(name, columns) && m->kind == TRANSFER_PEOPLE)
		mapping_by_name(m, c, "name.prefix");
	else if (custom)
		mapping_set_custom(c, custom);
	else if ((f = mapping_own(m, name)) != NULL && f->shape != SHAPE_CUSTOM)
		mapping_set_field(c, f, 1);
	else if ((h = header_find(m->kind, name, &number)) != NULL && !*h->field)
		c->use = MAPPING_NO_FIELD;
	else if (h && strcmp(h->field, "-") == 0)
		c->use = MAPPING_SKIP;
	else if (h)
		mapping_set_field(c, field_named(m->kind, h->field), number);
	else
		c->use = MAPPING_UNKNOWN;
}

bool mapping_resolve(struct mapping *m, const struct entry_columns *columns)
{
	for (; m->n_columns < columns->count; m->n_columns++) {
		struct mapping_column *c = &m->columns[m->n_columns];
		const char *name = columns->names[m->n_columns], *rule = mapping_rule_for(m, name);
		if (!rule) {
			mapping_resolve_column(m, c, name, columns);
		} else if (!mapping_by_name(m, c, rule)) {
			fprintf(stderr, "kith: --map: there is no field \"%s\"; the nearest is \"%s\"\n", rule,
			    mapping_nearest(m, rule));
			return false;
		}
	}
	return true;
}

/* --- values ------------------------------------------------------------------------------- */

void mapping_observe(struct mapping *m, const struct entry *e)
{
	for (size_t i = 0; i < e->n_values; i++) {
		struct mapping_column *c = &m->columns[e->values[i].column];
		/* Outlook's empty day. */
		if (strcmp(e->values[i].text, "0/0/00") == 0)
			continue;
		c->values++;
		c->not_number |= !value_is_number(e->values[i].text);
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

/* --- the nearest name --------------------------------------------------------------------------- */

static size_t mapping_least(size_t a, size_t b, size_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* How many letters must be changed, added or removed. */
static size_t mapping_distance(const char *a, const char *b)
{
	size_t row[NAME_SIZE + 1], n = strlen(b);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t before = row[0];
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			size_t above = row[j];
			row[j] = mapping_least(above + 1, row[j - 1] + 1, before + (a[i - 1] != b[j - 1]));
			before = above;
		}
	}
	return row[n];
}

static void mapping_nearer(const char *column, const char *name, const char **best, size_t *least)
{
	char a[NAME_SIZE], b[NAME_SIZE];
	size_t distance;

	header_normal(column, a, sizeof a);
	header_normal(name, b, sizeof b);
	/* "email" in "contactemail" is near. */
	distance = *a && *b && (strstr(a, b) || strstr(b, a)) ? 1 : mapping_distance(a, b);
	if (distance < *least) {
		*least = distance;
		*best = name;
	}
}

const char *mapping_nearest(const struct mapping *m, const char *column)
{
	const char *best = "-";
	size_t least = strlen(column) / 2 + 2;

	for (const struct transfer_field *f = field_after(NULL); f; f = field_after(f))
		if (f->kinds & 1U << m->kind && f->shape != SHAPE_READ && f->shape != SHAPE_CUSTOM)
			mapping_nearer(column, f->name, &best, &least);
	for (size_t i = 0; i < m->n_custom; i++)
		mapping_nearer(column, m->custom[i].name, &best, &least);
	return best;
}
