/*
 * What the readers of filters share (read_query.h, read_body.h): looking a field
 * up, and reading values by its type. Every issue is listed at its path.
 */
#ifndef KITH_FILTER_READ_H
#define KITH_FILTER_READ_H

#include "filter/filter.h"
#include "server/base/issues.h"

/* A custom field as the resolver knows it. */
struct filter_custom {
	struct uuid id;
	const char *type;        /* "textField" */
	const struct uuid *gone; /* options that count as absent; they live as long as the resolver */
	size_t n_gone;
};

/*
 * What a reader has to know of the workspace and the viewer. Each answers false
 * when there is no such thing, or none that the viewer may see.
 */
struct filter_resolver {
	const void *ctx;
	bool (*group)(const void *ctx, const struct uuid *id);
	/* group NULL: a field of the objects that are listed */
	bool (*custom)(
	    const void *ctx, const struct uuid *group, const char *name, size_t len, struct filter_custom *out);
	bool (*option)(const void *ctx, const struct uuid *field, const char *label, size_t len, struct uuid *out);
	bool (*user)(const void *ctx, const char *email, size_t len, struct uuid *out);
};

struct filter_reading {
	struct arena *arena; /* of all that is read; texts of the request are not copied */
	const struct filter_table *table;
	const struct filter_resolver *resolver;
	struct issues *issues;
	bool relations; /* companies.industry */
	size_t n_conditions;
};

enum filter_found {
	FILTER_FOUND,
	FILTER_UNKNOWN, /* no field is called so */
	FILTER_REFUSED  /* the reason is among the issues */
};

/* Which field a name means; fills in what of a condition belongs to it. */
enum filter_found filter_find(
    struct filter_reading *rd, const char *name, size_t len, const struct path *at, struct filter_condition *c);

static inline bool filter_takes(const struct filter_field *f, enum filter_op op)
{
	return op != FILTER_OP_NONE && (f->ops & 1u << op);
}

/* The ways to name a value of the field; FILTER_SUBKEY_NONE: plainly. */
static inline unsigned filter_subkeys(const struct filter_field *f)
{
	return f->subkeys ? f->subkeys : FILTER_SUBKEY_NONE;
}

/* FILTER_SUBKEY_ID or _EMAIL; 0: it is no sub-key. */
unsigned filter_subkey_parse(const char *text, size_t len);

/* Reads one value, which is UTF-8 without NUL and is not copied; false with an issue at its path. */
bool filter_value_read(struct filter_reading *rd, const struct filter_condition *c, unsigned subkey, const char *text,
    size_t len, const struct path *at, struct filter_value *out);

/* Adds an issue, and answers false, when an operator has more values than it may have. */
bool filter_count_check(struct filter_reading *rd, enum filter_op op, size_t count, const struct path *at);

/* "emails like" for messages. */
const char *filter_condition_name(struct arena *a, const char *field, size_t len, enum filter_op op);

/* Adds an issue when there are more conditions than a request may have. */
void filter_total_check(struct filter_reading *rd, const struct path *at);

#endif
