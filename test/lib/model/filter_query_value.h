/* Values of random conditions. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_QUERY_VALUE_H
#define KITH_TEST_LIB_MODEL_FILTER_QUERY_VALUE_H

#include "test/lib/model/filter_query.h"

/* Draws values for the condition's field and operator from the records of l, preferably from hoped (may be NULL),
 * unchanged or slightly changed. False when no record has any. */
bool filter_draw_values(
    struct arena *a, struct model_condition *c, const struct filter_list *l, const struct json *hoped);

#endif
