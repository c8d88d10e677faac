/* A compressed file of lines, read and written from its beginning to its end. Blocks: for commands. */
#ifndef KITH_SERVER_BASE_GZIP_FILE_H
#define KITH_SERVER_BASE_GZIP_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct gzip_file;

/* Writing: under another name until gzip_file_finish(), which replaces the path's file by it, on disk. Only the
 * owner may read it. NULL and false: errno tells. */
struct gzip_file *gzip_file_create(const char *path);
bool gzip_file_put(struct gzip_file *f, const void *bytes, size_t len);
bool gzip_file_finish(struct gzip_file *f);

/* Reading. NULL: errno tells. */
struct gzip_file *gzip_file_open(const char *path);
/* The length of the next line with its line feed, valid until the next call; 0 at the end; -1: the file is damaged,
 * cut, no text, or has a line of more than GZIP_LINE_MAX bytes. */
enum { GZIP_LINE_MAX = 256 << 20 };
long gzip_file_line(struct gzip_file *f, const char **line);

/* Frees; what was not finished is removed. NULL is allowed. */
void gzip_file_close(struct gzip_file *f);

#endif
