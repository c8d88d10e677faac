/* The resources' fields as in the API's description, independent of the program's own tables. */
#ifndef KITH_TEST_API_FIELDS_H
#define KITH_TEST_API_FIELDS_H

#include "server/base/buf.h"
#include "server/base/json.h"

/*
 * Compares a resource, known by the prefix of its id, with its table: each field
 * is there and has its form, and nothing else is there. Objects without an id of a
 * known resource, and the bare {id} of a delete, are skipped. Adds a line for each fault.
 */
void fields_check(const struct json *resource, struct buf *out);

/* The same for what has no id: a field's definition, an object type. */
void fields_check_custom_field(const struct json *resource, struct buf *out);
void fields_check_object_type(const struct json *resource, struct buf *out);

/* An array of {id, name} of groups or companies. */
bool fields_are_named(const struct json *list);

#endif
