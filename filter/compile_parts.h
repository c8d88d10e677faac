/* Between the files of the compiler: compile*.c. */
#ifndef KITH_FILTER_COMPILE_PARTS_H
#define KITH_FILTER_COMPILE_PARTS_H

#include "filter/compile.h"

/* The ids of a condition's values that can match anything for this viewer, each once. */
struct filter_ids {
	struct uuid *ids;
	size_t count;
	bool all; /* none was left out: neither one that does not exist, nor one that the viewer may not see */
};

/* Who looks, and where the rows that a condition speaks of have their id and columns: alias "t", "r". */
struct compile {
	struct sql *s;
	const struct filter_base *base;
	const char *alias;
	/* What an index can look for stands beside what is exact; without, only what is quick to test on a row. */
	bool indexed;
	/* The condition of which k has the pattern that an index is asked for (compile_choose()); NULL: none. */
	const struct filter_condition *chosen;
};

struct filter_ids compile_ids(const struct compile *c, const struct filter_condition *f);

/* The operator that a negative one denies, and itself of the others. */
enum filter_op compile_positive(enum filter_op op);

bool compile_is_list(const struct filter_field *f);
/* Whether it says when people were met, by the viewer or by anyone: interaction_counts has it, too. */
bool compile_is_met(const struct filter_field *f);

/*
 * Appends what is true when one value (an SQL expression, of the scalar type that
 * the items of the condition's field have) fits the positive operator: eq, like, gt,
 * lt, in, not_empty. False or null otherwise.
 */
void compile_scalar(const struct compile *c, const struct filter_condition *f, enum filter_op op, const char *value);

/* Appends a value as a parameter of its type: one that is no instant and no item of a list of texts. */
void compile_value(struct sql *s, enum filter_type type, const struct filter_value *v);
/* Appends "(… = … and hash = hash)". */
void compile_text_equals(const struct compile *c, const char *column, const struct filter_value *v);
/* Appends what an index has of a scalar column when the one value that is denied is that of almost all rows, and
 * " and "; nothing when there are several values. */
void compile_complement(const struct compile *c, const struct filter_condition *f, const char *column);

/* Appends the condition on a list in a column; op as above, or all. */
void compile_list(const struct compile *c, const struct filter_condition *f, enum filter_op op);

/* Appends what an index with trigrams of that text (an SQL expression) looks for when it holds one of the
 * condition's values; nothing when a value is too short for it. True when that is all that there is to say. */
bool compile_trigrams(const struct compile *c, const struct filter_condition *f, const char *indexed);
bool compile_has_trigrams(const struct filter_condition *f);
/* Appends "k as …, " for a `with`: of the words of a condition's one value those that few rows have, as a pattern.
 * False, with nothing appended, where there is nothing to choose. */
bool compile_choose(struct compile *c, const struct filter_condition *f);
/* Appends "(…)": one of the condition's values is in the text (an SQL expression). */
void compile_holds(const struct compile *c, const struct filter_condition *f, const char *text);
/* The same, and what an index with trigrams of indexed is asked for, which is the text folded. */
void compile_like(const struct compile *c, const struct filter_condition *f, const char *indexed, const char *text);
/* What an index with trigrams has of the condition's column: an SQL expression. */
const char *compile_folded(const struct compile *c, const struct filter_condition *f);

/* Appends the condition on the row alias, two-valued. */
void compile_condition(const struct compile *c, const struct filter_condition *f);

/* Appends a relation's condition on its records, of alias r. */
void compile_related(const struct compile *c, const struct filter_condition *f);

/* Appends the condition of a whole tree. */
void compile_tree(const struct compile *c, const struct filter *f);

/* "v.text_value": which column of field_values keeps the values of a type. */
const char *compile_custom_column(enum filter_type type);
/* Appends "v.workspace_id = $1 and v.field_id = …" and that what v refers to may be seen. */
/* References of the field that count as absent. */
struct filter_absent {
	const struct uuid *ids;
	size_t n;
};
struct filter_absent compile_absent(const struct compile *c, const struct filter_field *f);
/* Whether some of the rows count as absent. */
bool compile_custom_hides(const struct compile *c, const struct filter_condition *f);
void compile_custom_rows(const struct compile *c, const struct filter_condition *f);

/*
 * Rows in which the values of a condition are, one for each record that has any: of a custom field, or the counters of
 * interactions. The first appends " from … v where …", the second what is true when the record fits.
 */
const char *compile_value_owner(const struct filter_condition *f); /* "v.owner_id": the record's id */
void compile_value_rows(const struct compile *c, const struct filter_condition *f);
void compile_value_fits(const struct compile *c, const struct filter_condition *f);

/* Whether an index finds what the tree wants, if that is little. */
bool compile_helps(const struct compile *c, const struct filter *f);

/* --- compile_page.c and compile_drive.c --------------------------------------------- */

/* How many rows a stage reads at most (compile_page.c). */
struct page_most {
	int walk_factor, walk_least; /* walked first: for each row of the page, and at least */
	int look_up, look_up_range;  /* looked up, and of an interval in an index */
	int look_up_met;             /* counters whose people are looked up */
	int walk_related;            /* walked first where the condition is on what is related, two look-ups each */
	int look_up_related;         /* related records whose links are looked up, to so many as look_up_range says */
	int walk_on;                 /* walked then */
	int sets;                    /* sets of custom fields that are tried */
	int lacking;                 /* rows without a common part that are sorted */
};

/* A page on the way: what it is of, in which order. */
struct page_plan {
	struct compile c;
	const struct filter *filter;
	const struct filter_condition *one; /* the only condition; NULL: there are several, or none */
	const struct filter_order *order;
	/* What is walked and looked up is not the list's rows, but those in which this condition's values are, v. NULL:
	 * the list's. */
	const struct filter_condition *values;
	const struct page_most *most;
	int look_up; /* rows that are sorted in time */
};

/* Appends " from … t where …" of all rows of the list; also: "links l, " before it, or "". */
void page_rows(const struct page_plan *p, const char *also);
/* Appends " and …": rows behind the last page's, in the order of ids. */
void page_after_id(const struct page_plan *p, const char *id);
/* Appends " order by … limit …" likewise. */
void page_order_id(const struct page_plan *p, const char *id);
/* The same two in the order of the list, of rows with the columns of page_key() under that alias. */
void page_after(const struct page_plan *p, const char *alias);
void page_order(const struct page_plan *p, const char *alias);
/* Appends "select … from … where …" of the list's rows behind the last page's, with the columns of page_key(), in no
 * order. */
void page_select(const struct page_plan *p);
/* The columns that a row's place in the order needs: "id, updated_at". */
const char *page_key(const struct page_plan *p);

/* Appends the select of the page by one walk in the order of the list, to its end if need be: of the ids, or of what
 * page_key() names. */
void page_plain(const struct page_plan *p, bool key, const char *condition);

/*
 * Appends the whole page where an index has what the condition finds in the order of ids, so that
 * no more rows are read than are shown. False, with nothing appended, where none has.
 */
bool drive_ordered(const struct page_plan *p, const struct filter_condition *f);
/* The same for an interval of a time of which an index has the months (compile_months.c). */
bool drive_months(const struct page_plan *p, const struct filter_condition *f);
/* The same for custom fields without a value, where an index has the sets of those with one (compile_sets.c). */
bool drive_sets(const struct page_plan *p, const struct filter_condition *f);
/* The same, in any order, for what lacks a text that nearly all have (compile_lacks.c). */
bool drive_lacks(const struct page_plan *p);

/*
 * compile_candidates.c: what is looked up in two steps, where candidates_apply(). The first appends the parts of a
 * `with` that find the candidates and where they lead, the second answers the condition under which those are too many,
 * the third appends a select of the rows of the list, the fourth the same without a limit. condition: " and …".
 */
bool candidates_apply(const struct page_plan *p);
void candidates_stage(const struct page_plan *p, const char *condition);
const char *candidates_too_many(const struct page_plan *p);
void candidates_rows(const struct page_plan *p);
void candidates_all(const struct page_plan *p, const char *condition);

#endif
