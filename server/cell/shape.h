/* Describes the shapes of JSON in columns, in a short notation:
 *
 *   s n b 0        a string, number, boolean, null; numbers of at most 40 characters without an exponent
 *   u              a string with a UUID
 *   *              any value
 *   [X]            an array whose items are all X
 *   {a:X,b?:Y}     an object with exactly these members; b may be missing
 *   {*:X} {u:X}    an object whose members are all X; with u: their names are UUIDs
 *   X|Y            either X or Y */
#ifndef KITH_SERVER_CELL_SHAPE_H
#define KITH_SERVER_CELL_SHAPE_H

#include <stdbool.h>

#include "server/base/json.h"

bool shape_fits(const char *shape, const struct json *value);

#endif
