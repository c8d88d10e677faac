/* Finds the fields that can be filtered by. The tables themselves are named in filter.h. */
#ifndef KITH_FILTER_TABLES_H
#define KITH_FILTER_TABLES_H

#include "filter/filter.h"

/* The table's rows, then the resource's fields with FIELD_FILTERED; NULL after the last. */
const struct filter_field *filter_field_at(const struct filter_table *t, int i);
/* The field of that name; NULL when there is none. */
const struct filter_field *filter_field_find(const struct filter_table *t, const char *name, size_t len);
/* The relation of that name; NULL: none. */
const struct filter_relation *filter_relation_find(const struct filter_table *t, const char *name, size_t len);
/* How values of a type of custom field ("textField") are filtered; NULL when there is no such type. */
const struct filter_field *filter_custom_field(const char *type);

#endif
