/* Values in bodies, by type of field. */
#ifndef KITH_SERVER_INPUT_VALUE_H
#define KITH_SERVER_INPUT_VALUE_H

#include "server/input/body.h"

/* How a type of field is read from a body: one row per type, empty for one that bodies may not give. */
struct field_reader {
	const char *expected; /* the JSON type, for "Required" */
	/* Sets v, which is all zero, or adds issues; texts point into json. v is in rd->input, but a single value
	 * may also stand alone. */
	void (*read)(
	    struct reading *rd, const struct field *f, const struct json *json, const struct path *at, struct value *v);
};
extern const struct field_reader field_readers[FIELD_TYPES];

#endif
