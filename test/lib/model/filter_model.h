/* An independent implementation of filters, without SQL, on records as shown by the API to one viewer. Deliberately
 * slow and simple; test/flow/test_filter_oracle.c compares the server with it.
 *
 * Everything that can be filtered by is a set of items: a set scalar is one item, an unset one none. */
#ifndef KITH_TEST_LIB_MODEL_FILTER_MODEL_H
#define KITH_TEST_LIB_MODEL_FILTER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/json.h"

enum { MODEL_ITEMS_MAX = 128, MODEL_VALUES_MAX = 100, MODEL_PATH_MAX = 3 };

enum model_type {
	MODEL_TEXT,
	MODEL_EMAIL,   /* equal without regard to case */
	MODEL_PHONE,   /* equal by digits */
	MODEL_MONTH,   /* a day, known by its month; values are numbers */
	MODEL_GENDER,  /* "Unknown" is unset */
	MODEL_NUMBER,  /* of any size */
	MODEL_DATE,    /* a day */
	MODEL_DAY,     /* an instant, known by its UTC day */
	MODEL_INSTANT, /* an instant; its value may be one too, or a day */
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

/* Sets of operators, as in filter/tables.c: T, D, R and U; and those of tasks. */
enum {
	MODEL_T = 1 << MODEL_EQ | 1 << MODEL_NOT_EQ | 1 << MODEL_LIKE | 1 << MODEL_NOT_LIKE | 1 << MODEL_EMPTY |
	          1 << MODEL_NOT_EMPTY,
	MODEL_D =
	    1 << MODEL_EQ | 1 << MODEL_NOT_EQ | 1 << MODEL_GT | 1 << MODEL_LT | 1 << MODEL_EMPTY | 1 << MODEL_NOT_EMPTY,
	MODEL_U = 1 << MODEL_IN | 1 << MODEL_NOT_IN | 1 << MODEL_EMPTY | 1 << MODEL_NOT_EMPTY,
	MODEL_R = MODEL_U | 1 << MODEL_ALL
};

/* An item of a record, or a value of a condition. */
struct model_item {
	const char *text;  /* an id for references; NULL: identified by the e-mail only */
	const char *email; /* of users */
};

struct model_items {
	struct model_item items[MODEL_ITEMS_MAX];
	size_t count;
};

/* A field that a list can be filtered by. */
struct model_field {
	const char *name; /* as in keys */
	enum model_type type;
	unsigned ops;                     /* set of 1u << enum model_op */
	bool flat;                        /* references written without a sub-key */
	const char *path[MODEL_PATH_MAX]; /* its place in a record; empty: under its name */
};

/* A relation to other records: the condition applies to any of them. */
struct model_relation {
	const char *name;     /* "companies" */
	const char *ours;     /* our member with their ids, NULL: */
	const char *theirs;   /* their member with our id */
	struct json **others; /* all such records, as the viewer sees them */
	size_t n_others;
	const struct model_field *fields; /* their fields that may be used; ends with a row without a name */
};

struct model_condition {
	const struct model_field *field;
	const struct model_relation *relation; /* NULL: the record itself */
	enum model_op op;
	struct model_item values[MODEL_VALUES_MAX];
	size_t n_values;
};

/* A condition, or several trees; all of them, or any of them, must hold. */
struct model_tree {
	struct model_condition *condition;
	bool any;
	struct model_tree **parts;
	size_t n_parts;
};

/* The fields of people, companies, objects and tasks except custom ones; they end with a row without a name. */
extern const struct model_field model_people[], model_companies[], model_objects[], model_tasks[];

/* The field for a custom field of that type ("textField"), with values at path. False: it cannot be filtered by. */
bool model_custom(const char *type, struct model_field *field);

/* The items of a field in a record. */
void model_read(const struct json *record, const struct model_field *f, struct model_items *out);

/* True when the condition holds for items; the relation is ignored. */
bool model_holds(const struct model_condition *c, const struct model_items *items);
bool model_matches(const struct model_tree *t, const struct json *record);

/* --- values (filter_model_value.c) -------------------------------------------------- */

/* To lower case, character by character; the final sigma is not special. */
char *model_fold(struct arena *a, const char *text);

bool model_equal(enum model_type type, const struct model_item *item, const struct model_item *value);
/* Contains part, in any case. */
bool model_contains(const char *text, const char *part);
/* Numbers and times: -1, 0 or 1 when item is before, within or after what value covers. */
/* The month of a day, as a number in out. */
enum { MODEL_MONTH_SIZE = 12 };
const char *model_month(const char *day, char out[MODEL_MONTH_SIZE]);
int model_compare(enum model_type type, const char *item, const char *value);

#endif
