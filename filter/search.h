/* Search as people type (docs/search.md): a text is split into terms, and a record matches if it has every one of them.
 * A search is a condition of a filter's tree (struct filter_condition), so lists, counts and estimates apply it like
 * the others. PostgreSQL folds both sides by the same functions (migrations/0018_search.sql). */
#ifndef KITH_FILTER_SEARCH_H
#define KITH_FILTER_SEARCH_H

#include "filter/condition.h"

enum {
	SEARCH_TERMS_MAX = 8,
	SEARCH_PARTS_MAX = 100, /* a text has at most 200 characters */
	SEARCH_ENDS_MAX = 2,
	SEARCH_DIGITS_LEAST = 5
};

struct search_part {
	const char *text; /* NUL terminated */
	size_t len;
};

/* A word, a text in quotation marks, or a telephone number. */
struct search_term {
	const struct search_part *parts; /* all of them must be found; one, unless a number is written with blanks */
	size_t n_parts;
	/* A number is also found in a telephone number that ends with one of these digits. */
	const char *ends[SEARCH_ENDS_MAX];
	size_t n_ends;
};

struct filter_search {
	const struct filter_searched *in;
	struct search_term terms[SEARCH_TERMS_MAX];
	size_t n_terms; /* more than SEARCH_TERMS_MAX: the text has too many words, and only the first are kept */
};

/* Splits a text, which is valid UTF-8. It has no terms when it has only blanks, commas and quotation marks. */
void search_split(struct arena *a, const char *text, size_t len, struct filter_search *out);

/* The filter with the search as a further condition; f may be NULL. */
struct filter *search_added(struct arena *a, const struct filter_search *search, struct filter *f);

/* Appends the condition that a text in SQL has the part. if_sql: only when that condition is true; NULL: always. */
void search_part_sql(struct sql *s, const char *text, const struct search_part *part, const char *if_sql);
/* The same for a telephone number with these digits at its end. */
void search_end_sql(struct sql *s, const char *text, const char *digits, const char *if_sql);
/* Appends "(…)": the row has every term. */
void search_row_sql(const struct filter_sql *to, const struct filter_search *search);
/* About how long search_row_sql() takes, in the unit of row_cost(). */
int search_cost(const struct filter_search *search);

/* The look-ups that together find all possible matches; returns their number, 0 if no index helps. At most
 * 1 + SEARCH_TERMS_MAX * SEARCH_RELATIONS_MAX. */
int search_lookups(
    const struct filter_sql *to, const char *table, const struct filter_condition *f, struct lookup *out);
/* Appends ", " after each of the common table expressions that these look-ups read. condition: " and …". */
void search_related_sql(const struct filter_sql *to, const struct filter_search *search, const char *condition);
/* A condition for a statement with these: false when all parts are in too many related names, so that the candidates
 * say nothing. */
const char *search_few(struct arena *a, const struct filter_search *search);
/* Appends " union all select …" of the records that refer to a name which has all parts. */
void search_joint_sql(const struct filter_sql *to, const struct filter_search *search);

/* --- search_rank.c: the best matches of one kind of records --------------------------------------- */

struct search_kind {
	const char *table, *title, *subtitle, *scope; /* SQL for rows t; scope: two more columns */
	void (*more)(void *ctx, struct sql *s);       /* appends " and …": further conditions on rows t; NULL: none */
	void *ctx;
	int effort; /* 0: the usual one; the next ones test fewer records, for kinds whose records take too long */
};
enum { SEARCH_EFFORTS = 4 };

/* Columns of the result. It has at least one row; without a match its id is null. */
enum search_column {
	SEARCH_SCANNED, /* matches ranked, if there may be more than these; else null */
	SEARCH_ID,
	SEARCH_RANK, /* 0: whole title, 1: beginning of the title, 2: beginning of a word, 3: elsewhere */
	SEARCH_TITLE,
	SEARCH_SUBTITLE,
	SEARCH_MATCHED, /* names of fields */
	SEARCH_SCOPE    /* and the next one */
};

/* Appends a select of the best matches, at most limit, in order. */
void search_best_sql(
    const struct filter_sql *to, const struct filter_search *search, const struct search_kind *kind, int limit);

#endif
