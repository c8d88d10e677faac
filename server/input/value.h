/* Single values of a body: texts, choices, dates, years, numbers, flags. */
#ifndef KITH_SERVER_INPUT_VALUE_H
#define KITH_SERVER_INPUT_VALUE_H

#include "server/base/arena.h"
#include "server/base/issues.h"
#include "store/field.h"

/* A string of min to max code points without U+0000, else an issue and false. */
bool body_text(struct issues *is, const struct json *json, int min, int max, const struct path *at);

/* Reads a value of f's type; an issue when it is none. Texts point into json. */
void body_value(struct issues *is, const struct field *f, const struct json *json, const struct path *at,
    struct value *v, struct arena *a);

/* The JSON type that f's reader expects, for "Required". */
const char *body_expected(const struct field *f);

#endif
