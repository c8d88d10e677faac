/* The key that authenticates files which leave an installation and come back: workspaces and backups. It is a line of
 * text, such as "openssl rand -hex 32" writes. A file with its HMAC was made by somebody who has the key. */
#ifndef KITH_SERVER_BASE_FILE_KEY_H
#define KITH_SERVER_BASE_FILE_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/crypto.h"

enum { FILE_KEY_MIN = 32, FILE_KEY_MAX = 1024 };

struct file_key {
	char text[FILE_KEY_MAX + 2]; /* one byte more than a key may have, so that a longer one is noticed */
	size_t len;                  /* 0: there is no key */
};

/* Reads the key from the first line of the file. file NULL: from KITH_FILE_KEY, if it is set. False with a message on
 * stderr. */
bool file_key_read(struct file_key *k, const char *file);

/* Begins the HMAC of a kind of file, such as "workspace", so that a file of one kind is never accepted as another kind.
 */
void file_key_begin(const struct file_key *k, const char *kind, struct hmac *h);

/* Decides what to do with a file that has the given HMAC in hexadecimal digits ("": none) and should have the expected
 * one. trust: a file without an HMAC is accepted. False with a message on stderr, which says what such a file could do.
 */
enum file_trust { FILE_REFUSED, FILE_TRUSTED, FILE_AUTHENTIC };
enum file_trust file_key_judge(const struct file_key *k, const char *path, const char *has,
    const unsigned char should[SHA256_SIZE], bool trust, const char *could);

/* Reads the first line of a file, or with file NULL the variable of the environment; "" if neither is given. It leaves
 * no other copy in memory. False with errno. */
bool first_line_read(const char *file, const char *variable, char *out, size_t size, size_t *len);

#endif
