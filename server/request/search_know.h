/* What must be known before a search: the patterns of its words, and the companies and people whose names have them
 * (filter/search.h). It is asked for in an exchange of its own. */
#ifndef KITH_SERVER_REQUEST_SEARCH_KNOW_H
#define KITH_SERVER_REQUEST_SEARCH_KNOW_H

#include "filter/search.h"
#include "server/request/request.h"

/* Asks for it, and takes the answer when the step runs again; PASS: it is known. named: the kinds of records whose
 * names the search looks at, a set of 1u << enum search_named. fewer: what follows when looking up names takes too
 * long; it returns search_know_less(). */
enum step search_know(struct req *r, struct filter_search *search, unsigned named, step_fn *fewer);
enum step search_know_less(struct req *r, struct filter_search *search);

/* Takes the results of search_words_sql(), which begin at this statement. The search can be written in SQL then. */
void search_words_take(struct arena *a, const struct db_exchange *x, int at, struct filter_search *search);

#endif
