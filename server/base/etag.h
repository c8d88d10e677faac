/* Entity tags and the lists of them in If-Match and If-None-Match (RFC 9110, sections 8.8.3 and
 * 13.1). A record's tag is the time of
 * its last change in microseconds, in base 36. */
#ifndef KITH_SERVER_BASE_ETAG_H
#define KITH_SERVER_BASE_ETAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ETAG_SIZE = 16 }; /* quotes, 13 digits, NUL */

/* Writes the tag of a time that is not negative, such as "\"hoc5zclaak\"", and returns out. */
char *etag_format(int64_t stamp_us, char out[ETAG_SIZE]);

/* True for "*", and for a list of at least one tag. Weak tags are allowed. */
bool etag_list_valid(const char *text, size_t len);

/* True when a valid list is "*" or has the tag of that time. Weak tags never match. */
bool etag_list_matches(const char *text, size_t len, int64_t stamp_us);

/* True when a list is "*" or has the tag, which has at most 60 characters with its quotes. Weak tags match too, as in
 * If-None-Match (section 13.1.2). */
bool etag_list_names(const char *text, size_t len, const char *tag);

#endif
