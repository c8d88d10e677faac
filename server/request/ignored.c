/* Finds unknown parameters of a query, and the nearest known name for each. */
#include "server/request/ignored.h"

#include <string.h>

#include "filter/filter.h"
#include "server/base/near.h"
#include "server/base/text.h"
#include "server/request/route.h"
#include "server/request/warning.h"

enum { NAME_SHOWN = 100, TEXT_MAX = 2000, JSON_MAX = 1 << 20 };

void ignored_add(struct ignored *all, const struct query_pair *pair)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct query_text *key = &all->pairs[i]->key;
		if (key->len == pair->key.len && memcmp(key->text, pair->key.text, key->len) == 0)
			return;
	}
	if (all->count < IGNORED_MAX)
		all->pairs[all->count++] = pair;
}

static void ignored_near_params(const struct route *route, struct near *n)
{
	const struct param *p;

	for (int i = 0; (p = route_query_param(route, i)); i++)
		near_try(n, p->name, strlen(p->name));
}

/* Finds the name that was meant for the field of a filter: "filter[emails][eq]" is also looked up as "emails". */
static const struct filter_field *ignored_near_field(
    const struct route *route, const char *word, size_t len, int *budget)
{
	const struct filter_field *f;
	struct near n;

	near_begin(&n, word, len, budget);
	for (int i = 0; route->filters && (f = filter_field_at(route->filters, i)); i++)
		near_try(&n, f->name, strlen(f->name));
	return n.best ? filter_field_find(route->filters, n.best, n.best_len) : NULL;
}

static const char *first_operator(const struct filter_field *f)
{
	enum filter_op op = FILTER_EQ;

	while (op < FILTER_OPS && !(f->ops & 1u << op))
		op++;
	return filter_op_word(op);
}

/* Writes what the client can write instead. */
static void ignored_advise(const struct route *route, const struct query_text *key, int *budget, struct buf *out)
{
	const struct filter_field *field;
	struct near n;

	near_begin(&n, key->text, key->len, budget);
	ignored_near_params(route, &n);
	if (route->input == INPUT_SEARCH) {
		buf_addz(out, "; a search takes its parameters as members of the body");
	} else if (n.best) {
		buf_printf(out, "; did you mean `%s`?", n.best);
	} else if ((field = ignored_near_field(route, key->text, strcspn(key->text, "["), budget))) {
		buf_printf(out, "; did you mean `filter[%s][%s]`?", field->name, first_operator(field));
	} else if (n.count == 0) {
		buf_addz(out, "; this path has no parameters");
	} else {
		for (size_t i = 0; i < n.count && i < NEAR_LISTED; i++)
			buf_printf(out, "%s`%s`", i ? ", " : "; known parameters: ", n.names[i]);
		buf_addz(out, route->filters ? ", `filter[field][operator]`" : "");
	}
}

static void ignored_warn(const struct route *route, const struct query_text *key, int *budget, struct buf *out)
{
	size_t most = key->len < NAME_SHOWN ? key->len : NAME_SHOWN;
	struct path at = {.name = key->text, .len = text_utf8_span(key->text, most)};
	struct buf advice;

	buf_init(&advice, TEXT_MAX);
	ignored_advise(route, key, budget, &advice);
	warning_write(out, WARNING_UNKNOWN_PARAMETER, &at, "Unknown parameter, ignored%s", advice.data);
	buf_free(&advice);
}

const char *ignored_warnings(const struct ignored *all, const struct route *route, struct arena *a)
{
	int budget = HINTS_WORK;
	const char *json;
	struct buf out;

	if (all->count == 0)
		return NULL;
	buf_init(&out, JSON_MAX);
	for (size_t i = 0; i < all->count; i++) {
		if (i)
			buf_addc(&out, ',');
		ignored_warn(route, &all->pairs[i]->key, &budget, &out);
	}
	json = arena_dup(a, out.data, out.len);
	buf_free(&out);
	return json;
}
