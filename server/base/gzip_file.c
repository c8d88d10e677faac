/* A compressed file of lines, by zlib. */
#include "server/base/gzip_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "server/base/leftover.h"

enum { PIECE = 256 << 10 };

struct gzip_file {
	gzFile z;
	int fd; /* a second descriptor, to sync the file; -1: none */
	char path[PATH_MAX], temporary[PATH_MAX];
	struct buf text; /* text that was read; the part from "at" on has not been returned yet */
	size_t at;
	bool ended;
};

struct gzip_file *gzip_file_create(const char *path)
{
	struct gzip_file *f = mem_zalloc(sizeof *f);
	int fd = -1;

	f->fd = -1;
	buf_init(&f->text, GZIP_LINE_MAX);
	errno = ENAMETOOLONG;
	if ((size_t)snprintf(f->path, sizeof f->path, "%s", path) < sizeof f->path &&
	    (size_t)snprintf(f->temporary, sizeof f->temporary, "%s.XXXXXX", path) < sizeof f->temporary)
		fd = mkostemp(f->temporary, O_CLOEXEC); /* mode 0600 */
	if (fd < 0) {
		f->temporary[0] = '\0';
		gzip_file_close(f);
		return NULL;
	}
	leftover_add(f->temporary);
	f->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	f->z = gzdopen(fd, "wb1");
	if (f->z && f->fd >= 0)
		return f;
	if (!f->z)
		close(fd);
	gzip_file_close(f);
	return NULL;
}

bool gzip_file_put(struct gzip_file *f, const void *bytes, size_t len)
{
	errno = 0;
	return len == 0 || gzwrite(f->z, bytes, (unsigned)len) == (int)len;
}

bool gzip_file_finish(struct gzip_file *f)
{
	bool ok;

	errno = 0;
	ok = gzclose(f->z) == Z_OK && fsync(f->fd) == 0 && rename(f->temporary, f->path) == 0;
	f->z = NULL;
	if (ok) {
		leftover_done(f->temporary);
		f->temporary[0] = '\0';
	}
	return ok;
}

struct gzip_file *gzip_file_open(const char *path)
{
	struct gzip_file *f = mem_zalloc(sizeof *f);

	f->fd = -1;
	buf_init(&f->text, GZIP_LINE_MAX);
	errno = 0;
	f->z = gzopen(path, "rbe");
	if (f->z)
		return f;
	gzip_file_close(f);
	return NULL;
}

/* False at the end, and on failure. */
static bool file_read(struct gzip_file *f)
{
	char *room;
	int n;

	if (f->at) {
		memmove(f->text.data, f->text.data + f->at, f->text.len - f->at);
		f->text.len -= f->at;
		f->at = 0;
	}
	room = buf_room(&f->text, PIECE);
	n = room ? gzread(f->z, room, PIECE) : -1;
	f->ended = n <= 0;
	if (n > 0)
		f->text.len += (size_t)n;
	return n > 0;
}

long gzip_file_line(struct gzip_file *f, const char **line)
{
	size_t searched = 0;
	int status;

	for (;;) {
		char *from = f->text.data + f->at, *end;
		size_t left = f->text.len - f->at;
		end = left > searched ? memchr(from + searched, '\n', left - searched) : NULL;
		if (end) {
			*line = from;
			f->at += (size_t)(end - from) + 1;
			return (long)(end - from) + 1;
		}
		searched = left;
		if (!file_read(f))
			break;
	}
	/* A file that was cut off ends in the middle of a line or of the compressed data. */
	gzerror(f->z, &status);
	return status == Z_OK && f->text.len == f->at && !gzdirect(f->z) ? 0 : -1;
}

void gzip_file_close(struct gzip_file *f)
{
	if (!f)
		return;
	if (f->z)
		gzclose(f->z);
	if (f->fd >= 0)
		close(f->fd);
	if (f->temporary[0]) {
		unlink(f->temporary);
		leftover_done(f->temporary);
	}
	buf_free(&f->text);
	free(f);
}
