/* Reading and appending FILE.kith. */
#include "transfer/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/text.h"
#include "transfer/keep.h"
#include "transfer/decoder.h"
#include "transfer/remote.h"

enum { LINE_MAX_BYTES = 8 << 20, BATCHES_MAX = 1 << 28 };

static const char foreign[] = "was not written by kith; move this file away, then run the command again";

const char *const progress_count_names[PROGRESS_COUNTS] = {
    "created", "updated", "unchanged", "existing", "refused", "lost"};

static bool progress_fail(const char *path, const char *what)
{
	fprintf(stderr, "kith: %s: %s\n", path, what);
	return false;
}

/* True when an incomplete line is the beginning of the one that progress_begin() writes first. */
static bool progress_begins(const struct buf *line)
{
	static const char begin[] = "{\"run\":{\"sha256\":\"";
	size_t len = line->len < sizeof begin - 1 ? line->len : sizeof begin - 1;

	return !line->overflow && len && memcmp(line->data, begin, len) == 0;
}

bool progress_read(const char *path, bool (*each)(void *ctx, const struct json *line), void *ctx)
{
	struct decoder in;
	struct buf line;
	struct arena arena;
	const char *error;
	bool ok = true, first = true;
	int fd = keep_open(path, O_RDONLY);

	if (fd < 0)
		return false;
	arena_init(&arena);
	buf_init(&line, LINE_MAX_BYTES);
	ok = decoder_open(&in, fd, "UTF-8");
	while (ok && decoder_line(&in, &line)) {
		struct json *json = line.overflow ? NULL : json_read(&arena, line.data, line.len, &error);
		/* The last line may be incomplete, because the machine may have gone down while it was written. */
		bool cut = decoder_peek(&in) < 0 && (!first || progress_begins(&line));
		if (json && json->type == JSON_OBJECT)
			ok = each(ctx, json);
		else if (!cut)
			ok = progress_fail(path, foreign);
		first = false;
		arena_free(&arena);
	}
	ok = ok && (!*in.error || progress_fail(path, in.error));
	decoder_close(&in);
	buf_free(&line);
	arena_free(&arena);
	return ok;
}

/* --- the state ------------------------------------------------------------------------------- */

static void progress_clear_run(struct progress *p)
{
	memset(&p->run, 0, sizeof p->run);
	free(p->batches);
	p->batches = NULL;
	p->words = 0;
	memset(p->counts, 0, sizeof p->counts);
	p->refused_bytes = 0;
	p->finished = p->undone = false;
}

static void progress_end_run(struct progress *p)
{
	struct progress_done *d;

	p->finished = true;
	p->ended = mem_realloc(p->ended, (p->n_ended + 1) * sizeof *p->ended);
	d = &p->ended[p->n_ended++];
	d->run = p->run;
	memcpy(d->counts, p->counts, sizeof d->counts);
}

/* Files of earlier versions have server, kind and user only in the options, which begin "URL as KIND by USER ". */
static void progress_read_target(struct arena *a, struct progress_run *run)
{
	const char *words[5] = {"", "", "", "", ""};
	char *rest = arena_dupz(a, run->options), *word;

	for (size_t i = 0; i < sizeof words / sizeof *words && (word = strsep(&rest, " ")); i++)
		words[i] = word;
	run->server = words[0];
	run->kind = words[2];
	run->user = words[4];
}

static const char *progress_keep(struct arena *a, const struct json *run, const char *key)
{
	return arena_dupz(a, json_text(run, key));
}

void progress_read_run(struct arena *a, const struct json *run, struct progress_run *out)
{
	*out = (struct progress_run){.server = progress_keep(a, run, "server"),
	    .kind = progress_keep(a, run, "kind"),
	    .user = progress_keep(a, run, "user"),
	    .options = progress_keep(a, run, "options"),
	    .path = progress_keep(a, run, "path"),
	    .number = (int)json_number(run, "number", 0),
	    .began_ms = json_number(run, "beganMs", 0),
	    .keeps_authors = json_true(run, "keepsAuthors"),
	    .same_workspace = json_true(run, "sameWorkspace")};
	snprintf(out->sum, sizeof out->sum, "%s", json_text(run, "sha256"));
	if (!*out->user)
		progress_read_target(a, out);
}

static bool progress_on_line(void *ctx, const struct json *line)
{
	struct progress *p = ctx;
	const struct json *run = json_member(line, "run");

	/* Refuses files that do not begin like ours, so that no other file is appended to. */
	if (!p->any && strlen(json_text(run, "sha256")) != sizeof p->run.sum - 1)
		return progress_fail(p->path, foreign);
	if (run) {
		progress_clear_run(p);
		p->any = true;
		p->runs++;
		progress_read_run(&p->arena, run, &p->run);
	}
	if (json_member(line, "batch")) {
		progress_note_batch(p, json_number(line, "batch", 0));
		for (int i = 0; i < PROGRESS_COUNTS; i++)
			p->counts[i] += json_number(json_member(line, "counts"), progress_count_names[i], 0);
		p->refused_bytes = json_number(line, "refusedBytes", 0);
	}
	if (json_true(line, "done") && p->any && !p->finished)
		progress_end_run(p);
	p->finished |= json_true(line, "gaveUp");
	if (json_true(line, "undone")) {
		p->undone = true;
		p->n_ended = 0;
	}
	return true;
}

/* Cuts off an incomplete last line. */
static bool progress_repair(struct progress *p)
{
	struct stat st;
	char byte;

	if (fstat(p->fd, &st) != 0)
		return progress_fail(p->path, strerror(errno));
	while (st.st_size > 0 && pread(p->fd, &byte, 1, st.st_size - 1) == 1 && byte != '\n')
		st.st_size--;
	return ftruncate(p->fd, st.st_size) == 0 || progress_fail(p->path, strerror(errno));
}

/* True when the file is still the one that was read, unchanged. */
static bool progress_is_read(const struct progress *p)
{
	struct stat st;

	if (fstat(p->fd, &st) != 0)
		return progress_fail(p->path, strerror(errno));
	if (!p->found || (st.st_ino == p->stat.st_ino && st.st_dev == p->stat.st_dev && st.st_size == p->stat.st_size))
		return true;
	return progress_fail(p->path, "changed during this command; run the command again");
}

bool progress_open(struct progress *p, const char *path)
{
	memset(p, 0, sizeof *p);
	p->fd = -1;
	arena_init(&p->arena);
	p->path = arena_dupz(&p->arena, path);
	p->found = lstat(path, &p->stat) == 0;
	return !p->found || progress_read(path, progress_on_line, p);
}

void progress_close(struct progress *p)
{
	free(p->batches);
	free(p->ended);
	if (p->fd >= 0)
		close(p->fd);
	arena_free(&p->arena);
}

/* --- writing ------------------------------------------------------------------------------------ */

bool progress_lock(struct progress *p)
{
	if (p->fd >= 0)
		return true;
	p->fd = keep_open(p->path, O_RDWR | O_APPEND | (p->found ? 0 : O_CREAT | O_EXCL));
	if (p->fd < 0)
		return false;
	/* Two imports would both send the rest and note it twice. The lock ends with the process. */
	if (flock(p->fd, LOCK_EX | LOCK_NB) != 0)
		return progress_fail(p->path, errno == EWOULDBLOCK
		                                  ? "is in use by another kith import; wait until that one has ended"
		                                  : strerror(errno));
	return progress_is_read(p) && progress_repair(p);
}

bool progress_append(struct progress *p, const struct buf *line)
{
	size_t at = 0;

	if (!progress_lock(p))
		return false;
	p->lines++;
	while (at < line->len) {
		ssize_t n = write(p->fd, line->data + at, line->len - at);
		if (n < 0 && errno != EINTR)
			return progress_fail(p->path, strerror(errno));
		at += n > 0 ? (size_t)n : 0;
	}
	return true;
}

void progress_line_begin(struct json_out *o, struct buf *line, const char *what)
{
	buf_init(line, 1 << 20);
	json_out_init(o, line);
	json_begin_object(o);
	json_key(o, what);
	json_begin_object(o);
}

bool progress_line_append(struct progress *p, struct json_out *o, struct buf *line)
{
	bool ok;

	json_end_object(o);
	json_end_object(o);
	buf_addc(line, '\n');
	ok = progress_append(p, line);
	buf_free(line);
	return ok;
}

static bool progress_write_run(struct progress *p, const struct progress_run *run)
{
	struct json_out o;
	struct buf line;

	progress_line_begin(&o, &line, "run");
	json_add_string(&o, "sha256", run->sum);
	json_add_string(&o, "server", run->server);
	json_add_string(&o, "kind", run->kind);
	json_add_string(&o, "user", run->user);
	json_add_string(&o, "options", run->options);
	json_add_string(&o, "path", run->path);
	json_add_int(&o, "number", run->number);
	json_add_int(&o, "beganMs", run->began_ms);
	json_add_bool(&o, "keepsAuthors", run->keeps_authors);
	json_add_bool(&o, "sameWorkspace", run->same_workspace);
	/* Without this line on disk another run would use the keys of this one. */
	return progress_line_append(p, &o, &line) && (fsync(p->fd) == 0 || progress_fail(p->path, strerror(errno)));
}

bool progress_begin(struct progress *p, const struct progress_run *run, bool writes)
{
	bool ok = !writes || progress_write_run(p, run);

	progress_clear_run(p);
	p->run = *run;
	p->any = true;
	p->lines = 0;
	return ok;
}

bool progress_has(const struct progress *p, int64_t batch)
{
	size_t word = (size_t)batch / 64;

	return word < p->words && p->batches[word] >> (batch % 64) & 1;
}

void progress_note_batch(struct progress *p, int64_t batch)
{
	size_t word = (size_t)batch / 64;

	if (batch < 0 || batch >= BATCHES_MAX)
		return;
	if (word >= p->words) {
		size_t more = (word + 1) * 2;
		p->batches = mem_realloc(p->batches, more * sizeof *p->batches);
		memset(p->batches + p->words, 0, (more - p->words) * sizeof *p->batches);
		p->words = more;
	}
	p->batches[word] |= UINT64_C(1) << (batch % 64);
}

/* --- records ---------------------------------------------------------------------------------- */

void progress_state(const struct json *data, char out[PROGRESS_STATE_SIZE])
{
	static const char *const members[] = {"content", "visibility", "title", "dateTime", "activityType"};
	unsigned char sum[SHA256_SIZE];
	struct sha256 h;

	snprintf(out, PROGRESS_STATE_SIZE, "%s", json_text(data, "updatedAt"));
	if (*out)
		return;
	sha256_begin(&h);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		sha256_part(&h, json_text(data, members[i]), strlen(json_text(data, members[i])));
	sha256_end(&h, sum);
	text_hex(out, sum, 16);
}

void progress_put_record(struct buf *list, const struct json *data)
{
	char state[PROGRESS_STATE_SIZE];

	progress_state(data, state);
	buf_printf(list, "%s[\"%s\",\"%s\"]", list->len ? "," : "", json_text(data, "id"), state);
}
