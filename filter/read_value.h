/* Reads the fields and values of filters; see read.h. */
#ifndef KITH_FILTER_READ_VALUE_H
#define KITH_FILTER_READ_VALUE_H

#include "filter/read.h"

enum filter_found {
	FILTER_FOUND,
	FILTER_UNKNOWN, /* no field has this name */
	FILTER_REFUSED  /* the reason is among the issues */
};

/* Finds the field of a name; sets the members of the condition that belong to it. */
enum filter_found filter_find(
    struct filter_reading *rd, const char *name, size_t len, const struct path *at, struct filter_condition *c);

/* Reads one value, which is UTF-8 without NUL and is not copied; false with an issue at its path. */
bool filter_value_read(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *out);

#endif
