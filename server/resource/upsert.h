/* Upserts: which records those of a request are, existing ones or new ones, and how they change them (docs/api.md,
 * "Upserts"). Two exchanges find and lock them; then they are written as in any batch (write.h). */
#ifndef KITH_SERVER_RESOURCE_UPSERT_H
#define KITH_SERVER_RESOURCE_UPSERT_H

#include "server/base/table.h"
#include "server/input/match.h"
#include "server/resource/write.h"

enum { CANDIDATES_MAX = 10 }; /* of the existing records with a value: the oldest */

/* A text, and the form in which it is compared. */
struct upsert_text {
	const char *text;
	size_t len;
	const char *compared;
	size_t compared_len;
};

/* A value to match by. */
struct upsert_value {
	size_t record; /* index as sent */
	struct upsert_text is;
};

struct upsert {
	struct match match;
	struct upsert_value *values;
	size_t n_values;
	/* The e-mail addresses and telephone numbers given: struct upsert_text, by the text as sent. */
	struct table emails, phones;
	const struct db_exchange *opened; /* results of the opening exchange, once they are read */
	/* indexes of results; -1: not asked */
	int at_compared, at_found, at_confirmed, at_old_compared;
};

/* --- upsert_find.c: statements ------------------------------------------------------------ */

/* SQL: the form in which values u.value of the match are compared. */
const char *upsert_compared_sql(const struct match *m);
/* Queries the existing records with one of the values: rows of the value's position, from 1, and an id. */
void upsert_ask_found(struct req *r, const struct write *w, int *at);
/* Queries the forms in which the e-mail addresses and telephone numbers of the bodies are compared; and reads them. */
void upsert_ask_compared(struct req *r, struct write *w);
void upsert_read_compared(struct req *r, struct write *w);
/* Queries those of existing records. */
void upsert_ask_old_compared(struct req *r, struct write *w, const struct uuid *ids, size_t n);
/* True when the records found before are still those found when they are locked. */
bool upsert_confirmed(struct req *r, struct write *w);

/* The form of a text in a list with values of that type. */
struct upsert_text upsert_text_given(const struct upsert *u, enum filter_type type, const char *text, size_t len);

/* --- upsert_extend.c: lists --------------------------------------------------------------- */

/* Adds what a body gives to what another one gave: later scalars replace, lists are joined. */
void upsert_join(struct arena *a, struct input *early, const struct input *late);
/* Removes repeated references from a body that others were added to: of all at once, as there may be thousands. */
void upsert_collapse(struct arena *a, struct input *in);
/* Makes the body's lists of texts those of the record with the items added that it does not have yet. */
void upsert_extend(struct req *r, struct write *w, struct write_target *t);
/* Adds an issue when a list has grown over its limit. */
void upsert_check_count(
    struct req *r, const struct write *w, struct write_target *t, int field, size_t before, size_t after);
void upsert_check_groups(struct req *r, const struct write *w, struct write_target *t);
void upsert_check_companies(struct req *r, const struct write *w, struct write_target *t); /* of a person */

#endif
