/* Values in the filters of subscriptions. */
#ifndef KITH_SERVER_INPUT_SUBSCRIPTION_VALUE_H
#define KITH_SERVER_INPUT_SUBSCRIPTION_VALUE_H

#include "server/input/body.h"

/* What a filter's path leads to: one of the two. */
struct webhook_attribute {
	const struct field *field;
	const struct custom_field *custom;
};

/* Checks a value in the form that the attribute is written in (of a list also one item alone) and
 * writes it as events carry it: what cannot be written is an issue, and null in its place. */
void webhook_value_read(struct reading *rd, const struct webhook_attribute *attribute, const struct json *json,
    const struct path *at, struct json_out *out);

#endif
