/* The field by which an upsert finds existing records. Filters compare the field by eq. */
#ifndef KITH_SERVER_INPUT_MATCH_H
#define KITH_SERVER_INPUT_MATCH_H

#include "filter/filter.h"
#include "server/input/body.h"

struct match {
	const char *name;                  /* the name as in the request */
	const struct filter_field *field;  /* how its values are compared */
	const struct custom_field *custom; /* the field if FILTER_CUSTOM, else NULL */
};

/* The names of the resource's own fields that a match may have; NULL terminated. Custom fields for a text, a number or
 * a date are named as in filters. */
const char *const *match_names(const struct resource *res);

/* Reads the match. Returns false with an issue. Custom fields are not checked while rd has no scope: then field is
 * NULL. */
bool match_read(
    struct reading *rd, const struct resource *res, const struct json *json, const struct path *at, struct match *out);

#endif
