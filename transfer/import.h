/* kith import: a file of records to a server, exactly once. */
#ifndef KITH_TRANSFER_IMPORT_H
#define KITH_TRANSFER_IMPORT_H

#include <stdbool.h>

#include "transfer/field.h"

struct import_options {
	const char *file;         /* "-": stdin */
	enum transfer_kind kind;  /* TRANSFER_KINDS: by the file */
	const char *group, *type; /* a group's name or id, a type of objects; NULL: none */
	const char *map, *match, *encoding;
	bool make_fields, make_groups, dry_run;
	const char *url, *key;
	const char *no_proxy; /* hosts that are reached without one, as libcurl takes them */
};

/* Returns the command's exit status: 1 when records were refused, or the rest has to wait for another run. */
int import_run(const struct import_options *o);
/* Deletes what imports of the file made and nobody changed since. */
int import_undo(const struct import_options *o);

#endif
