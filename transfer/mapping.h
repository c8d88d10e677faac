/* Maps the columns of a file to fields. */
#ifndef KITH_TRANSFER_MAPPING_H
#define KITH_TRANSFER_MAPPING_H

#include <stdio.h>

#include "transfer/entry.h"
#include "transfer/record_field.h"

enum mapping_use {
	MAPPING_UNKNOWN,  /* stops the import if it has values */
	MAPPING_NO_FIELD, /* a known header that kith has no field for: left out, with a message */
	MAPPING_SKIP,
	MAPPING_FIELD,
	MAPPING_CUSTOM /* a custom field of the group */
};

/* Types of custom fields that a text can be turned into. */
enum mapping_type {
	MAPPING_TEXT,
	MAPPING_NUMBER,
	MAPPING_DATE,
	MAPPING_SELECT,
	MAPPING_SELECTS,
	MAPPING_USERS,
	MAPPING_OTHER
};

struct mapping_column {
	enum mapping_use use;
	const struct transfer_field *field;
	int number;         /* of the address */
	bool several;       /* a cell may name several companies of a person */
	const char *custom; /* the custom field's name */
	enum mapping_type type;
	bool by_word;   /* its heading is "Name", which may be a whole name or a last one */
	bool elsewhere; /* skipped because its heading means nothing outside of the program that wrote the file */
	bool foreign;   /* --map names a field that only the other ones of people and companies have */
	size_t lead;    /* the first column with the same field, which holds one value; or the column itself */

	/* of the values, found while the file is read for the first time */
	int64_t values;
	int64_t surplus;           /* left out, because a column before it has filled the field of the record */
	int64_t unknown;           /* left out, because the field has no such choice */
	int64_t faxes;             /* left out, because nobody can be called there */
	const char *filled;        /* of a lead: the value of the record that is read; NULL: none yet */
	bool not_number, not_date; /* some value is not a number, not a date */
	bool day_first;            /* dates such as 31/12/2024 */
	bool decimal_comma;        /* numbers such as 12,50 */
};

/* A custom field of the group. */
struct mapping_custom {
	const char *name;
	enum mapping_type type;
	bool left_out; /* a dry run leaves out its values */
};

struct mapping {
	enum transfer_kind kind;
	bool tells; /* columns may tell people from companies */
	bool cards; /* the file has vCards */
	const struct mapping_custom *custom;
	size_t n_custom;
	const char *keep_ids; /* the custom field that gets the records' ids in the other program; NULL: none */
	struct mapping_rule {
		char *column, *field;
		bool plain; /* the column is not in quotes */
	} * rules;          /* of --map */
	size_t n_rules;
	struct mapping_column columns[ENTRY_COLUMNS_MAX];
	size_t n_columns;   /* resolved so far */
	const char *origin; /* the program that wrote the file; NULL: unknown */

	/* In how many records "Name" has the first name, too, and in how many it has not. */
	int64_t whole_names, other_names;
};

/* Reads the lines "Column = field" of a file (--map); '#' begins a comment. A column may be a JSON string. False with
 * a message on stderr. */
bool mapping_read(struct mapping *m, const char *path);
/* The field that --map names for a column; NULL: --map does not name the column. */
const char *mapping_rule_for(const struct mapping *m, const char *column);
/* Resolves columns that are new since the last call. False with a message when --map names an unknown field.
 */
bool mapping_resolve(struct mapping *m, const struct entry_columns *columns);
/* The custom field of that name; NULL: none. */
const struct mapping_custom *mapping_custom_named(const struct mapping *m, const char *name);
/* Which of people and companies a record is, as its columns tell; people if they tell nothing. It is the same for a
 * mapping of either kind. */
enum transfer_kind mapping_record_kind(const struct mapping *m, const struct entry *e);
/* True for a value that is the number of a fax or pager, as a column beside it says. */
bool mapping_is_fax(const struct mapping *m, const struct entry *e, const struct entry_value *v);
/* Prints that --map names the unknown field for the column; returns false. */
bool mapping_refuse_rule(const struct mapping *m, const char *column, const char *field);
/* Notes what kind of values the columns have. */
void mapping_observe(struct mapping *m, const struct entry *e);
/* After all values were noted: in a file with first names and without last names, "Name" is the last name. */
void mapping_settle_names(struct mapping *m);
/* The type of the custom field that is created for a column without a field; its values decide. */
enum mapping_type mapping_guess_type(const struct mapping_column *c);
/* mapping_near.c: the field that a column probably means, in the form of --map; false when none is similar. plain: only
 * fields of the API, which NDJSON can be mapped to. */
bool mapping_suggest(const struct mapping *m, const char *column, bool plain, struct buf *field);
/* Appends "column = field" as mapping_read() takes it. */
void mapping_put_line(struct buf *out, const char *column, const char *field);
void mapping_free(struct mapping *m);

#endif
