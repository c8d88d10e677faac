/* A filter of a request, checked and typed: a tree of conditions. The reader (filter/read.h) builds it from a query
 * string or a body; the compiler (filter/compile.h) turns it into SQL. Every field that can be filtered by is a row
 * of a table (filter/tables.c), and so is every operator. */
#ifndef KITH_FILTER_FILTER_H
#define KITH_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/id.h"
#include "store/field.h"

enum {
	FILTERS_MAX = 20,        /* conditions of a request */
	FILTER_VALUES_MAX = 100, /* values of one condition */
	FILTER_DEPTH_MAX = 5     /* nested groups of a body; its outermost list is depth 1 */
};

enum filter_op {
	FILTER_OP_NONE, /* the word is not an operator */
	FILTER_EQ,
	FILTER_NOT_EQ,
	FILTER_GT,
	FILTER_LT,
	FILTER_LIKE,
	FILTER_NOT_LIKE,
	FILTER_ALL,
	FILTER_IN,
	FILTER_NOT_IN,
	FILTER_EMPTY,
	FILTER_NOT_EMPTY,
	FILTER_OPS
};

/* The operator's word as written in a key; "" for FILTER_OP_NONE. */
const char *filter_op_word(enum filter_op op);
enum filter_op filter_op_parse(const char *text, size_t len);
bool filter_op_valueless(enum filter_op op); /* EMPTY, NOT_EMPTY */

/* How the values of a field are compared. Unset: SQL null, '' or '{}'. */
enum filter_type {
	FILTER_TEXT,    /* a text */
	FILTER_TEXTS,   /* texts: each item separately, exactly as written */
	FILTER_EMAILS,  /* texts: eq ignores case */
	FILTER_PHONES,  /* texts: eq compares digits */
	FILTER_CHOICE,  /* one word of a fixed set (gender) */
	FILTER_NUMBER,  /* numeric, or an integer column */
	FILTER_DATE,    /* a day */
	FILTER_DAY,     /* an instant, compared by its UTC day */
	FILTER_INSTANT, /* an instant, compared by UTC day with a value that is a day, else exactly */
	FILTER_USER,    /* one user */
	FILTER_USERS,   /* users */
	FILTER_OPTION,  /* one option of a select */
	FILTER_OPTIONS, /* options of a select */
	FILTER_ENTITY,  /* one person, company or object */
	FILTER_REFS     /* ids of groups, companies, people, objects or contacts */
};

/* Where the values are stored. */
enum filter_source {
	FILTER_COLUMN, /* in a column of the row; a link table may find rows by the items of a list or reference */
	FILTER_CUSTOM, /* in field_values, under the condition's custom field */
	FILTER_MONTH,  /* in a column of the row, which is a day: its month, 1 to 12 */
	FILTER_MET,    /* in a column of people: last interaction of any user; interaction_counts is its inverse */
	FILTER_MET_BY  /* in counters of people: last interaction of the viewer; interaction_counts is its inverse, too
	                */
};

enum { FILTER_SUBKEY_NONE = 1, FILTER_SUBKEY_ID = 2, FILTER_SUBKEY_EMAIL = 4 }; /* sets: the ways to name a value */

/* A link table, the indexed inverse of a list: its key is (workspace_id, other, owner). */
struct filter_link {
	const char *table; /* "person_groups"; NULL: none */
	const char *owner; /* "person_id" */
	const char *other; /* "group_id" */
};

/* Kinds of exact items of lists, which have a separate table. */
enum { FILTER_ITEM_EMAIL = 1, FILTER_ITEM_PHONE = 2, FILTER_ITEM_URL = 3 };

/* A field that can be filtered by. */
struct filter_field {
	const char *name; /* "emails", "interactionMetadata.user.lastInteractedAt" */
	enum filter_type type;
	const char *column; /* FILTER_COLUMN, FILTER_MONTH, FILTER_MET */
	unsigned ops;       /* set of 1u << enum filter_op */
	unsigned indexed;   /* those that an index on the column supports; texts are indexed by their hash */
	unsigned subkeys;   /* references: set of FILTER_SUBKEY_ */
	unsigned kinds;     /* references: whose ids, a set of 1u << enum id_kind */
	struct filter_link link;
	enum filter_source source;
	const char *const *choices; /* FILTER_CHOICE: NULL terminated */
	const char *unset;          /* FILTER_CHOICE: the word that means unset ("Unknown"), NULL: none */
	bool in_id;                 /* ids begin with it: the creation time */
	bool grouped;               /* a text by whose values aggregates may group */
	int item;                   /* FILTER_ITEM_; 0: none */
	const char *search;         /* a text whose trigrams are indexed and that has this one; NULL: none */
};

/* One step to related records. A condition on them is true if it is true for one of them. */
struct filter_relation {
	const char *name;                  /* "companies" in companies.industry */
	const struct filter_table *target; /* its fields follow; no customFieldValues, no further relation */
	struct filter_link link;           /* owner: this resource's id, other: the target's; either may come first */
};

/* Kinds of records that have names. */
enum search_named { SEARCH_COMPANIES, SEARCH_PEOPLE, SEARCH_NAMED };

/* Records whose names a search of the listed records looks at, too. */
struct search_relation {
	enum search_named kind;
	const char *ids; /* the list's column that refers to them */
	struct filter_link link;
	const char *table, *name; /* their table and the column of their names */
	const char *field;        /* as filters name it: "companies.name" */
};

enum { SEARCH_RELATIONS_MAX = 2 };

/* A field in which a search may find a word, as filters name it, and its text in SQL, folded as for the search. */
struct search_field {
	const char *name, *text;
};

/* What a search looks at. Texts are folded (kith_search_fold()), with a line break around each item. */
struct filter_searched {
	const char *text;  /* NULL: the records cannot be searched */
	const char *index; /* the same, or more, as the table has it in an index */
	const struct search_relation *relations;
	int n_relations;
	const struct search_field *fields; /* besides the relations'; NULL terminated */
};

/* All fields of a resource that can be filtered by. */
struct filter_table {
	const struct resource *resource;
	const struct filter_field *fields; /* filter_field_at() has more */
	int n_fields;
	bool custom;              /* also customFieldValues */
	struct filter_link items; /* owner and table of exact items; NULL: none */
	const struct filter_relation *relations;
	int n_relations;
	struct filter_searched searched;
};

extern const struct filter_table people_filters, company_filters, object_filters, task_filters;
extern const struct filter_searched note_searched; /* notes have a search, but no filters */

/* The table's rows, then the resource's fields with FIELD_FILTERED; NULL after the last. */
const struct filter_field *filter_field_at(const struct filter_table *t, int i);
/* The field, or the relation, of that name; NULL: none. */
const struct filter_field *filter_field_find(const struct filter_table *t, const char *name, size_t len);
const struct filter_relation *filter_relation_find(const struct filter_table *t, const char *name, size_t len);
/* How values of a type of custom field ("textField") are filtered; NULL when there is no such type. */
const struct filter_field *filter_custom_field(const char *type);

/* One value, read by the field's type. */
struct filter_value {
	const char *text; /* TEXT, TEXTS, EMAILS, PHONES as given; CHOICE; NUMBER: plain decimal. NUL terminated */
	size_t len;
	int32_t day;            /* DATE: days since 1970-01-01 */
	int64_t from_ms, to_ms; /* DAY, INSTANT: the milliseconds covered, [from, to); an instant covers one */
	struct uuid id;         /* references and options */
	bool unknown; /* names something that does not exist, such as an unknown e-mail address: equals nothing */
};

/* A custom field. */
struct filter_custom {
	struct uuid id;
	const char *type;           /* "textField" */
	const struct uuid *removed; /* options that are being removed: treated as absent */
	size_t n_removed;
};

/* A condition: its field, operator and values, all checked. */
struct filter_condition {
	const struct filter_field *field;       /* of the table; for a custom field, one made for its type */
	const struct filter_relation *relation; /* NULL: on the record itself */
	struct filter_custom custom;            /* FILTER_CUSTOM: the custom field */
	enum filter_op op;
	struct filter_value *values; /* none with EMPTY and NOT_EMPTY; with GT and LT one */
	size_t n_values;
	const struct filter_search *search; /* the condition is a search (filter/search.h); NULL: it is not */
	int search_part;                    /* a look-up: 0: in the records' own texts; else in which related names */
	const char *name; /* as written in the request, for messages and logs: "emails like"; NUL terminated */
};

struct filter {
	enum { FILTER_ALL_OF, FILTER_ANY_OF, FILTER_ONE } kind;
	struct filter_condition *condition; /* FILTER_ONE */
	struct filter **parts;              /* other kinds; with no parts ALL_OF matches everything, ANY_OF nothing */
	size_t n_parts;
};

/* The viewer, who must not learn of hidden data by filtering. */
struct filter_viewer {
	struct uuid user;
	const struct uuid *hidden; /* groups that the viewer may not see: treated as absent */
	size_t n_hidden;
	const struct uuid *deleted_contacts; /* people and companies that are treated as absent */
	size_t n_deleted_contacts;
	const struct uuid *removed_types; /* object types that are being removed: their objects are treated as absent */
	size_t n_removed_types;
};

#endif
