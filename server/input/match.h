/* What an upsert finds existing records by: a field whose values filters compare by eq. */
#ifndef KITH_SERVER_INPUT_MATCH_H
#define KITH_SERVER_INPUT_MATCH_H

#include "filter/filter.h"
#include "server/input/body.h"

struct match {
	const char *name;                  /* as in the request */
	const struct filter_field *field;  /* how its values are compared */
	const struct custom_field *custom; /* FILTER_CUSTOM, else NULL */
};

/* The names of the resource's own fields that it may be; NULL terminated. Fields of its records that are custom texts,
 * numbers and dates are named as in filters. */
const char *const *match_names(const struct resource *res);

/* Reads it; false with an issue. Custom fields are not checked while rd has no scope: then field is NULL. */
bool match_read(
    struct reading *rd, const struct resource *res, const struct json *json, const struct path *at, struct match *out);

#endif
