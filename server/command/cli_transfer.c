/* kith import and kith export are clients of any server. */
#include <stdio.h>
#include <stdlib.h>

#include "server/command/cli.h"
#include "transfer/export.h"
#include "transfer/import.h"
#include "webhook/listen.h"

static int transfer_refuse(const char *what, const char *why)
{
	fprintf(stderr, "kith: %s %s\n", what, why);
	return 2;
}

/* Reads the server's URL and the key. False with a message. The caller frees the URL. */
static bool transfer_reach(const struct config *config, const struct cli_args *args, const char **key, char **url)
{
	const char *base = cli_option(args, "--url");

	*key = cli_option(args, "--key");
	*key = *key ? *key : getenv("KITH_KEY");
	*url = NULL;
	if (!*key || !**key)
		return transfer_refuse("--key", "is missing: give it, or set KITH_KEY in the environment") == 0;
	if (base && !cli_is_url(base))
		return transfer_refuse("--url", "must begin with http:// or https://") == 0;
	*url = cli_base_url(config, base);
	return true;
}

int cli_import(struct config *config, const struct cli_args *args)
{
	const char *as = cli_option(args, "--as"), *undo = cli_option(args, "--undo");
	struct import_options o = {.file = undo ? undo : args->words[0],
	    .kind = as ? transfer_kind_parse(as) : TRANSFER_KINDS,
	    .group = cli_option(args, "--group"),
	    .type = cli_option(args, "--type"),
	    .map = cli_option(args, "--map"),
	    .match = cli_option(args, "--match"),
	    .encoding = cli_option(args, "--encoding"),
	    .keep_ids = cli_option(args, "--keep-ids"),
	    .make_contacts = cli_option(args, "--make-contacts"),
	    .make_options = cli_option(args, "--make-options"),
	    .group_contacts = cli_option(args, "--group-contacts"),
	    .make_fields = cli_option(args, "--make-fields"),
	    .make_groups = cli_option(args, "--make-groups"),
	    .dry_run = cli_option(args, "--dry-run"),
	    .no_proxy = listen_no_proxy()};
	char *url;
	int status;

	if (as && o.kind >= TRANSFER_EVENTS)
		return transfer_refuse("--as", "must be one of people, companies, objects, notes, tasks, interactions");
	if (!transfer_reach(config, args, &o.key, &url))
		return 2;
	o.url = url;
	o.url_given = cli_option(args, "--url");
	status = undo ? import_undo(&o) : import_run(&o);
	free(url);
	return status;
}

/* Checks what the format and the kind need. Returns 0 or the exit status. */
static int export_check(const struct export_options *o)
{
	if (o->kind == TRANSFER_KINDS)
		return transfer_refuse(
		    "KIND", "must be one of people, companies, objects, notes, tasks, interactions, events");
	if (o->format == EXPORT_FORMATS)
		return transfer_refuse("--format", "must be one of ndjson, csv, vcard");
	if (o->format == EXPORT_VCARD && o->kind > TRANSFER_COMPANIES)
		return transfer_refuse("--format vcard", "works only for people and companies");
	if (o->format == EXPORT_CSV && o->kind == TRANSFER_EVENTS)
		return transfer_refuse("--format csv", "does not work for events");
	if (o->kind == TRANSFER_OBJECTS && (!o->group || !o->type))
		return transfer_refuse("objects", "belong to a group and a type: add --group and --type");
	if (o->resume && !o->out)
		return transfer_refuse("--continue", "needs -o FILE");
	return 0;
}

int cli_export(struct config *config, const struct cli_args *args)
{
	const char *format = cli_option(args, "--format");
	struct export_options o = {.kind = transfer_kind_parse(args->words[0]),
	    .format = format ? export_format_parse(format) : EXPORT_NDJSON,
	    .filter = cli_option(args, "--filter"),
	    .group = cli_option(args, "--group"),
	    .type = cli_option(args, "--type"),
	    .out = cli_option(args, "-o"),
	    .resume = cli_option(args, "--continue"),
	    .no_proxy = listen_no_proxy()};
	char *url;
	int status = export_check(&o);

	if (status)
		return status;
	if (!transfer_reach(config, args, &o.key, &url))
		return 2;
	o.url = url;
	status = export_run(&o);
	free(url);
	return status;
}
