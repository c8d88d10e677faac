/* Upserts: which existing or new record each record of a request is, and how it changes that record (docs/api.md,
 * "Upserts"). Two exchanges find and lock the records; then they are written as in any batch (write.h). */
#ifndef KITH_SERVER_RESOURCE_UPSERT_H
#define KITH_SERVER_RESOURCE_UPSERT_H

#include "server/base/table.h"
#include "server/input/match.h"
#include "server/resource/write.h"

enum { CANDIDATES_MAX = 10 }; /* the oldest of the existing records with a value */

/* A text, and the form in which it is compared. */
struct upsert_text {
	const char *text;
	size_t len;
	const char *compared;
	size_t compared_len;
};

/* A value to match by. */
struct upsert_value {
	size_t record; /* index of the record as sent */
	struct upsert_text is;
};

struct upsert {
	struct match match;
	struct upsert_value *values;
	size_t n_values;
	/* The e-mail addresses and telephone numbers in the bodies: struct upsert_text, by the text as sent. */
	struct table emails, phones;
	const struct db_exchange *opened; /* results of the opening exchange, after they are read */
	/* indexes of results; -1: not asked */
	int at_compared, at_found, at_confirmed, at_old_compared;
};

/* --- upsert_find.c: statements ------------------------------------------------------------ */

/* SQL: the forms in which values u.value of the match are compared. */
const char *upsert_compared_sql(const struct match *m);
/* Queries the existing records with one of the values. The rows have the position of the value, from 1, and an id. */
void upsert_ask_found(struct req *r, const struct write *w, int *at);
/* Queries the compared forms of the e-mail addresses and telephone numbers in the bodies. */
void upsert_ask_compared(struct req *r, struct write *w);
/* Reads the results of upsert_ask_compared(). */
void upsert_read_compared(struct req *r, struct write *w);
/* Queries the compared forms of those in existing records. */
void upsert_ask_old_compared(struct req *r, struct write *w, const struct uuid *ids, size_t n);
/* True when the records found before are still found after they were locked. */
bool upsert_confirmed(struct req *r, struct write *w);

/* The compared form of a text in a list with values of that type. */
struct upsert_text upsert_text_given(const struct upsert *u, enum filter_type type, const char *text, size_t len);

/* --- upsert_extend.c: lists --------------------------------------------------------------- */

/* Adds what one body gives to what another one gave. Later single values replace earlier ones; lists are joined. */
void upsert_join(struct arena *a, struct input *early, const struct input *late);
/* Removes repeated references from a body that others were added to. It handles all at once, because there may be
 * thousands. */
void upsert_collapse(struct arena *a, struct input *in);
/* Replaces the body's lists of texts with the record's lists plus the items that the record does not have yet. */
void upsert_extend(struct arena *a, struct write *w, struct write_target *t);
/* Adds an issue when a list has grown over its limit. */
void upsert_check_count(
    struct arena *a, const struct write *w, struct write_target *t, int field, size_t before, size_t after);
void upsert_check_groups(struct req *r, const struct write *w, struct write_target *t);
void upsert_check_companies(struct arena *a, const struct write *w, struct write_target *t); /* for a person */

#endif
