/* A record that GET /v1/search has found. */
#include "store/resources.h"

static const char *const kinds[] = {"people", "companies", "objects", "notes", "tasks", NULL};

/* clang-format off */
static const struct field fields[SEARCH_HIT_FIELDS] = {
	[SEARCH_HIT_ID]       = {"id",         NULL, FIELD_TEXT,   0, .about = "Id of the record."},
	[SEARCH_HIT_KIND]     = {"kind",       NULL, FIELD_CHOICE, 0, .choices = kinds, .about = "What it is."},
	[SEARCH_HIT_TITLE]    = {"title",      NULL, FIELD_TEXT,   0, .about = "Name of a person, company or object, title of a task, beginning of a note."},
	[SEARCH_HIT_SUBTITLE] = {"subtitle",   NULL, FIELD_TEXT,   0, .about = "What tells it from others of that title: job title and company of a person, industry of a company, a company or person of an object, the record of a task or note. May be empty."},
	[SEARCH_HIT_MATCHED]  = {"matched",    NULL, FIELD_TEXTS,  0, .about = "The fields that have a word of the text, named as in filters."},
	[SEARCH_HIT_GROUP]    = {"groupId",    NULL, FIELD_TEXT,   FIELD_WHEN_TRUE, .about = "Only objects: their group."},
	[SEARCH_HIT_TYPE]     = {"objectType", NULL, FIELD_TEXT,   FIELD_WHEN_TRUE, .about = "Only objects: the name of their type."},
};
/* clang-format on */

const struct resource search_hit_resource = {.name = "searchHit",
    .title = "search hit",
    .about = "A record that a search over all kinds has found.",
    .id_kind = ID_WORKSPACE,
    .fields = fields,
    .n_fields = SEARCH_HIT_FIELDS};
