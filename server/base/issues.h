/* The validation issues of a request, in the order found. Each is written as JSON at once (docs/api.md, "Errors"). */
#ifndef KITH_SERVER_BASE_ISSUES_H
#define KITH_SERVER_BASE_ISSUES_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "json.h"
#include "near.h"

/* The location of a value: a chain of names and indexes on the C stack, built as a reader descends. */
struct path {
	const struct path *up; /* NULL at the outermost */
	const char *name;      /* NULL: an index */
	size_t len, index;
};

#define PATH_NAME(parent, text) ((struct path){.up = (parent), .name = (text), .len = strlen(text)})
#define PATH_INDEX(parent, number) ((struct path){.up = (parent), .index = (number)})

enum {
	ISSUES_MAX = 1000,  /* issues listed in one answer */
	HINTS_MAX = 100,    /* issues with a hint */
	HINTS_WORK = 500000 /* pairs of characters compared for hints: about a millisecond */
};

struct issues {
	struct buf json; /* the items of details.issues with commas between */
	size_t whole;    /* bytes of json without the last item */
	size_t first;    /* bytes of the first item, if there are several */
	int count;
	int hints;           /* hints that may still be given; 0 from the start: nobody will see them */
	int work;            /* work that may still be done for hints, see HINTS_WORK */
	const char *message; /* message of the error; set with the first issue */
};

void issues_init(struct issues *is);
void issues_free(struct issues *is);
/* Returns the first issue for people, "path.of.it: message; hint". NULL: none was listed. */
const char *issues_in_line(struct arena *a, const struct issues *is);

/* path NULL stands for []. */
void issue_type(struct issues *is, const struct path *at, const char *expected, const struct json *received);
void issue_required(struct issues *is, const struct path *at, const char *expected);
/* Adds too_big or too_small. type is "string", "array" or "number"; the limits are inclusive. */
void issue_range(struct issues *is, const struct path *at, bool big, long limit, const char *type, bool exact);
/* options: NULL terminated */
void issue_choice(
    struct issues *is, const struct path *at, const char *const *options, const char *received, size_t len);
void issue_string(struct issues *is, const struct path *at, const char *validation);
/* The same for a text that must match a pattern; form describes the pattern. */
void issue_string_form(struct issues *is, const struct path *at, const char *form);
void issue_custom(struct issues *is, const struct path *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The length of an id is wrong. prefix: "per", or NULL when several kinds are allowed. */
void issue_id(struct issues *is, const struct path *at, bool big, const char *prefix);

/* Adds a hint to the last issue, if it has none: it says what would be right. Does nothing when the issue was not
 * listed, or when the maximum number of issues have a hint. */
void issue_hint(struct issues *is, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same for a mistyped name. The hint is the similar known name, or else the first known names, introduced by what
 * they are ("operators"). */
void issue_hint_near(
    struct issues *is, const char *given, size_t len, near_names *known, const void *ctx, const char *what);

/* Adds unrecognized_keys: call begin, then add each key, then end. known gives all valid keys and what they are, for
 * the hint; NULL: no hint. ctx must outlive the keys. */
struct issue_keys {
	struct issues *is;
	struct buf keys, names;
	int count;
	near_names *known;
	const void *ctx;
	const char *what;
	struct buf near;  /* the similar names */
	struct near last; /* state for the last key */
};
void issue_keys_begin(struct issue_keys *k, struct issues *is, near_names *known, const void *ctx, const char *what);
void issue_keys_add(struct issue_keys *k, const char *key, size_t len);
/* Adds nothing when there was no key. Frees the memory. */
void issue_keys_end(struct issue_keys *k, const struct path *at);

/* The items as an array. */
void issues_write(const struct issues *is, struct json_out *o);
/* {"issues": […]} */
void issues_details(const struct issues *is, struct buf *out);

#endif
