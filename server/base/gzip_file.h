/* A compressed file of lines that is read or written from beginning to end. Blocks, so it is only for commands. */
#ifndef KITH_SERVER_BASE_GZIP_FILE_H
#define KITH_SERVER_BASE_GZIP_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct gzip_file;

/* Creates a file under another name. gzip_file_finish() writes it to disk and renames it to path, replacing an existing
 * file. Only the owner may read it. On NULL or false, errno has the reason. */
struct gzip_file *gzip_file_create(const char *path);
bool gzip_file_put(struct gzip_file *f, const void *bytes, size_t len);
bool gzip_file_finish(struct gzip_file *f);

/* Opens a file to read. On NULL, errno has the reason. */
struct gzip_file *gzip_file_open(const char *path);
/* Returns the length of the next line with its line feed, valid until the next call. 0: the end. -1: the file is
 * damaged, cut off or not a text, or a line has more than GZIP_LINE_MAX bytes. */
enum { GZIP_LINE_MAX = 256 << 20 };
long gzip_file_line(struct gzip_file *f, const char **line);

/* Frees it and removes an unfinished file. NULL is allowed. */
void gzip_file_close(struct gzip_file *f);

#endif
