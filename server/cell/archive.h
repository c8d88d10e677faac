/* A workspace in a file of compressed lines. First comes a header. Then each table follows with its name and columns,
 * its rows as COPY writes them, and "\.". At the end are the number of rows and the SHA-256 of each table. If the file
 * was made with a key, the last line has the HMAC of all lines before it. */
#ifndef KITH_SERVER_CELL_ARCHIVE_H
#define KITH_SERVER_CELL_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "server/base/gzip_file.h"
#include "server/cell/cell_table.h"
#include "server/cell/seal.h"
#include "server/base/file_key.h"

/* The largest generation: milliseconds until the year 2109. Twice as many would not fit into the versions of snapshots
 * (horizon_version()). Their order would break, and servers would keep outdated data of workspaces. */
#define ARCHIVE_NUMBER_MAX ((INT64_C(1) << 42) - 1)
enum { ARCHIVE_FORMAT = 2, ARCHIVE_TABLES_MAX = 64 };

struct archive_sum {
	const char *table;
	int64_t rows;
	unsigned char digest[SHA256_SIZE];
};

struct archive {
	struct gzip_file *file;
	struct uuid workspace;
	int64_t level;
	int64_t generation;          /* of the source database: later events must have greater generations */
	char print[SEAL_PRINT_SIZE]; /* fingerprint of the key of its secrets; "": that database had no key */
	struct archive_sum sums[ARCHIVE_TABLES_MAX];
	size_t n_sums;
	const struct file_key *key;
	struct hmac mac;                  /* HMAC of the lines so far */
	unsigned char whole[SHA256_SIZE]; /* when reading: the HMAC of all lines */
	char said[2 * SHA256_SIZE + 1];   /* when reading: the HMAC in the last line; "": none */

	/* the current table */
	struct sha256 hash;
	int64_t rows;
	struct arena arena;
};

/* --- writing: false when the file cannot be written ------------------------------------- */

bool archive_begin(struct archive *f);
bool archive_table(struct archive *f, const char *table, const char *columns);
bool archive_row(struct archive *f, const char *line, size_t len);
bool archive_table_end(struct archive *f);
bool archive_end(struct archive *f);

/* --- reading ------------------------------------------------------------------------------ */

/* Opens the file and checks all of it: the format and every checksum. file_key_judge() decides about its origin. NULL
 * with a message on stderr. */
struct archive *archive_check(const char *path, const struct file_key *key);
/* Opens the file again after archive_check(), before the first table. */
bool archive_again(struct archive *f, const char *path);
/* Call it after the last table. Returns true when every line read was the line that archive_check() had checked. */
bool archive_is_same(struct archive *f);
/* Reads the next table and its columns, which stay valid with the archive. False at the end, or on failure. */
bool archive_next_table(struct archive *f, const struct cell_table **table, const char **columns);
/* Returns what gzip_file_line() returns, but 0 already at the end of the table. */
long archive_next_row(struct archive *f, const char **line);

int64_t archive_rows(const struct archive *f, const char *table);
/* Also closes the file. NULL is allowed. */
void archive_close(struct archive *f);

#endif
