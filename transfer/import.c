/* One import: the records of one kind, from the first look at the file to the counts at the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/base/text.h"
#include "transfer/import_private.h"

/* Opens the file's reader from its beginning. False with a message. */
static bool import_open_source(struct import *im, struct source *s)
{
	char path[64];
	int fd;

	/* A separate descriptor of the same file, even if another file has its name by now. */
	snprintf(path, sizeof path, "/proc/self/fd/%d", im->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		import_say(im, "%s: %s", im->name, strerror(errno));
		return false;
	}
	if (source_open(s, fd, strcmp(im->options->file, "-") == 0 ? NULL : im->name, im->options->encoding)) {
		im->compose.ours = s->reader.ours;
		im->mapping.cards = s->format == SOURCE_VCARD;
		im->compose.split = s->format == SOURCE_CSV;
		return true;
	}
	import_say(im, "%s: %s", im->name, source_error(s));
	source_close(s);
	return false;
}

/* --- what to send, and where ---------------------------------------------------------------------- */

/* Sends a request that changes nothing; returns the status of its answer. */
static long import_probe(struct import *im, const char *method, const char *path, const char *body)
{
	struct remote_call *c = remote_call_new(method, "%s", path);
	long status;

	buf_addz(&c->body, body);
	c = remote_run(im->remote, c);
	status = c ? c->status : 0;
	remote_call_free(c);
	return status;
}

static bool import_find_group(struct import *im)
{
	const char *name = im->options->group, *id = name ? roster_group(&im->roster, name, strlen(name)) : NULL;

	if (!name)
		return true;
	if (id) {
		snprintf(im->group, sizeof im->group, "%s", id);
		im->compose.group = im->group;
		return true;
	}
	im->makes_group = im->options->make_groups;
	if (!im->makes_group)
		import_say(im, "the group \"%s\" does not exist; add --make-groups to create it", name);
	return im->makes_group;
}

/* A server that does not know dry runs would ignore the parameter and write. So this asks first. */
static bool import_can_dry_run(struct import *im)
{
	return import_probe(im, "POST", "/v1/people/batch/create?dryRun=maybe", "{\"records\":[]}") == 422;
}

/* True when the server accepts createdAt and createdBy, as it does from workspace admins. */
static bool import_may_keep_authors(struct import *im)
{
	static const char body[] = "{\"records\":[{\"createdAt\":\"2000-01-01T00:00:00.000Z\"}]}";

	return im->has_authors && import_can_dry_run(im) &&
	       import_probe(im, "POST", "/v1/people/batch/create?dryRun=true", body) == 200;
}

static bool import_same_workspace(struct import *im)
{
	char path[64 + ID_SIZE];

	snprintf(path, sizeof path, "/v1/%s/%s", strncmp(im->contact_id, "com_", 4) == 0 ? "companies" : "people",
	    im->contact_id);
	return !*im->contact_id || import_probe(im, "GET", path, "") == 200;
}

/* Sets the path of the records, and the member by which they are matched. */
static void import_set_paths(struct import *im)
{
	const struct import_options *o = im->options;
	struct buf path, match;

	buf_init(&path, 8192);
	buf_init(&match, 8192);
	if (im->kind == TRANSFER_OBJECTS) {
		buf_printf(&path, "/v1/groups/%s/", im->group);
		text_percent_encode(&path, o->type, strlen(o->type));
	} else {
		buf_printf(&path, "/v1/%s", transfer_kind_names[im->kind]);
	}
	/* In a file of both, --match is about people; the names of companies are unique. */
	if (o->match && im->part && im->kind == TRANSFER_COMPANIES)
		buf_addz(&match, "name");
	else if (o->match && strncmp(o->match, HEADER_CUSTOM, strlen(HEADER_CUSTOM)) == 0 &&
	         im->kind != TRANSFER_OBJECTS && *im->group)
		buf_printf(&match, HEADER_CUSTOM "%s.%s", im->group, o->match + strlen(HEADER_CUSTOM));
	else if (o->match)
		buf_addz(&match, strcmp(o->match, "name") == 0 && im->kind == TRANSFER_PEOPLE ? "fullName" : o->match);
	im->path = buf_take(&path, &(size_t){0});
	im->match = buf_take(&match, &(size_t){0});
}

/* Writes all options that decide what is sent, and to whom. */
static void import_set_options(struct import *im)
{
	const struct import_options *o = im->options;
	struct buf text;

	buf_init(&text, 4 << 20);
	buf_printf(
	    &text, "%s as %s by %s%s", o->url, transfer_kind_names[im->kind], im->roster.me, im->part ? " part" : "");
	buf_printf(&text, " group=%s type=%s match=%s encoding=%s%s%s", o->group ? o->group : "",
	    o->type ? o->type : "", o->match ? o->match : "", o->encoding ? o->encoding : "",
	    o->make_fields ? " make-fields" : "", o->make_groups ? " make-groups" : "");
	buf_printf(&text, "%s%s%s%s%s", o->make_contacts ? " make-contacts" : "",
	    o->group_contacts ? " group-contacts" : "", o->make_options ? " make-options" : "",
	    o->keep_ids ? " keep-ids=" : "", o->keep_ids ? o->keep_ids : "");
	for (size_t i = 0; i < im->mapping.n_rules; i++)
		buf_printf(&text, " %s=%s", im->mapping.rules[i].column, im->mapping.rules[i].field);
	im->options_text = buf_take(&text, &(size_t){0});
}

/* --- earlier runs ------------------------------------------------------------------------------------ */

enum import_state { IMPORT_NEW, IMPORT_GOES_ON, IMPORT_WAS_DONE, IMPORT_REFUSED };

/* How a file that was imported goes in again. */
static const char *import_again(const struct import *im)
{
	return im->kind == TRANSFER_PEOPLE    ? "add --match emails to update the records that exist"
	       : im->kind <= TRANSFER_OBJECTS ? "add --match name to update the records that exist"
	                                      : "undo that import with --undo first";
}

static enum import_state import_refuse(struct import *im, const char *when, const char *sum, const char *then)
{
	import_say(im, "%s has changed since its import %s: its SHA-256 was %s and is now %s; %s", im->name, when, sum,
	    im->sum, then);
	return IMPORT_REFUSED;
}

/* True when a run imported records of this kind to this server by this user. */
static bool import_same_target(const struct import *im, const struct progress_run *run)
{
	return strcmp(run->server, im->options->url) == 0 && strcmp(run->kind, transfer_kind_names[im->kind]) == 0 &&
	       strcmp(run->user, im->roster.me) == 0;
}

/* An import that has not ended continues only with the same file and the same options. */
static enum import_state import_compare_begun(struct import *im, const struct progress_run *run)
{
	if (strcmp(run->sum, im->sum) != 0)
		return import_refuse(
		    im, "began", run->sum, "restore the file to continue, or undo the import with --undo");
	if (strcmp(run->options, im->options_text) == 0)
		return IMPORT_GOES_ON;
	import_say(im,
	    "an import of %s began with other options; use those options to continue, or undo it with --undo:\n  %s",
	    im->name, run->options);
	return IMPORT_REFUSED;
}

/* True when the last run, which has not ended, imports the people of a file whose companies this import is about. They
 * come first, so they are imported. */
static bool import_people_began(const struct import *im, const struct progress_run *run)
{
	const char *now = strstr(im->options_text, " by "), *then = strstr(run->options, " by ");

	return im->part && im->kind == TRANSFER_COMPANIES && strcmp(run->kind, "people") == 0 &&
	       strcmp(run->sum, im->sum) == 0 && then && strcmp(now, then) == 0;
}

/* An import like one that has ended has nothing to do. */
static enum import_state import_was_done(struct import *im, const struct progress_done *done)
{
	memcpy(im->progress.counts, done->counts, sizeof done->counts);
	return IMPORT_WAS_DONE;
}

/* Compares this import with FILE.kith. Without --match a second import would create every record again. */
static enum import_state import_compare(struct import *im)
{
	struct progress *p = &im->progress;

	if (!p->any || p->undone || im->options->dry_run)
		return IMPORT_NEW;
	if (!p->finished && !import_people_began(im, &p->run))
		return import_compare_begun(im, &p->run);
	for (size_t i = p->n_ended; i-- > 0 && (!im->match || !p->finished);) {
		const struct progress_run *run = &p->ended[i].run;
		if (!import_same_target(im, run))
			continue;
		if (strcmp(run->sum, im->sum) != 0)
			return import_refuse(im, "ended", run->sum, import_again(im));
		if (strcmp(run->options, im->options_text) == 0)
			return import_was_done(im, &p->ended[i]);
		import_say(im, "%s has been imported already, with other options; %s:\n  %s", im->name,
		    import_again(im), run->options);
		return IMPORT_REFUSED;
	}
	return IMPORT_NEW;
}

static bool import_begin_run(struct import *im)
{
	struct progress_run run = {.server = im->options->url,
	    .kind = transfer_kind_names[im->kind],
	    .user = im->roster.me,
	    .options = im->options_text,
	    .path = im->path,
	    .number = im->progress.runs,
	    .began_ms = im->roster.server_ms,
	    .keeps_authors = import_may_keep_authors(im),
	    .same_workspace = import_same_workspace(im)};

	memcpy(run.sum, im->sum, sizeof run.sum);
	return progress_begin(&im->progress, &run, !im->options->dry_run);
}

/* --- the end ------------------------------------------------------------------------------------------- */

static void import_print(const struct import *im, bool complete)
{
	struct json_out o;
	struct buf line;

	buf_init(&line, 4096);
	json_out_init(&o, &line);
	json_begin_object(&o);
	if (im->part)
		json_add_string(&o, "kind", transfer_kind_names[im->kind]);
	json_add_int(&o, "records", im->records);
	for (int i = 0; i < PROGRESS_COUNTS; i++) {
		json_key(&o, progress_count_names[i]);
		json_int(&o, im->progress.counts[i]);
	}
	if (im->options->dry_run) {
		json_add_int(&o, "matches", im->matches);
		json_add_bool(&o, "dryRun", true);
	}
	json_add_bool(&o, "complete", complete);
	json_end_object(&o);
	puts(line.data);
	fflush(stdout);
	buf_free(&line);
}

static bool import_append(struct import *im, const char *text)
{
	struct buf line;
	bool ok;

	buf_init(&line, 64);
	buf_addz(&line, text);
	ok = progress_append(&im->progress, &line);
	buf_free(&line);
	return ok;
}

static bool import_finish(struct import *im)
{
	char sum[65];

	text_hex(sum, im->source.reader.in.sum, SHA256_SIZE);
	if (strcmp(sum, im->sum) != 0) {
		import_say(
		    im, "%s changed during its import; check what was imported, or undo it with --undo", im->name);
		return false;
	}
	return im->options->dry_run || import_append(im, "{\"done\":true}\n");
}

/* A run whose records the server has all refused leaves nothing to continue, and nothing to undo. */
static void import_give_up(struct import *im, enum import_state state)
{
	if (state == IMPORT_NEW && !im->options->dry_run && im->progress.any && !im->progress.lines && !im->unknown)
		import_append(im, "{\"gaveUp\":true}\n");
}

/* --- all -------------------------------------------------------------------------------------------------- */

/* Reads the file again and sends its records. */
static bool import_records(struct import *im)
{
	bool ok;

	if (!import_open_source(im, &im->source))
		return false;
	refusal_init(&im->refusal, im->name, im->part && im->kind == TRANSFER_COMPANIES ? ".companies" : "",
	    &im->scanned, im->progress.refused_bytes);
	bar_begin(&im->bar, im->options->dry_run ? "tried" : "imported", im->records);
	ok = import_send(im);
	bar_hide(&im->bar);
	ok = ok && import_finish(im);
	import_tell(im);
	import_print(im, ok);
	refusal_close(&im->refusal);
	source_close(&im->source);
	return ok;
}

/* Begins or continues the run of a scanned file. */
static bool import_transfer(struct import *im, enum import_state state)
{
	char now[TIME_TEXT_SIZE];
	bool ok;

	if (!im->options->dry_run && !progress_lock(&im->progress))
		return false;
	ok = state != IMPORT_NEW || import_begin_run(im);
	im->compose.keeps_authors = im->progress.run.keeps_authors;
	im->compose.same_workspace = im->progress.run.same_workspace;
	snprintf(im->compose.today, sizeof im->compose.today, "%.10s", time_format(im->progress.run.began_ms, now));
	ok = ok && import_make(im) && import_records(im);
	if (!ok)
		import_give_up(im, state);
	return ok;
}

/* Compares a scanned file with earlier runs, and imports it. */
static int import_scanned(struct import *im)
{
	enum import_state state;
	struct buf path;
	bool ok = true;

	if (im->kind == TRANSFER_KINDS)
		im->kind = TRANSFER_PEOPLE; /* of an empty file */
	if (im->options->match && im->kind > TRANSFER_OBJECTS) {
		import_say(im, "--match works only for people, companies and objects");
		return 2;
	}
	im->compose.finds_objects = im->kind > TRANSFER_OBJECTS && *im->group && im->options->type;
	import_set_paths(im);
	import_set_options(im);
	buf_init(&path, 8192);
	buf_printf(&path, "%s.kith", im->name);
	state = progress_open(&im->progress, path.data) ? import_compare(im) : IMPORT_REFUSED;
	buf_free(&path);
	if (state == IMPORT_WAS_DONE) {
		import_say(im, "%s%s has been imported already; nothing was sent", im->name,
		    !im->part                        ? ""
		    : im->kind == TRANSFER_COMPANIES ? " (its companies)"
		                                     : " (its people)");
		import_print(im, true);
	} else {
		ok = state != IMPORT_REFUSED && import_transfer(im, state);
	}
	im->complete = ok;
	ok = ok && !im->progress.counts[PROGRESS_REFUSED];
	progress_close(&im->progress);
	return ok ? 0 : 1;
}

int import_kind(struct import *im)
{
	int status;

	if (!roster_load(&im->roster, im->remote) || !import_find_group(im))
		return 1;
	if (im->options->dry_run && !import_can_dry_run(im)) {
		import_say(im, "the server is too old for --dry-run");
		return 1;
	}
	if (im->options->map && !mapping_read(&im->mapping, im->options->map))
		return 2;
	im->mapping.kind = im->compose.kind = im->kind;
	im->mapping.tells = im->part || (im->kind == TRANSFER_KINDS && !im->options->type);
	im->compose.mapping = &im->mapping;
	im->compose.roster = &im->roster;
	im->mapping.keep_ids = im->options->keep_ids;
	im->compose.columns = &im->scanned.reader.columns;
	im->compose.keeps_ids = im->options->keep_ids && im->options->group;
	im->compose.find = import_find_contact;
	im->compose.expect = import_expect_contact;
	im->compose.make = import_make_contact;
	im->compose.find_ctx = im;
	if (!import_open_source(im, &im->scanned))
		return 1;
	if (!import_scan(im)) {
		im->companies = 0;
		status = 1;
	} else {
		status = im->companies ? 0 : import_scanned(im);
	}
	source_close(&im->scanned);
	return status;
}
