/* What of a value an index with trigrams is asked for. */
#ifndef KITH_FILTER_PATTERN_H
#define KITH_FILTER_PATTERN_H

#include "filter/filter.h"
#include "store/sql.h"

/* Whether there is something that such an index can look for: in a part of a text, or in one that is whole. */
bool pattern_exists(const struct filter_value *v, bool whole);

/*
 * Appends "(text like … or …)" of the condition's values, whose exact test is still to be made. whole: each is an
 * item of the text, which has a line break around each.
 */
void pattern_sql(struct sql *s, const char *text, const struct filter_condition *f, bool whole);

#endif
