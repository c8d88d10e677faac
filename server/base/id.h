/* Identifiers: a prefix, an underscore and a UUID (RFC 9562, version 7, lower case). */
#ifndef KITH_SERVER_BASE_ID_H
#define KITH_SERVER_BASE_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uuid {
	unsigned char b[16];
};

enum id_kind {
	ID_PERSON,
	ID_COMPANY,
	ID_GROUP,
	ID_USER,
	ID_OBJECT,
	ID_TASK,
	ID_REMINDER,
	ID_INTERACTION,
	ID_NOTE,
	ID_WEBHOOK,
	ID_EVENT,
	ID_WORKSPACE,
	ID_KEY,
	ID_GRANT,
	ID_DELIVERY,
	ID_VIEW,
	ID_GROUP_OPTION,
	ID_OBJECT_OPTION,
	ID_KINDS
};

enum {
	ID_LEN = 40,
	ID_SIZE = 48
}; /* characters of a resource id (option prefixes have one more); buffer size for any id with its NUL */

/* "per", "com", ... without the underscore. */
const char *id_prefix(enum id_kind kind);

/* Makes an id. In a process ids rise strictly, even in one millisecond and when the clock steps back. So their byte
 * order is the order of creation. Ids of all kinds form one order: the kind is only in the prefix of the text. */
struct uuid id_new(void);

/* Makes an id of a given time, not before 1970; an imported record with createdAt has one. Ids of the same time are in
 * the order in which the process made them. */
struct uuid id_at(int64_t ms);

/* The smallest id of a millisecond. Before 1970 it is the smallest id of all. */
struct uuid id_least(int64_t ms);

/* A UUID of version 4, for request ids. */
struct uuid id_random(void);

/* Reads exactly prefix, '_' and 36 lower-case characters; false otherwise. */
bool id_parse(enum id_kind kind, const char *text, size_t len, struct uuid *out);

/* Parses an id of any known kind; false when it is not one. */
bool id_parse_any(const char *text, size_t len, enum id_kind *kind, struct uuid *out);

/* Writes prefix, '_' and UUID with a NUL; returns out. */
char *id_format(enum id_kind kind, const struct uuid *id, char out[ID_SIZE]);

/* The bare 36 characters with a NUL; returns out. */
char *uuid_format(const struct uuid *id, char out[37]);
bool uuid_parse(const char *text, size_t len, struct uuid *out);
bool uuid_equal(const struct uuid *a, const struct uuid *b);
bool uuid_in(const struct uuid *ids, size_t n, const struct uuid *id); /* the id is one of these */
int uuid_compare(const void *a, const void *b);                        /* for qsort */

/* Fills out from the system's random generator; ends the process when there is none. */
void random_bytes(void *out, size_t len);

#endif
