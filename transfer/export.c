/* kith export: page after page of a list, in its order, to a file. */
#include "transfer/export.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "transfer/bar.h"
#include "transfer/export_record.h"
#include "transfer/keep.h"
#include "transfer/progress.h"

enum { PAGE_MAX = 64 << 20, PATH_MAX_BYTES = 64 << 10, SAVE_MS = 100 };

const char *const export_format_names[EXPORT_FORMATS + 1] = {"ndjson", "csv", "vcard", NULL};

struct export
{
	const struct export_options *options;
	struct remote *remote;
	struct roster roster;
	struct bar bar;
	char group[ID_SIZE];
	int fd;
	bool complete;                   /* an earlier run has written the whole file */
	bool begun;                      /* a part of the file is written */
	int64_t bytes;                   /* of the file */
	char *next;                      /* the path of the next page; NULL: there is none */
	char *list;                      /* the format, and the path of the first page */
	char cursor[REMOTE_CURSOR_SIZE]; /* of the feed */
	char *state;                     /* FILE.kith: where an interrupted export continues */
	int64_t saved_ms;                /* when it was written; 0: not yet */
};

enum export_format export_format_parse(const char *text)
{
	int i = 0;

	while (export_format_names[i] && strcmp(export_format_names[i], text) != 0)
		i++;
	return (enum export_format)i;
}

static bool export_fail(struct export *x, const char *what, const char *why)
{
	bar_hide(&x->bar);
	fprintf(stderr, "kith: %s: %s\n", what, why);
	return false;
}

static void export_tick(void *ctx)
{
	struct export *x = ctx;

	if (x->bar.verb)
		bar_show(&x->bar);
}

/* --- continuing an interrupted export ----------------------------------------------------- */

static bool export_write(struct export *x, int fd, const struct buf *text)
{
	size_t at = 0;

	/* On a terminal the stream replaces control characters with visible ones. */
	if (fd == STDOUT_FILENO && isatty(fd))
		at = fwrite(text->data, 1, text->len, stdout);
	while (at < text->len) {
		ssize_t n = write(fd, text->data + at, text->len - at);
		if (n < 0 && errno != EINTR)
			return export_fail(x, x->options->out ? x->options->out : "stdout", strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Replaces FILE.kith atomically. What was written to the export's file before this is final. */
static bool export_save(struct export *x)
{
	struct json_out o;
	struct buf line, name;
	bool ok;
	int fd;

	/* This is done only now and then; after an interruption the records written since are written again. */
	if (!x->options->out || (x->next && x->saved_ms && clock_mono_ms() - x->saved_ms < SAVE_MS))
		return true;
	x->saved_ms = clock_mono_ms();
	if (!x->next)
		return unlink(x->state) == 0 || errno == ENOENT || export_fail(x, x->state, strerror(errno));
	buf_init(&line, 1 << 20);
	buf_init(&name, 8192);
	json_out_init(&o, &line);
	json_begin_object(&o);
	json_add_int(&o, "export", x->bytes);
	json_add_int(&o, "records", x->bar.done);
	json_add_string(&o, "list", x->list);
	json_add_string(&o, "next", x->next);
	json_add_string(&o, "cursor", x->cursor);
	json_end_object(&o);
	buf_addc(&line, '\n');
	buf_printf(&name, "%s.new", x->state);
	fd = keep_open(name.data, O_WRONLY | O_CREAT | O_TRUNC);
	ok = fd >= 0 && export_write(x, fd, &line);
	if (fd >= 0)
		close(fd);
	ok = ok && (rename(name.data, x->state) == 0 || export_fail(x, x->state, strerror(errno)));
	buf_free(&line);
	buf_free(&name);
	return ok;
}

static bool export_on_state(void *ctx, const struct json *line)
{
	struct export *x = ctx;
	int64_t bytes = json_number(line, "export", -1), records = json_number(line, "records", -1);

	if (bytes < 0 || records < 0 || !*json_text(line, "next"))
		return export_fail(x, x->state, "is not the state of an export; run the command without --continue");
	if (strcmp(json_text(line, "list"), x->list) != 0)
		return export_fail(x, x->state,
		    "belongs to an export with other options; use the same options, or run the command without "
		    "--continue");
	x->bytes = bytes;
	x->bar.done = x->bar.skipped = records;
	free(x->next);
	x->next = mem_dupz(json_text(line, "next"));
	snprintf(x->cursor, sizeof x->cursor, "%s", json_text(line, "cursor"));
	x->begun = x->bytes > 0;
	return true;
}

/* The state of another export may be replaced; the progress of an import may not. */
static bool export_on_old_state(void *ctx, const struct json *line)
{
	struct export *x = ctx;

	return json_member(line, "export") ||
	       export_fail(
	           x, x->state, "is not the state of an export; move this file away, then run the command again");
}

static bool export_is_new(struct export *x)
{
	return access(x->state, F_OK) != 0 || progress_read(x->state, export_on_old_state, x);
}

static bool export_resume(struct export *x)
{
	struct stat st;

	if (access(x->state, F_OK) != 0) {
		x->complete = access(x->options->out, F_OK) == 0;
		return true;
	}
	if (!progress_read(x->state, export_on_state, x))
		return false;
	if (stat(x->options->out, &st) != 0)
		st.st_size = 0;
	return st.st_size >= x->bytes ||
	       export_fail(
	           x, x->options->out, "is shorter than what was written to it; run the command without --continue");
}

static bool export_open(struct export *x)
{
	const char *out = x->options->out;
	struct buf name;

	if (!out) {
		x->fd = STDOUT_FILENO;
		return true;
	}
	buf_init(&name, 8192);
	buf_printf(&name, "%s.kith", out);
	x->state = buf_take(&name, &(size_t){0});
	if (x->options->resume ? !export_resume(x) : !export_is_new(x))
		return false;
	if (x->complete)
		return true;
	/* The state is saved before the file is created, because a file without a state counts as complete. */
	if (!x->begun && !export_save(x))
		return false;
	x->fd = keep_open(out, O_WRONLY | O_CREAT);
	if (x->fd < 0)
		return false;
	if (ftruncate(x->fd, x->bytes) != 0 || lseek(x->fd, 0, SEEK_END) < 0)
		return export_fail(x, out, strerror(errno));
	return true;
}

/* --- pages --------------------------------------------------------------------------------------- */

static void export_put(const struct export *x, struct buf *out, const struct json *record)
{
	enum transfer_kind kind = x->options->kind;
	struct json_out o;

	if (x->options->format == EXPORT_CSV) {
		export_csv_record(out, kind, &x->roster, x->group, record);
	} else if (x->options->format == EXPORT_VCARD) {
		export_vcard_record(out, kind, record);
	} else {
		json_out_init(&o, out);
		json_value(&o, record);
		buf_addc(out, '\n');
	}
}

/* Notes the path of the next page, and the cursor of the feed. */
static void export_read_page(struct export *x, struct remote_call *c)
{
	const struct json *data = remote_data(c);

	free(x->next);
	x->next = remote_next(c) ? mem_dupz(remote_next(c)) : NULL;
	/* A reader that follows the feed from the first page's cursor misses no change made during the export. */
	if (x->options->kind == TRANSFER_EVENTS)
		snprintf(x->cursor, sizeof x->cursor, "%s", json_text(data, "cursor"));
	else if (!*x->cursor)
		snprintf(x->cursor, sizeof x->cursor, "%s", c->cursor);
}

static bool export_write_page(struct export *x, struct remote_call *c)
{
	const struct json *items = json_member(remote_data(c), "items");
	struct buf text;
	bool ok;

	buf_init(&text, PAGE_MAX);
	if (!x->begun && x->options->format == EXPORT_CSV)
		export_csv_header(&text, x->options->kind, &x->roster);
	x->begun = true;
	json_each(i, items) {
		export_put(x, &text, i);
		x->bar.done++;
	}
	ok =
	    text.overflow ? export_fail(x, c->path, "the page of records is too large") : export_write(x, x->fd, &text);
	x->bytes += (int64_t)text.len;
	buf_free(&text);
	return ok;
}

/* The next page is requested while this one is written. */
static bool export_pages(struct export *x)
{
	bool ok = true;

	remote_start(x->remote, remote_call_new("GET", "%s", x->next));
	while (ok && remote_busy(x->remote)) {
		struct remote_call *c = remote_wait(x->remote);
		if (!c)
			return false;
		if (c->status != 200) {
			ok = export_fail(x, c->path, remote_reason(c));
		} else {
			export_read_page(x, c);
			if (x->next)
				remote_start(x->remote, remote_call_new("GET", "%s", x->next));
			ok = export_write_page(x, c) && export_save(x);
		}
		remote_call_free(c);
	}
	return ok;
}

/* --- what to export ------------------------------------------------------------------------------- */

static bool export_find_group(struct export *x)
{
	const struct export_options *o = x->options;
	const char *id;

	if (!o->group)
		return true;
	id = roster_group(&x->roster, o->group, strlen(o->group));
	if (!id)
		return export_fail(x, o->group, "the group does not exist, or this key cannot see it");
	snprintf(x->group, sizeof x->group, "%s", id);
	if (o->kind > TRANSFER_OBJECTS || o->format != EXPORT_CSV)
		return true;
	return roster_load_fields(&x->roster, x->group,
	    o->kind == TRANSFER_OBJECTS  ? o->type
	    : o->kind == TRANSFER_PEOPLE ? "person"
	                                 : "company");
}

/* The first page's path. */
static void export_set_path(struct export *x)
{
	const struct export_options *o = x->options;
	struct buf path;

	buf_init(&path, PATH_MAX_BYTES);
	if (o->kind == TRANSFER_OBJECTS) {
		buf_printf(&path, "/v1/groups/%s/", x->group);
		text_percent_encode(&path, o->type, strlen(o->type));
	} else {
		buf_printf(&path, "/v1/%s", transfer_kind_names[o->kind]);
	}
	buf_addz(&path, "?limit=100");
	if (*x->group && o->kind < TRANSFER_OBJECTS)
		buf_printf(&path, "&filter[groups][in][id]=%s", x->group);
	if (o->filter)
		buf_addc(&path, '&');
	/* A user may write blanks and letters beyond ASCII in the filter; these are encoded. */
	for (const char *p = o->filter ? o->filter : ""; *p; p++) {
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f || *p == '#')
			buf_printf(&path, "%%%02X", (unsigned char)*p);
		else
			buf_addc(&path, *p);
	}
	x->next = mem_dupz(path.data);
	buf_clear(&path);
	buf_printf(&path, "%s %s", export_format_names[o->format], x->next);
	x->list = buf_take(&path, &(size_t){0});
}

int export_run(const struct export_options *o)
{
	struct export *x = mem_zalloc(sizeof *x);
	bool ok;

	x->options = o;
	x->fd = -1;
	x->remote = remote_new(o->url, o->key, o->no_proxy, export_tick, x);
	ok = roster_load(&x->roster, x->remote) && export_find_group(x);
	if (ok) {
		bar_begin(&x->bar, "exported", 0);
		export_set_path(x);
		ok = export_open(x) && (x->complete || export_pages(x));
		bar_hide(&x->bar);
	}
	if (ok && x->complete)
		fprintf(stderr, "kith: %s is complete already\n", o->out);
	else if (ok)
		fprintf(stderr,
		    "kith: %" PRId64 " %s exported; to follow changes, read the feed from this cursor\n%s\n",
		    x->bar.done, transfer_kind_names[o->kind], x->cursor);
	else if (x->state && x->begun)
		fprintf(stderr, "kith: the export stopped before its end; add --continue to complete %s\n", o->out);
	if (x->fd > STDOUT_FILENO)
		close(x->fd);
	remote_free(x->remote);
	roster_free(&x->roster);
	free(x->next);
	free(x->list);
	free(x->state);
	free(x);
	return ok ? 0 : 1;
}
