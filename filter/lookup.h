/*
 * What an index has for a condition: the ids of the records for which it may hold, or of all for which it does. One
 * condition is one look-up; which of several is asked is decided by their kinds alone, never by statistics.
 */
#ifndef KITH_FILTER_LOOKUP_H
#define KITH_FILTER_LOOKUP_H

#include "filter/row.h"

enum lookup_way {
	LOOKUP_NONE,   /* no index helps */
	LOOKUP_COLUMN, /* a column of the record */
	LOOKUP_SEARCH, /* trigrams of the record's texts */
	LOOKUP_ITEM,   /* exact items of lists */
	LOOKUP_LINK,   /* what the record refers to */
	LOOKUP_MET,    /* counters of interactions */
	LOOKUP_CUSTOM  /* values of custom fields */
};

struct lookup {
	const struct filter_condition *condition; /* NULL: none, but all rows of the table */
	enum lookup_way way;
	int rank;          /* the least finds the fewest rows, as a rule */
	bool ordered;      /* it has them in the order of ids, each once: */
	const char *key;   /* behind this expression, of which it has one value; "": behind nothing */
	bool exact;        /* all that it finds matches */
	bool own;          /* its rows are the records' own, else others that name them */
	const char *table; /* what is read */
	const char *id;    /* its column with the ids; the alias is one letter: "t.id", "l.person_id" */
};

/* The look-up for a condition on records of the table, of which r has the alias. Of a relation: for what is related, of
 * alias r; the ids of the list's records are then in the link's table. */
struct lookup lookup_find(
    const struct filter_row *r, const struct filter_table *table, const struct filter_condition *f);

/* Appends "where …", of its table's rows. */
void lookup_where_sql(const struct lookup *l, const struct filter_row *r);
/* Appends "select ID as id from TABLE where …". */
void lookup_sql(const struct lookup *l, const struct filter_row *r);

/* Whether a trigram index can look for the text: for a part of it, or for a whole item. */
bool lookup_searchable(const char *text, size_t len, bool whole);
/* What of the text it is asked for, as a pattern; whole: it is an item, with a line break around it. */
const char *lookup_pattern(struct arena *a, const char *text, size_t len, bool whole);

#endif
