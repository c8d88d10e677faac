/* The fields of a note. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};

/* clang-format off */
static const struct field fields[NOTE_FIELDS] = {
	[NOTE_ID]             = {"id",         "id",             FIELD_ID,        0, .about = "Id of the note."},
	[NOTE_ENTITY]         = {"entity",     "entity_id",      FIELD_ENTITY,    FIELD_IN | FIELD_REQUIRED, .about = "The person, company or object that the note is about. It stays the same."},
	[NOTE_CONTENT]        = {"content",    "content",        FIELD_TEXT,      FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 100000, .about = "The text of the note."},
	[NOTE_WORDS]          = {"",           "words",          FIELD_WORDS,     FIELD_HIDDEN},
	[NOTE_VISIBILITY]     = {"visibility", "visibility",     FIELD_CHOICE,    FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = visibilities, .about = "`public` for all who see the record, `private` only for the author."},
	[NOTE_AUTHOR]         = {"author",     "author_id",      FIELD_AUTHOR,    0, .about = "Who wrote the note."},
	[NOTE_CREATED_AT]     = {"createdAt",  "created_at",     FIELD_TIME,      FIELD_IMPORTED, .max = 40, .about = "When it was created."},
	[NOTE_CREATED_BY]     = {"createdBy",  NULL,             FIELD_USER,      FIELD_HIDDEN | FIELD_IMPORTED, .same_as = "author", .about = "Who wrote the note."},
	[NOTE_UPDATED_AT]     = {"",           "updated_at",     FIELD_STAMP,     FIELD_HIDDEN},
	[NOTE_PARENT]         = {"parentNote", "parent_id",      FIELD_PARENT,    FIELD_IN_CREATE | FIELD_NULLABLE, .about = "The note of the same record that this one answers. Null: it answers none, or the key's user may not see that note."},
	[NOTE_PARENT_SEEN_BY] = {"",           "parent_seen_by", FIELD_HIDDEN_ID, FIELD_HIDDEN},
};
/* clang-format on */

const struct resource note_resource = {.name = "note",
    .about = "A note about a person, company or object.",
    .table = "notes",
    .id_kind = ID_NOTE,
    .stamp = NOTE_UPDATED_AT,
    .fields = fields,
    .n_fields = NOTE_FIELDS};
