/* The fields of a view. */
#include "store/resources.h"

static const char *const kinds[] = {"people", "companies", "tasks", "objects", NULL};
static const char *const visibilities[] = {"private", "public", NULL};

enum { COLUMNS_MAX = 100, COLUMN_MAX = 500 };

/* clang-format off */
static const struct field fields[VIEW_FIELDS] = {
	[VIEW_ID]         = {"id",         "id",         FIELD_ID,        0, .about = "Id of the view."},
	[VIEW_NAME]       = {"name",       "name",       FIELD_TEXT,      FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .about = "Name of the view."},
	[VIEW_KIND]       = {"kind",       "kind",       FIELD_CHOICE,    FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = kinds, .about = "What is listed. It stays the same."},
	[VIEW_GROUP]      = {"groupId",    "group_id",   FIELD_GROUP_ID,  FIELD_IN_CREATE | FIELD_NULLABLE, .about = "With the kind `objects`: the group of the type; else null."},
	[VIEW_TYPE_NAME]  = {"objectType", NULL,         FIELD_TEXT,      FIELD_IN_CREATE | FIELD_NULLABLE | FIELD_NULL_EMPTY, .max = 500, .about = "With the kind `objects`: the name of the type; else null. A view follows a type that is renamed."},
	[VIEW_QUERY]      = {"query",      "query",      FIELD_VIEW_PART, FIELD_IN | FIELD_NO_EMPTY, .about = "What the list asks for: `filter`, `combinator`, `search` and `sort` as in the body of a search, for tasks also `onlyAssignedToMe`."},
	[VIEW_COLUMNS]    = {"columns",    "columns",    FIELD_TEXTS,     FIELD_IN, .max = COLUMNS_MAX, .item_max = COLUMN_MAX, .about = "The fields to show, in this order, named as in filters. Programs ignore names that they do not know. Empty: those that the program shows by default."},
	[VIEW_BOARD]      = {"board",      "board",      FIELD_VIEW_PART, FIELD_IN | FIELD_NULLABLE, .about = "Shows the records as a board."},
	[VIEW_CHART]      = {"chart",      "chart",      FIELD_VIEW_PART, FIELD_IN | FIELD_NULLABLE, .about = "Shows totals of the records."},
	[VIEW_VISIBILITY] = {"visibility", "visibility", FIELD_CHOICE,    FIELD_IN | FIELD_NO_EMPTY, .choices = visibilities, .about = "`private`, the default: only its maker sees the view. `public`: everybody sees it."},
	[VIEW_CREATED_BY] = {"createdBy",  "created_by", FIELD_USER,      0, .about = "Who created it."},
	[VIEW_CREATED_AT] = {"createdAt",  "created_at", FIELD_TIME,      0, .about = "When it was created."},
	[VIEW_UPDATED_AT] = {"updatedAt",  "updated_at", FIELD_STAMP,     0, .about = "When it was last changed."},
	[VIEW_TYPE]       = {"",           "type_id",    FIELD_HIDDEN_ID, FIELD_HIDDEN},
	[VIEW_GROUPS]     = {"",           "group_ids",  FIELD_GROUPS,    FIELD_HIDDEN},
};
/* clang-format on */

const struct resource view_resource = {.name = "view",
    .about = "A saved list of people, companies, tasks or objects.",
    .table = "views",
    .id_kind = ID_VIEW,
    .stamp = VIEW_UPDATED_AT,
    .fields = fields,
    .n_fields = VIEW_FIELDS};
