/* Asks for what must be known before a search; see search_know.h. */
#include "server/request/search_know.h"

#include <limits.h>

static const char *text_take(struct arena *a, const struct db_exchange *x, int at, int row, int column)
{
	size_t len;
	const char *text = db_text(x, at, row, column, &len);

	return db_null(x, at, row, column) ? NULL : arena_dup(a, text, len);
}

static struct search_names names_take(struct arena *a, const struct db_exchange *x, int at, int row)
{
	struct search_names names = {.known = db_bool(x, at, row, 0)};

	names.n = db_uuid_array(x, at, row, 1, a, &names.ids);
	return names;
}

void search_words_take(struct arena *a, const struct db_exchange *x, int at, struct filter_search *search)
{
	struct search_part *parts[SEARCH_PARTS_ALL] = {NULL};
	struct search_word words[SEARCH_TERMS_MAX];
	int n_parts = (int)search_parts(search, parts), n = search_words(search, words);

	for (int i = 0; i < n_parts; i++) {
		parts[i]->folded = text_take(a, x, at, i, 0);
		parts[i]->pattern = text_take(a, x, at, i, 1);
		parts[i]->kept = text_take(a, x, at, i, 2);
		parts[i]->beginning = text_take(a, x, at, i, 3);
	}
	for (int k = 0; k < SEARCH_NAMED && n > 0; k++) {
		if (!(search->named & 1u << k))
			continue;
		at++;
		search->joint[k] = names_take(a, x, at, 0); /* word 0 */
		search->plenty[k] = db_bool(x, at, 0, 2);
		for (int i = 0; i < n; i++)
			words[i].part->names[k] = names_take(a, x, at, 1 + i);
	}
	search->state = WORDS_KNOWN;
}

static struct sql *know_begin(void *ctx, const char *name)
{
	struct req *r = ctx;
	int at;
	struct sql *s = req_sql(r, name, &at);

	r->at = at < r->at ? at : r->at; /* the first of the statements */
	return s;
}

static enum step know_ask(struct req *r, struct filter_search *search)
{
	r->at = INT_MAX;
	search_words_sql(search, know_begin, r);
	return req_ask(r, DB_LIST);
}

enum step search_know(struct req *r, struct filter_search *search, unsigned named, step_fn *fewer)
{
	enum { NAMES_MS = 1000 };

	if (search->state == WORDS_ASKED)
		search_words_take(&r->arena, r->db.last, r->at, search);
	if (search->state == WORDS_KNOWN)
		return PASS;
	search->state = WORDS_ASKED;
	search->named = named;
	r->next--; /* runs the step again */
	if (named) {
		r->db.most_ms = NAMES_MS;
		r->db.timed_out = fewer;
	}
	return know_ask(r, search);
}

enum step search_know_less(struct req *r, struct filter_search *search)
{
	search->named = 0;
	return know_ask(r, search);
}
