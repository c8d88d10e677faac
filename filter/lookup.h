/* The index entries for a condition: the ids of the records that may match, or exactly those that match. Each
 * condition has one look-up; which one of several is used is decided by their kinds alone, never by statistics. */
#ifndef KITH_FILTER_LOOKUP_H
#define KITH_FILTER_LOOKUP_H

#include "filter/row.h"

enum lookup_way {
	LOOKUP_NONE,   /* no index helps */
	LOOKUP_COLUMN, /* a column of the record */
	LOOKUP_SEARCH, /* trigrams of the record's texts */
	LOOKUP_ITEM,   /* exact items of lists */
	LOOKUP_LINK,   /* references to other records */
	LOOKUP_MET,    /* counters of interactions */
	LOOKUP_CUSTOM  /* values of custom fields */
};

struct lookup {
	const struct filter_condition *condition; /* NULL: none, all rows of the table */
	enum lookup_way way;
	int rank;          /* the lowest rank usually finds the fewest rows */
	bool ordered;      /* the index has them in the order of ids, each once: */
	const char *key;   /* after this expression, which has a single value here; "": after nothing */
	bool exact;        /* everything found matches */
	bool own;          /* its rows are the records' own, else rows that refer to them */
	const char *table; /* the table to read */
	const char *id;    /* the column of ids in it; the alias is one letter: "t.id", "l.person_id" */
};

/* The look-up for a condition on records of the table with r's alias. For a relation: for the related records, with
 * alias r; the ids of the list's records are then in the link's table. */
struct lookup lookup_find(
    const struct filter_row *r, const struct filter_table *table, const struct filter_condition *f);

/* Appends "where …", for rows of its table. */
void lookup_where_sql(const struct lookup *l, const struct filter_row *r);
/* Appends "select ID as id from TABLE where …". */
void lookup_sql(const struct lookup *l, const struct filter_row *r);

/* Whether a trigram index can find the text: as a part of a text, or as a whole item. */
bool lookup_searchable(const char *text, size_t len, bool whole);
/* The part of the text to search for, as a pattern; whole: it is an item, with a line break around it. */
const char *lookup_pattern(struct arena *a, const char *text, size_t len, bool whole);

#endif
