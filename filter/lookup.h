/*
 * What an index has for a condition: the ids of the records for which it may hold, or of all for which it does. One
 * condition is one look-up; which of several is asked is decided by their ranks alone, never by statistics.
 */
#ifndef KITH_FILTER_LOOKUP_H
#define KITH_FILTER_LOOKUP_H

#include "filter/row.h"

enum lookup_way {
	LOOKUP_NONE,    /* no index helps */
	LOOKUP_NOTHING, /* nothing can match */
	LOOKUP_VALUE,   /* a column of the record, or unset ones of it */
	LOOKUP_EMPTY,   /* the record's list has no item */
	LOOKUP_SEARCH,  /* trigrams of the record's texts */
	LOOKUP_ITEM,    /* exact items of lists */
	LOOKUP_LINK,    /* what the record refers to */
	LOOKUP_MET,     /* counters of interactions */
	LOOKUP_CUSTOM   /* values of custom fields */
};

struct lookup {
	const struct filter_condition *condition;
	enum lookup_way way;
	int rank;          /* the least finds the fewest rows, as a rule */
	bool own;          /* its rows are the records' own, else others that name them */
	bool ordered;      /* it has them in the order of ids, each once: */
	const char *key;   /* behind this expression, of which it has one value; "": behind nothing */
	bool exact;        /* all that it finds matches */
	const char *id;    /* "t.id", "l.person_id" */
	const char *index; /* what is read, for people: "person_groups" */
};

/* The look-up for a condition on records of the table, of which r has the alias. Of a relation: for what is related, of
 * alias r; the ids of the list's records are then in the link's table. */
struct lookup lookup_find(const struct row *r, const struct filter_table *table, const struct filter_condition *f);

/* Appends "select ID as id from … where …". */
void lookup_sql(const struct lookup *l, const struct row *r, const struct filter_table *table);
/* The same without the select. */
void lookup_from_sql(const struct lookup *l, const struct row *r, const struct filter_table *table);

#endif
