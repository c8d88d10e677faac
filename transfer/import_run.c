/* kith import: opens the file and imports its records. A file may have people and companies: each kind is an import of
 * its own, in the same FILE.kith. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/text.h"
#include "transfer/import_private.h"

enum { COPY_CHUNK = 64 << 10, NAME_SIZE = 64 };

/* The file, or a copy of stdin. */
struct import_file {
	int fd;
	const char *name;
	char stdin_name[NAME_SIZE];
};

static void import_tick(void *ctx)
{
	struct import *im = ctx;

	if (im->bar.verb)
		bar_show(&im->bar);
}

/* Copies stdin to a file, because the input is read twice. The file is named after its SHA-256, so that the same input
 * continues its import. */
static int import_copy_stdin(char name[NAME_SIZE])
{
	const char *dir = getenv("TMPDIR");
	char path[4096], bytes[COPY_CHUNK], hex[65];
	unsigned char sum[SHA256_SIZE];
	struct sha256 h;
	bool ok = true;
	size_t n;
	FILE *out;
	int fd;

	snprintf(path, sizeof path, "%s/kith-import.XXXXXX", dir && *dir ? dir : "/tmp");
	fd = mkstemp(path);
	out = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!out)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	unlink(path);
	sha256_begin(&h);
	while (ok && (n = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
		sha256_add(&h, bytes, n);
		ok = fwrite(bytes, 1, n, out) == n;
	}
	sha256_end(&h, sum);
	text_hex(hex, sum, SHA256_SIZE);
	snprintf(name, NAME_SIZE, "stdin-%.16s", hex);
	ok = fclose(out) == 0 && ok && !ferror(stdin);
	if (ok || fd < 0)
		return fd;
	close(fd);
	return -1;
}

static bool import_open_file(const struct import_options *o, struct import_file *file)
{
	bool from_stdin = strcmp(o->file, "-") == 0;
	struct stat st;

	file->fd = from_stdin ? import_copy_stdin(file->stdin_name) : open(o->file, O_RDONLY | O_CLOEXEC);
	file->name = from_stdin ? file->stdin_name : o->file;
	if (file->fd >= 0 && fstat(file->fd, &st) == 0 && S_ISREG(st.st_mode))
		return true;
	fprintf(stderr, "kith: %s: %s\n", o->file,
	    file->fd < 0 ? strerror(errno) : "is not a regular file; use - to read standard input");
	return false;
}

/* What an import has found out. */
struct import_outcome {
	int status;
	bool complete;
	int64_t people, companies; /* of a file with companies */
};

/* part: only the records of that kind; TRANSFER_KINDS: all records. If these are people and companies, only counts
 * them. */
static struct import_outcome import_one(
    const struct import_options *o, const struct import_file *file, enum transfer_kind part)
{
	struct import *im = mem_zalloc(sizeof *im);
	struct import_outcome out;

	im->options = o;
	im->fd = file->fd;
	im->name = file->name;
	im->kind = part == TRANSFER_KINDS ? o->kind : part;
	im->part = part != TRANSFER_KINDS;
	im->remote = remote_new(o->url, o->key, o->no_proxy, import_tick, im);
	out.status = import_kind(im);
	out.complete = im->complete;
	out.people = im->companies ? im->records : 0;
	out.companies = im->companies;
	remote_free(im->remote);
	roster_free(&im->roster);
	mapping_free(&im->mapping);
	compose_free(&im->compose);
	import_fields_free(im);
	import_contacts_free(im);
	import_options_free(im);
	free(im->options_text);
	free(im->path);
	free(im->match);
	free(im);
	return out;
}

/* The companies come first, so that people find those that they belong to. */
static int import_both(
    const struct import_options *o, const struct import_file *file, int64_t people, int64_t companies)
{
	struct import_outcome first, second = {.status = 0};

	fprintf(stderr, "kith: %s has %lld companies and %lld people; the companies are imported first\n", file->name,
	    (long long)companies, (long long)people);
	first = import_one(o, file, TRANSFER_COMPANIES);
	if (first.complete && people)
		second = import_one(o, file, TRANSFER_PEOPLE);
	return first.status > second.status ? first.status : second.status;
}

int import_run(const struct import_options *o)
{
	struct import_file file = {.fd = -1};
	struct import_outcome out = {.status = 1};

	if (import_open_file(o, &file)) {
		out = import_one(o, &file, TRANSFER_KINDS);
		if (out.companies)
			out.status = import_both(o, &file, out.people, out.companies);
	}
	if (file.fd >= 0)
		close(file.fd);
	return out.status;
}
