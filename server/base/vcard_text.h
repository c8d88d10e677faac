/* The text of vCards (2.1, 3.0 and 4.0): lines, parameters, parts of values, escapes, folding. Pure functions. */
#ifndef KITH_SERVER_BASE_VCARD_TEXT_H
#define KITH_SERVER_BASE_VCARD_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/* An unfolded line. The parts point into it and have no NUL at their end. */
struct vcard_line {
	const char *group, *name, *params, *value; /* item1 . TEL ;TYPE=home : 123 */
	size_t group_len, name_len, params_len, value_len;
};

struct vcard_param {
	const char *text, *name, *value; /* the whole one, and its parts; without "=" it has only a value (2.1) */
	size_t len, name_len, value_len;
};

/* True when a line says before its colon that its value is quoted-printable. Then "=" at its end continues it. */
bool vcard_says_quoted(const char *text, size_t len);
/* Splits a line. False: it is not a property. */
bool vcard_split(const char *text, size_t len, struct vcard_line *l);
/* Takes the next parameter from the front of l->params; false: there is none. */
bool vcard_param_next(struct vcard_line *l, struct vcard_param *p);
/* True when both are the same text in any case. */
bool vcard_word(const char *text, size_t len, const char *word);

/* Decodes quoted-printable. Returns the length of the text, which is at most as long. */
size_t vcard_unquote(const char *text, size_t len, char *out);
/* Undoes backslashes, and makes CRLF LF; the same. */
size_t vcard_unescape(const char *text, size_t len, char *out);
/* The length up to the next separator without a backslash before it, or len. */
size_t vcard_part(const char *text, size_t len, char separator);

/* Appends a text with backslashes. parts: the property has parts, which semicolons separate. In other properties
 * semicolons get no backslash, because ical.js would show it. */
void vcard_escape(struct buf *out, const char *text, bool parts);
/* RFC 6350 (3.4) requires escaped commas and backslashes in every value, also where a property has only one: programs
 * take an unescaped comma for the end of the first value. Nothing else is escaped in a URI. */
void vcard_escape_uri(struct buf *out, const char *text);
/* Appends a line with its CRLF, folded between characters at 75 octets. */
void vcard_fold(struct buf *out, const char *line, size_t len);

#endif
