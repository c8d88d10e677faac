/* The values of a condition in SQL: shared by row.h (tests) and lookup.h (indexes). */
#ifndef KITH_FILTER_VALUE_H
#define KITH_FILTER_VALUE_H

#include "filter/filter.h"
#include "store/sql.h"

struct value_ids {
	const struct uuid *ids;
	size_t n;
};

/* The ids of a condition's values that can match for this viewer, each once. None: the positive operator matches
 * nothing, also when one of several required ids is missing. */
struct value_ids value_ids(struct arena *a, const struct filter_viewer *v, const struct filter_condition *f);

/* Ids that records may still refer to in the condition's field, but that are treated as absent. */
struct value_ids value_absent(const struct filter_viewer *v, const struct filter_condition *f);

/* The operator that a negative one negates; for others the operator itself. */
enum filter_op value_positive(enum filter_op op);

bool value_is_list(enum filter_type type); /* an array in a column */
bool value_is_ids(enum filter_type type);

/* Appends "column = $n", or "= any ($n)", of ids. */
void value_ids_sql(struct sql *s, const char *column, const struct value_ids *ids);
/* Appends the texts of a condition as one parameter. */
void value_texts_sql(struct sql *s, const struct filter_condition *f);

/* Appends "(…)": true if one value (an SQL expression of the scalar type of the field's items) matches the positive
 * operator: eq, like, gt, lt, in, not_empty; false or null otherwise. */
void value_fits_sql(struct sql *s, const struct filter_viewer *v, const struct filter_condition *f, enum filter_op op,
    const char *value);
/* Appends the condition that the text (an SQL expression) contains one of the values, ignoring case. */
void value_in_text_sql(struct sql *s, const struct filter_condition *f, const char *text);

/* "v.text_value": the column of field_values for values of a type. */
const char *value_custom_column(enum filter_type type);
/* Appends "v.field_id = …", and that the referenced record is visible. */
void value_custom_sql(struct sql *s, const struct filter_viewer *v, const struct filter_condition *f);

#endif
