/* Turns records of a file into bodies for the API's create. */
#ifndef KITH_TRANSFER_COMPOSE_H
#define KITH_TRANSFER_COMPOSE_H

#include "transfer/roster.h"

enum { COMPOSE_LABELS_MAX = 1000 };

/* A label of the file that names no group of the workspace. */
struct compose_label {
	char *name;
	int64_t records;
};

struct compose {
	enum transfer_kind kind;
	const struct mapping *mapping;
	const struct roster *roster;
	const char *group;   /* id of the group that records are put in, or of the objects; NULL: none */
	bool ours;           /* kith's own CSV, in which only "; " separates the items of a list */
	bool split;          /* a value may hold several (CSV) */
	bool keeps_authors;  /* createdAt and createdBy are allowed */
	bool same_workspace; /* ids of the file are ids here */

	/* Returns the id of the only contact with that name in the list ("people", "companies"); of several contacts
	 * the one with the given id; else NULL. *n: the number of such contacts, 2 also for more. */
	const char *(*find_contact)(void *ctx, const char *list, const char *name, const char *id, size_t *n);
	void *find_ctx;

	/* What was left out. */
	struct compose_label labels[COMPOSE_LABELS_MAX];
	size_t n_labels;
	int64_t no_year, no_author,
	    authors; /* birthdays without a year; unknown authors; values that only an admin may set */
};

/* Appends the body as JSON. False, and the entry refused, when a value cannot be used. */
bool compose_entry(struct compose *b, struct entry *e, struct buf *out);
/* Only notes labels that name no group. */
void compose_observe(struct compose *b, const struct entry *e);
void compose_free(struct compose *b);

#endif
