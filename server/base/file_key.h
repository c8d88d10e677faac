/* The key that authenticates files which leave an installation and come back: workspaces and backups. It is a line of
 * text, as of "openssl rand -hex 32". What has its HMAC was made by somebody who has the key. */
#ifndef KITH_SERVER_BASE_FILE_KEY_H
#define KITH_SERVER_BASE_FILE_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/crypto.h"

enum { FILE_KEY_MIN = 32, FILE_KEY_MAX = 1024 };

struct file_key {
	char text[FILE_KEY_MAX + 1];
	size_t len; /* 0: there is none */
};

/* From the first line of the file, NULL: from KITH_FILE_KEY, if it is set. False with a message on stderr. */
bool file_key_read(struct file_key *k, const char *file);

/* Begins the HMAC of a kind of file, such as "workspace", so that none is taken for one of another kind. */
void file_key_begin(const struct file_key *k, const char *kind, struct hmac *h);

/* What is to be done with a file that has this HMAC in hexadecimal digits, "" if it has none, and should have that one.
 * trust: it may be without. False with a message on stderr, which says what such a file could do. */
enum file_trust { FILE_REFUSED, FILE_TRUSTED, FILE_AUTHENTIC };
enum file_trust file_key_judge(const struct file_key *k, const char *path, const char *has,
    const unsigned char should[SHA256_SIZE], bool trust, const char *could);

/* The first line of a file, NULL: of a variable of the environment; "" without both. Without a copy in memory. False
 * with errno. */
bool first_line_read(const char *file, const char *variable, char *out, size_t size, size_t *len);

#endif
