/* Values in subscription filters. */
#ifndef KITH_SERVER_INPUT_SUBSCRIPTION_VALUE_H
#define KITH_SERVER_INPUT_SUBSCRIPTION_VALUE_H

#include "server/input/body.h"

/* The attribute that a filter's path names: one of the two is set. */
struct webhook_attribute {
	const struct field *field;
	const struct custom_field *custom;
};

/* Checks a value in the form in which the attribute is written (for a list also a single item) and writes it as in
 * events. Adds an issue, and writes null, for an invalid value. */
void subscription_value_read(struct reading *rd, const struct webhook_attribute *attribute, const struct json *json,
    const struct path *at, struct json_out *out);

#endif
