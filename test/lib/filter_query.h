/* Random queries on a list: conditions drawn from its records, so that many match, and their written forms. */
#ifndef KITH_TEST_FILTER_QUERY_H
#define KITH_TEST_FILTER_QUERY_H

#include "test/lib/filter_world.h"

/* Values: so many that the longest query is still short enough to be sent. */
enum { QUERY_CONDITIONS_MAX = 4, QUERY_VALUES_MAX = 22, QUERY_PARTS_MAX = 64, QUERY_DEPTH_MAX = 5 };

struct filter_query {
	const struct filter_list *list;
	struct model_tree tree;
	struct model_tree *parts[QUERY_CONDITIONS_MAX + 1];
	const char *sort; /* NULL: none was asked for */
	bool count;       /* exactly */
	int limit;
	const char *text; /* as a query string */
	const char *body; /* of a search, but for the closing brace, so that a cursor may follow */
};

/* all: what an admin sees of the same, for values that the user does not see. By chance(). */
void filter_draw(struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all);
/* A query of that condition alone, in the order of creation; false when no record has a value for it. */
bool filter_draw_one(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op);
/* The same with one of the strays for its value; false when the operator takes no ids. */
bool filter_draw_stray(struct arena *a, struct filter_query *q, const struct filter_list *l,
    const struct model_field *field, enum model_op op, size_t stray);
/* One condition more, that must hold with all others: for lists that others write to. */
void filter_narrow(struct arena *a, struct filter_query *q, const struct model_condition *c);
/* As deep as a search may go, with conditions on related records. */
void filter_draw_search(
    struct arena *a, struct filter_query *q, const struct filter_list *l, const struct filter_list *all);

/* Writes text: keys repeated, indexed or with a sub-key, parameters in any order, encoded in one way or another. */
void filter_write(struct arena *a, struct filter_query *q);

/* Writes body: groups of filters as lists, or as members of one object where they can be. */
void filter_write_search(struct arena *a, struct filter_query *q);

/* Whether it names a group that the user does not see, or that there is not: then it is refused. */
bool filter_refused(const struct filter_view *v, const struct model_tree *t);

/* The ids that the model expects, in order; answers how many. */
size_t filter_expect(struct arena *a, const struct filter_query *q, const char ***ids);

#endif
