/* A workspace with the largest records for test_largest, and the largest bodies of requests. */
#ifndef KITH_TEST_LIB_MODEL_LARGEST_WORLD_H
#define KITH_TEST_LIB_MODEL_LARGEST_WORLD_H

#include "server/base/buf.h"
#include "test/lib/flow.h"

enum { LARGEST_BODY = 8 << 20, LARGEST_RECORDS = 100, LARGEST_VALUE = 64 };

struct largest {
	struct buf body;                              /* of the next request */
	char records[LARGEST_RECORDS][LARGEST_VALUE]; /* ids created by the last batch */
};
extern struct largest largest;

/* Creates the workspace's content, by ada's requests and by SQL. */
void largest_make(void);

/* The value of a path parameter ("personId"): the largest record of its kind. */
const char *largest_value(const char *name, size_t len);

/* Appends the largest body for this route; its path gives the kind of record. */
typedef void largest_fn(const char *path);
largest_fn largest_batch_notes, largest_batch_tasks, largest_batch_interactions;
largest_fn largest_one_record, largest_batch_create, largest_batch_update, largest_batch_upsert, largest_batch_delete,
    largest_holders, largest_search, largest_group, largest_name, largest_account, largest_account_name, largest_member,
    largest_role, largest_field, largest_options, largest_note, largest_task, largest_interaction, largest_reminder,
    largest_webhook, largest_since, largest_other, largest_view;

#endif
