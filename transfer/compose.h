/* Turns records of a file into bodies for the API's create. */
#ifndef KITH_TRANSFER_COMPOSE_H
#define KITH_TRANSFER_COMPOSE_H

#include "transfer/roster.h"
#include "transfer/value.h"

enum { COMPOSE_LABELS_MAX = 1000 };

/* A label of the file that names no group of the workspace. */
struct compose_label {
	char *name;
	int64_t records;
};

/* By what a record is found. */
enum compose_key { COMPOSE_BY_ID, COMPOSE_BY_NAME, COMPOSE_BY_EMAIL, COMPOSE_BY_OTHER_ID };

struct compose {
	enum transfer_kind kind;
	const struct mapping *mapping;
	const struct roster *roster;
	const char *group;   /* id of the group that records are put in, or of the objects; NULL: none */
	bool ours;           /* kith's own CSV, in which only "; " separates the items of a list */
	bool split;          /* a value may hold several (CSV) */
	bool keeps_authors;  /* createdAt and createdBy are allowed */
	bool same_workspace; /* ids of the file are ids here */

	bool keeps_ids;     /* ids in the other program are found */
	bool finds_objects; /* objects are found by name */
	const struct entry_columns *columns;

	/* Returns the id of the only record of a list ("people", "companies", "objects") that has the text; of several
	 * records the one with the given id; else NULL. *n: the number of such records, 2 also for more. */
	const char *(*find)(
	    void *ctx, const char *list, enum compose_key key, const char *text, const char *id, size_t *n);
	/* Notes what find() will be asked for, so that the answers for many texts are fetched together. */
	void (*expect)(void *ctx, const char *list, enum compose_key key, const char *text);
	/* Makes a contact of that name and address, and returns its id; "" in a dry run; NULL: none is made. */
	const char *(*make)(void *ctx, const char *list, const char *name, const char *email);
	void *find_ctx;

	/* What was left out. */
	struct compose_label labels[COMPOSE_LABELS_MAX];
	size_t n_labels;
	int64_t no_year, no_author,
	    authors;               /* birthdays without a year; unknown authors; values that only an admin may set */
	int64_t no_at, no_at_line; /* e-mail addresses without an "@", and the line of the first one */

	char today[DATE_TEXT_SIZE]; /* the day of the import, by the server's clock */
	int64_t no_due;             /* tasks that got a day */
};

/* Appends the body as JSON. False, and the entry refused, when a value cannot be used. */
bool compose_entry(struct compose *b, struct entry *e, struct buf *out);
/* Tells expect() all that compose_entry() will look for. */
void compose_expect(struct compose *b, struct entry *e);
/* True for a cell that may name several companies of a person: they are looked for. */
bool compose_may_split(const struct compose *b, const struct entry_value *v);
/* Only notes labels that name no group. */
void compose_observe(struct compose *b, const struct entry *e);
void compose_free(struct compose *b);

#endif
