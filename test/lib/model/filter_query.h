/* Random queries on a list, with conditions drawn from its records, so that many match, and their text. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_QUERY_H
#define KITH_TEST_LIB_MODEL_FILTER_QUERY_H

#include "test/lib/model/filter_world.h"

/* Limited so that the longest query can still be sent. */
enum { QUERY_CONDITIONS_MAX = 4, QUERY_VALUES_MAX = 22, QUERY_PARTS_MAX = 64, QUERY_DEPTH_MAX = 5 };

struct filter_query {
	const struct filter_list *list;
	struct model_tree tree;
	struct model_tree *parts[QUERY_CONDITIONS_MAX + 1];
	const char *sort; /* NULL: none */
	bool count;       /* exact */
	int limit;
	const char *text; /* as a query string */
	const char *body; /* of a search, without the closing brace, so that a cursor can be added */
};

/* all: what an admin sees of the same list, for values that the user does not see. Random, by patience_chance(). */
void filter_draw(struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all);
/* A query with only that condition, in order of creation; false when no record has a value for it. */
bool filter_draw_one(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op);
/* The same with one of the strays as its value; false when the operator does not take ids. */
bool filter_draw_stray(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op, size_t stray);
/* Adds a condition that must hold with all others: for lists that others write to. */
void filter_narrow(struct arena *a, struct filter_query *q, const struct model_condition *c);
/* A search of the greatest depth allowed, with conditions on related records. */
void filter_draw_search(
    struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all);

/* Writes text: keys repeated, indexed or with a sub-key, parameters in any order, with different encodings. */
void filter_write(struct arena *a, struct filter_query *q);

/* Writes body: groups of filters as lists, or as members of one object where possible. */
void filter_write_search(struct arena *a, struct filter_query *q);

/* True when it names a group that does not exist or is hidden from the user: then it is refused. */
bool filter_refused(const struct filter_view *v, const struct model_tree *t);

/* The ids that the model expects, in order; returns their number. */
size_t filter_expect(struct arena *a, const struct filter_query *q, const char ***ids);

#endif
