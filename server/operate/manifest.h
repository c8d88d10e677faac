/* A backup's directory: its files, and the manifest that says what they are. */
#ifndef KITH_SERVER_OPERATE_MANIFEST_H
#define KITH_SERVER_OPERATE_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "server/base/file_key.h"

enum { BACKUP_FORMAT = 2, BACKUP_FILES = 2, BACKUP_SUM_SIZE = 2 * SHA256_SIZE + 1, BACKUP_PIECE = 1 << 20 };

#define BACKUP_DUMP "database.dump"
#define BACKUP_SECRET "secret.sealed"
#define BACKUP_MANIFEST "manifest.json"

enum backup_file { BACKUP_FILE_DUMP, BACKUP_FILE_SECRET };

/* What happened to the secret file. */
enum backup_secret {
	BACKUP_SEALED,   /* it is in the backup */
	BACKUP_LEFT_OUT, /* left out by --without-secret */
	BACKUP_NONE      /* the database has no encrypted secrets yet */
};

struct manifest {
	const char *kith, *created_at, *database;
	int level;           /* of the schema */
	int server, pg_dump; /* major versions of PostgreSQL */
	enum backup_secret secret;
	const char *rows;           /* rows of each table, as a JSON object; "": format 1, which did not count them */
	char hmac[BACKUP_SUM_SIZE]; /* when reading: the HMAC in the manifest; "": none */
	unsigned char should[SHA256_SIZE]; /* when reading: the HMAC that it should have */
	struct manifest_file {
		int64_t bytes;
		char sha256[BACKUP_SUM_SIZE];
		/* after the check: the checksum of each piece, so that no piece is used that was changed since */
		unsigned char (*pieces)[SHA256_SIZE];
		size_t n_pieces;
	} files[BACKUP_FILES]; /* that of the secret only when it is sealed */
};

const char *manifest_secret_name(enum backup_secret secret);

/* Writes all bytes. False with errno. */
bool backup_append(int fd, const void *bytes, size_t len);

/* Writes a new file, with mode 0600 and durably, in the directory. False with errno. */
bool backup_write(int dir, const char *name, const void *bytes, size_t len);
/* Reads a file of at most max bytes. Returns its length, -1 with errno. */
ssize_t backup_read(int dir, const char *name, void *out, size_t max);

void backup_sum(const void *bytes, size_t len, char out[BACKUP_SUM_SIZE]);
/* Ends h and writes the checksum as text. */
void backup_sum_end(struct sha256 *h, char out[BACKUP_SUM_SIZE]);

/* Adds an HMAC if there is a key. False with a message on stderr. */
bool manifest_write(int dir, const struct manifest *m, const struct file_key *key);
/* Texts are in the arena. file_key_judge() decides about the origin. False with a message on stderr when it is not a
 * manifest, was damaged, or has a newer format. */
bool manifest_read(int dir, struct manifest *m, const struct file_key *key, struct arena *a);
/* Checks the sizes and checksums of the files, and records the checksums of their pieces in the arena. False with a
 * message on stderr. */
bool manifest_check(int dir, struct manifest *m, struct arena *a);
/* Reads the next piece of a checked file, the n-th from 0. Returns its length, 0 at the end, or -1 when it cannot be
 * read or is not what was checked. */
ssize_t manifest_piece(int fd, const struct manifest_file *file, size_t n, char piece[BACKUP_PIECE]);

#endif
