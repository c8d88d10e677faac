/* The validation issues of a request, in the order found, written as JSON at once (docs/api.md, "Errors"). */
#ifndef KITH_SERVER_BASE_ISSUES_H
#define KITH_SERVER_BASE_ISSUES_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "json.h"

/* The location of a value: a chain of names and indexes on the C stack, built as a reader descends. */
struct path {
	const struct path *up; /* NULL at the outermost */
	const char *name;      /* NULL: an index */
	size_t len, index;
};

#define PATH_NAME(parent, text) ((struct path){.up = (parent), .name = (text), .len = strlen(text)})
#define PATH_INDEX(parent, number) ((struct path){.up = (parent), .index = (number)})

enum { ISSUES_MAX = 1000 }; /* listed in one answer */

struct issues {
	struct buf json; /* the items of details.issues with commas between */
	int count;
	const char *message; /* of the error; set with the first issue */
};

void issues_init(struct issues *is);
void issues_free(struct issues *is);

/* path NULL stands for []. */
void issue_type(struct issues *is, const struct path *at, const char *expected, const struct json *received);
void issue_required(struct issues *is, const struct path *at, const char *expected);
/* too_big or too_small; type "string", "array" or "number"; limits are inclusive. */
void issue_range(struct issues *is, const struct path *at, bool big, long limit, const char *type, bool exact);
/* options: NULL terminated */
void issue_choice(
    struct issues *is, const struct path *at, const char *const *options, const char *received, size_t len);
void issue_string(struct issues *is, const struct path *at, const char *validation);
void issue_custom(struct issues *is, const struct path *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* unrecognized_keys: begin, then each key, then end. */
struct issue_keys {
	struct issues *is;
	struct buf keys, names;
	int count;
};
void issue_keys_begin(struct issue_keys *k, struct issues *is);
void issue_keys_add(struct issue_keys *k, const char *key, size_t len);
void issue_keys_end(struct issue_keys *k, const struct path *at); /* adds nothing when there was no key; frees */

/* {"issues": […]} */
void issues_details(const struct issues *is, struct buf *out);

#endif
