/* Values in bodies, by type of field. */
#ifndef KITH_SERVER_INPUT_BODY_VALUE_H
#define KITH_SERVER_INPUT_BODY_VALUE_H

#include "server/input/body.h"

/* How a type of field is read from a body: one row per type, which is empty for types that bodies may not give. */
struct field_reader {
	const char *expected; /* the JSON type, for "Required" */
	field_read *read;
};
extern const struct field_reader field_readers[FIELD_TYPES];

/* Checks the shape of a member of a custom field's definition (definition_shape.c). */
field_read definition_shape;
/* Checks the shape of a part of a view, and keeps its text (view_part.c). */
field_read view_part_read;

#endif
