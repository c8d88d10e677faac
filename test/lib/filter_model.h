/*
 * What a filter means, written a second time: over records as the API shows them to one viewer, without a word of
 * SQL. Slow and plain on purpose; test/flow/test_filter_oracle.c holds the server against it.
 *
 * Everything that can be filtered by is a set of items: a scalar that is set is one, an unset one none.
 */
#ifndef KITH_TEST_FILTER_MODEL_H
#define KITH_TEST_FILTER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/json.h"

enum { MODEL_ITEMS_MAX = 128, MODEL_VALUES_MAX = 100, MODEL_PATH_MAX = 3 };

enum model_type {
	MODEL_TEXT,
	MODEL_EMAIL,   /* equal without regard to case */
	MODEL_PHONE,   /* equal by their digits */
	MODEL_GENDER,  /* "Unknown" is unset */
	MODEL_NUMBER,  /* of any size */
	MODEL_DATE,    /* a day */
	MODEL_DAY,     /* an instant, known by its UTC day */
	MODEL_INSTANT, /* an instant; a value may be one too, or a day */
	MODEL_LABEL,   /* an option of a select */
	MODEL_REF,     /* an id */
	MODEL_USER,    /* a user, by id or e-mail */
	MODEL_TYPES
};

enum model_op {
	MODEL_EQ,
	MODEL_NOT_EQ,
	MODEL_GT,
	MODEL_LT,
	MODEL_LIKE,
	MODEL_NOT_LIKE,
	MODEL_ALL,
	MODEL_IN,
	MODEL_NOT_IN,
	MODEL_EMPTY,
	MODEL_NOT_EMPTY,
	MODEL_OPS
};
extern const char *const model_op_words[MODEL_OPS];
extern const char *const model_type_words[MODEL_TYPES];

/* The sets of operators of filter/tables.c: T, D, R and U; and those of tasks. */
enum {
	MODEL_T = 1 << MODEL_EQ | 1 << MODEL_NOT_EQ | 1 << MODEL_LIKE | 1 << MODEL_NOT_LIKE | 1 << MODEL_EMPTY |
	          1 << MODEL_NOT_EMPTY,
	MODEL_D =
	    1 << MODEL_EQ | 1 << MODEL_NOT_EQ | 1 << MODEL_GT | 1 << MODEL_LT | 1 << MODEL_EMPTY | 1 << MODEL_NOT_EMPTY,
	MODEL_U = 1 << MODEL_IN | 1 << MODEL_NOT_IN | 1 << MODEL_EMPTY | 1 << MODEL_NOT_EMPTY,
	MODEL_R = MODEL_U | 1 << MODEL_ALL
};

/* One item of a record, or one value of a condition. */
struct model_item {
	const char *text;  /* an id for references; NULL: known by the e-mail alone */
	const char *email; /* of users */
};

struct model_items {
	struct model_item items[MODEL_ITEMS_MAX];
	size_t count;
};

/* What a list can be filtered by. */
struct model_field {
	const char *name; /* as it stands in a key */
	enum model_type type;
	unsigned ops;                     /* set of 1u << enum model_op */
	bool flat;                        /* references that are written without a sub-key */
	const char *path[MODEL_PATH_MAX]; /* where it is in a record; empty: under its name */
};

/* One hop to other records: the condition is about any of them. */
struct model_relation {
	const char *name;     /* "companies" */
	const char *ours;     /* the member that lists them, NULL: */
	const char *theirs;   /* the member of theirs that lists us */
	struct json **others; /* all records there are, as the viewer sees them */
	size_t n_others;
	const struct model_field *fields; /* of theirs, that may be asked for; ends with a row without a name */
};

struct model_condition {
	const struct model_field *field;
	const struct model_relation *relation; /* NULL: about the record itself */
	enum model_op op;
	struct model_item values[MODEL_VALUES_MAX];
	size_t n_values;
};

/* A condition, or several trees of which all or any must hold. */
struct model_tree {
	struct model_condition *condition;
	bool any;
	struct model_tree **parts;
	size_t n_parts;
};

/* The fields of people, companies, objects and tasks but for custom ones; they end with a row without a name. */
extern const struct model_field model_people[], model_companies[], model_objects[], model_tasks[];

/* The field for a custom field of that type ("textField"), whose values are at path. False: it is none to filter by. */
bool model_custom(const char *type, struct model_field *field);

/* The items of a field, as a record that was read shows them. */
void model_read(const struct json *record, const struct model_field *f, struct model_items *out);

/* Whether the condition holds for items; the relation is not looked at. */
bool model_holds(const struct model_condition *c, const struct model_items *items);
bool model_matches(const struct model_tree *t, const struct json *record);

/* --- what values are (filter_model_value.c) ----------------------------------------- */

/* In lower case, character by character; ends of words do not matter. */
char *model_fold(struct arena *a, const char *text);

bool model_equal(enum model_type type, const struct model_item *item, const struct model_item *value);
/* Contains it, in any case. */
bool model_contains(const char *text, const char *part);
/* Numbers and times: -1, 0 or 1 as item lies before, in or behind what value covers. */
int model_compare(enum model_type type, const char *item, const char *value);

#endif
