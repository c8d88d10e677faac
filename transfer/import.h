/* kith import: a file of records to a server, exactly once. */
#ifndef KITH_TRANSFER_IMPORT_H
#define KITH_TRANSFER_IMPORT_H

#include <stdbool.h>

#include "transfer/record_field.h"

struct import_options {
	const char *file;         /* "-": stdin */
	enum transfer_kind kind;  /* TRANSFER_KINDS: the file decides */
	const char *group, *type; /* a group's name or id, a type of objects; NULL: none */
	const char *map, *match, *encoding;
	const char *keep_ids; /* the custom field of the group for the records' ids in the other program; NULL: none */
	bool make_fields, make_groups, make_contacts, make_options, group_contacts, dry_run;
	const char *url, *key;
	bool url_given;       /* --url */
	const char *no_proxy; /* hosts that are reached without a proxy, in libcurl's form */
};

/* Returns the command's exit status: 1 when records were refused, or when another run must import the rest. */
int import_run(const struct import_options *o);
/* Deletes the records that imports of the file have created, unless somebody has changed them. */
int import_undo(const struct import_options *o);

#endif
