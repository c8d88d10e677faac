/* Conditions in SQL: as tests of rows already read, for every kind, and as look-ups in indexes. */
#ifndef KITH_FILTER_CONDITION_H
#define KITH_FILTER_CONDITION_H

#include "filter/filter.h"
#include "store/sql.h"

/* Where conditions are written, and for whom. */
struct filter_sql {
	struct sql *s;
	const struct filter_viewer *viewer;
};

/* --- condition_value.c: the values of a condition ------------------------------------------------ */

struct value_ids {
	const struct uuid *ids;
	size_t n;
};

/* The ids of a condition's values that can match for this viewer, each once. If there are none, the positive operator
 * matches nothing. None are returned, too, when all values are required and one of them is missing. */
struct value_ids value_ids(const struct filter_sql *to, const struct filter_condition *f);

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
void value_fits_sql(
    const struct filter_sql *to, const struct filter_condition *f, enum filter_op op, const char *value);
/* Appends the condition that the text (an SQL expression) contains one of the values, ignoring case. */
void value_in_text_sql(struct sql *s, const struct filter_condition *f, const char *text);

/* "v.text_value": the column of field_values for values of a type. */
const char *value_custom_column(enum filter_type type);
/* Appends "v.field_id = …", and that the referenced record is visible. */
void value_custom_sql(const struct filter_sql *to, const struct filter_condition *f);

/* --- row.c: tests of rows -------------------------------------------------------------- */

/* "t", the alias of the list's rows, or "r", that of related ones. */
const char *row_alias(const struct filter_condition *f);

/* Appends the condition on the row itself, true or false, ignoring its relation: an unset value matches no positive
 * operator and every negative one. */
void row_condition(const struct filter_sql *to, const struct filter_condition *f);

/* Appends all conditions of a tree. */
void row_tree(const struct filter_sql *to, const struct filter *f);

/* About how long the test of a row takes, in units of half a microsecond. */
int row_cost(const struct filter *f);

/* --- lookup.c: index entries ----------------------------------------------------------- */

/* The ids of the records that may match a condition, or exactly those that match. Each condition has one look-up. If
 * there are several, their kinds decide which one is used, never statistics. */

/* Appends the condition for rows of a look-up's table. */
typedef void lookup_where(const struct filter_sql *to, const struct filter_condition *f);

/* In the order of the usual number of rows, fewest first. */
enum lookup_rank { LOOKUP_ITEM, LOOKUP_TEXT, LOOKUP_PART, LOOKUP_VALUE, LOOKUP_LINK, LOOKUP_INTERVAL, LOOKUP_UNSET };

struct lookup {
	const struct filter_condition *condition; /* NULL: none, all rows of the table */
	lookup_where *where;                      /* NULL: none, or no index helps */
	int rank;                                 /* enum lookup_rank: the lowest rank usually finds the fewest rows */
	bool ordered;                             /* the index has the ids in order, each once, after key */
	const char *key;   /* an expression that has a single value here; "": the index begins with the ids */
	bool exact;        /* everything found matches */
	bool own;          /* its rows are the records' own, else rows that refer to them */
	const char *table; /* the table to read */
	const char *id;    /* the column of ids in it; the alias is one letter: "t.id", "l.person_id" */
};

/* The look-up for a condition on records of the table. For a relation: for the related records; the ids of the
 * list's records are then in the link's table. */
struct lookup lookup_find(
    const struct filter_sql *to, const struct filter_table *table, const struct filter_condition *f);

/* Appends "where …", for rows of its table. */
void lookup_where_sql(const struct lookup *l, const struct filter_sql *to);
/* Appends "select ID as id from TABLE where …". */
void lookup_sql(const struct lookup *l, const struct filter_sql *to);

/* Whether a trigram index can find the text: as a part of a text, or as a whole item. */
bool lookup_searchable(const char *text, size_t len, bool whole);
/* The length of the beginning of a text that an index of trigrams is asked for. */
size_t lookup_kept(const char *text, size_t len);
/* The part of the text to search for, as a pattern; whole: it is an item, with a line break around it. */
const char *lookup_pattern(struct arena *a, const char *text, size_t len, bool whole);

#endif
