/* Names where ids are asked for, and dates in words. Before a tool composes its request, the names in its arguments
 * become ids and the words become dates. Users, groups and types of objects are found in the snapshot, records by
 * requests inside the call. A name that is not certain is an issue, which lists the candidates. */
#ifndef KITH_SERVER_MCP_REFER_H
#define KITH_SERVER_MCP_REFER_H

#include "server/mcp/call.h"
#include "server/mcp/when.h"

/* The steps around the check of the arguments: what names the record itself comes before it, what is in fields and
 * filters after it. */
step_fn refer_start, refer_inside;
/* The step before refer_inside: asks for the type of an object whose custom values are given. */
step_fn refer_object_type;

/* --- call_inside.c: requests inside the call --------------------------------------------------- */

typedef enum step inside_take_fn(struct req *outer, struct req *r, const struct json *answer);

/* Makes a request inside the call, and returns WAIT: see runner_inside(). */
enum step call_inside(struct req *r, struct inside *inside, enum http_method method, const char *target,
    struct json *body, inside_take_fn *take);

/* --- refer_walk.c: where names and words are ------------------------------------------------- */

enum {
	REFER_PLACES_MAX = 200,
	REFER_WORK = 1000 * 1000 /* comparisons with names of users and groups: about a tenth of a second */
};

/* A text that names a record. */
struct refer_place {
	struct json *at; /* it becomes the id */
	const struct path *path;
	unsigned kinds; /* bits of MCP_…: what it may name */
};

/* The places of a call that are still to be looked up. */
struct refer_places {
	struct req *r;
	struct refer_place places[REFER_PLACES_MAX];
	int n;
	size_t work; /* of REFER_WORK */
};

/* Finds the places in the arguments: first those that name the record itself (and so its kind), then those in fields
 * and filters. Replaces what needs no look-up. Adds issues. */
void refer_arguments(struct refer_places *p);
void refer_contents(struct refer_places *p);

/* --- refer_place.c: the places -------------------------------------------------------------- */

/* The items or members of a value of the arguments, which can be replaced; NULL: it has none. */
struct json *refer_items(const struct json *list);
struct json *refer_members(const struct json *object);

/* Make paths that stay valid until the call ends. */
const struct path *refer_path_named(struct refer_places *p, const struct path *up, const char *name);
const struct path *refer_path_index(struct refer_places *p, const struct path *up, size_t index);

/* Notes the place of a name, or replaces the name at once. allowed: bits of MCP_…. */
void refer_text(struct refer_places *p, struct json *at, unsigned allowed, const struct path *path);
/* The same for a list of names, or only one; for {"id": name}, or only the name; and for a list of these, or one. */
void refer_texts(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path);
void refer_object(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path);
void refer_objects(struct refer_places *p, struct json *value, unsigned allowed, const struct path *path);
/* Turns a value into an object that has it as this member. */
void refer_wrap(struct refer_places *p, struct json *value, const char *key);
/* Turns a value into a list of it. */
void refer_wrap_list(struct refer_places *p, struct json *value);

/* --- refer_filter.c: filters, and names of fields ---------------------------------------------- */

/* What a call is about: a kind of records, and for objects their type. */
struct refer_scope {
	const struct kind *kind;
	const struct group *group; /* of objects */
	const struct object_type *type;
};

/* Whose custom fields these records have. */
enum custom_entity refer_entity(const struct refer_scope *s);
/* Finds the places in a filter. */
void refer_filter(struct refer_places *p, const struct refer_scope *s, struct json *filter, const struct path *path);
/* Replaces the name of a group in "customFieldValues.Sales.Stage", also behind "sum:", by its id. */
void refer_field_name(struct refer_places *p, const struct refer_scope *s, struct json *name, const struct path *path);

/* --- refer_name.c: which record a name means --------------------------------------------------- */

enum { REFER_SHOWN = 8 };

/* The candidates for a name. A candidate with exactly that name comes first. Otherwise a name is certain if only one
 * candidate has all its words. */
struct refer_found {
	const char *text;
	size_t len;
	int exact, within; /* candidates with that name, and with all its words */
	const char *exact_id, *within_id;
	struct buf shown; /* the first of them, for people */
	int n;
	bool more;     /* there may be more candidates than were tried */
	bool unsorted; /* and those may have exactly this name: the best did not come first */
};

void refer_found_begin(struct refer_found *f, const char *text, size_t len);
/* name NULL: it is the one by definition, such as an e-mail address. */
void refer_found_add(struct refer_found *f, const char *id, const char *name, bool exact);
/* Returns the id that is meant. NULL: an issue was added. strict: only an exact name is certain. Ends the search. */
const char *refer_found_end(struct refer_found *f, struct req *r, const struct refer_place *place, bool strict);

/* Replaces the name of a user or a group, or adds an issue. */
void refer_known(struct req *r, const struct refer_place *place);

/* --- words.c: dates in words ------------------------------------------------------------------- */

enum words_form {
	WORDS_DAY,   /* a date */
	WORDS_TIME,  /* a timestamp: a time of day is needed */
	WORDS_START, /* a timestamp: without a time of day the beginning of the day */
	WORDS_END,   /* the same with the end of the day */
	WORDS_DAYS   /* a date; a filter of days takes no time of day */
};

/* Replaces the text if it is in words, or adds an issue. clock: receives a time of day beside WORDS_DAY as "15:00";
 * NULL: there must be none. */
void words_replace(struct req *r, struct json *at, enum words_form form, enum when_side side, const struct path *path,
    const char **clock);
/* The name of the zone of the key's user; UTC unless they have set another one. */
const char *words_zone_name(const struct req *r);

#endif
