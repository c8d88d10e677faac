/* A workspace with as much in it as test_largest asks for, and the largest bodies of requests. */
#ifndef KITH_TEST_LARGEST_H
#define KITH_TEST_LARGEST_H

#include "server/base/buf.h"
#include "test/lib/caller.h"
#include "test/lib/rig.h"

enum { LARGEST_BODY = 8 << 20, LARGEST_RECORDS = 100, LARGEST_VALUE = 64 };

struct largest {
	struct rig rig;
	struct caller ada;
	struct buf body;                              /* of the next request */
	char records[LARGEST_RECORDS][LARGEST_VALUE]; /* ids that the last batch has created */
};
extern struct largest largest;

/* Makes all of it, by requests of ada and by SQL. */
void largest_make(void);

/* What stands for a parameter of a path ("personId"): the largest of its kind. */
const char *largest_value(const char *name, size_t len);

/* Adds such a body for this route; its path tells which kind of record it is of. */
typedef void largest_fn(const char *path);
largest_fn largest_one_record, largest_batch_create, largest_batch_update, largest_batch_delete, largest_holders,
    largest_search, largest_group, largest_name, largest_member, largest_role, largest_field, largest_options,
    largest_note, largest_task, largest_interaction, largest_reminder, largest_webhook, largest_since;

#endif
