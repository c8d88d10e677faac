/* How the fields of the API (store/resources.h) are read from files, and the parts into which other programs split
 * them. */
#include "transfer/record_field.h"

#include <string.h>

#include "store/resources.h"

const char *const transfer_kind_names[TRANSFER_KINDS + 1] = {
    "people", "companies", "objects", "notes", "tasks", "interactions", "events", NULL};

enum transfer_kind transfer_kind_parse(const char *text)
{
	int i = 0;

	while (transfer_kind_names[i] && strcmp(transfer_kind_names[i], text) != 0)
		i++;
	return (enum transfer_kind)i;
}

/* --- the fields of a kind ----------------------------------------------------------------- */

/* Texts that may be longer have several lines. */
enum { ONE_LINE_MAX = 1000 };

/* Choices without a row, and texts, are read as they are. */
static const enum transfer_shape type_shapes[FIELD_TYPES] = {
    [FIELD_TEXT] = SHAPE_TEXT,
    [FIELD_CHOICE] = SHAPE_TEXT,
    [FIELD_CLOCK] = SHAPE_TEXT,
    [FIELD_ACTIVITY] = SHAPE_TEXT,
    [FIELD_DATE] = SHAPE_DATE,
    [FIELD_YEAR] = SHAPE_YEAR,
    [FIELD_DECIMAL] = SHAPE_NUMBER,
    [FIELD_TIME] = SHAPE_TIME,
    [FIELD_FLAG] = SHAPE_BOOL,
    [FIELD_TEXTS] = SHAPE_LIST,
    [FIELD_GROUPS] = SHAPE_GROUPS,
    [FIELD_COMPANIES] = SHAPE_COMPANIES,
    [FIELD_PEOPLE] = SHAPE_PEOPLE,
    [FIELD_USER] = SHAPE_USER,
    [FIELD_USERS] = SHAPE_USERS,
    [FIELD_ENTITY] = SHAPE_ENTITY,
    [FIELD_CUSTOM] = SHAPE_CUSTOM,
};

/* Fields that are read in a way of their own. */
static const struct transfer_field own_shapes[] = {
    {"gender", SHAPE_GENDER},
    {"employeeRange", SHAPE_RANGE},
    {"emails", SHAPE_COMMAS},
    {"phones", SHAPE_COMMAS},
    {"dueTime", SHAPE_CLOCK},
};

enum {
	PEOPLE = 1 << TRANSFER_PEOPLE,
	COMPANIES = 1 << TRANSFER_COMPANIES,
	OBJECTS = 1 << TRANSFER_OBJECTS,
	ENTITIES = 1 << TRANSFER_NOTES | 1 << TRANSFER_TASKS | 1 << TRANSFER_INTERACTIONS,
	TASKS = 1 << TRANSFER_TASKS,
	ALL_KINDS = (1 << TRANSFER_KINDS) - 1
};

/* What a file may have beside the fields: parts of names and addresses, ids of other programs, references by kind, and
 * what FILE.refused adds. */
static const struct {
	struct transfer_field field;
	unsigned kinds; /* bits */
} parts[] = {
    {{"name.prefix", SHAPE_NAME}, PEOPLE},
    {{"name.middle", SHAPE_NAME}, PEOPLE},
    {{"name.suffix", SHAPE_NAME}, PEOPLE},
    {{"address.street", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.extended", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.poBox", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.city", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.region", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.postalCode", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"address.country", SHAPE_ADDRESS}, PEOPLE | COMPANIES},
    {{"otherId", SHAPE_OTHER_ID}, PEOPLE | COMPANIES | OBJECTS},
    {{"people.otherId", SHAPE_LINK}, OBJECTS},
    {{"companies.otherId", SHAPE_LINK}, PEOPLE | OBJECTS},
    {{"entity.object", SHAPE_LINK}, ENTITIES},
    {{"entity.object.otherId", SHAPE_LINK}, ENTITIES},
    {{"entity.person", SHAPE_LINK}, ENTITIES},
    {{"entity.person.otherId", SHAPE_LINK}, ENTITIES},
    {{"entity.company", SHAPE_LINK}, ENTITIES},
    {{"entity.company.otherId", SHAPE_LINK}, ENTITIES},
    {{"done", SHAPE_DONE}, TASKS},
    {{"recordKind", SHAPE_KIND}, PEOPLE | COMPANIES},
    {{"phones.label", SHAPE_LABEL}, PEOPLE | COMPANIES},
    {{"birthday.year", SHAPE_BIRTH}, PEOPLE},
    {{"birthday.month", SHAPE_BIRTH}, PEOPLE},
    {{"birthday.day", SHAPE_BIRTH}, PEOPLE},
    {{"_refused", SHAPE_READ}, ALL_KINDS},
    {{"_line", SHAPE_READ}, ALL_KINDS},
};

bool shape_is_part(enum transfer_shape shape)
{
	return shape == SHAPE_NAME || shape == SHAPE_ADDRESS || shape == SHAPE_OTHER_ID || shape == SHAPE_LINK ||
	       shape == SHAPE_DONE || shape == SHAPE_KIND || shape == SHAPE_LABEL || shape == SHAPE_BIRTH;
}

bool shape_is_single(enum transfer_shape shape)
{
	return shape == SHAPE_TEXT || (shape >= SHAPE_DATE && shape <= SHAPE_BOOL) || shape == SHAPE_USER ||
	       shape == SHAPE_CLOCK;
}

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static struct kind_fields {
	const struct resource *resource;
	struct transfer_field fields[FIELDS_MAX + COUNT(parts)];
	size_t n; /* 0: not made yet */
} kinds[TRANSFER_KINDS] = {
    [TRANSFER_PEOPLE] = {&person_resource},
    [TRANSFER_COMPANIES] = {&company_resource},
    [TRANSFER_OBJECTS] = {&object_resource},
    [TRANSFER_NOTES] = {&note_resource},
    [TRANSFER_TASKS] = {&task_resource},
    [TRANSFER_INTERACTIONS] = {&interaction_resource},
};

static enum transfer_shape field_shape(const struct field *f)
{
	bool repeats = f->same_as && !(f->flags & FIELD_HIDDEN);

	if (!(f->flags & FIELD_IN_CREATE) || repeats || !type_shapes[f->type])
		return SHAPE_READ;
	for (size_t i = 0; i < COUNT(own_shapes); i++)
		if (strcmp(own_shapes[i].name, f->name) == 0)
			return own_shapes[i].shape;
	return f->type == FIELD_TEXT && f->max > ONE_LINE_MAX ? SHAPE_LINES : type_shapes[f->type];
}

/* Columns of a file are easier to read in this order: values, lists, references, then who and when. */
static int field_rank(const struct transfer_field *f)
{
	if (f->from_admin || strcmp(f->name, "updatedAt") == 0)
		return 4;
	return f->shape == SHAPE_COMMAS                               ? 1
	       : f->shape == SHAPE_LIST                               ? 2
	       : f->shape >= SHAPE_GROUPS && f->shape <= SHAPE_PEOPLE ? 3
	                                                              : 0;
}

static void kind_insert(struct kind_fields *k, const struct transfer_field *f)
{
	size_t at = k->n++;

	for (; at > 0 && field_rank(&k->fields[at - 1]) > field_rank(f); at--)
		k->fields[at] = k->fields[at - 1];
	k->fields[at] = *f;
}

static void kind_make(enum transfer_kind kind)
{
	struct kind_fields *k = &kinds[kind];

	for (int i = 0; i < k->resource->n_fields; i++) {
		const struct field *f = &k->resource->fields[i];
		struct transfer_field field = {f->name, field_shape(f), f->unset, f->choices,
		    .from_admin = f->flags & FIELD_FROM_ADMIN, .hidden = f->flags & FIELD_HIDDEN};
		if (*f->name)
			kind_insert(k, &field);
	}
	for (size_t i = 0; i < COUNT(parts); i++)
		if (parts[i].kinds & 1u << kind)
			k->fields[k->n++] = parts[i].field;
}

const struct transfer_field *field_at(enum transfer_kind kind, size_t i)
{
	if (kind >= TRANSFER_KINDS || !kinds[kind].resource)
		return NULL;
	if (!kinds[kind].n)
		kind_make(kind);
	return i < kinds[kind].n ? &kinds[kind].fields[i] : NULL;
}

const struct transfer_field *field_named(enum transfer_kind kind, const char *name)
{
	const struct transfer_field *f;

	for (size_t i = 0; (f = field_at(kind, i)); i++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
