/* Identifiers: a prefix, an underscore, a UUID (RFC 9562, version 7, lower case). */
#ifndef KITH_BASE_ID_H
#define KITH_BASE_ID_H

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
	ID_DELIVERY,
	ID_GROUP_OPTION,
	ID_OBJECT_OPTION,
	ID_KINDS
};

enum {
	ID_LEN = 40,
	ID_SIZE = 48
}; /* characters of a resource id (the option prefixes have one more); room for any with its NUL */

/* "per", "com", ... without the underscore. */
const char *id_prefix(enum id_kind kind);

/*
 * Makes an id. Within a process the ids rise strictly, also within one
 * millisecond and when the clock steps back: the bytes sort in the order of creation.
 */
struct uuid id_new(void);

/* The least id of a millisecond; of times before 1970 the least of all. */
struct uuid id_least(int64_t ms);

/* The millisecond at which a version 7 id was made, by the clock of whoever made it. */
int64_t id_ms(const struct uuid *id);

/* Version 4, for request ids. */
struct uuid id_random(void);

/* Reads exactly prefix, '_' and 36 lower-case characters; false otherwise. */
bool id_parse(enum id_kind kind, const char *text, size_t len, struct uuid *out);

/* Reads an id of whatever known kind; false when it is none. */
bool id_parse_any(const char *text, size_t len, enum id_kind *kind, struct uuid *out);

/* Writes prefix, '_' and UUID with a NUL; answers out. */
char *id_format(enum id_kind kind, const struct uuid *id, char out[ID_SIZE]);

/* The bare 36 characters with a NUL; answers out. */
char *uuid_format(const struct uuid *id, char out[37]);
bool uuid_parse(const char *text, size_t len, struct uuid *out);
bool uuid_equal(const struct uuid *a, const struct uuid *b);
int uuid_compare(const void *a, const void *b); /* for qsort */

/* Fills with bytes of the system's random generator; ends the process when it has none. */
void random_bytes(void *out, size_t len);

#endif
