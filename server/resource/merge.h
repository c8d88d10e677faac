/* Merges two people or two companies (docs/api.md, "Duplicates and merging"). The record in the path is kept. It takes
 * over what the other record has and everything that refers to it; the other record is removed.
 *
 * A merge is one transaction. Like every delete it excludes the other writes of its workspace, so what it has looked up
 * stays the same. SQL moves the references as sets; their number is limited (LIMIT_MERGE_…). */
#ifndef KITH_SERVER_RESOURCE_MERGE_H
#define KITH_SERVER_RESOURCE_MERGE_H

#include "server/card/card.h"
#include "server/resource/write.h"

struct merge {
	const struct write_kind *kind;
	struct write kept, gone; /* an update and a delete, with one target each */
	struct uuid ids[2];      /* the kept record, the removed record */
	const struct db_exchange *loads;
	int at_rows, at_lacking, at_references, at_activities, at_card; /* indexes of results of the opening exchange */
	struct card_kept *card; /* the card properties of both records; NULL: they stay as they are */
	int at_shown, at_names; /* index of results of the last exchange */
	struct names names;     /* names that the answer refers to */
};

/* merge_fill.c: appends a select of the items that the kept record lacks, compared as filters compare them. They come
 * from the lists of texts of the other record. There is one list for each such field. */
void merge_lacking_sql(struct sql *s, const struct merge *m);
/* Decides the new state of the kept record. Returns false, with issues, when a list would be too long. */
bool merge_fill(struct req *r, struct merge *m);

/* For a dry run: adds the values that the database would derive, so that the answer shows them. */
void merge_complete(struct req *r, struct merge *m);

/* merge_move.c: appends a select of what is kept of both cards. */
void merge_card_sql(struct sql *s, const struct merge *m);
/* Unites them: m->card. False: the kept record's card stays as it is. */
bool merge_card(struct arena *a, struct merge *m);
/* Adds the statements that move what refers to the removed record, with events of the records that
 * change. They also delete the removed record's own values. Call it before any other change. */
void merge_move(const struct statements *st, const struct merge *m);
/* Adds the statement that updates the kept record's row from its counters, with an event. Call it after the record was
 * saved. */
void merge_totals(const struct statements *st, const struct merge *m);
/* Adds the statements that count the records that refer to the removed record, and the records linked to it. */
void merge_count(struct req *r, struct merge *m);

#endif
