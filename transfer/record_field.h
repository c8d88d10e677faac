/* The kinds of records that can be imported, their members, and the headers that other programs write for these. */
#ifndef KITH_TRANSFER_RECORD_FIELD_H
#define KITH_TRANSFER_RECORD_FIELD_H

#include <stdbool.h>
#include <stddef.h>

enum transfer_kind {
	TRANSFER_PEOPLE,
	TRANSFER_COMPANIES,
	TRANSFER_OBJECTS,
	TRANSFER_NOTES,
	TRANSFER_TASKS,
	TRANSFER_INTERACTIONS,
	TRANSFER_EVENTS, /* exported only */
	TRANSFER_KINDS
};

/* "people", "companies", ...; TRANSFER_KINDS: none. */
extern const char *const transfer_kind_names[TRANSFER_KINDS + 1];
enum transfer_kind transfer_kind_parse(const char *text);

/* How texts become a member. */
enum transfer_shape {
	SHAPE_READ, /* shown by the server, never written */
	SHAPE_TEXT,
	SHAPE_LINES,  /* texts of several columns are joined by an empty line */
	SHAPE_LIST,   /* a list of texts, also separated by " ::: ", ';' or line ends */
	SHAPE_COMMAS, /* the same, also by commas */
	SHAPE_DATE,   /* YYYY-MM-DD */
	SHAPE_TIME,   /* RFC 3339 */
	SHAPE_NUMBER, /* without currency and separators of thousands */
	SHAPE_YEAR,   /* the first four digits */
	SHAPE_RANGE,  /* of employees; also a number */
	SHAPE_GENDER,
	SHAPE_BOOL,
	SHAPE_GROUPS,    /* names */
	SHAPE_COMPANIES, /* names */
	SHAPE_PEOPLE,    /* ids */
	SHAPE_USER,      /* e-mail address, name or id */
	SHAPE_USERS,
	SHAPE_ENTITY,   /* an id */
	SHAPE_CUSTOM,   /* the whole object, in NDJSON only */
	SHAPE_NAME,     /* a part of the full name: prefix, middle name, suffix */
	SHAPE_ADDRESS,  /* a part of an address */
	SHAPE_CLOCK,    /* HH:MM */
	SHAPE_OTHER_ID, /* the record's id in the program that wrote the file */
	SHAPE_LINK,     /* a reference of one kind for a member that takes several, or its id in the other program
	                   (compose_link.c) */
	SHAPE_DONE,     /* whether a task is done */
	SHAPE_KIND,     /* whether the record is a person or a company */
	SHAPE_LABEL,    /* what the phone of the same number is for */
	SHAPE_BIRTH     /* year, month or day of the birthday */
};

/* True for a member that one value fills. */
bool shape_is_single(enum transfer_shape shape);
/* A part is not a member of a body: several columns form a member, or a column decides another one. */
bool shape_is_part(enum transfer_shape shape);

struct transfer_field {
	const char *name;
	enum transfer_shape shape;
	const char *unset;          /* the text that stands for an unset value; NULL: there is none */
	const char *const *choices; /* NULL: any text */
	bool from_admin;            /* only a workspace admin may write it */
	bool hidden;                /* answers do not have it */
};

/* The field of that name, NULL: none. */
const struct transfer_field *field_named(enum transfer_kind kind, const char *name);
/* The fields of a kind in the order of a file's columns; NULL after the last one. */
const struct transfer_field *field_at(enum transfer_kind kind, size_t i);

/* Before the name of a custom field. */
#define HEADER_CUSTOM "customFieldValues."

/* A heading of another program (header.c). */
struct transfer_header {
	const char *program; /* or language; "": any */
	const char *header;  /* '#': a number */
	const char *normal;  /* the same in the form that is compared */
	const char *field;   /* "": a known header for which kith has no field; "-": a header without use in kith */
	int number;          /* of the address; 0: the number in the header */
	bool several;        /* a cell may name several companies of a person, with ';' between them */
};

/* The row for a header, which is compared without case, blanks and punctuation; NULL: unknown. *number gets the number
 * in the header, else one. */
const struct transfer_header *header_find(enum transfer_kind kind, const char *header, int *number);
/* The same, only among the rows of one program; NULL: of any. */
const struct transfer_header *header_of_program(
    enum transfer_kind kind, const char *program, const char *header, int *number);

/* A row of the tables of a kind; NULL after the last one. */
const struct transfer_header *header_at(enum transfer_kind kind, size_t i);

struct entry_columns;
/* The program that wrote a file with these columns; NULL: unknown. */
const char *header_origin(enum transfer_kind kind, const struct entry_columns *columns);

/* True for a column with a form of address, such as "Title" beside "Job Title". */
bool header_is_salutation(enum transfer_kind kind, const struct entry_columns *columns, size_t column);
/* The choice of the field that a text means, in any language; "": the text stands for an unset value; NULL: unknown. */
const char *header_choice(enum transfer_kind kind, const struct transfer_field *f, const char *text);

/* The property of a vCard that has the field; NULL: there is none. */
const char *header_property(const char *field);
/* Before the name of a field in a vCard that has no property for it. */
#define HEADER_OWN_PROPERTY "X-KITH-"

/* Writes a header in the form that is compared: only letters and digits, in lower case, cut at size. */
void header_normal(const char *header, char *out, size_t size);

#endif
