/* Merging two people or two companies (docs/api.md, "Duplicates and merging"). The one in the path is kept, and takes
 * over what the other one has and everything that refers to it; the other one is gone.
 *
 * It is one transaction, which like every delete excludes the other writes of its workspace, so what it has looked up
 * stays as it is. References are moved by set, in SQL: how many there may be is limited (LIMIT_MERGE_…). */
#ifndef KITH_SERVER_RESOURCE_MERGE_H
#define KITH_SERVER_RESOURCE_MERGE_H

#include "server/resource/write.h"

struct merge {
	const struct write_kind *kind;
	struct write kept, gone; /* an update and a delete, with one target each */
	struct uuid ids[2];      /* kept, gone */
	const struct db_exchange *loads;
	int at_rows, at_lacking, at_references, at_activities; /* indexes of results of the opening exchange */
	int at_shown, at_names;                                /* of the last exchange */
	struct names names;                                    /* what the answer refers to */
};

/* merge_fill.c: appends a select of the items of the other one's lists of texts that the kept one lacks, compared as
 * by filters: a list for each such field. */
void merge_lacking_sql(struct sql *s, const struct merge *m);
/* Decides what the kept one becomes. False, with issues, when a list would be too long. */
bool merge_fill(struct req *r, struct merge *m);

/* For a dry run: completes it by what the database would derive, to be shown. */
void merge_complete(struct req *r, struct merge *m);

/* merge_move.c: adds the statements that move what refers to the one that is gone, with events of the records that
 * change, and delete its own values. Before any other change. */
void merge_move(const struct statements *st, const struct merge *m);
/* Adds the statement that updates the kept one's row from its counters, with an event. After it was saved. */
void merge_totals(const struct statements *st, const struct merge *m);
/* Adds the statements that count the records that refer to it, and what is linked to it. */
void merge_count(struct req *r, struct merge *m);

#endif
