/* Search as people type (docs/search.md): a text is split into terms, and a record matches if it has every one of them.
 * A search is a condition of a filter's tree (struct filter_condition), so lists, counts and estimates apply it like
 * the others. PostgreSQL folds both sides by the same functions (migrations/0018_search.sql), so its words are asked
 * about first (search_names.c), in an exchange of their own. */
#ifndef KITH_FILTER_SEARCH_H
#define KITH_FILTER_SEARCH_H

#include "filter/condition.h"

enum {
	SEARCH_TERMS_MAX = 8,
	SEARCH_PARTS_MAX = 100, /* a text has at most 200 characters */
	SEARCH_ENDS_MAX = 2,
	SEARCH_DIGITS_LEAST = 5
};

/* Records whose names have a text. */
struct search_names {
	bool known; /* these are all of them; else only some, because they are too many */
	struct uuid *ids;
	size_t n;
};

struct search_part {
	const char *text; /* NUL terminated */
	size_t len;
	/* The rest is known when the results of search_words_sql() are. */
	const char *folded;
	const char *pattern,
	    *kept;             /* for "like"; kept: what an index is asked for. NULL: only at the beginning of a word */
	const char *beginning; /* the same for "~" */
	struct search_names names[SEARCH_NAMED];
};

/* A word, a text in quotation marks, or a telephone number. */
struct search_term {
	struct search_part *parts; /* all of them must be found; one, unless a number is written with blanks */
	size_t n_parts;
	/* A number is also found in a telephone number that ends with one of these digits. */
	const char *ends[SEARCH_ENDS_MAX];
	size_t n_ends;
};

struct filter_search {
	const struct filter_searched *in;
	struct search_term terms[SEARCH_TERMS_MAX];
	size_t n_terms; /* more than SEARCH_TERMS_MAX: the text has too many words, and only the first are kept */
	enum { WORDS_GIVEN, WORDS_ASKED, WORDS_KNOWN } state;
	unsigned
	    named; /* the kinds whose names are looked up, a set of 1u << enum search_named; of others none are known */
	struct search_names
	    joint[SEARCH_NAMED];   /* names that have all words which an index finds, if not all are known */
	bool plenty[SEARCH_NAMED]; /* so many texts of these kinds have all of these words that an index is no help */
};

/* Splits a text, which is valid UTF-8. It has no terms when it has only blanks, commas and quotation marks. */
void search_split(struct arena *a, const char *text, size_t len, struct filter_search *out);

/* --- search_names.c: what is known before the search ---------------------------------------------- */

/* The kinds of records whose names these searches look at: a set of 1u << enum search_named. */
unsigned search_named_by(const struct filter_searched *in);
/* Begins a statement for the search's workspace that may be prepared under this name. */
typedef struct sql *search_begin(void *ctx, const char *name);
/* Writes the statements which ask for the patterns of a search's words and for the names that have them. */
void search_words_sql(const struct filter_search *search, search_begin *begin, void *ctx);
/* All parts of its terms, in the order of the first result; returns their number. */
enum { SEARCH_PARTS_ALL = SEARCH_TERMS_MAX * SEARCH_PARTS_MAX };
size_t search_parts(const struct filter_search *search, struct search_part *out[SEARCH_PARTS_ALL]);

/* --- search.c ------------------------------------------------------------------------------------ */

/* A word that an index finds. */
struct search_word {
	struct search_part *part;
	size_t term;
};
/* The first SEARCH_TERMS_MAX of them; returns their number. */
int search_words(const struct filter_search *search, struct search_word out[SEARCH_TERMS_MAX]);

/* The filter with the search as a further condition; f may be NULL. */
struct filter *search_added(struct arena *a, const struct filter_search *search, struct filter *f);

/* Appends the condition that a text in SQL has the part. */
void search_part_sql(struct sql *s, const char *text, const struct search_part *part);
/* The same for a telephone number with these digits at its end. */
void search_end_sql(struct sql *s, const char *text, const char *digits);
/* Appends "(…)": the row has every term. text: its folded text in SQL. */
void search_row_sql(const struct filter_sql *to, const struct filter_search *search, const char *text);
/* About how long search_row_sql() takes, in the unit of row_cost(). */
int search_cost(const struct filter_search *search);

/* The look-ups that together find all possible matches; returns their number, 0 if no index helps. At most
 * 1 + SEARCH_RELATIONS_MAX. */
int search_lookups(
    const struct filter_sql *to, const char *table, const struct filter_condition *f, struct lookup *out);
/* Appends " union all select …" of some records that may match, for a search without look-ups. */
void search_some_sql(const struct filter_sql *to, const char *table, const struct filter_search *search);
/* The same for the records that refer to a name which has all words. */
void search_joint_sql(const struct filter_sql *to, const struct filter_search *search);

/* --- search_rank.c: the best matches of one kind of records --------------------------------------- */

struct search_kind {
	const char *table, *title, *subtitle, *scope; /* SQL for rows t; scope: two more columns */
	void (*more)(void *ctx, struct sql *s);       /* appends " and …": further conditions on rows t; NULL: none */
	void *ctx;
	enum search_named named; /* its names are known as these; SEARCH_NAMED: they are not */
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
