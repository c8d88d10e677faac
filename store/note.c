/* The fields of a note. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};

static const struct field fields[NOTE_FIELDS] = {
    [NOTE_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [NOTE_ENTITY] = {.name = "entity", .column = "entity_id", .type = FIELD_ENTITY, .flags = FIELD_IN | FIELD_REQUIRED},
    [NOTE_CONTENT] = {.name = "content",
        .column = "content",
        .type = FIELD_TEXT,
        .flags = FIELD_SILENT | FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 100000},
    [NOTE_WORDS] = {.name = "", .column = "words", .type = FIELD_WORDS, .flags = FIELD_HIDDEN},
    [NOTE_VISIBILITY] = {.name = "visibility",
        .column = "visibility",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .choices = visibilities},
    [NOTE_AUTHOR] = {.name = "author", .column = "author_id", .type = FIELD_AUTHOR},
    [NOTE_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [NOTE_PARENT] = {.name = "parentNote",
        .column = "parent_id",
        .type = FIELD_PARENT,
        .flags = FIELD_IN_CREATE | FIELD_NULLABLE},
    [NOTE_PARENT_SEEN_BY] = {.name = "", .column = "parent_seen_by", .type = FIELD_HIDDEN_ID, .flags = FIELD_HIDDEN},
};

const struct resource note_resource = {
    .name = "note", .table = "notes", .id_kind = ID_NOTE, .fields = fields, .n_fields = NOTE_FIELDS};
