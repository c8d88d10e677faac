/* kith export: lists of a server to a file. */
#ifndef KITH_TRANSFER_EXPORT_H
#define KITH_TRANSFER_EXPORT_H

#include <stdbool.h>

#include "transfer/record_field.h"

enum export_format { EXPORT_NDJSON, EXPORT_CSV, EXPORT_VCARD, EXPORT_FORMATS };

struct export_options {
	enum transfer_kind kind;
	enum export_format format;
	const char *filter;       /* as in a query: "filter[emails][like]=x"; NULL: none */
	const char *group, *type; /* of people and companies: those in the group, with its custom fields */
	const char *out;          /* NULL: stdout */
	bool resume;              /* --continue */
	const char *url, *key, *no_proxy;
};

extern const char *const export_format_names[EXPORT_FORMATS + 1];
enum export_format export_format_parse(const char *text);

/* Returns the command's exit status. */
int export_run(const struct export_options *o);

#endif
